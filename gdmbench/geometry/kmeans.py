"""Weighted k-means on sparse documents that ends where no single document can move to lower the inertia.

Restarts are cheap because they happen in the reduced space of `reduction`; the best of them are polished on the sparse
rows themselves, so that the result is an optimum of the real problem.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.hartigan import improve_dense, improve_sparse, seed_clusters
from gdmbench.geometry.reduction import ReducedPoints, reduce_points

# A restart is the best of so many starts in the reduced space, where they cost little, on at most so many documents.
_STARTS = 5
_MOST_DOCUMENTS = 10_000
_MOST_SWEEPS = 100
# Starts that end this close in the reduced space are polished only once; those this far behind, not at all.
_SAME = 1e-5
_HOPELESS = 2e-3
_MOST_POLISHED = 6


class Clustering(NamedTuple):
    """A partition of the points with its weighted centroids and weighted inertia."""

    labels: NDArray[np.int64]
    centroids: NDArray[np.float64]
    inertia: float


def weighted_kmeans(
    points: sparse.csr_array,
    weights: NDArray[np.float64],
    center: NDArray[np.float64],
    n_clusters: int,
    *,
    n_restarts: int,
    rng: np.random.Generator,
) -> Clustering:
    """Cluster sparse points: k-means++ restarts in a reduced space, the best polished by Hartigan's moves.

    Parameters
    ----------
    points : CSR array of shape (n_points, n_words)
    weights : array of shape (n_points,)
        Positive.
    center : array of shape (n_words,)
        The weighted mean of the points.
    n_clusters : int
        At most n_points. No cluster is ever empty.
    n_restarts : int
    rng : numpy.random.Generator

    References
    ----------
    J. A. Hartigan and M. A. Wong (1979). Algorithm AS 136: a k-means clustering algorithm. Applied Statistics 28.
    D. Arthur and S. Vassilvitskii (2007). k-means++: the advantages of careful seeding. SODA.
    """
    reduced = reduce_points(points, weights, center, n_clusters, rng)
    best: Clustering | None = None
    for labels in _promising_partitions(reduced, weights, n_clusters, n_restarts, rng):
        candidate = _polish(points, weights, labels, n_clusters)
        if best is None or candidate.inertia < best.inertia:
            best = candidate
    assert best is not None  # there is always a first
    return best


def _promising_partitions(
    reduced: ReducedPoints,
    weights: NDArray[np.float64],
    n_clusters: int,
    n_restarts: int,
    rng: np.random.Generator,
) -> list[NDArray[np.int64]]:
    """Partitions from starts in the reduced space: the best, and others nearly as good but different."""
    n_points = len(weights)
    sample = np.arange(n_points)
    if n_points > max(_MOST_DOCUMENTS, 10 * n_clusters):
        sample = np.sort(rng.choice(n_points, size=max(_MOST_DOCUMENTS, 10 * n_clusters), replace=False))
    coordinates, residuals, sampled_weights = (part[sample] for part in (*reduced, weights))
    n_trials = 2 + int(np.log(n_clusters))
    runs = []
    for _ in range(_STARTS * n_restarts):
        labels = seed_clusters(coordinates, sampled_weights, rng.random((n_clusters, n_trials)))
        sums, inertia = improve_dense(coordinates, residuals, sampled_weights, labels, n_clusters, 0.0, _MOST_SWEEPS)
        runs.append((inertia, labels, sums))
    runs.sort(key=lambda run: run[0])
    chosen = runs[:1]
    for run in runs[1:]:
        if len(chosen) == _MOST_POLISHED or run[0] > (1 + _HOPELESS) * runs[0][0]:
            break
        if run[0] > (1 + _SAME) * chosen[-1][0]:
            chosen.append(run)
    if len(sample) == n_points:
        return [labels for _, labels, _ in chosen]
    partitions = []
    for _, labels, sums in chosen:
        centroids = sums / np.bincount(labels, weights=sampled_weights)
        everywhere = np.argmin(
            np.einsum("dk,dk->k", centroids, centroids) - 2.0 * reduced.coordinates @ centroids, axis=1
        )
        everywhere[sample] = labels  # so that no cluster is empty
        partitions.append(everywhere)
    return partitions


def _polish(
    points: sparse.csr_array, weights: NDArray[np.float64], labels: NDArray[np.int64], n_clusters: int
) -> Clustering:
    """Improve a partition without empty clusters until no single move lowers the weighted inertia."""
    sums, inertia = improve_sparse(
        points.data, points.indices, points.indptr, points.shape[1], weights, labels, n_clusters, 0.0
    )
    totals = np.bincount(labels, weights=weights)
    return Clustering(labels, np.ascontiguousarray((sums / totals).T), inertia)
