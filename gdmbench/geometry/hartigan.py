"""Kernels of k-means by single moves (Hartigan's method), with or without a price for every cluster.

The objective is the weighted inertia plus `penalty` for each cluster in use. Moving a point of weight w from cluster a
(total weight A) to cluster b (total weight B) saves ``w A / (A - w) d_a`` and costs ``w B / (B + w) d_b``, with d the
squared distances to the centroids. Opening an empty cluster costs the penalty, emptying one saves it. With all clusters
filled and no penalty, this is plain k-means with a fixed number of clusters.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.blocks import blocks_of, in_threads
from gdmbench.geometry.counts import row_squares
from gdmbench.kernels import kernel

# A move must lower the objective by more than rounding can pretend, or equal points would be moved about for ever.
_SLACK = 1e-12


class DensePoints(NamedTuple):
    """Weighted points with few coordinates.

    Each has, besides its coordinates, a part of squared length `residuals` orthogonal to everything else; `squares` are
    the squared lengths of the whole.
    """

    coordinates: NDArray[np.float64]
    residuals: NDArray[np.float64]
    weights: NDArray[np.float64]
    squares: NDArray[np.float64]


class SparsePoints(NamedTuple):
    """Weighted points as the three arrays of a CSR matrix, with their squared lengths."""

    data: NDArray[np.float64]
    indices: NDArray[np.int32]
    indptr: NDArray[np.int32]
    weights: NDArray[np.float64]
    squares: NDArray[np.float64]


class Clusters(NamedTuple):
    """Clusters as weighted sums of their points, one row for each coordinate and one column for each cluster.

    So one pass over a point gives its inner products with all of them (`dots`), and a move changes two columns. Each
    cluster also has the squared length of its sum, the total weight of its points and their number; `costs` is room
    for what it costs a point to join it.
    """

    sums: NDArray[np.float64]
    norms: NDArray[np.float64]
    totals: NDArray[np.float64]
    sizes: NDArray[np.int64]
    dots: NDArray[np.float64]
    costs: NDArray[np.float64]


def dense_points(
    coordinates: NDArray[np.float64], residuals: NDArray[np.float64], weights: NDArray[np.float64], n_jobs: int = 1
) -> DensePoints:
    """Return points as `improve_dense` takes them."""
    squares = residuals.copy()

    def add(block: slice) -> None:
        for column in coordinates[block].T:
            squares[block] += column * column

    for _ in in_threads(add, blocks_of(len(squares)), n_jobs):
        pass
    return DensePoints(coordinates, residuals, weights, squares)


def sparse_points(points: sparse.csr_array, weights: NDArray[np.float64], n_jobs: int = 1) -> SparsePoints:
    """Return points as `improve_sparse` takes them."""
    return SparsePoints(points.data, points.indices, points.indptr, weights, row_squares(points, n_jobs))


def new_clusters(n_coordinates: int, n_clusters: int) -> Clusters:
    """Return empty clusters."""
    return Clusters(
        np.zeros((n_coordinates, n_clusters)),
        np.zeros(n_clusters),
        np.zeros(n_clusters),
        np.zeros(n_clusters, np.int64),
        np.zeros(n_clusters),
        np.zeros(n_clusters),
    )


def improve_dense(
    points: DensePoints, labels: NDArray[np.int64], clusters: Clusters, penalty: float, max_sweeps: int
) -> float:
    """Improve labels in place by sweeps of single moves; fill the clusters, which are empty; return the objective."""
    _sweep_dense(points, labels, clusters, penalty, max_sweeps)
    return objective(clusters, points.weights, points.squares, penalty)


@kernel
def _sweep_dense(
    points: DensePoints, labels: NDArray[np.int64], clusters: Clusters, penalty: float, max_sweeps: int
) -> None:
    coordinates, residuals, weights, squares = points
    sums, norms, totals, sizes, dots, _ = clusters
    n_points, n_coordinates = coordinates.shape
    n_clusters = len(totals)
    for m in range(n_points):
        k = labels[m]
        totals[k] += weights[m]
        sizes[k] += 1
        norms[k] += weights[m] * weights[m] * residuals[m]
        for j in range(n_coordinates):
            sums[j, k] += weights[m] * coordinates[m, j]
    for j in range(n_coordinates):
        for k in range(n_clusters):
            norms[k] += sums[j, k] * sums[j, k]
    for _ in range(max_sweeps):
        n_moves = 0
        for m in range(n_points):
            own = labels[m]
            _multiply_dense(coordinates[m], sums, dots)
            dots[own] += weights[m] * residuals[m]
            best, _ = best_cluster(clusters, own, weights[m], squares[m], penalty)
            if best != own:
                n_moves += 1
                labels[m] = best
                move(clusters, own, best, weights[m], squares[m])
                for j in range(n_coordinates):
                    sums[j, own] -= weights[m] * coordinates[m, j]
                    sums[j, best] += weights[m] * coordinates[m, j]
        if n_moves == 0:
            break


# Products are added up four at a time, in their order, so that the sums are loaded and stored a quarter as often.
@kernel
def _multiply_dense(point, rows, out):  # type: ignore[no-untyped-def]
    """Set the product of a point and a matrix with a row for each of its coordinates."""
    n_rows, n_columns = rows.shape
    for k in range(n_columns):
        out[k] = 0.0
    n_fours = n_rows - n_rows % 4
    for j in range(0, n_fours, 4):
        x0, x1, x2, x3 = point[j], point[j + 1], point[j + 2], point[j + 3]
        for k in range(n_columns):
            out[k] = out[k] + x0 * rows[j, k] + x1 * rows[j + 1, k] + x2 * rows[j + 2, k] + x3 * rows[j + 3, k]
    for j in range(n_fours, n_rows):
        for k in range(n_columns):
            out[k] += point[j] * rows[j, k]


@kernel
def best_cluster(clusters: Clusters, own: int, weight: float, square: float, penalty: float) -> tuple[int, float]:
    """Return the cluster to which a point with the given dots should move, or its own, and what the best move gains."""
    _, norms, totals, sizes, dots, costs = clusters
    mean_square = norms[own] / (totals[own] * totals[own])
    if sizes[own] == 1:
        saving = penalty
    else:
        distance = square - 2.0 * dots[own] / totals[own] + mean_square
        saving = weight * totals[own] / (totals[own] - weight) * distance
    for k in range(len(totals)):  # apart from the search, so that it becomes vector instructions
        distance = square - 2.0 * dots[k] / totals[k] + norms[k] / (totals[k] * totals[k])
        cost = weight * totals[k] / (totals[k] + weight) * distance
        costs[k] = cost if sizes[k] > 0 else penalty
    costs[own] = np.inf
    best = own
    least = np.inf
    for k in range(len(totals)):
        if costs[k] < least:
            least = costs[k]
            best = k
    if not least < saving - _SLACK * (weight * (square + mean_square) + penalty):
        best = own
    return best, saving - least


@kernel
def move(clusters: Clusters, source: int, target: int, weight: float, square: float) -> None:
    """Update all that describes the clusters but the sums themselves."""
    _, norms, totals, sizes, dots, _ = clusters
    norms[source] += weight * (weight * square - 2.0 * dots[source])
    norms[target] += weight * (weight * square + 2.0 * dots[target])
    totals[source] -= weight
    totals[target] += weight
    sizes[source] -= 1
    sizes[target] += 1
    if sizes[source] == 0:
        norms[source] = 0.0
        totals[source] = 0.0


def objective(clusters: Clusters, weights: NDArray[np.float64], squares: NDArray[np.float64], penalty: float) -> float:
    """Return the weighted inertia, and the penalty for every cluster in use."""
    terms = weights * squares
    value = float(np.cumsum(terms, out=terms)[-1])  # added up in order, which a sum is not
    for total, norm, size in zip(clusters.totals, clusters.norms, clusters.sizes, strict=True):
        if size > 0:
            value += penalty - norm / total
    return max(float(value), 0.0)
