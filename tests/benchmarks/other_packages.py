"""How many iterations the methods of other packages need: MM distance and seconds at growing numbers of them.

`python tests/benchmarks/other_packages.py` prints a Markdown table; one thread, mean of two draws of the data.
"""

import time
import warnings

import numpy as np
from sklearn.decomposition import NMF, LatentDirichletAllocation
from threadpoolctl import threadpool_limits

from baselines.adapters.lda_gibbs import LdaGibbs
from baselines.adapters.tomotopy_gibbs import TomotopyGibbs
from gdmbench import minimum_matching_distance, simulate_lda

CORPORA = {"M=1000, N=300": (1000, 300), "M=3000, N=50": (3000, 50)}
METHODS = {
    "sklearn LDA, max_iter": (
        [10, 20, 30, 50],
        lambda n, seed: LatentDirichletAllocation(
            5, doc_topic_prior=0.1, topic_word_prior=0.1, learning_method="batch", max_iter=n, random_state=seed
        ),
    ),
    "sklearn NMF, max_iter": (
        [50, 100, 200, 400],
        lambda n, seed: NMF(
            5, beta_loss="kullback-leibler", solver="mu", init="nndsvda", max_iter=n, random_state=seed
        ),
    ),
    "tomotopy, n_sweeps": ([50, 100, 200, 400], lambda n, seed: TomotopyGibbs(5, n_sweeps=n, random_state=seed)),
    "lda, n_sweeps": ([50, 100, 200], lambda n, seed: LdaGibbs(5, n_sweeps=n, random_state=seed)),
}


def main() -> None:
    print(f"| method | iterations | {' | '.join(f'{name}: MM | s' for name in CORPORA)} |")
    print("|---|---|" + "---|" * 2 * len(CORPORA))
    data = {name: [simulate_lda(m, n, random_state=seed) for seed in range(2)] for name, (m, n) in CORPORA.items()}
    for name, (iterations, make) in METHODS.items():
        for count in iterations:
            row = []
            for draws in data.values():
                distances, seconds = [], []
                for seed, draw in enumerate(draws):
                    model = make(count, seed)
                    start = time.perf_counter()
                    model.fit(draw.train)
                    seconds.append(time.perf_counter() - start)
                    topics = model.components_ / model.components_.sum(axis=1, keepdims=True)
                    distances.append(minimum_matching_distance(topics, draw.topics))
                row += [f"{np.mean(distances):.4f}", f"{np.mean(seconds):.1f}"]
            print(f"| {name} | {count} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()
