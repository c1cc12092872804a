"""Weighted k-means on sparse documents that ends where no single document can move to lower the inertia.

Restarts are cheap because they happen in the reduced space of `reduction`, where the best of them is then varied by
swaps: one centroid is put elsewhere and the others follow. The best partitions are polished on the sparse rows
themselves, so that the result is an optimum of the real problem.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.hartigan import improve_dense, improve_sparse, seed_clusters
from gdmbench.geometry.reduction import ReducedPoints, reduce_points

# So many starts and then swaps for each restart asked for, as they cost little there; on at most so many documents.
_STARTS = 2
_SWAPS = 4
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


class _Run(NamedTuple):
    """Where a start in the reduced space has ended; sums are the clusters' weighted sums of coordinates."""

    inertia: float
    labels: NDArray[np.int64]
    sums: NDArray[np.float64]


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
    P. Fränti and J. Kivijärvi (2000). Randomised local search algorithm for the clustering problem. Pattern Analysis &
    Applications 3.
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
    runs: list[_Run] = []

    def improve(labels: NDArray[np.int64]) -> None:
        sums, inertia = improve_dense(coordinates, residuals, sampled_weights, labels, n_clusters, 0.0, _MOST_SWEEPS)
        runs.append(_Run(inertia, labels, sums))

    for _ in range(_STARTS * n_restarts):
        improve(seed_clusters(coordinates, sampled_weights, rng.random((n_clusters, n_trials))))
    for _ in range(_SWAPS * n_restarts):
        best = min(runs, key=lambda run: run.inertia)
        labels = _swap(coordinates, sampled_weights, best, rng)
        if np.bincount(labels, minlength=n_clusters).all():
            improve(labels)
    runs.sort(key=lambda run: run.inertia)
    chosen = runs[:1]
    for run in runs[1:]:
        if len(chosen) == _MOST_POLISHED or run.inertia > (1 + _HOPELESS) * runs[0].inertia:
            break
        if run.inertia > (1 + _SAME) * chosen[-1].inertia:
            chosen.append(run)
    if len(sample) == n_points:
        return [run.labels for run in chosen]
    partitions = []
    for run in chosen:
        everywhere = np.argmin(_shifted_distances(reduced.coordinates, sampled_weights, run), axis=1)
        everywhere[sample] = run.labels  # so that no cluster is empty
        partitions.append(everywhere)
    return partitions


def _shifted_distances(
    coordinates: NDArray[np.float64], weights: NDArray[np.float64], run: _Run
) -> NDArray[np.float64]:
    """Squared distances of points to a run's centroids, less the points' squared lengths."""
    centroids = run.sums / np.bincount(run.labels, weights=weights)
    shifted: NDArray[np.float64] = np.einsum("dk,dk->k", centroids, centroids) - 2.0 * coordinates @ centroids
    return shifted


def _swap(
    coordinates: NDArray[np.float64], weights: NDArray[np.float64], run: _Run, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Nearest centroids once one of them, any, is put on a point drawn as by k-means++; some may then have no point."""
    distances = _shifted_distances(coordinates, weights, run)
    squares = np.einsum("md,md->m", coordinates, coordinates)
    far = np.cumsum(weights * np.maximum(distances.min(axis=1) + squares, 0.0))
    place = min(int(np.searchsorted(far, rng.random() * far[-1], side="right")), len(far) - 1)
    moved = rng.integers(distances.shape[1])
    distances[:, moved] = squares[place] - 2.0 * coordinates @ coordinates[place]
    labels: NDArray[np.int64] = np.argmin(distances, axis=1)
    return labels


def _polish(
    points: sparse.csr_array, weights: NDArray[np.float64], labels: NDArray[np.int64], n_clusters: int
) -> Clustering:
    """Improve a partition without empty clusters until no single move lowers the weighted inertia."""
    sums, inertia = improve_sparse(
        points.data, points.indices, points.indptr, points.shape[1], weights, labels, n_clusters, 0.0
    )
    totals = np.bincount(labels, weights=weights)
    return Clustering(labels, np.ascontiguousarray((sums / totals).T), inertia)
