"""Weighted k-means on sparse documents that ends where no single document can move to lower the inertia.

Restarts are cheap because they happen in a reduced space of few coordinates. Each is run to an optimum there, and the
best is finished on the sparse rows themselves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from gdmbench.geometry.blocks import Blocks, stacked
from gdmbench.geometry.counts import row_squares, squared_norms
from gdmbench.geometry.hartigan import add_up, improve_dense, improve_sparse

# Documents that restarts see: with 50,000, GDM takes 1.8 times as long on 100,000 documents with 50 topics
# ("wide" in tests/benchmarks/gdm_scale.py), and ends at a higher inertia.
_MOST_SPARSE = 20_000
# The same in few coordinates, for VLAD: with 20,000 it takes 2.5 times as long on 17,000 documents with 50 or 100
# topics, to topics that are as good.
_MOST_DENSE = 5_000
_ROUNDING = 1e-9  # of the inertia


class Clustering(NamedTuple):
    """A partition of the points with its weighted centroids and weighted inertia."""

    labels: NDArray[np.int64]
    centroids: NDArray[np.float64]
    inertia: float


def weighted_kmeans(
    points: sparse.csr_array,
    weights: NDArray[np.float64],
    n_clusters: int,
    *,
    n_restarts: int,
    rng: np.random.Generator,
) -> Clustering:
    """Cluster sparse points: k-means++ restarts in a reduced space, the best of them finished by Hartigan's moves.

    Parameters
    ----------
    points : CSR array of shape (n_points, n_words)
    weights : array of shape (n_points,)
        Positive.
    n_clusters : int
        At most n_points. No cluster is ever empty.
    n_restarts : int
    rng : numpy.random.Generator

    References
    ----------
    D. Arthur and S. Vassilvitskii (2007). k-means++: the advantages of careful seeding. SODA.
    J. A. Hartigan and M. A. Wong (1979). Algorithm AS 136: a k-means clustering algorithm. Applied Statistics 28.
    """
    sample = _sample(len(weights), max(_MOST_SPARSE, 10 * n_clusters), rng)
    few, theirs = points[sample], weights[sample]
    coordinates, squares = reduce_points(few, theirs, n_clusters, rng)
    labels = best_of_restarts(coordinates, squares, theirs, n_clusters, n_restarts, rng)
    if len(sample) < len(weights):
        start, labels = labels, nearest(points, add_up(few, theirs, labels, n_clusters).centroids())
        labels[sample] = start  # so that no cluster is empty
    clusters = improve_sparse(points, weights, labels, n_clusters)
    return Clustering(labels, clusters.centroids(), clusters.objective(weights, row_squares(points)))


def dense_kmeans(
    coordinates: NDArray[np.float64],
    weights: NDArray[np.float64],
    n_clusters: int,
    *,
    n_restarts: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Cluster points of a few coordinates as `weighted_kmeans` does sparse ones; return labels and centroids."""
    squares = np.einsum("md,md->m", coordinates, coordinates)
    sample = _sample(len(weights), max(_MOST_DENSE, 10 * n_clusters), rng)
    few, theirs = coordinates[sample], weights[sample]
    labels = best_of_restarts(few, squares[sample], theirs, n_clusters, n_restarts, rng)
    if len(sample) < len(weights):
        start, centroids = labels, improve_dense(few, squares[sample], theirs, labels, n_clusters).centroids()
        labels = np.argmin((centroids**2).sum(axis=1) - 2.0 * coordinates @ centroids.T, axis=1)
        labels[sample] = start
    return labels, improve_dense(coordinates, squares, weights, labels, n_clusters).centroids()


def _sample(n_points: int, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the points that restarts see: all of a moderate number, otherwise some."""
    return np.arange(n_points) if n_points <= most else np.sort(rng.choice(n_points, size=most, replace=False))


def best_of_restarts(
    coordinates: NDArray[np.float64],
    squares: NDArray[np.float64],
    weights: NDArray[np.float64],
    n_clusters: int,
    n_restarts: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return the labels with the least inertia of some k-means++ starts, each run to an optimum of single moves.

    Parameters
    ----------
    coordinates : array of shape (n_points, n_coordinates)
    squares : array of shape (n_points,)
        Squared lengths of the points, of which the coordinates may show a part.
    weights : array of shape (n_points,)
    n_clusters, n_restarts : int
    rng : numpy.random.Generator
    """
    best, least = np.empty(0, np.int64), np.inf
    for _ in range(n_restarts):
        labels = seed_labels(coordinates, weights, n_clusters, rng)
        inertia = improve_dense(coordinates, squares, weights, labels, n_clusters).objective(weights, squares)
        # The same optimum with its clusters in another order differs by rounding, which must not choose.
        if inertia < (1.0 - _ROUNDING) * least:
            best, least = labels, inertia
    return best


def seed_labels(
    coordinates: NDArray[np.float64], weights: NDArray[np.float64], n_clusters: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Assign points to the nearest of seeds chosen by k-means++.

    Seeds are different points even where points coincide, and each is in its own cluster, so no cluster is empty.
    """
    labels = np.zeros(len(weights), np.int64)
    distances = np.full(len(weights), np.inf)
    chances = weights.copy()
    seeds: list[int] = []
    for k in range(n_clusters):
        cumulated = np.cumsum(chances)
        seed = int(np.searchsorted(cumulated, rng.random() * cumulated[-1], side="right"))
        if cumulated[-1] == 0.0:  # every point coincides with a seed: any point that is none will do
            seed = min(set(range(k + 1)) - set(seeds))
        seeds.append(seed)
        to_seed = ((coordinates - coordinates[seed]) ** 2).sum(axis=1)
        labels[to_seed < distances] = k
        np.minimum(distances, to_seed, out=distances)
        chances = weights * distances
    labels[seeds] = np.arange(n_clusters)
    return labels


def nearest(points: sparse.csr_array, centroids: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the nearest centroid of each point."""
    columns = np.ascontiguousarray(centroids.T)
    squares = (centroids**2).sum(axis=1)
    return stacked(Blocks(points).map(_nearest_in_block, columns, squares))


def _nearest_in_block(
    rows: sparse.csr_array, columns: NDArray[np.float64], squares: NDArray[np.float64]
) -> NDArray[np.int64]:
    return np.argmin(squares - 2.0 * (rows @ columns), axis=1)


def reduce_points(
    points: sparse.csr_array,
    weights: NDArray[np.float64],
    n_clusters: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return coordinates of sparse points in their leading weighted principal subspace, and their squared lengths.

    k-means needs the subspace of the centroids, which the leading principal axes nearly span. What a document has
    outside it is mostly sampling noise, nearly orthogonal to that of any other document, so that its squared length
    is all that distances need of it. Both are about the centre. The subspace is found by randomised iteration.

    References
    ----------
    N. Halko, P.-G. Martinsson and J. A. Tropp (2011). Finding structure with randomness. SIAM Review 53, 217-288.
    """
    n_points, n_words = points.shape
    center = weights @ points / weights.sum()
    squares = np.maximum(squared_norms(points, center), 0.0)
    n_sketch = 2 * n_clusters + 5
    if n_words <= n_sketch:
        return points.toarray() - center, squares
    # Documents lie near the subspace already, so a few of them are a better start than random directions.
    drawn = rng.choice(n_points, size=min(n_sketch, n_points), replace=False)
    basis = (points[drawn].toarray() - center).T
    image = points @ basis - center @ basis
    image *= weights[:, None]
    image = points.T @ image - np.outer(center, image.sum(axis=0))
    basis = np.ascontiguousarray(linalg.qr(image, mode="economic", overwrite_a=True, check_finite=False)[0])
    projected = points @ basis - center @ basis
    axes = np.linalg.eigh(projected.T @ (weights[:, None] * projected))[1][:, ::-1][:, : n_clusters + 5]
    coordinates = projected @ axes
    return coordinates, np.maximum(squares, np.einsum("md,md->m", coordinates, coordinates))
