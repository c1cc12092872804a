"""k-means by moves of single points (Hartigan's method), with or without a price for every cluster.

The objective is the weighted inertia plus `penalty` for each cluster in use. Moving a point of weight w from cluster a
(total weight A) to cluster b (total weight B) saves ``w A / (A - w) d_a`` and costs ``w B / (B + w) d_b``, with d the
squared distances to the centroids. Opening an empty cluster costs the penalty, emptying one saves it. With all clusters
filled and no penalty, this is plain k-means with a fixed number of clusters.

Points are rows of a few coordinates or sparse rows. Each has a squared length, which may be more than its coordinates
show: what they leave out is taken to be orthogonal to everything else.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.counts import row_squares
from gdmbench.kernels import kernel

# A move must lower the objective by more than rounding can pretend, or equal points would be moved about for ever.
_SLACK = 1e-12
_MOST_SWEEPS = 100  # where the result goes on to be improved


class Clusters(NamedTuple):
    """Clusters as weighted sums of their points.

    Attributes
    ----------
    sums : array of shape (n_coordinates, n_clusters)
        So one pass over a point gives its inner products with all of them, and a move changes two columns.
    norms, totals, sizes : arrays of shape (n_clusters,)
        The squared length of each sum, the total weight of the points and their number.
    """

    sums: NDArray[np.float64]
    norms: NDArray[np.float64]
    totals: NDArray[np.float64]
    sizes: NDArray[np.int64]

    def centroids(self) -> NDArray[np.float64]:
        """Return the centroids of the clusters in use, one in each row."""
        used = self.sizes > 0
        return np.ascontiguousarray((self.sums[:, used] / self.totals[used]).T)

    def objective(self, weights: NDArray[np.float64], squares: NDArray[np.float64], penalty: float = 0.0) -> float:
        """Return the weighted inertia, and the penalty for every cluster in use."""
        used = self.sizes > 0
        inertia = float(weights @ squares - (self.norms[used] / self.totals[used]).sum())
        return max(inertia, 0.0) + penalty * int(used.sum())


def improve_dense(
    coordinates: NDArray[np.float64],
    squares: NDArray[np.float64],
    weights: NDArray[np.float64],
    labels: NDArray[np.int64],
    n_clusters: int,
    penalty: float = 0.0,
) -> Clusters:
    """Improve labels in place by sweeps of single moves, a hundred at most; return the clusters."""
    onehot = sparse.csr_array((weights, labels, np.arange(len(labels) + 1)), shape=(len(labels), n_clusters))
    sums = np.ascontiguousarray((onehot.T @ coordinates).T)
    residuals = squares - np.einsum("md,md->m", coordinates, coordinates)
    norms = (sums**2).sum(axis=0) + np.bincount(labels, weights**2 * residuals, n_clusters)
    clusters = Clusters(sums, norms, *_weigh(weights, labels, n_clusters))
    _sweep_dense(coordinates, squares, residuals, weights, labels, clusters, penalty)
    return clusters


def improve_sparse(
    points: sparse.csr_array,
    weights: NDArray[np.float64],
    labels: NDArray[np.int64],
    n_clusters: int,
    penalty: float = 0.0,
) -> Clusters:
    """Improve labels in place by sweeps of single moves until none helps; return the clusters.

    The last sweep, which finds nothing to move, rests on sums made anew, which rounding has not touched.
    """
    squares = row_squares(points)
    while True:
        clusters = add_up(points, weights, labels, n_clusters)
        is_optimum = True
        while _sweep_sparse(points.data, points.indices, points.indptr, squares, weights, labels, clusters, penalty):
            is_optimum = False
        if is_optimum:
            return clusters


def add_up(
    points: sparse.csr_array, weights: NDArray[np.float64], labels: NDArray[np.int64], n_clusters: int
) -> Clusters:
    """Return the clusters of sparse points with these labels."""
    sums = np.zeros((points.shape[1], n_clusters))
    _add_up(points.data, points.indices, points.indptr, weights, labels, sums)
    return Clusters(sums, (sums**2).sum(axis=0), *_weigh(weights, labels, n_clusters))


def _weigh(weights: NDArray[np.float64], labels: NDArray[np.int64], n_clusters: int) -> tuple[Any, Any]:
    """Return the total weights and the sizes of clusters."""
    return np.bincount(labels, weights, n_clusters), np.bincount(labels, minlength=n_clusters)


@kernel
def _add_up(data, indices, indptr, weights, labels, sums):  # type: ignore[no-untyped-def]
    for m in range(len(labels)):
        for p in range(indptr[m], indptr[m + 1]):
            sums[indices[p], labels[m]] += weights[m] * data[p]


@kernel
def _sweep_dense(coordinates, squares, residuals, weights, labels, clusters, penalty):  # type: ignore[no-untyped-def]
    sums = clusters.sums
    dots, costs = np.empty(sums.shape[1]), np.empty(sums.shape[1])
    for _ in range(_MOST_SWEEPS):
        n_moves = 0
        for m in range(len(labels)):
            own = labels[m]
            dots[:] = 0.0
            for j in range(len(sums)):
                x, row = coordinates[m, j], sums[j]
                for k in range(len(dots)):
                    dots[k] += x * row[k]
            dots[own] += weights[m] * residuals[m]
            best = _best_cluster(clusters, own, weights[m], squares[m], dots, costs, penalty)
            if best != own:
                n_moves += 1
                labels[m] = best
                _move(clusters, own, best, weights[m], squares[m], dots)
                for j in range(len(sums)):
                    sums[j, own] -= weights[m] * coordinates[m, j]
                    sums[j, best] += weights[m] * coordinates[m, j]
        if n_moves == 0:
            break


@kernel
def _sweep_sparse(data, indices, indptr, squares, weights, labels, clusters, penalty):  # type: ignore[no-untyped-def]
    """Move each point where that helps; return the number of moves."""
    sums = clusters.sums
    dots, costs = np.empty(sums.shape[1]), np.empty(sums.shape[1])
    n_moves = 0
    for m in range(len(labels)):
        own = labels[m]
        dots[:] = 0.0
        for p in range(indptr[m], indptr[m + 1]):
            x, row = data[p], sums[indices[p]]
            for k in range(len(dots)):
                dots[k] += x * row[k]
        best = _best_cluster(clusters, own, weights[m], squares[m], dots, costs, penalty)
        if best != own:
            n_moves += 1
            labels[m] = best
            _move(clusters, own, best, weights[m], squares[m], dots)
            for p in range(indptr[m], indptr[m + 1]):
                sums[indices[p], own] -= weights[m] * data[p]
                sums[indices[p], best] += weights[m] * data[p]
    return n_moves


@kernel
def _best_cluster(clusters, own, weight, square, dots, costs, penalty):  # type: ignore[no-untyped-def]
    """Return the cluster to which a point should move, or its own."""
    _, norms, totals, sizes = clusters
    mean_square = norms[own] / (totals[own] * totals[own])
    saving = penalty if penalty > 0.0 else -np.inf  # without a price no cluster is emptied
    if sizes[own] > 1:
        saving = weight * totals[own] / (totals[own] - weight) * (square - 2.0 * dots[own] / totals[own] + mean_square)
    for k in range(len(totals)):  # apart from the search, so that it becomes vector instructions
        cost = weight / (totals[k] + weight) * (totals[k] * square - 2.0 * dots[k] + norms[k] / totals[k])
        costs[k] = cost if sizes[k] > 0 else penalty
    costs[own] = saving - _SLACK * (weight * (square + mean_square) + penalty)
    return np.argmin(costs)


@kernel
def _move(clusters, source, target, weight, square, dots):  # type: ignore[no-untyped-def]
    """Update all that describes the clusters but the sums themselves."""
    _, norms, totals, sizes = clusters
    norms[source] += weight * (weight * square - 2.0 * dots[source])
    norms[target] += weight * (weight * square + 2.0 * dots[target])
    totals[source] -= weight
    totals[target] += weight
    sizes[source] -= 1
    sizes[target] += 1
    if sizes[source] == 0:
        norms[source] = totals[source] = 0.0
