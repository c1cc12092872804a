"""Time and memory of GDM and tGDM as documents of 50 words, topics or words of the vocabulary grow in number.

    python tests/benchmarks/gdm_growth.py [M] [K] [V]

One of them grows at a time, the others stay at 10,000 documents, 5 topics and 1200 words. Each size is fitted in a
process of its own, on one thread, which loads the counts and compiles before it is measured; times are of the
processor, memory is the growth of the process's peak during the fits. Slopes are those of straight lines fitted on
logarithmic scales.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from gdmbench import GDM, TunedGDM, simulate_lda
from gdmbench.execute.guard import mark_memory, peak_memory

USUAL = {"M": 10_000, "K": 5, "V": 1200}
SIZES = {
    "M": (1000, 10_000, 100_000, 1_000_000),
    "K": (5, 10, 20, 50, 100, 200),
    "V": (1000, 10_000, 100_000),
}


def measure(path: str, n_topics: int) -> None:
    """Print the seconds of both fits and the growth of the peak of memory, for the counts in a file."""
    counts = sparse.csr_array(sparse.load_npz(path))
    TunedGDM(2).fit(np.tile(np.eye(3, 30), (20_000, 1)))  # compile, also what only many documents need
    held = mark_memory()
    seconds = []
    for estimator in (GDM, TunedGDM):
        rounds = []
        for _ in range(3 if counts.shape[0] <= 1000 else 1):
            start = time.process_time()
            estimator(n_topics, random_state=0).fit(counts)
            rounds.append(time.process_time() - start)
        seconds.append(min(rounds))
    print(*seconds, peak_memory(held))


def main(axes: list[str]) -> None:
    """Print one row for each size, and the slopes on logarithmic scales."""
    for axis in axes or SIZES:
        print(f"\n| {axis} | non-zeros | GDM, s | tGDM, s | memory, MB | dense would be, MB |")
        print("|---|---|---|---|---|---|")
        rows = []
        for size in SIZES[axis]:
            sizes = {**USUAL, axis: size}
            counts = simulate_lda(sizes["M"], 50, n_topics=sizes["K"], n_words=sizes["V"], random_state=0).train
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "counts.npz"
                sparse.save_npz(path, sparse.csr_matrix(counts), compressed=False)
                command = [sys.executable, __file__, "--measure", str(path), str(sizes["K"])]
                output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            plain, tuned, memory = map(float, output.split())
            rows.append((size, plain, tuned, max(memory, 1.0)))
            dense = np.prod(counts.shape) * 8 / 2**20
            print(f"| {size} | {counts.nnz} | {plain:.3f} | {tuned:.3f} | {memory:.0f} | {dense:.0f} |", flush=True)
        logs = np.log(np.array(rows))
        slopes = [np.polyfit(logs[:, 0], logs[:, column], 1)[0] for column in (1, 2, 3)]
        print("\n{} to the power: GDM's time {:.2f}, tGDM's {:.2f}, memory {:.2f}".format(axis, *slopes))


if __name__ == "__main__":
    with threadpool_limits(1):
        if sys.argv[1:2] == ["--measure"]:
            measure(sys.argv[2], int(sys.argv[3]))
        else:
            main(sys.argv[1:])
