"""Inertia of GDM's k-means against scikit-learn's with the same number of restarts, over many draws.

    python tests/benchmarks/kmeans_quality.py [n_draws [first_seed]]

Each setting is clustered with the true number of topics, fewer and more. A run counts as worse or better where the
inertias differ by more than 0.01 %. For comparison, scikit-learn's own with another seed, counted likewise.
"""

import sys

from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from experiments.simulators import simulate_nips_like
from gdmbench import GDM, simulate_lda
from gdmbench.geometry.counts import check_counts, normalise_rows

SETTINGS = {
    "M=1000, N=10": ((3, 5, 8), lambda seed: simulate_lda(1000, 10, random_state=seed)),
    "short": ((3, 5, 8), lambda seed: simulate_lda(5000, 50, random_state=seed)),
    "default": ((3, 5, 8), lambda seed: simulate_lda(1000, 1000, random_state=seed)),
    "alpha=1": ((3, 5, 8), lambda seed: simulate_lda(1000, 1000, alpha=1.0, random_state=seed)),
    "N=50..1500": ((3, 5, 8), lambda seed: simulate_lda(1000, (50, 1500), random_state=seed)),
    "many": ((10, 15, 20), lambda seed: simulate_lda(2000, 500, n_topics=15, random_state=seed)),
    "NIPS-like": ((5, 10, 15), lambda seed: simulate_nips_like(n_topics=10, alpha=0.5, random_state=seed)),
}


def main(n_draws: int = 10, first_seed: int = 0) -> None:
    """Print one row for each setting and number of clusters."""
    print(
        "| setting | clusters | draws | worse | better | worst, % | best, % | KMeans against itself, worse | worst, % |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (sizes, simulate) in SETTINGS.items():
        seeds = range(first_seed, first_seed + n_draws)
        samples = [simulate(seed).train for seed in seeds]
        for n_clusters in sizes:
            differences, between = [], []
            for seed, counts in zip(seeds, samples, strict=True):
                points, lengths = normalise_rows(check_counts(counts))
                theirs, again = (
                    KMeans(n_clusters, n_init=10, random_state=s).fit(points, sample_weight=lengths).inertia_
                    for s in (seed, 1000 + seed)
                )
                between.append(100.0 * (again / theirs - 1.0))
                ours = GDM(n_clusters, random_state=seed).fit(counts).inertia_
                differences.append(100.0 * (ours / theirs - 1.0))
            print(
                f"| {name} | {n_clusters} | {n_draws} | {sum(d > 0.01 for d in differences)} "
                f"| {sum(d < -0.01 for d in differences)} | {max(differences):+.4f} | {min(differences):+.4f} "
                f"| {sum(d > 0.01 for d in between)} | {max(between):+.4f} |",
                flush=True,
            )


if __name__ == "__main__":
    with threadpool_limits(1):
        main(*(int(word) for word in sys.argv[1:]))
