"""Weighted DP-means: k-means that pays a penalty for every cluster and so finds their number.

The objective is the weighted inertia plus the penalty times the number of clusters. Seeds come from a farthest-first
traversal that ends when no document costs more than the penalty: so the order of documents does not decide which become
seeds, and their number falls as the penalty grows. Single moves then improve the partition, first in the reduced space,
then on the sparse rows, until none helps: neither to another cluster, nor to a new one, nor out of a cluster that it
empties.
"""

import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from gdmbench.geometry.blocks import BLOCK, blocks_of, in_threads
from gdmbench.geometry.hartigan import DensePoints, dense_points, improve_dense, new_clusters, sparse_points
from gdmbench.geometry.kmeans import Clustering, reduce_points
from gdmbench.geometry.polish import improve_sparse
from gdmbench.kernels import kernel

Fitted = TypeVar("Fitted")

_FEW_CLUSTERS = 10
_MOST_SWEEPS = 100
_MOST_PENALTIES = 40
_BETWEEN_LOOKS = 8  # coordinates


class DPMeans:
    """Sparse points to be clustered with a penalty for each cluster.

    Parameters
    ----------
    points : CSR array of shape (n_points, n_words)
    weights : array of shape (n_points,)
        Positive.
    center : array of shape (n_words,)
        The weighted mean of the points.
    seed : int
        Same seed, same clusters.
    n_jobs : int, default=1
        Number of threads, which changes no bit.

    References
    ----------
    B. Kulis and M. I. Jordan (2012). Revisiting k-means: new algorithms via Bayesian nonparametrics. ICML.
    """

    def __init__(
        self,
        points: sparse.csr_array,
        weights: NDArray[np.float64],
        center: NDArray[np.float64],
        seed: int,
        n_jobs: int = 1,
    ) -> None:
        self._rows = sparse_points(points, weights, n_jobs)
        self._n_points, self._n_words = points.shape
        self._n_jobs, self._seed = n_jobs, seed

        def reduce(n_clusters: int) -> DensePoints:
            rng = np.random.default_rng(seed)
            reduced = reduce_points(points, self._rows, center, n_clusters, rng, n_jobs)
            return dense_points(*reduced, weights, n_jobs)

        self._reduced = cache(reduce)  # with room for so many clusters

    def cluster(self, penalty: float) -> Clustering:
        """Return the clusters that a penalty gives."""
        n_expected = _FEW_CLUSTERS
        while True:
            # The reduced space must have room for the clusters, whose number shows only once they are seeded.
            reduced = self._reduced(n_expected)
            labels, dearest = _seed_farthest_first(reduced, penalty, self._n_points, self._n_jobs)
            n_seeds = len(dearest)
            if n_seeds <= n_expected:
                break
            n_expected = max(n_seeds, 2 * n_expected)
        n_slots = n_seeds + 1
        while True:
            labels = self._improve(reduced, labels, n_slots, penalty)
            clusters = new_clusters(self._n_words, n_slots)
            objective = improve_sparse(self._rows, labels, clusters, penalty, self._n_jobs)
            used = np.bincount(labels, minlength=n_slots) > 0
            if not used.all():
                break
            n_slots *= 2  # no slot was left for one more cluster, so there may be need for it
        labels = (np.cumsum(used) - 1)[labels]
        totals = np.bincount(labels, weights=self._rows.weights)
        centroids = np.ascontiguousarray((clusters.sums[:, used] / totals).T)
        return Clustering(labels, centroids, max(objective - penalty * len(totals), 0.0))

    def _improve(
        self, reduced: DensePoints, labels: NDArray[np.int64], n_slots: int, penalty: float
    ) -> NDArray[np.int64]:
        """Return labels after moves in the reduced space; of many points some move, and all join their clusters."""
        clusters = new_clusters(reduced.coordinates.shape[1], n_slots)
        if self._n_points <= BLOCK:
            improve_dense(reduced, labels, clusters, penalty, _MOST_SWEEPS)
            return labels
        sample = np.random.default_rng(self._seed).choice(self._n_points, size=BLOCK, replace=False)
        few = DensePoints(*(array[sample] for array in reduced))
        # At the whole penalty: what a cluster of one point costs and saves is the same in a sample.
        improve_dense(few, labels[sample], clusters, penalty, _MOST_SWEEPS)
        used = np.flatnonzero(clusters.sizes)
        centroids = clusters.sums[:, used] / clusters.totals[used]
        squares = np.einsum("dk,dk->k", centroids, centroids)

        def nearest(block: slice) -> NDArray[np.int64]:
            found: NDArray[np.int64] = used[np.argmin(squares - 2.0 * reduced.coordinates[block] @ centroids, axis=1)]
            return found

        return np.concatenate(list(in_threads(nearest, blocks_of(self._n_points), self._n_jobs)))

    def find_penalty(self, n_clusters: int) -> tuple[float, Clustering]:
        """Return a penalty with which the number of clusters is the one wanted, and what it then gives.

        The traversal suggests a penalty that is nearly always right; else the search starts from there.
        """
        n_seeds = min(n_clusters + 1, self._n_points)
        _, dearest = _seed_farthest_first(self._reduced(n_clusters), -1.0, n_seeds, self._n_jobs)
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
    points: DensePoints, penalty: float, max_seeds: int, n_jobs: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Assign points to seeds, each the point that costs most at those before it, until none costs more than a penalty.

    A point costs its weight times its squared distance to the nearest seed. The first seed costs most at the mean.
    Returns the labels and the cost of each seed when it was chosen.
    """
    labels = np.zeros(len(points.weights), np.int64)
    blocks = blocks_of(len(labels))
    dearest: list[float] = []
    costs = points.weights * points.squares

    def claim(seed: int, label: int, block: slice) -> None:
        _claim_closer(points, seed, label, costs, labels, block.start, block.stop)

    while len(dearest) < max_seeds:
        seed = int(np.argmax(costs))
        if dearest and costs[seed] <= penalty:
            break
        dearest.append(costs[seed])
        if len(dearest) == 1:
            costs[:] = np.inf  # what points cost to the mean has chosen the first seed, and all are closer to that
        for _ in in_threads(partial(claim, seed, len(dearest) - 1), blocks, n_jobs):
            pass
        labels[seed] = len(dearest) - 1
        costs[seed] = -np.inf  # never chosen twice, even where points coincide
    return labels, np.array(dearest)


@kernel
def _claim_closer(
    points: DensePoints,
    seed: int,
    label: int,
    costs: NDArray[np.float64],
    labels: NDArray[np.int64],
    start: int,
    stop: int,
) -> None:
    """Give the label to all of some points that cost less at this seed than so far, and set what they cost.

    Coordinates come with the largest first, so that most points show after a few of them that they are too far.
    """
    coordinates, residuals, weights, _ = points
    n_coordinates = coordinates.shape[1]
    for m in range(start, stop):
        distance = 0.0
        for first in range(0, n_coordinates, _BETWEEN_LOOKS):
            for j in range(first, min(first + _BETWEEN_LOOKS, n_coordinates)):
                distance += (coordinates[m, j] - coordinates[seed, j]) ** 2
            if not weights[m] * (residuals[m] + distance) < costs[m]:
                break
        cost = weights[m] * (residuals[m] + distance)
        if cost < costs[m]:
            costs[m] = cost
            labels[m] = label
