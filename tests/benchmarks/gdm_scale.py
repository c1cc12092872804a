"""Time and memory of fits of many documents.

    python tests/benchmarks/gdm_scale.py [setting ...]

Documents are simulated once for each setting and saved. Every fit is in a process of its own, which compiles before it
is measured, and uses one thread. "Peak" is the size of the counts (int64 counts, int32 indices) and of all that the fit
holds beside them at its fullest, over the size of the counts.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

import gdmbench
from gdmbench import minimum_matching_distance, simulate_lda
from gdmbench.execute.guard import mark_memory, peak_memory

# Documents, words in each, size of the vocabulary, topics, estimators.
SETTINGS = {
    "wide": (100_000, 100, 20_000, 50, ("GDM",)),
    "many short": (1_000_000, 50, 1200, 5, ("GDM", "TunedGDM", "VLAD", "NonparametricGDM", "RefinedGDM")),
    "many wide": (1_000_000, 100, 20_000, 50, ("GDM", "VLAD")),
}


def measure(folder: Path, estimator: str) -> None:
    """Print CPU seconds, peak memory over input and MM distance of one fit."""
    counts = sparse.csr_array(sparse.load_npz(folder / "counts.npz"))
    size = counts.data.nbytes + counts.indices.nbytes + counts.indptr.nbytes
    truth = np.load(folder / "topics.npy")
    method = getattr(gdmbench, estimator)
    method(n_topics=2, random_state=0).fit(np.tile(np.eye(3, 30), (20_000, 1)))  # compile
    held = mark_memory()
    start = time.process_time()
    topics = method(n_topics=len(truth), random_state=0).fit(counts).components_
    seconds = time.process_time() - start
    peak = 1.0 + (peak_memory(held) or 0.0) * 1e6 / size
    print(f"{seconds:.1f} | {peak:.2f} | {minimum_matching_distance(topics, truth):.4f}")


def main(names: list[str]) -> None:
    """Print one row for each setting and estimator."""
    print("| setting | method | CPU, s | peak / input | MM |")
    print("|---|---|---|---|---|")
    for name in names or SETTINGS:
        n_docs, length, n_words, n_topics, estimators = SETTINGS[name]
        with tempfile.TemporaryDirectory() as folder:
            data = simulate_lda(n_docs, length, n_words=n_words, n_topics=n_topics, n_heldout=10, random_state=0)
            sparse.save_npz(Path(folder) / "counts.npz", data.train, compressed=False)
            np.save(Path(folder) / "topics.npy", data.topics)
            del data
            for estimator in estimators:
                command = [sys.executable, __file__, "--measure", folder, estimator]
                row = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
                print(f"| {name} | {estimator} | {row} |", flush=True)


if __name__ == "__main__":
    with threadpool_limits(1):
        if sys.argv[1:2] == ["--measure"]:
            measure(Path(sys.argv[2]), sys.argv[3])
        else:
            main(sys.argv[1:])
