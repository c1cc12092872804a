"""Weighted DP-means: k-means that pays a penalty for every cluster and so finds their number.

The objective is the weighted inertia plus the penalty times the number of clusters. Seeds come from a farthest-first
traversal that ends when no document costs more than the penalty: so the order of documents does not decide which become
seeds, and their number falls as the penalty grows. Single moves then improve the partition, first in the reduced space,
then on the sparse rows, until none helps: neither to another cluster, nor to a new one, nor out of a cluster that it
empties.
"""

import warnings
from collections.abc import Callable
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from gdmbench.geometry.counts import row_squares
from gdmbench.geometry.hartigan import improve_dense, improve_sparse
from gdmbench.geometry.kmeans import Clustering, reduce_points

Fitted = TypeVar("Fitted")

_FEW_CLUSTERS = 10
_MOST_PENALTIES = 40


class DPMeans:
    """Sparse points to be clustered with a penalty for each cluster.

    Parameters
    ----------
    points : CSR array of shape (n_points, n_words)
    weights : array of shape (n_points,)
        Positive.
    seed : int
        Same seed, same clusters.

    References
    ----------
    B. Kulis and M. I. Jordan (2012). Revisiting k-means: new algorithms via Bayesian nonparametrics. ICML.
    """

    def __init__(self, points: sparse.csr_array, weights: NDArray[np.float64], seed: int) -> None:
        self._points, self._weights = points, weights

        def reduce(n_clusters: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
            return reduce_points(points, weights, n_clusters, np.random.default_rng(seed))

        self._reduced = cache(reduce)  # with room for so many clusters

    def cluster(self, penalty: float) -> Clustering:
        """Return the clusters that a penalty gives."""
        points, weights = self._points, self._weights
        n_expected = _FEW_CLUSTERS
        while True:
            # The reduced space must have room for the clusters, whose number shows only once they are seeded.
            reduced = self._reduced(n_expected)
            labels, dearest = _seed_farthest_first(*reduced, weights, penalty, len(weights))
            if len(dearest) <= n_expected:
                break
            n_expected = max(len(dearest), 2 * n_expected)
        n_slots = len(dearest) + 1
        while True:
            improve_dense(*reduced, weights, labels, n_slots, penalty)
            clusters = improve_sparse(points, weights, labels, n_slots, penalty)
            used = clusters.sizes > 0
            if not used.all():
                break
            n_slots *= 2  # no slot was left for one more cluster, so there may be need for it
        labels = (np.cumsum(used) - 1)[labels]
        return Clustering(labels, clusters.centroids(), clusters.objective(weights, row_squares(points)))

    def find_penalty(self, n_clusters: int) -> tuple[float, Clustering]:
        """Return a penalty with which the number of clusters is the one wanted, and what it then gives.

        The traversal suggests a penalty that is nearly always right; else the search starts from there.
        """
        n_seeds = min(n_clusters + 1, len(self._weights))
        _, dearest = _seed_farthest_first(*self._reduced(n_clusters), self._weights, -1.0, n_seeds)
        dearest = np.append(dearest, 0.0)[: n_clusters + 1]
        dearest[0] = 4.0 * dearest[1]  # any penalty above the second is enough for one cluster
        dearest = np.maximum(dearest, np.finfo(float).eps * dearest[0])
        penalty = float(np.sqrt(dearest[-2] * dearest[-1]))
        return search_penalty(self.cluster, lambda found: len(found.centroids), penalty, n_clusters)


def search_penalty(
    fit: Callable[[float], Fitted], count: Callable[[Fitted], int], penalty: float, n_clusters: int
) -> tuple[float, Fitted]:
    """Search for a penalty that gives a number of clusters, from a guess: widen by a fifth, then bisect.

    Where none is found (as with fewer different documents), the nearest number counts, with a warning.
    """
    low, high = 0.0, np.inf
    best: tuple[float, Fitted] | None = None
    for _ in range(_MOST_PENALTIES):
        fitted = fit(penalty)
        n_found = count(fitted)
        if best is None or abs(n_found - n_clusters) < abs(count(best[1]) - n_clusters):
            best = penalty, fitted
        if n_found == n_clusters:
            break
        if n_found > n_clusters:
            low = penalty
        else:
            high = penalty
        if low == 0.0:
            penalty = high / 1.2
        elif high == np.inf:
            penalty = low * 1.2
        else:
            penalty = float(np.sqrt(low * high))
    assert best is not None  # the loop ran at least once
    if count(best[1]) != n_clusters:
        warnings.warn(
            f"No penalty was found that gives n_topics={n_clusters}; the nearest gives {count(best[1])} "
            "topics: ask for another number, pass a penalty, or use GDM, which takes the number as given.",
            ConvergenceWarning,
            stacklevel=5,
        )
    return best


def _seed_farthest_first(
    coordinates: NDArray[np.float64],
    squares: NDArray[np.float64],
    weights: NDArray[np.float64],
    penalty: float,
    max_seeds: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Assign points to seeds, each the point that costs most at those before it, until none costs more than a penalty.

    A point costs its weight times its squared distance to the nearest seed. The first seed costs most at the mean.
    Returns the labels and the cost of each seed when it was chosen.
    """
    residuals = squares - np.einsum("md,md->m", coordinates, coordinates)
    labels = np.zeros(len(weights), np.int64)
    costs = weights * squares
    dearest: list[float] = []
    for label in range(max_seeds):
        seed = int(np.argmax(costs))
        if dearest and costs[seed] <= penalty:
            break
        dearest.append(costs[seed])
        at_seed = weights * (residuals + ((coordinates - coordinates[seed]) ** 2).sum(axis=1))
        labels[at_seed < costs] = label
        costs = np.minimum(costs, at_seed) if label else at_seed
        labels[seed] = label
        costs[seed] = -np.inf  # never chosen twice, even where points coincide
    return labels, np.array(dearest)
