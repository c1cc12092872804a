"""What the first fit after installation costs: compilation, from an empty cache, one thread.

    python tests/benchmarks/cold_start.py [name ...]

Each name is run in a process of its own, with a folder for numba's cache that is empty. Seconds are of the processor:
of the first call, of the second, which is what the work itself takes, and of the kernels whose compilation took
longest, each with all that is compiled for it.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np


def _counts() -> Any:
    return np.random.default_rng(0).poisson(np.random.default_rng(1).gamma(0.3, 3.0, (60, 40)))


def _fit(module: str, names: str, **parameters: Any) -> Callable[[], None]:
    def fit() -> None:
        for name in names.split():
            estimator = getattr(import_module(module), name)
            estimator(3, random_state=0, **parameters).fit(_counts())

    return fit


def _simulate() -> None:
    from gdmbench import simulate_lda

    simulate_lda(50, 30, n_words=40, n_topics=3, random_state=0)


def _load() -> None:
    from gdmbench import load_corpus

    with tempfile.NamedTemporaryFile("w", suffix=".ldac") as file:
        file.write("2 0:1 1:2\n1 1:1\n" * 10)
        file.flush()
        load_corpus(file.name)


def _recover() -> None:
    from baselines.recover_kl import RecoverKL

    RecoverKL(3).fit(_counts())


def _kl_dp_means() -> None:
    from baselines.kl_dp_means import KLDPMeans

    KLDPMeans(n_topics=3).fit(_counts())


CASES: dict[str, tuple[float | None, Callable[[], None]]] = {
    "GDM": (None, _fit("gdmbench", "GDM")),
    "TunedGDM and GDM": (5.0, _fit("gdmbench", "TunedGDM GDM")),
    "NonparametricGDM": (None, _fit("gdmbench", "NonparametricGDM")),
    "VLAD": (None, _fit("gdmbench", "VLAD")),
    "RefinedGDM": (None, _fit("gdmbench", "RefinedGDM")),
    "RecoverKL": (4.0, _recover),
    "VariationalEM": (4.0, _fit("baselines.vem", "VariationalEM")),
    "CollapsedGibbs": (4.0, _fit("baselines.gibbs", "CollapsedGibbs")),
    "LdaC": (None, _fit("baselines.lda_c", "LdaC")),
    "KLDPMeans": (None, _kl_dp_means),
    "simulate_lda": (4.0, _simulate),
    "load_corpus": (None, _load),
}


def measure(name: str) -> None:
    """Print the seconds of the first and of the second call, and the kernels that took longest to compile."""
    import scipy.optimize  # noqa: F401

    # Everything that is imported on the way is not compilation.
    import sklearn.cluster  # noqa: F401
    from numba.core import event

    import gdmbench  # noqa: F401

    seconds = []
    spent: Counter[str] = Counter()
    with event.install_recorder("numba:compile") as recorder:
        for _ in range(2):
            start = time.process_time()
            CASES[name][1]()
            seconds.append(time.process_time() - start)
    started: dict[str, float] = {}
    for moment, happened in recorder.buffer:
        kernel = happened.data["dispatcher"].py_func.__qualname__
        if happened.is_start:
            started[kernel] = moment
        else:
            spent[kernel] += moment - started[kernel]
    slowest = ", ".join(f"{kernel} {value:.1f}" for kernel, value in spent.most_common(6))
    print(f"{seconds[0]:.1f} | {seconds[1]:.2f} | {len(spent)} | {slowest}")


def main(names: list[str]) -> None:
    """Print one row for each name."""
    print("| what | at most, s | first, s | second, s | kernels | longest, s |")
    print("|---|---|---|---|---|---|")
    for name in names or CASES:
        with tempfile.TemporaryDirectory() as cache:
            environment = os.environ | {"NUMBA_CACHE_DIR": cache}
            command = [sys.executable, __file__, "--measure", name]
            row = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()
        print(f"| {name} | {CASES[name][0] or '–'} | {row} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2])
    else:
        main(sys.argv[1:])
