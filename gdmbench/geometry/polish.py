"""Improving the clusters of sparse points until no single move of a point helps.

Towards the end few points move, and most of these were near to it before; so between sweeps over all points come sweeps
over the nearest alone. Of very many points, `margins.py` tells which may gain by moving, and only these are then moved,
in turn and in double precision, where they do.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gdmbench.geometry.blocks import BLOCK, in_threads
from gdmbench.geometry.hartigan import Clusters, SparsePoints, best_cluster, move, new_clusters, objective
from gdmbench.geometry.margins import Margins
from gdmbench.geometry.products import multiply_sparse
from gdmbench.kernels import kernel

# Of more than so many points, every tenth is among those near to moving, and their sweeps end when fewer than every
# hundredth of these moves.
_FEW_POINTS = 10_000
_NEAR = 10
_PER_MOVE = 30
_FEW_MOVES = 100
# More points than a block are added up in so many pieces, whatever the number of threads.
_PIECES = 8


def improve_sparse(
    points: SparsePoints, labels: NDArray[np.int64], clusters: Clusters, penalty: float, n_jobs: int = 1
) -> float:
    """Improve labels in place by sweeps of single moves until none helps; fill the clusters; return the objective.

    The last sweep, which finds nothing to move, is over all points and rests on sums made anew, which rounding has not
    touched.
    """
    n_points = len(points.weights)
    gains = np.empty(n_points)
    is_many = n_points > BLOCK
    margins = Margins(points, labels, clusters, penalty, n_jobs) if is_many else None

    def sweep(chosen: NDArray[np.int64] | None = None) -> int:
        if margins is not None:
            chosen = margins.may_gain(chosen)
        elif chosen is None:
            chosen = np.arange(n_points)
        return int(_sweep(points, chosen, labels, clusters, penalty, gains))

    add_up_sparse(points, labels, clusters, n_jobs)
    is_new = True  # whether the sums are
    while (n_moves := sweep()) or not is_new:
        if n_moves and n_points > _FEW_POINTS:
            n_near = min(_PER_MOVE * n_moves, n_points // _NEAR)
            if margins is not None:
                near = margins.nearest(n_near)
            else:
                near = np.sort(np.argpartition(np.abs(gains), n_near)[:n_near])
            while sweep(near) > n_near // _FEW_MOVES:
                pass
        is_new = not (is_many and n_moves)  # to add up many points takes as long as to look at them
        if is_new:
            add_up_sparse(points, labels, clusters, n_jobs)
    return objective(clusters, points.weights, points.squares, penalty)


def add_up_sparse(points: SparsePoints, labels: NDArray[np.int64], clusters: Clusters, n_jobs: int = 1) -> None:
    """Make the clusters of the points with their labels; what pieces of many points give is added up in their order."""
    n_points = len(labels)
    cuts = np.linspace(0, n_points, 1 + (_PIECES if n_points > BLOCK else 1)).astype(int)

    def fill(piece: tuple[int, int]) -> Clusters:
        mine = new_clusters(*clusters.sums.shape)
        _add_up(points, labels, mine, *piece)
        return mine

    sums, norms, totals, sizes, _, _ = clusters
    for array in (sums, totals, sizes):
        array.fill(0)
    for mine in in_threads(fill, pairwise(cuts.tolist()), n_jobs):
        sums += mine.sums
        totals += mine.totals
        sizes += mine.sizes
    norms[:] = np.add.reduce(sums * sums, axis=0)


@kernel
def _add_up(points: SparsePoints, labels: NDArray[np.int64], clusters: Clusters, start: int, stop: int) -> None:
    """Add some of the points to the clusters of their labels; the squares of the clusters' sums are not known yet."""
    data, indices, indptr, weights, _ = points
    sums, _, totals, sizes, _, _ = clusters
    for m in range(start, stop):
        k = labels[m]
        totals[k] += weights[m]
        sizes[k] += 1
        for p in range(indptr[m], indptr[m + 1]):
            sums[indices[p], k] += weights[m] * data[p]


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
