"""Time and memory of simulating the largest settings: `python tests/benchmarks/simulate_speed.py`."""

import time
import tracemalloc

import numpy as np

from gdmbench import simulate_lda

SETTINGS = [(1000, 1000), (15_000, 50), (7000, 1000), (1000, 10_000)]


def dense_draw(topics: np.ndarray, proportions: np.ndarray, length: int) -> np.ndarray:
    """Draw the training documents the short way: dense, a documents x words array of counts."""
    return np.random.default_rng(0).multinomial(length, proportions @ topics)


def main() -> None:
    """Print one row for each setting: best of five, and the peak of memory above what the result itself takes."""
    simulate_lda(10, 10, random_state=0)
    print("| M | N | non-zeros | seconds | peak MB | MB of the result | numpy multinomial, dense: seconds |")
    print("|---|---|---|---|---|---|---|")
    for n_docs, length in SETTINGS:
        seconds, dense = [], []
        for seed in range(5):
            start = time.perf_counter()
            data = simulate_lda(n_docs, length, random_state=seed)
            seconds.append(time.perf_counter() - start)
            start = time.perf_counter()
            dense_draw(data.topics, data.proportions, length)
            dense.append(time.perf_counter() - start)
        tracemalloc.start()
        data = simulate_lda(n_docs, length, random_state=0)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        size = data.train.data.nbytes + data.train.indices.nbytes + data.train.indptr.nbytes
        print(
            f"| {n_docs} | {length} | {data.train.nnz} | {min(seconds):.3f} | {peak / 1e6:.0f} | {size / 1e6:.0f} "
            f"| {min(dense):.3f} |"
        )


if __name__ == "__main__":
    main()
