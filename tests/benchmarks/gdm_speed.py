"""Time of GDM against scikit-learn's k-means on the same matrix, and what tuning adds, one thread.

    python tests/benchmarks/gdm_speed.py [setting ...]

The rivals take turns; times are of the processor, so that others on the machine matter little. KMeans is given the
normalised documents and their lengths, with its ten restarts; GDM is timed as a whole fit, from counts to topics, with
its ten. Means over three draws of the best of several fits. "Cold" is tuning whose every projection starts anew, not
where the one before it ended. Inertia is compared draw by draw and the worst difference shown: below zero means that
GDM's was lower each time.
"""

import sys
import time
from collections.abc import Callable
from unittest import mock

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from experiments.simulators import simulate_nips_like
from gdmbench import GDM, TunedGDM, simulate_lda
from gdmbench.data.corpus import Split
from gdmbench.geometry import tuned_gdm
from gdmbench.geometry.counts import check_counts, normalise_rows
from gdmbench.geometry.polytope import minimise_on_simplex, start_weights

ROUNDS, FITS = 3, 20
SETTINGS: dict[str, tuple[int, Callable[[int], Split]]] = {
    "default": (5, lambda seed: simulate_lda(1000, 1000, random_state=seed)),
    "short": (5, lambda seed: simulate_lda(5000, 50, random_state=seed)),
    "big": (5, lambda seed: simulate_lda(7000, 1000, random_state=seed)),
    "many": (15, lambda seed: simulate_lda(2000, 3000, n_topics=15, random_state=seed)),
    "nips-like, K = 10": (10, lambda seed: simulate_nips_like(n_topics=10, alpha=0.5, random_state=seed)),
    "nips-like, K = 20": (20, lambda seed: simulate_nips_like(n_topics=20, alpha=0.25, random_state=seed)),
}


def seconds_of(fit: Callable[[], object]) -> float:
    """Return the processor time of one call."""
    start = time.process_time()
    fit()
    return time.process_time() - start


def cold_minima(gram: np.ndarray, linears: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Minimise as `minimise_on_simplex` does, whatever the weights given."""
    return minimise_on_simplex(gram, linears, start_weights(gram, linears))


def main(names: list[str]) -> None:
    """Print one row for each setting."""
    TunedGDM(2).fit(np.eye(3))  # compile
    print(
        "| setting | KMeans, ms | GDM, ms | times faster | tGDM, ms | tuning / GDM | cold | inertia, worst difference |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in names or SETTINGS:
        n_topics, simulate = SETTINGS[name]
        seconds: dict[str, list[float]] = {"kmeans": [], "gdm": [], "tuned": [], "cold": []}
        differences = []
        for seed in range(ROUNDS):
            counts = simulate(seed).train
            points, lengths = normalise_rows(check_counts(counts))
            kmeans = KMeans(n_topics, n_init=10, random_state=seed)
            gdm = GDM(n_topics, random_state=seed)
            tuned = TunedGDM(n_topics, random_state=seed)
            seconds["kmeans"].append(seconds_of(lambda m=kmeans, x=points, w=lengths: m.fit(x, sample_weight=w)))
            rounds: dict[str, list[float]] = {"gdm": [], "tuned": [], "cold": []}
            for _ in range(FITS):
                rounds["gdm"].append(seconds_of(lambda m=gdm, x=counts: m.fit(x)))
                rounds["tuned"].append(seconds_of(lambda m=tuned, x=counts: m.fit(x)))
                with mock.patch.object(tuned_gdm, "minimise_on_simplex", cold_minima):
                    rounds["cold"].append(seconds_of(lambda m=tuned, x=counts: m.fit(x)))
            for key, times in rounds.items():
                seconds[key].append(min(times))
            differences.append(gdm.inertia_ / kmeans.inertia_ - 1)
        theirs, plain, with_tuning, cold = (1e3 * np.mean(times) for times in seconds.values())
        print(
            f"| {name} | {theirs:.0f} | {plain:.1f} | {theirs / plain:.1f} | {with_tuning:.1f} "
            f"| {with_tuning / plain - 1:.1%} | {cold / plain - 1:.1%} | {max(differences):+.4%} |",
            flush=True,
        )


if __name__ == "__main__":
    with threadpool_limits(1):
        main(sys.argv[1:])
