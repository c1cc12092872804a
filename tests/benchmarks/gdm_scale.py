"""Time and memory of GDM and tGDM on many documents, with one thread and with two.

    python tests/benchmarks/gdm_scale.py [setting ...]

Documents are simulated once for each setting and saved; every fit is in a process of its own, which compiles before it
is measured. "Peak" is of all that the process ever held, the counts given among it, over the size of these (int64
counts, int32 indices). "From disk" is a fit of counts that `load_corpus` maps from an uncompressed `.npz` file: they
are counted only where they have been read into memory. Topics must be the same, bit for bit, in all fits of a row.
"""

import hashlib
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

import gdmbench
from gdmbench import load_corpus, minimum_matching_distance, simulate_lda

# Documents, words in each, size of the vocabulary, topics, estimators.
SETTINGS = {
    "wide": (100_000, 100, 20_000, 50, ("GDM",)),
    "many short": (1_000_000, 50, 1200, 5, ("GDM", "TunedGDM")),
    "many wide": (1_000_000, 100, 20_000, 50, ("GDM",)),
}


def measure(folder: Path, estimator: str, n_topics: int, n_jobs: int, is_mapped: bool) -> None:
    """Print CPU seconds, seconds, peak over input, MM distance, inertia and a digest of the topics of one fit."""
    path = folder / "counts.npz"
    counts = load_corpus(path).counts if is_mapped else sparse.csr_array(sparse.load_npz(path))
    size = counts.data.nbytes + counts.indices.nbytes + counts.indptr.nbytes
    model = getattr(gdmbench, estimator)
    model(2, random_state=0).fit(np.tile(np.eye(3, 30), (20_000, 1)))  # compile, also what only many documents need
    cpu, wall = time.process_time(), time.perf_counter()
    fitted = model(n_topics, random_state=0, n_jobs=n_jobs).fit(counts)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / size
    distance = minimum_matching_distance(fitted.components_, np.load(folder / "topics.npy"))
    digest = hashlib.sha256(fitted.components_.tobytes()).hexdigest()[:12]
    print(cpu, wall, peak, distance, fitted.inertia_, digest)


def main(names: list[str]) -> None:
    """Print one row for each setting and estimator."""
    print(
        "| setting | method | CPU, s | 1 thread, s | 2 threads, s | times | peak / input | from disk | MM | same bits |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in names or SETTINGS:
        n_docs, length, n_words, n_topics, estimators = SETTINGS[name]
        with tempfile.TemporaryDirectory() as folder:
            data = simulate_lda(n_docs, length, n_words=n_words, n_topics=n_topics, n_heldout=10, random_state=0)
            sparse.save_npz(Path(folder) / "counts.npz", data.train, compressed=False)
            np.save(Path(folder) / "topics.npy", data.topics)
            del data
            for estimator in estimators:
                rows = []
                for n_jobs, is_mapped in ((1, False), (2, False), (2, True)):
                    command = [sys.executable, __file__, "--measure", folder, estimator]
                    command += [str(n_topics), str(n_jobs), str(int(is_mapped))]
                    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                    rows.append(output.split())
                (cpu, one, _, mm, *_), (_, two, peak, *_), (_, _, mapped, *_) = (
                    [float(word) for word in row[:4]] for row in rows
                )
                same = len({row[-1] for row in rows}) == 1
                print(
                    f"| {name} | {estimator} | {cpu:.1f} | {one:.1f} | {two:.1f} | {one / two:.2f} | {peak:.2f} "
                    f"| {mapped:.2f} | {mm:.4f} | {'yes' if same else 'NO'} |",
                    flush=True,
                )


if __name__ == "__main__":
    with threadpool_limits(1):
        if sys.argv[1:2] == ["--measure"]:
            place, method, topics, jobs, from_disk = sys.argv[2:]
            measure(Path(place), method, int(topics), int(jobs), from_disk == "1")
        else:
            main(sys.argv[1:])
