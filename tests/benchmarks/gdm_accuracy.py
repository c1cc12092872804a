"""Minimum-matching distance of GDM and tGDM to the true topics, mean of five draws.

python tests/benchmarks/gdm_accuracy.py
"""

from collections.abc import Callable

import numpy as np
from threadpoolctl import threadpool_limits

from experiments.simulators import simulate_nips_like
from gdmbench import GDM, TunedGDM, minimum_matching_distance, simulate_lda
from gdmbench.data.corpus import Split

SEEDS = range(5)
SETTINGS: dict[str, tuple[int, Callable[[int], Split]]] = {
    "default": (5, lambda seed: simulate_lda(1000, 1000, random_state=seed)),
    "short": (5, lambda seed: simulate_lda(5000, 50, random_state=seed)),
    "nips-like, K = 10": (10, lambda seed: simulate_nips_like(n_topics=10, alpha=0.5, random_state=seed)),
    "nips-like, K = 20": (20, lambda seed: simulate_nips_like(n_topics=20, alpha=0.25, random_state=seed)),
}


def main() -> None:
    """Print one row for each setting."""
    print("| setting | GDM | largest | tGDM | largest | GDM unweighted |")
    print("|---|---|---|---|---|---|")
    for name, (n_topics, simulate) in SETTINGS.items():
        distances = []
        for seed in SEEDS:
            data = simulate(seed)
            models = (
                GDM(n_topics, random_state=seed),
                TunedGDM(n_topics, random_state=seed),
                GDM(n_topics, weighted=False, random_state=seed),
            )
            distances.append(
                [minimum_matching_distance(model.fit(data.train).components_, data.topics) for model in models]
            )
        mean, largest = np.mean(distances, axis=0), np.max(distances, axis=0)
        print(
            f"| {name} | {mean[0]:.4f} | {largest[0]:.4f} | {mean[1]:.4f} | {largest[1]:.4f} | {mean[2]:.4f} |",
            flush=True,
        )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
