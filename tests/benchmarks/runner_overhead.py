"""What the runner costs: milliseconds per cell for a method that does nothing, and the CPU time of `--help`.

    python tests/benchmarks/runner_overhead.py

The time of a cell is the slope between a run of 100 and one of 600 cells, so that starting up is not in it.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOY = Path(__file__).resolve().parents[1] / "toy"


def run(words: list[str], folder: str) -> float:
    start = time.perf_counter()
    command = [sys.executable, "-m", "gdmbench", *words]
    environment = {**os.environ, "PYTHONPATH": str(TOY)}
    subprocess.run(
        command, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - start


def overhead(executor: list[str]) -> tuple[float, float]:
    words = ["--config-dir", str(TOY / "conf"), "+experiment=toy", "sweep.values=[50]", *executor]
    with tempfile.TemporaryDirectory() as folder:
        few = run([*words, "repetitions=100", "folder=few"], folder)
        many = run([*words, "repetitions=600", "folder=many"], folder)
        again = run([*words, "repetitions=600", "folder=many"], folder)
    return 1000 * (many - few) / 500, again


def main() -> None:
    run(["--help"], ".")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(["--help"], ".")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print("| what | measured | at most |\n|---|---|---|")
    print(f"| CPU of `python -m gdmbench --help` | {cpu:.2f} s | 1.5 s |")
    for name, executor in {
        "local, 1 worker": ["executor.n_workers=1"],
        "local, 2 workers": ["executor.n_workers=2"],
    }.items():
        cell, again = overhead(executor)
        print(f"| a cell that does nothing, {name} | {cell:.1f} ms | 25 ms |")
        print(f"| the same command again, nothing missing (600 cells), {name} | {again:.1f} s | a few s |")


if __name__ == "__main__":
    main()
