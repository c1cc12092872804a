"""How many sweeps and chains collapsed Gibbs needs, setting by setting: the study behind conf/method/gibbs.yaml.

    python tests/benchmarks/gibbs_convergence.py [setting ...]

On two draws of the data, six chains from random labels are followed; what `CollapsedGibbs` would return after n
sweeps is measured at growing n. Each cell reads "alone / best of 3 (share caught)": the mean MM distance of single
chains; that of the chain with the highest likelihood among three, over all choices of three; and the share of chains
whose distance is more than 1.5 times the least one at the largest n.
"""

import sys
import time
from itertools import combinations

import numpy as np
from threadpoolctl import threadpool_limits

from baselines.gibbs import CollapsedGibbs
from experiments.simulators import simulate_nips_like
from gdmbench import minimum_matching_distance, simulate_lda
from gdmbench.data.corpus import Split

N_CHAINS, N_DRAWS = 6, 2
SWEEPS = (25, 50, 100, 200, 400, 800)
SETTINGS = {
    "M=1000, N=10": {"n_docs": 1000, "doc_length": 10},
    "M=1000, N=50": {"n_docs": 1000, "doc_length": 50},
    "M=5000, N=50": {"n_docs": 5000, "doc_length": 50},
    "M=15000, N=50": {"n_docs": 15_000, "doc_length": 50},
    "M=5000, N=50, eta=0.01": {"n_docs": 5000, "doc_length": 50, "eta": 0.01},
    "M=5000, N=50, eta=1": {"n_docs": 5000, "doc_length": 50, "eta": 1.0},
    "M=100, N=1000": {"n_docs": 100, "doc_length": 1000},
    "default": {"n_docs": 1000, "doc_length": 1000},
    "N=50..1500": {"n_docs": 1000, "doc_length": (50, 1500)},
    "alpha=0.01": {"n_docs": 1000, "doc_length": 1000, "alpha": 0.01},
    "alpha=2": {"n_docs": 1000, "doc_length": 1000, "alpha": 2.0},
    "NIPS-like, K=5": {"n_topics": 5, "alpha": 1.0},
    "NIPS-like, K=10": {"n_topics": 10, "alpha": 0.5},
    "NIPS-like, K=20": {"n_topics": 20, "alpha": 0.25},
}


def draw(name: str, seed: int) -> Split:
    """Simulate the documents of a setting."""
    simulate = simulate_nips_like if name.startswith("NIPS") else simulate_lda
    return simulate(**SETTINGS[name], random_state=seed)


def follow(data: Split, options: dict[str, float], n_sweeps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return distance and likelihood of each chain; a seed gives the same chain whatever the number of sweeps."""
    distances, scores = np.empty(N_CHAINS), np.empty(N_CHAINS)
    for seed in range(N_CHAINS):
        model = CollapsedGibbs(**options, n_sweeps=n_sweeps, random_state=seed).fit(data.train)
        distances[seed] = minimum_matching_distance(model.components_, data.topics)
        scores[seed] = model.record_["log_likelihoods"][0]  # in the burn-in, when the best of several is chosen
    return distances, scores


def main(names: list[str]) -> None:
    """Print one row for each setting, one column for each number of sweeps."""
    print(f"| setting | {' | '.join(f'{n} sweeps' for n in SWEEPS)} | seconds for 100 sweeps |")
    print("|---|" + "---|" * (len(SWEEPS) + 1))
    for name in names or SETTINGS:
        given = SETTINGS[name]
        options = {key: given.get(key, usual) for key, usual in [("n_topics", 5), ("alpha", 0.1), ("eta", 0.1)]}
        draws = [draw(name, seed) for seed in range(N_DRAWS)]
        cells = []
        results = [[follow(data, options, n) for data in draws] for n in SWEEPS]
        least = np.array([distances.min() for distances, _ in results[-1]])
        for row in results:
            alone = np.mean([distances for distances, _ in row])
            best = np.mean(
                [d[max(trio, key=s.__getitem__)] for d, s in row for trio in combinations(range(N_CHAINS), 3)]
            )
            caught = np.mean([d > 1.5 * smallest for (d, _), smallest in zip(row, least, strict=True)])
            cells.append(f"{alone:.4f} / {best:.4f} ({caught:.2f})")
        start = time.process_time()
        CollapsedGibbs(**options, n_sweeps=100, random_state=0).fit(draws[0].train)
        print(f"| {name} | {' | '.join(cells)} | {time.process_time() - start:.2f} |", flush=True)


if __name__ == "__main__":
    with threadpool_limits(1):
        main(sys.argv[1:])
