"""Weighted k-means on sparse documents that ends where no single document can move to lower the inertia.

Restarts are cheap because they happen in a reduced space of few coordinates (`restarts.py`). The best partitions that
they find are improved further on the sparse rows themselves (`polish.py`), so that the result is an optimum there. Of
more than 50,000 documents (`BLOCK`, in `blocks.py`) restarts see a sample, and its best partition goes on to all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from gdmbench.geometry.blocks import BLOCK, blocks_of, in_threads, rows_of, summed
from gdmbench.geometry.counts import squared_norms
from gdmbench.geometry.hartigan import SparsePoints, new_clusters, sparse_points
from gdmbench.geometry.polish import add_up_sparse, improve_sparse
from gdmbench.geometry.products import multiply, spread, times
from gdmbench.geometry.restarts import promising_partitions


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
        coordinates, residuals = reduce_points(points, rows, center, n_clusters, rng, n_jobs)
        partitions = promising_partitions(coordinates, residuals, weights, n_clusters, n_restarts, rng, n_jobs)
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
    few_rows = SparsePoints(few.data, few.indices, few.indptr, weights, rows.squares[sample])
    center = (weights @ few) / weights.sum()
    coordinates, residuals = reduce_points(few, few_rows, center, n_clusters, rng, n_jobs)
    least, best = np.inf, np.empty(0, np.int64)
    for labels in promising_partitions(coordinates, residuals, weights, n_clusters, n_restarts, rng, n_jobs):
        clusters = new_clusters(points.shape[1], n_clusters)
        add_up_sparse(few_rows, labels, clusters, n_jobs)
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
        shifted = np.empty((block.stop - block.start, len(squares)))
        multiply(points.data, points.indices, points.indptr[block.start : block.stop + 1], centroids, shifted)
        shifted *= -2.0
        shifted += squares
        mine = np.argmin(shifted, axis=1)
        labels[block], distances[block] = mine, shifted[np.arange(len(mine)), mine]

    for _ in in_threads(fill, blocks_of(points.shape[0]), n_jobs):
        pass
    return labels, distances


def reduce_points(
    points: sparse.csr_array,
    rows: SparsePoints,
    center: NDArray[np.float64],
    n_clusters: int,
    rng: np.random.Generator,
    n_jobs: int = 1,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return coordinates of sparse points in their leading weighted principal subspace, and what they leave out.

    k-means needs the subspace of the centroids, which the leading principal axes nearly span. What a document has
    outside it is mostly sampling noise, nearly orthogonal to that of any other document, so that its squared length
    is all that distances need of it. The subspace is found by randomised iteration. `rows` are the points as kernels
    take them, with their weights and squared lengths.

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

    weights = rows.weights
    image, sums = spread(points, weights, basis, center @ basis, n_jobs)
    image -= np.outer(center, sums)
    basis = np.ascontiguousarray(linalg.qr(image, mode="economic", overwrite_a=True, check_finite=False)[0])
    projected, origin = times(points, basis, n_jobs), center @ basis

    def second_moment(_: sparse.csr_array, mine: slice) -> NDArray[np.float64]:
        projected[mine] -= origin  # here, as each block comes once and is needed next
        return projected[mine].T @ (weights[mine, None] * projected[mine])

    axes = np.linalg.eigh(summed(second_moment, points, n_jobs))[1][:, ::-1][:, : n_clusters + 5]
    coordinates, residuals = np.empty((n_points, axes.shape[1])), np.empty(n_points)

    def reduce(block: slice) -> None:
        mine = coordinates[block]
        mine[:] = projected[block] @ axes
        rest = squared_norms(rows_of(points, block), center, squares=rows.squares[block])
        rest -= np.einsum("md,md->m", mine, mine)
        np.maximum(rest, 0.0, out=residuals[block])

    for _ in in_threads(reduce, blocks_of(n_points), n_jobs):
        pass
    return coordinates, residuals
