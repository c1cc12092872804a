"""Weighted k-means on sparse documents that ends where no single document can move to lower the inertia.

Restarts are cheap because they happen in a reduced space of few coordinates and see at most 10,000 documents. The best
of them is then varied by swaps: one centroid is put elsewhere and the others follow. They end early where they find the
same optima again. The best partitions are improved further on the sparse rows themselves, so that the result is an
optimum there.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from gdmbench.geometry.base import squared_norms
from gdmbench.geometry.blocks import BLOCK, blocks_of, in_threads, row_by_row, rows_of, summed
from gdmbench.geometry.hartigan import (
    DensePoints,
    SparsePoints,
    dense_points,
    distances_to,
    improve_dense,
    new_clusters,
    sparse_points,
)
from gdmbench.geometry.polish import add_up_sparse, improve_sparse

# At most so many starts and then swaps for each restart asked for, as they cost little there, but no more once what is
# still unseen has at most this share; on at most so many documents.
_STARTS = 2
_SWAPS = 4
_UNSEEN = 0.05
_MOST_DOCUMENTS = 10_000
_MOST_SWEEPS = 100
# Of starts that end this close in the reduced space only one goes on to the sparse rows; none of those this far behind.
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
    n_jobs: int = 1,
) -> Clustering:
    """Cluster sparse points: k-means++ restarts in a reduced space, the best of them improved by Hartigan's moves.

    A restart is up to two k-means++ starts, and then up to four swaps. After n tries, at least one for each restart,
    which have found w different optima, the share of tries that would find others has the posterior expectation
    ``w (w + 1) / (n (n - 1))``, whatever the number of optima, if all of these and all their shares are equally likely
    beforehand (Boender and Rinnooy Kan 1987). Once that is at most 5 %, no more are tried: so easy data cost ten tries,
    and hard data get all sixty of ten restarts.

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
    n_jobs : int, default=1
        Number of threads, which changes no bit.

    References
    ----------
    C. G. E. Boender and A. H. G. Rinnooy Kan (1987). Bayesian stopping rules for multistart global optimization
    methods. Mathematical Programming 37, 59-80.
    J. A. Hartigan and M. A. Wong (1979). Algorithm AS 136: a k-means clustering algorithm. Applied Statistics 28.
    D. Arthur and S. Vassilvitskii (2007). k-means++: the advantages of careful seeding. SODA.
    P. Fränti and J. Kivijärvi (2000). Randomised local search algorithm for the clustering problem. Pattern Analysis &
    Applications 3.
    """
    rows = sparse_points(points, weights, n_jobs)
    if points.shape[0] > max(BLOCK, 10 * n_clusters):
        partitions = [_from_sample(points, rows, n_clusters, n_restarts, rng, n_jobs)]
    else:
        coordinates, residuals = reduce_points(points, weights, center, n_clusters, rng)
        partitions = _promising_partitions(coordinates, residuals, weights, n_clusters, n_restarts, rng)
    best: Clustering | None = None
    for labels in partitions:
        clusters = new_clusters(points.shape[1], n_clusters)
        inertia = improve_sparse(rows, labels, clusters, 0.0, n_jobs)
        if best is None or inertia < best.inertia:
            totals = np.bincount(labels, weights=weights)
            best = Clustering(labels, np.ascontiguousarray((clusters.sums / totals).T), inertia)
    assert best is not None  # there is always a first
    return best


def _from_sample(
    points: sparse.csr_array,
    rows: SparsePoints,
    n_clusters: int,
    n_restarts: int,
    rng: np.random.Generator,
    n_jobs: int,
) -> NDArray[np.int64]:
    """Partition many points by a sample of them: of its promising partitions the one that suits all points best."""
    sample = np.sort(rng.choice(points.shape[0], size=max(BLOCK, 10 * n_clusters), replace=False))
    few, weights = points[sample], rows.weights[sample]
    center = (weights @ few) / weights.sum()
    coordinates, residuals = reduce_points(few, weights, center, n_clusters, rng)
    few_rows = sparse_points(few, weights)
    least, best = np.inf, np.empty(0, np.int64)
    for labels in _promising_partitions(coordinates, residuals, weights, n_clusters, n_restarts, rng):
        clusters = new_clusters(points.shape[1], n_clusters)
        add_up_sparse(few_rows, labels, clusters)
        everywhere, distances = _nearest(points, clusters.sums / clusters.totals, n_jobs)
        inertia = float(rows.weights @ distances)
        if inertia < least:
            everywhere[sample] = labels  # so that no cluster is empty
            least, best = inertia, everywhere
    return best


def _nearest(
    points: sparse.csr_array, centroids: NDArray[np.float64], n_jobs: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the nearest centroid, of those in columns, of each point, and how far it is.

    That is a squared distance less the point's squared length.
    """
    labels, distances = np.empty(points.shape[0], np.int64), np.empty(points.shape[0])
    squares = np.einsum("vk,vk->k", centroids, centroids)

    def fill(block: slice) -> None:
        shifted = rows_of(points, block) @ centroids
        shifted *= -2.0
        shifted += squares
        labels[block] = np.argmin(shifted, axis=1)
        distances[block] = shifted.min(axis=1)

    for _ in in_threads(fill, blocks_of(points.shape[0]), n_jobs):
        pass
    return labels, distances


def reduce_points(
    points: sparse.csr_array,
    weights: NDArray[np.float64],
    center: NDArray[np.float64],
    n_clusters: int,
    rng: np.random.Generator,
    n_jobs: int = 1,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return coordinates of sparse points in their leading weighted principal subspace, and what they leave out.

    k-means needs the subspace of the centroids, which the leading principal axes nearly span. What a document has
    outside it is mostly sampling noise, nearly orthogonal to that of any other document, so that its squared length
    is all that distances need of it. The subspace is found by randomised iteration.

    References
    ----------
    N. Halko, P.-G. Martinsson and J. A. Tropp (2011). Finding structure with randomness. SIAM Review 53, 217-288.
    """
    n_points, n_words = points.shape
    n_sketch = 2 * n_clusters + 5
    if n_words <= n_sketch:
        return points.toarray() - center, np.zeros(n_points)
    # Documents lie near the subspace already, so a few of them are a better start than random directions.
    drawn = rng.choice(n_points, size=min(n_sketch, n_points), replace=False)
    basis: NDArray[np.float64] = np.ascontiguousarray((points[drawn].toarray() - center).T)

    def project(rows: sparse.csr_array) -> NDArray[np.float64]:
        projected: NDArray[np.float64] = rows @ basis - center @ basis
        return projected

    def image(rows: sparse.csr_array, mine: slice) -> NDArray[np.float64]:
        projected = project(rows)
        projected *= weights[mine, None]
        return rows.T @ projected - np.outer(center, projected.sum(axis=0))

    basis = summed(image, points, n_jobs)
    basis = np.ascontiguousarray(linalg.qr(basis, mode="economic", overwrite_a=True, check_finite=False)[0])
    projected = row_by_row(lambda rows, _: project(rows), points, n_jobs)

    def second_moment(_: sparse.csr_array, mine: slice) -> NDArray[np.float64]:
        return projected[mine].T @ (weights[mine, None] * projected[mine])

    axes = np.linalg.eigh(summed(second_moment, points, n_jobs))[1][:, ::-1][:, : n_clusters + 5]
    coordinates = row_by_row(lambda _, mine: projected[mine] @ axes, points, n_jobs)
    own = np.einsum("md,md->m", coordinates, coordinates)
    return coordinates, np.maximum(squared_norms(points, center, n_jobs) - own, 0.0)


def _promising_partitions(
    coordinates: NDArray[np.float64],
    residuals: NDArray[np.float64],
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
    points = dense_points(coordinates[sample], residuals[sample], weights[sample])
    n_trials = 2 + int(np.log(n_clusters))
    runs: list[_Run] = []

    def improve(labels: NDArray[np.int64]) -> None:
        clusters = new_clusters(coordinates.shape[1], n_clusters)
        inertia = improve_dense(points, labels, clusters, 0.0, _MOST_SWEEPS)
        runs.append(_Run(inertia, labels, clusters.sums))

    for n_tried in range((_STARTS + _SWAPS) * n_restarts):
        if n_tried >= n_restarts and has_seen_enough([run.inertia for run in runs]):
            break
        if n_tried < _STARTS * n_restarts:
            improve(_seed(points, rng.random((n_clusters, n_trials))))
        else:
            labels = _swap(points, min(runs, key=lambda run: run.inertia), rng)
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
        everywhere = np.argmin(_shifted_distances(coordinates, points.weights, run), axis=1)
        everywhere[sample] = run.labels  # so that no cluster is empty
        partitions.append(everywhere)
    return partitions


def has_seen_enough(inertias: Sequence[float]) -> bool:
    """Tell whether so few tries would find other optima than these have that there need be no more of them."""
    n_tries = len(inertias)
    ordered = np.sort(inertias)
    n_optima = 1 + int(np.count_nonzero(ordered[1:] > (1 + _SAME) * ordered[:-1]))
    return n_optima * (n_optima + 1) <= _UNSEEN * n_tries * (n_tries - 1)


def _seed(points: DensePoints, uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
    """Assign points to the nearest of seeds chosen by greedy k-means++, one row of uniforms for each seed.

    As many seeds are tried as a row has numbers, and the one that lowers the inertia most is taken. Seeds are
    different points even where points coincide, and each is in its own cluster, so no cluster is empty.
    """
    n_points = len(points.weights)
    columns = np.ascontiguousarray(points.coordinates.T)
    labels = np.zeros(n_points, np.int64)
    seeds: list[int] = []
    distances = np.empty(n_points)
    nearest = np.full(n_points, np.inf)
    cumulated = np.cumsum(points.weights)
    for k, numbers in enumerate(uniforms):
        tried = []
        for number in numbers if k > 0 else numbers[:1]:
            seed = int(np.searchsorted(cumulated, number * cumulated[-1], side="right"))
            if seed == n_points:  # every point coincides with a seed: any point that is none will do
                seed = min(set(range(k + 1)) - set(seeds))
            distances_to(columns, seed, distances)
            closer = np.minimum(distances, nearest)
            tried.append((seed, closer, np.cumsum(points.weights * closer)))
        seed, closer, cumulated = min(tried, key=lambda trial: trial[2][-1])
        labels[closer < nearest] = k
        nearest = closer
        seeds.append(seed)
    labels[seeds] = np.arange(len(seeds))
    return labels


def _swap(points: DensePoints, run: _Run, rng: np.random.Generator) -> NDArray[np.int64]:
    """Nearest centroids once one of them, any, is put on a point drawn as by k-means++; some may then have no point."""
    coordinates, weights = points.coordinates, points.weights
    distances = _shifted_distances(coordinates, weights, run)
    squares = np.einsum("md,md->m", coordinates, coordinates)
    far = np.cumsum(weights * np.maximum(distances.min(axis=1) + squares, 0.0))
    place = min(int(np.searchsorted(far, rng.random() * far[-1], side="right")), len(far) - 1)
    moved = rng.integers(distances.shape[1])
    distances[:, moved] = squares[place] - 2.0 * coordinates @ coordinates[place]
    labels: NDArray[np.int64] = np.argmin(distances, axis=1)
    return labels


def _shifted_distances(
    coordinates: NDArray[np.float64], weights: NDArray[np.float64], run: _Run
) -> NDArray[np.float64]:
    """Squared distances of points to a run's centroids, less the points' squared lengths."""
    centroids = run.sums / np.bincount(run.labels, weights=weights)
    shifted: NDArray[np.float64] = np.einsum("dk,dk->k", centroids, centroids) - 2.0 * coordinates @ centroids
    return shifted


def dense_kmeans(
    coordinates: NDArray[np.float64],
    weights: NDArray[np.float64],
    n_clusters: int,
    *,
    n_restarts: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Cluster points of a few coordinates as `weighted_kmeans` does sparse ones; return labels and centroids."""
    residuals = np.zeros(len(coordinates))
    coordinates = np.ascontiguousarray(coordinates)
    labels = _promising_partitions(coordinates, residuals, weights, n_clusters, n_restarts, rng)[0]
    clusters = new_clusters(coordinates.shape[1], n_clusters)
    improve_dense(dense_points(coordinates, residuals, weights), labels, clusters, 0.0, _MOST_SWEEPS)
    return labels, np.ascontiguousarray((clusters.sums / np.bincount(labels, weights=weights)).T)
