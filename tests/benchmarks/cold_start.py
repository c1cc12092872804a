"""What the first fit after installation costs: compilation, from an empty cache.

    python tests/benchmarks/cold_start.py [method ...]

Each method is fitted twice to a few documents, in a process of its own with an empty folder for numba's cache. Seconds
are of the processor: of the first fit, and of the second, which is what the work itself takes.
"""

import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module

import numpy as np

METHODS = {
    "GDM": "gdmbench",
    "TunedGDM": "gdmbench",
    "NonparametricGDM": "gdmbench",
    "VLAD": "gdmbench",
    "RefinedGDM": "gdmbench",
    "RecoverKL": "baselines.recover_kl",
    "VariationalEM": "baselines.vem",
    "CollapsedGibbs": "baselines.gibbs",
    "LdaC": "baselines.lda_c",
}


def measure(name: str) -> None:
    """Print the seconds of the first and of the second fit."""
    import sklearn.cluster  # noqa: F401  (what is imported on the way is not compilation)

    method = getattr(import_module(METHODS[name]), name)
    counts = np.random.default_rng(0).poisson(np.random.default_rng(1).gamma(0.3, 3.0, (60, 40)))
    seconds = []
    for _ in range(2):
        start = time.process_time()
        method(n_topics=3).fit(counts)
        seconds.append(time.process_time() - start)
    print(f"{seconds[0]:.1f} | {seconds[1]:.2f}")


def main(names: list[str]) -> None:
    """Print one row for each method."""
    print("| method | first, s | second, s |")
    print("|---|---|---|")
    for name in names or METHODS:
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, __file__, "--measure", name]
            environment = os.environ | {"NUMBA_CACHE_DIR": cache}
            row = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()
        print(f"| {name} | {row} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2])
    else:
        main(sys.argv[1:])
