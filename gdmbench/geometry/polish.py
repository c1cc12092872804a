"""Improving the clusters of sparse points until no single move of a point helps.

Towards the end few points move, and most of these were near to it before; so between sweeps over all points come sweeps
over the nearest alone. Of very many points, a sweep first looks at all in single precision, in threads, for those that
may gain by moving, and only these are then moved, in turn and in double precision, where they do.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gdmbench.geometry.blocks import BLOCK, in_threads
from gdmbench.geometry.hartigan import (
    Clusters,
    SparsePoints,
    best_cluster,
    move,
    multiply_sparse,
    new_clusters,
    objective,
)
from gdmbench.kernels import kernel

# Of more than so many points, every tenth is among those near to moving, and their sweeps end when fewer than every
# hundredth of these moves.
_FEW_POINTS = 10_000
_NEAR = 10
_PER_MOVE = 30
_FEW_MOVES = 100
# Points are looked at in so many pieces, that threads end together, but in none of fewer points than this.
_LOOKS, _LEAST_LOOK = 40, 500
_SINGLE = float(np.finfo(np.float32).eps)


def improve_sparse(
    points: SparsePoints, labels: NDArray[np.int64], clusters: Clusters, penalty: float, n_jobs: int = 1
) -> float:
    """Improve labels in place by sweeps of single moves until none helps; fill the clusters; return the objective.

    The last sweep, which finds nothing to move, is over all points and rests on sums made anew, which rounding has not
    touched.
    """
    n_points = len(points.weights)
    everything = np.arange(n_points)
    gains = np.empty(n_points)
    # A price for clusters makes empty ones worth a look, which only the sweep gives.
    is_looking = n_points > BLOCK and penalty == 0.0

    def sweep(chosen: NDArray[np.int64]) -> int:
        if is_looking:
            chosen = look_sparse(points, chosen, labels, clusters, gains, n_jobs)
        return int(_sweep(points, chosen, labels, clusters, penalty, gains))

    add_up_sparse(points, labels, clusters, n_jobs)
    is_new = True  # whether the sums are
    while (n_moves := sweep(everything)) or not is_new:
        if n_moves and n_points > _FEW_POINTS:
            n_near = min(_PER_MOVE * n_moves, n_points // _NEAR)
            near = np.sort(np.argpartition(np.abs(gains), n_near)[:n_near])
            while sweep(near) > n_near // _FEW_MOVES:
                pass
        is_new = not (is_looking and n_moves)  # to add up many points takes as long as to look at them
        if is_new:
            add_up_sparse(points, labels, clusters, n_jobs)
    return objective(clusters, points.weights, points.squares, penalty)


def add_up_sparse(points: SparsePoints, labels: NDArray[np.int64], clusters: Clusters, n_jobs: int = 1) -> None:
    """Make the clusters of the points with their labels; every thread makes some of the clusters."""
    n_words, n_clusters = clusters.sums.shape
    cuts = np.linspace(0, n_clusters, min(n_jobs, n_clusters) + 1).astype(int)

    def fill(part: tuple[int, int]) -> None:
        some = slice(*part)
        mine = new_clusters(n_words, part[1] - part[0])
        _add_up(points, labels, mine, part[0])
        for whole, piece in zip(clusters, mine, strict=True):
            whole[..., some] = piece

    for _ in in_threads(fill, pairwise(cuts.tolist()), n_jobs):
        pass


@kernel
def _add_up(points: SparsePoints, labels: NDArray[np.int64], clusters: Clusters, first: int) -> None:
    """Make some clusters, which are empty, of the points with their labels, of which theirs begin with `first`."""
    data, indices, indptr, weights, _ = points
    sums, norms, totals, sizes, _, _ = clusters
    n_words, n_clusters = sums.shape
    for m in range(len(weights)):
        k = labels[m] - first
        if 0 <= k < n_clusters:
            totals[k] += weights[m]
            sizes[k] += 1
            for p in range(indptr[m], indptr[m + 1]):
                sums[indices[p], k] += weights[m] * data[p]
    for i in range(n_words):
        for k in range(n_clusters):
            norms[k] += sums[i, k] * sums[i, k]


@kernel
def _sweep(
    points: SparsePoints,
    chosen: NDArray[np.int64],
    labels: NDArray[np.int64],
    clusters: Clusters,
    penalty: float,
    gains: NDArray[np.float64],
) -> int:
    """Move each of the chosen points where that helps; set what its best move gains, by weight; count the moves."""
    data, indices, indptr, weights, squares = points
    sums, dots = clusters.sums, clusters.dots
    n_moves = 0
    for m in chosen:
        own = labels[m]
        multiply_sparse(data, indices, indptr[m], indptr[m + 1], sums, dots)
        best, gain = best_cluster(clusters, own, weights[m], squares[m], penalty)
        gains[m] = gain / weights[m]
        if best != own:
            n_moves += 1
            labels[m] = best
            move(clusters, own, best, weights[m], squares[m])
            for p in range(indptr[m], indptr[m + 1]):
                sums[indices[p], own] -= weights[m] * data[p]
                sums[indices[p], best] += weights[m] * data[p]
    return n_moves


def look_sparse(
    points: SparsePoints,
    chosen: NDArray[np.int64],
    labels: NDArray[np.int64],
    clusters: Clusters,
    gains: NDArray[np.float64],
    n_jobs: int,
) -> NDArray[np.int64]:
    """Bound from above what each of the chosen points would gain by its best move, for its weight.

    Parameters
    ----------
    points, chosen, labels, clusters
        As `_sweep` takes them; there is no penalty, and no cluster is empty.
    gains : array of shape (n_points,)
        Gets the bounds, which are close: above the gain itself by no more than single precision may have taken off.
    n_jobs : int
        Number of threads.

    Returns
    -------
    array
        Those of the chosen points that may gain.
    """
    centroids = np.empty(clusters.sums.shape, np.float32)
    np.divide(clusters.sums, clusters.totals, out=centroids, casting="same_kind")
    squares = clusters.norms / clusters.totals**2

    def look(mine: NDArray[np.int64]) -> NDArray[np.int64]:
        dots = np.empty(len(squares), np.float32)
        _look(points, mine, labels, clusters, centroids, squares, dots, gains)
        return mine[gains[mine] > 0.0]

    n_pieces = max(1, min(_LOOKS, len(chosen) // _LEAST_LOOK))
    return np.concatenate(list(in_threads(look, np.array_split(chosen, n_pieces), n_jobs)))


@kernel
def _look(
    points: SparsePoints,
    chosen: NDArray[np.int64],
    labels: NDArray[np.int64],
    clusters: Clusters,
    centroids: NDArray[np.float32],
    centroid_squares: NDArray[np.float64],
    dots: NDArray[np.float32],
    gains: NDArray[np.float64],
) -> None:
    data, indices, indptr, weights, squares = points
    totals, sizes = clusters.totals, clusters.sizes
    n_clusters = len(totals)
    for m in chosen:
        multiply_sparse(data, indices, indptr[m], indptr[m + 1], centroids, dots)
        own = labels[m]
        weight, square = weights[m], squares[m]
        least = np.inf
        largest = 0.0
        for k in range(n_clusters):
            dot = float(dots[k])
            largest = max(largest, dot)
            if k != own:
                cost = totals[k] / (totals[k] + weight) * (square - 2.0 * dot + centroid_squares[k])
                least = min(least, cost)
        factor = 1.0
        saving = 0.0
        if sizes[own] > 1:
            factor = totals[own] / (totals[own] - weight)
            saving = factor * (square - 2.0 * float(dots[own]) + centroid_squares[own])
        # All terms of a dot are positive, so rounding takes off no more than this share of it: once for each word, and
        # once for each of its two factors.
        rounding = (indptr[m + 1] - indptr[m] + 3) * _SINGLE * largest
        gains[m] = saving - least + 2.0 * (factor + 1.0) * rounding
