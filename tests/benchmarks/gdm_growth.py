"""Time and memory of GDM and tGDM as documents of 50 words grow in number, one thread.

    python tests/benchmarks/gdm_growth.py

Each number of documents is fitted in a process of its own, which loads the counts and compiles before it is measured;
times are of the processor, memory is the growth of the process's peak during the fits.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from gdmbench import GDM, TunedGDM, simulate_lda

SIZES = (1000, 3000, 10_000, 30_000, 100_000, 300_000)


def measure(path: str) -> None:
    """Print the seconds of both fits and the growth of the peak of memory, for the counts in a file."""
    counts = sparse.csr_array(sparse.load_npz(path))
    TunedGDM(2).fit(np.eye(3, counts.shape[1]))  # compile
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = []
    for estimator in (GDM, TunedGDM):
        rounds = []
        for _ in range(3 if counts.shape[0] <= 30_000 else 1):
            start = time.process_time()
            estimator(5, random_state=0).fit(counts)
            rounds.append(time.process_time() - start)
        seconds.append(min(rounds))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(*seconds, (after - before) / 1024)


def main() -> None:
    """Print one row for each number of documents, and the slopes on logarithmic scales."""
    print("| M | non-zeros | GDM, s | tGDM, s | memory, MB | bytes a non-zero | dense would be, MB |")
    print("|---|---|---|---|---|---|---|")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for n_docs in SIZES:
            counts = simulate_lda(n_docs, 50, random_state=0).train
            path = Path(folder) / "counts.npz"
            sparse.save_npz(path, sparse.csr_matrix(counts), compressed=False)
            command = [sys.executable, __file__, str(path)]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            plain, tuned, memory = map(float, output.split())
            rows.append((counts.nnz, plain, tuned, memory))
            print(
                f"| {n_docs} | {counts.nnz} | {plain:.4f} | {tuned:.4f} | {memory:.0f} "
                f"| {memory * 2**20 / counts.nnz:.0f} | {np.prod(counts.shape) * 8 / 2**20:.0f} |",
                flush=True,
            )
    logs = np.log(np.array(rows))
    slopes = [np.polyfit(logs[:, 0], logs[:, column], 1)[0] for column in (1, 2)]
    print(f"\nTime grows as the number of non-zeros to the power {slopes[0]:.2f} (GDM) and {slopes[1]:.2f} (tGDM).")


if __name__ == "__main__":
    with threadpool_limits(1):
        if len(sys.argv) > 1:
            measure(sys.argv[1])
        else:
            main()
