"""What it costs a fit that BLAS uses all cores while another process has one of them.

    python tests/benchmarks/blas_threads.py

Documents are NIPS-like with 20 topics. Each fit is timed by the clock, with one BLAS thread, as fits have it, and with
as many as there are cores; the two take turns, best of five. A process that only counts keeps one core busy.
"""

import multiprocessing
import time
from contextlib import nullcontext
from typing import Any
from unittest import mock

from experiments.simulators import simulate_nips_like
from gdmbench import GDM, VLAD, RefinedGDM
from gdmbench.geometry import base


def spin() -> None:
    """Keep one core busy."""
    while True:
        pass


def seconds(model: Any, counts: Any) -> float:
    """Return the wall time of one fit."""
    start = time.perf_counter()
    model.fit(counts)
    return time.perf_counter() - start


def main() -> None:
    """Print one row for each method."""
    counts = simulate_nips_like(n_topics=20, alpha=0.25, random_state=0).train
    unlimited = mock.Mock()
    unlimited.limit.side_effect = lambda **_: nullcontext()
    print("| method | another process | one BLAS thread, s | all cores, s | times slower |")
    print("|---|---|---|---|---|")
    for is_busy in (False, True):
        other = multiprocessing.Process(target=spin, daemon=True)
        if is_busy:
            other.start()
        for method in (GDM, VLAD, RefinedGDM):
            model: Any = method(20, random_state=0)
            model.fit(counts)  # compile
            one, many = [], []
            for _ in range(5):
                one.append(seconds(model, counts))
                with mock.patch.object(base, "_blas", return_value=unlimited):
                    many.append(seconds(model, counts))
            print(
                f"| {method.__name__} | {'busy' if is_busy else 'idle'} | {min(one):.2f} | {min(many):.2f} "
                f"| {min(many) / min(one):.1f} |",
                flush=True,
            )
        if is_busy:
            other.kill()


if __name__ == "__main__":
    main()
