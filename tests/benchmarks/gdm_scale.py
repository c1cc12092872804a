"""Time and memory of GDM and its kin on many documents, with one thread and with two.

    python tests/benchmarks/gdm_scale.py [setting ...]

Documents are simulated once for each setting and saved; every fit is in a process of its own, which compiles before it
is measured. One thread and two take turns for some rounds, each first in every other round. Seconds are medians. "Times
faster" is told twice: by the fastest fits of each, as neighbours on a shared machine make fits slower and never faster,
and as the median of the rounds' ratios, with the least and the largest behind it.

A virtual machine may give memory back to its host seconds after it was freed, and is slow to get it again, so that a
fit takes longer the longer ago the last one was. Hence before each, as much memory as the counts take is written to and
freed. "Peak" is of all that the process holds after that, the counts given among it, over the size of these (int64
counts, int32 indices). "From disk" is a fit of counts that `load_corpus` maps from an uncompressed `.npz` file: they
are counted only where they have been read into memory. Topics must be the same, bit for bit, in all fits of a row.

Before each row stands what a second thread gains on this machine in loops that only add up numbers: those that the
processor has at hand, those in memory, and the former in pieces of a few milliseconds, as a fit has dozens: a virtual
core without work may sleep, and take that long to wake.
"""

import hashlib
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from scipy import sparse
from threadpoolctl import threadpool_limits

import gdmbench
from gdmbench import load_corpus, minimum_matching_distance, simulate_lda

# Documents, words in each, size of the vocabulary, topics, estimators, rounds.
SETTINGS = {
    "wide": (100_000, 100, 20_000, 50, ("GDM",), 3),
    "many short": (1_000_000, 50, 1200, 5, ("GDM", "TunedGDM"), 15),
    "many wide": (1_000_000, 100, 20_000, 50, ("GDM",), 2),
    "many short, others": (1_000_000, 50, 1200, 5, ("project", "VLAD", "NonparametricGDM", "RefinedGDM"), 3),
}


class Fit(NamedTuple):
    """CPU seconds, seconds, peak of memory over input, MM distance, and a digest of the topics."""

    cpu: float
    wall: float
    peak: float
    distance: float
    digest: str


def measure(folder: Path, estimator: str, n_jobs: int, is_mapped: bool) -> None:
    """Print what a `Fit` holds, of one fit."""
    path = folder / "counts.npz"
    counts = load_corpus(path).counts if is_mapped else sparse.csr_array(sparse.load_npz(path))
    size = counts.data.nbytes + counts.indices.nbytes + counts.indptr.nbytes
    truth = np.load(folder / "topics.npy")

    def run(counts: Any, topics: Any, n_jobs: int) -> Any:
        """Return what is found: topics, or proportions in given ones."""
        if estimator == "project":
            return gdmbench.project(counts, topics, n_jobs=n_jobs)
        model = getattr(gdmbench, estimator)
        return model(n_topics=len(topics), random_state=0, n_jobs=n_jobs).fit(counts).components_

    run(np.tile(np.eye(3, 30), (20_000, 1)), np.eye(2, 30), 1)  # compile, also what only many documents need
    np.ones(size // 8)  # freed at once
    Path("/proc/self/clear_refs").write_text("5")  # so that the peak is that of what follows
    cpu, wall = time.process_time(), time.perf_counter()
    found = run(counts, truth, n_jobs)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    # Not ru_maxrss, which a process inherits from the one that started it, here after that has drawn the documents.
    told = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()
    peak = int(told[0]) * 1024 / size
    distance = 0.0 if estimator == "project" else minimum_matching_distance(found, truth)
    digest = hashlib.sha256(found.tobytes()).hexdigest()[:12]
    print(cpu, wall, peak, distance, digest)


@njit(nogil=True)
def _add_up(numbers: Any, n_times: int) -> float:
    total = 0.0
    for _ in range(n_times):
        for number in numbers:
            total += number
    return total


def tell_machine() -> None:
    """Print what a second thread gains in loops that need nothing but the processor, or memory."""
    near, far = [np.ones(2000) for _ in range(2)], [np.ones(20_000_000) for _ in range(2)]
    _add_up(near[0], 1)
    told = []
    for what, arrays, n_times, n_tries in (
        ("arithmetic", near, 60_000, 9),
        ("memory", far, 6, 9),
        ("short pieces", near, 1200, 99),
    ):
        ratios = []
        for _ in range(n_tries):
            start = time.perf_counter()
            for array in arrays:
                _add_up(array, n_times)
            middle = time.perf_counter()
            with ThreadPoolExecutor(1) as other:
                theirs = other.submit(_add_up, arrays[0], n_times)
                _add_up(arrays[1], n_times)
                theirs.result()
            ratios.append((middle - start) / (time.perf_counter() - middle))
        told.append(f"{what} {np.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    print(f"a second thread alone, times faster: {', '.join(told)}", flush=True)


def main(names: list[str]) -> None:
    """Print one row for each setting and estimator."""
    print(
        "| setting | method | CPU, s | 1 thread, s | 2 threads, s | times faster, fastest | median of rounds "
        "| peak / input | from disk | MM | same bits |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in names or SETTINGS:
        n_docs, length, n_words, n_topics, estimators, n_rounds = SETTINGS[name]
        with tempfile.TemporaryDirectory() as folder:
            data = simulate_lda(n_docs, length, n_words=n_words, n_topics=n_topics, n_heldout=10, random_state=0)
            sparse.save_npz(Path(folder) / "counts.npz", data.train, compressed=False)
            np.save(Path(folder) / "topics.npy", data.topics)
            del data
            for estimator in estimators:
                tell_machine()
                fits = []
                for number in range(n_rounds):
                    order = (1, 2) if number % 2 == 0 else (2, 1)
                    found = {n_jobs: _fit(folder, estimator, n_jobs, is_mapped=False) for n_jobs in order}
                    fits.append((found[1], found[2]))
                mapped = _fit(folder, estimator, 2, is_mapped=True)
                walls = np.array([[one.wall, two.wall] for one, two in fits])
                (one, two), fastest = np.median(walls, axis=0), walls.min(axis=0)
                ratios = walls[:, 0] / walls[:, 1]
                same = len({fit.digest for pair in fits for fit in pair} | {mapped.digest}) == 1
                print(
                    f"| {name} | {estimator} | {np.median([pair[0].cpu for pair in fits]):.1f} | {one:.1f} | {two:.1f} "
                    f"| {fastest[0] / fastest[1]:.2f} "
                    f"| {np.median(ratios):.2f} ({ratios.min():.2f} to {ratios.max():.2f}) "
                    f"| {max(pair[1].peak for pair in fits):.2f} | {mapped.peak:.2f} | {mapped.distance:.4f} "
                    f"| {'yes' if same else 'NO'} |",
                    flush=True,
                )


def _fit(folder: str, estimator: str, n_jobs: int, is_mapped: bool) -> Fit:
    """Measure one fit in a process of its own."""
    command = [sys.executable, __file__, "--measure", folder, estimator, str(n_jobs), str(int(is_mapped))]
    *numbers, digest = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return Fit(*map(float, numbers), digest)


if __name__ == "__main__":
    with threadpool_limits(1):
        if sys.argv[1:2] == ["--measure"]:
            place, method, jobs, from_disk = sys.argv[2:]
            measure(Path(place), method, int(jobs), from_disk == "1")
        else:
            main(sys.argv[1:])
