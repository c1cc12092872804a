"""Which of very many points may gain by a move, without a look at most of them.

A point gains by leaving its cluster if what that saves, f d with d the squared distance to its own centroid, exceeds
what the cheapest other cluster costs, h e with e the squared distance to that one's. Here f = T / (T - w) and
h = T / (T + w), for a cluster of total weight T and a point of weight w. What the point lacks, the cost less the
saving, is its margin.

Points are word frequencies, which sum to 1. So where no entry of a centroid has changed by more than s, no inner
product with it has, and no squared distance by more than 2 s and what the centroid's own square has changed by. A point
need not be looked at again until such changes have added up to its margin. Hamerly's bounds for k-means take the
distance that a centroid has come in place of s, which says less of documents with few words: these are far from all
centroids, each in a direction of its own.

A look is in single precision, in threads; rounding makes margins smaller, never larger.

References
----------
G. Hamerly (2010). Making k-means even faster. SIAM International Conference on Data Mining, 130-140.
"""

import numpy as np
from numpy.typing import NDArray

from gdmbench.geometry.blocks import blocks_of, in_threads
from gdmbench.geometry.hartigan import Clusters, SparsePoints
from gdmbench.geometry.products import multiply_sparse
from gdmbench.kernels import kernel

# Points are looked at in so many pieces, that threads end together, but in none of fewer points than this.
_LOOKS, _LEAST_LOOK = 40, 500
_SINGLE = float(np.finfo(np.float32).eps)
_VECTOR = 8  # numbers in single precision that instructions take at once: no column is left over


class Margins:
    """Lower bounds for the margins of points, kept while these move between clusters.

    Parameters
    ----------
    points, labels, clusters, penalty
        As sweeps take them, which change the labels and the clusters.
    n_jobs : int
        Number of threads.
    """

    def __init__(
        self, points: SparsePoints, labels: NDArray[np.int64], clusters: Clusters, penalty: float, n_jobs: int
    ) -> None:
        self._points, self._labels, self._clusters, self._penalty = points, labels, clusters, penalty
        self._n_jobs = n_jobs
        # The bounds when the points were last looked at, and what their clusters had spent by then added to them; so
        # the bound now is less what these have spent by now.
        self._bounds = np.full(len(labels), -np.inf)
        self._room = np.empty(len(labels))
        self._spent = np.zeros(len(clusters.totals))
        self._totals = np.zeros(len(clusters.totals))
        self._squares = np.zeros(len(clusters.totals))
        self._centroids = np.zeros(clusters.sums.shape)
        n_words, n_clusters = clusters.sums.shape
        n_columns = -(-n_clusters // _VECTOR) * _VECTOR
        self._rounded = np.zeros((n_words, n_columns), np.float32)
        self._heaviest = float(points.weights.max())
        self._farthest = 2.0 * float(points.squares.max())  # no squared distance to a centroid is larger

    def nearest(self, n_near: int) -> NDArray[np.int64]:
        """Return so many points, in order, that are nearest to a gain, by their bounds as of the last look."""
        return np.sort(np.argpartition(self._now(), n_near)[:n_near])

    def _now(self) -> NDArray[np.float64]:
        """Return the bounds as of the last look, where they are overwritten the next time: memory is slow at first."""

        def fill(block: slice) -> None:
            now = self._room[block]
            np.take(self._spent, self._labels[block], out=now, mode="clip")  # the mode that makes no copy
            np.subtract(self._bounds[block], now, out=now)

        size = -(-len(self._room) // self._n_jobs)  # a block for each thread, as there is little to do
        for _ in in_threads(fill, blocks_of(len(self._room), size), self._n_jobs):
            pass
        return self._room

    def may_gain(self, chosen: NDArray[np.int64] | None) -> NDArray[np.int64]:
        """Return those of the chosen points that may gain by a move, after a look at those that could by their bounds.

        None chooses all points. Those returned are taken to be moved then, so the next time they are looked at again.
        """
        self._follow()
        if chosen is None:
            chosen = np.flatnonzero(self._now() <= 0.0)
        else:
            chosen = chosen[self._bounds[chosen] <= self._spent[self._labels[chosen]]]

        def look(mine: NDArray[np.int64]) -> NDArray[np.int64]:
            dots, costs = np.empty(self._rounded.shape[1], np.float32), np.empty(len(self._totals))
            centroids = self._rounded, self._squares
            margins, found = (self._spent, self._bounds), np.empty_like(mine)
            state = self._labels, self._clusters, self._penalty
            return found[: _look(self._points, mine, *state, *centroids, dots, costs, *margins, found)]

        n_pieces = max(1, min(_LOOKS, len(chosen) // _LEAST_LOOK))
        candidates = np.concatenate(list(in_threads(look, np.array_split(chosen, n_pieces), self._n_jobs)))
        self._bounds[candidates] = -np.inf
        return candidates

    def _follow(self) -> None:
        """Take from the bounds what the clusters have changed by since the last look."""
        before, after = self._totals, self._clusters.totals.copy()
        least, most = np.zeros(len(after)), np.zeros(len(after))
        _move_centroids(self._clusters.sums, after, self._centroids, self._rounded, least, most)
        squares = np.divide(self._clusters.norms, after**2, out=np.zeros(len(after)), where=after > 0.0)
        longer = squares - self._squares
        # Weights for which the factors f and h change most: h does for the geometric mean of the totals.
        heaviest, middling = self._heaviest, np.minimum(self._heaviest, np.sqrt(before * after))
        with np.errstate(divide="ignore", invalid="ignore"):  # where clusters are empty, or a point may fill one alone
            leaving, was_leaving = after / (after - heaviest), before / (before - heaviest)
            joining, was_joining = after / (after + middling), before / (before + middling)
            saved = leaving * np.maximum(longer - 2.0 * least, 0.0)
            saved += np.maximum(leaving - was_leaving, 0.0) * self._farthest
            cheaper = np.maximum(2.0 * most - longer, 0.0)
            cheaper += np.maximum(was_joining - joining, 0.0) * self._farthest
        is_same = (least == 0.0) & (most == 0.0) & (before == after)
        saved[np.minimum(before, after) <= heaviest] = np.inf
        cheaper[np.minimum(before, after) == 0.0] = np.inf
        saved[is_same] = cheaper[is_same] = 0.0
        largest = np.argmax(cheaper)
        others = np.full(len(cheaper), cheaper[largest])
        others[largest] = np.delete(cheaper, largest).max(initial=0.0)
        lost = saved + others
        is_unknown = ~np.isfinite(lost)
        if is_unknown.any():
            self._bounds[is_unknown[self._labels]] = -np.inf
            lost[is_unknown] = 0.0
        self._spent += lost
        self._totals, self._squares = after, squares


@kernel
def _move_centroids(
    sums: NDArray[np.float64],
    totals: NDArray[np.float64],
    centroids: NDArray[np.float64],
    rounded: NDArray[np.float32],
    least: NDArray[np.float64],
    most: NDArray[np.float64],
) -> None:
    """Set the centroids to where they are now, and the least and the most that an entry of each has changed by."""
    n_words, n_clusters = sums.shape
    for i in range(n_words):
        for k in range(n_clusters):
            value = sums[i, k] / totals[k] if totals[k] > 0.0 else 0.0
            step = value - centroids[i, k]
            least[k] = min(least[k], step)
            most[k] = max(most[k], step)
            centroids[i, k] = value
            rounded[i, k] = value


@kernel
def _look(
    points: SparsePoints,
    chosen: NDArray[np.int64],
    labels: NDArray[np.int64],
    clusters: Clusters,
    penalty: float,
    centroids: NDArray[np.float32],
    centroid_squares: NDArray[np.float64],
    dots: NDArray[np.float32],
    costs: NDArray[np.float64],
    spent: NDArray[np.float64],
    bounds: NDArray[np.float64],
    found: NDArray[np.int64],
) -> int:
    """Set the bounds of the chosen points; list those that may gain, and return their number."""
    data, indices, indptr, weights, squares = points
    totals, sizes = clusters.totals, clusters.sizes
    n_clusters = len(totals)
    n_found = 0
    largest_square = 0.0
    for k in range(n_clusters):
        largest_square = max(largest_square, centroid_squares[k])
    for m in chosen:
        multiply_sparse(data, indices, indptr[m], indptr[m + 1], centroids, dots)
        own = labels[m]
        weight, square = weights[m], squares[m]
        price = penalty / weight  # of a cluster of its own
        for k in range(n_clusters):
            cost = totals[k] / (totals[k] + weight) * (square - 2.0 * float(dots[k]) + centroid_squares[k])
            costs[k] = cost if totals[k] > 0.0 else price
        costs[own] = np.inf
        least = np.inf
        for k in range(n_clusters):
            least = min(least, costs[k])
        # All terms of a dot are positive, so rounding takes off no more than this share of it: once for each word, and
        # once for each of its two factors.
        largest = np.sqrt(square * largest_square)
        rounding = 2.0 * (indptr[m + 1] - indptr[m] + 3) * _SINGLE * largest
        saving = price
        if sizes[own] > 1:
            distance = square - 2.0 * float(dots[own]) + centroid_squares[own] + rounding
            saving = totals[own] / (totals[own] - weight) * distance
        bounds[m] = least - rounding - saving + spent[own]
        if bounds[m] <= spent[own]:
            found[n_found] = m
            n_found += 1
    return n_found
