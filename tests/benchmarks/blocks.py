"""Memory and time of fits over blocks on disk, and over a dask cluster of one and of two workers.

    python tests/benchmarks/blocks.py FOLDER [memory | dask | pubmed ...]

The corpora are simulated into FOLDER, part by part, and stay there until the last line is printed, for a second call.
"memory": a million documents of 100 words, 20,000 words, 50 topics: peak memory above an idle interpreter's and time of
`RefinedGDM.fit`, from parts on disk and from a matrix in memory. "dask": a fifth of these documents on one and on two
workers, in turns. "pubmed": 8.2 million documents over 141,043 words, 100 topics: one sweep of `partial_fit`, and the
completion of held-out documents. Every fit is in a process of its own, with one thread.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
from scipy import sparse

from gdmbench import CorpusParts, RefinedGDM, completion_perplexity
from gdmbench.data.draw import draw_counts

# Documents, words in each, size of the vocabulary, topics, documents in a part.
SIZES = {
    "memory": (1_000_000, 100, 20_000, 50, 25_000),
    "dask": (200_000, 100, 20_000, 50, 25_000),
    "pubmed": (8_200_000, 80, 141_043, 100, 100_000),
}
ROUNDS = 5


def make_corpus(folder: Path, name: str) -> Path:
    """Simulate the parts that are not there yet."""
    n_docs, length, n_words, n_topics, n_rows = SIZES[name]
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    topics = np.random.default_rng(0).dirichlet(np.full(n_words, 0.05), size=n_topics)
    for number in range(n_docs // n_rows):
        path = target / f"part-{number:04d}.npz"
        if not path.exists():
            rng = np.random.default_rng([1, number])
            theta = rng.dirichlet(np.full(n_topics, 0.1), size=n_rows)
            counts = draw_counts(np.full(n_rows, length), theta, topics, rng).astype(np.int32)
            sparse.save_npz(path.with_suffix(".aside.npz"), counts, compressed=False)
            path.with_suffix(".aside.npz").rename(path)
    return target


def fit(parts: Path, how: str, n_topics: int) -> dict[str, float]:
    """Fit in this process; return seconds and the peak of its memory above what it held before."""
    RefinedGDM(3, random_state=0).fit(np.tile(np.eye(4), (50, 1)))  # compile
    idle = psutil.Process().memory_info().rss
    corpus = CorpusParts(parts)
    start = time.perf_counter()
    if how == "matrix":
        counts = sparse.vstack(list(corpus), format="csr")
        start = time.perf_counter()
        RefinedGDM(n_topics, random_state=0).fit(counts)
    elif how == "blocks":
        RefinedGDM(n_topics, random_state=0).fit(corpus)
    else:
        sweep(corpus, n_topics)
    peak = int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) * 1024
    return {"seconds": time.perf_counter() - start, "peak_mb": (peak - idle) / 1e6}


def sweep(corpus: CorpusParts, n_topics: int) -> None:
    """Learn from the parts one after the other, all but the last; complete the documents of the last."""
    model = RefinedGDM(n_topics, random_state=0)
    *parts, last = corpus.files
    for file in parts:
        model.partial_fit(sparse.csr_array(sparse.load_npz(file)))
    heldout, train = (sparse.csr_array(sparse.load_npz(file))[:2000] for file in (last, parts[0]))
    print("completion", round(completion_perplexity(heldout, model.components_, train), 1), file=sys.stderr)


def in_process(parts: Path, how: str, n_topics: int) -> dict[str, float]:
    """Do the same in a process of its own with one thread."""
    command = [sys.executable, __file__, "--fit", str(parts), how, str(n_topics)]
    alone = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    found = subprocess.run(command, check=True, capture_output=True, text=True, env=alone)
    sys.stderr.write(found.stderr)
    result: dict[str, float] = json.loads(found.stdout.strip().splitlines()[-1])
    return result


def with_dask(parts: Path, n_topics: int) -> None:
    """Print how much faster two workers are than one, the median of rounds in turns."""
    import dask
    from distributed import Client, LocalCluster

    def seconds(n_workers: int) -> float:
        with (
            LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster),
        ):
            blocks = [dask.delayed(sparse.load_npz)(str(file)) for file in CorpusParts(parts).files]
            few = [dask.delayed(sparse.csr_array)(np.tile(np.eye(4), (50, 1))) for _ in range(2 * n_workers)]
            RefinedGDM(3, random_state=0).fit(few)  # compile
            start = time.perf_counter()
            RefinedGDM(n_topics, random_state=0).fit(blocks)
            return time.perf_counter() - start

    ratios = [seconds(1) / seconds(2) for _ in range(ROUNDS)]
    rounds = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"| dask, two workers | {np.median(ratios):.2f} times as fast as one ({rounds}) |")


def main(folder: Path, names: list[str]) -> None:
    """Print one row for each measurement."""
    for name in names or SIZES:
        parts, n_topics = make_corpus(folder, name), SIZES[name][3]
        if name == "dask":
            with_dask(parts, n_topics)
        else:
            for how in ("blocks", "matrix") if name == "memory" else ("sweep",):
                found = in_process(parts, how, n_topics)
                print(f"| {name}, {how} | {found['seconds']:.0f} s | {found['peak_mb']:.0f} MB |", flush=True)
        shutil.rmtree(parts)


if __name__ == "__main__":
    if sys.argv[1] == "--fit":
        print(json.dumps(fit(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))))
    else:
        main(Path(sys.argv[1]), sys.argv[2:])
