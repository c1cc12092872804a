"""Kernels of k-means by single moves (Hartigan's method), with or without a price for every cluster.

The objective is the weighted inertia plus `penalty` for each cluster in use. Moving a point of weight w from cluster a
(total weight A) to cluster b (total weight B) saves ``w A / (A - w) d_a`` and costs ``w B / (B + w) d_b``, with d the
squared distances to the centroids. Opening an empty cluster costs the penalty, emptying one saves it. With as many
clusters as `n_slots`, all of them filled, and no penalty, this is plain k-means with a fixed number of clusters.

Clusters are kept as weighted sums of their points, word by word with clusters side by side, so that one sweep over a
point gives its inner products with all of them, and a move is an update of two columns.
"""

import numpy as np
from numba import njit

# A move must lower the objective by more than rounding can pretend, or equal points would be moved about for ever.
_SLACK = 1e-12


@njit(cache=True, nogil=True)
def _best_cluster(own, weight, square, dots, norms, totals, sizes, penalty):  # type: ignore[no-untyped-def]
    """Cluster to which a point should move, or its own; dots and norms are of the clusters' weighted sums."""
    mean_square = norms[own] / (totals[own] * totals[own])
    if sizes[own] == 1:
        saving = penalty
    else:
        distance = square - 2.0 * dots[own] / totals[own] + mean_square
        saving = weight * totals[own] / (totals[own] - weight) * distance
    best = own
    least = saving - _SLACK * (weight * (square + mean_square) + penalty)
    for k in range(len(totals)):
        if k == own:
            continue
        if sizes[k] == 0:
            cost = penalty
        else:
            distance = square - 2.0 * dots[k] / totals[k] + norms[k] / (totals[k] * totals[k])
            cost = weight * totals[k] / (totals[k] + weight) * distance
        if cost < least:
            least = cost
            best = k
    return best


@njit(cache=True, nogil=True)
def _move(source, target, weight, square, dots, norms, totals, sizes):  # type: ignore[no-untyped-def]
    """Update all that describes the clusters but the sums themselves."""
    norms[source] += weight * (weight * square - 2.0 * dots[source])
    norms[target] += weight * (weight * square + 2.0 * dots[target])
    totals[source] -= weight
    totals[target] += weight
    sizes[source] -= 1
    sizes[target] += 1
    if sizes[source] == 0:
        norms[source] = 0.0
        totals[source] = 0.0


@njit(cache=True, nogil=True)
def _objective(weights, squares, norms, totals, sizes, penalty):  # type: ignore[no-untyped-def]
    value = np.sum(weights * squares)
    for k in range(len(totals)):
        if sizes[k] > 0:
            value += penalty - norms[k] / totals[k]
    return max(value, 0.0)


@njit(cache=True, nogil=True)
def improve_dense(  # type: ignore[no-untyped-def]
    coordinates, residuals, weights, labels, n_slots, penalty, max_sweeps
):
    """Improve labels in place by sweeps of single moves over dense points; return sums, objective.

    Each point has, besides its coordinates, a part of squared length `residuals` orthogonal to everything else.
    """
    n_points, n_coordinates = coordinates.shape
    sums = np.zeros((n_coordinates, n_slots))
    norms = np.zeros(n_slots)
    totals = np.zeros(n_slots)
    sizes = np.zeros(n_slots, np.int64)
    squares = residuals.copy()
    for m in range(n_points):
        k = labels[m]
        totals[k] += weights[m]
        sizes[k] += 1
        norms[k] += weights[m] * weights[m] * residuals[m]
        for j in range(n_coordinates):
            squares[m] += coordinates[m, j] * coordinates[m, j]
            sums[j, k] += weights[m] * coordinates[m, j]
    for j in range(n_coordinates):
        for k in range(n_slots):
            norms[k] += sums[j, k] * sums[j, k]
    dots = np.zeros(n_slots)
    for _ in range(max_sweeps):
        n_moves = 0
        for m in range(n_points):
            own = labels[m]
            dots[:] = 0.0
            for j in range(n_coordinates):
                for k in range(n_slots):
                    dots[k] += coordinates[m, j] * sums[j, k]
            dots[own] += weights[m] * residuals[m]
            best = _best_cluster(own, weights[m], squares[m], dots, norms, totals, sizes, penalty)
            if best != own:
                n_moves += 1
                labels[m] = best
                _move(own, best, weights[m], squares[m], dots, norms, totals, sizes)
                for j in range(n_coordinates):
                    sums[j, own] -= weights[m] * coordinates[m, j]
                    sums[j, best] += weights[m] * coordinates[m, j]
        if n_moves == 0:
            break
    return sums, _objective(weights, squares, norms, totals, sizes, penalty)


@njit(cache=True, nogil=True)
def improve_sparse(  # type: ignore[no-untyped-def]
    data, indices, indptr, n_words, weights, labels, n_slots, penalty
):
    """Improve labels in place by sweeps of single moves over CSR rows until none helps; return sums, objective."""
    n_points = len(weights)
    squares = np.zeros(n_points)
    for m in range(n_points):
        for p in range(indptr[m], indptr[m + 1]):
            squares[m] += data[p] * data[p]
    sums = np.zeros((n_words, n_slots))
    norms = np.zeros(n_slots)
    totals = np.zeros(n_slots)
    sizes = np.zeros(n_slots, np.int64)
    dots = np.zeros(n_slots)
    n_moves = -1
    while n_moves != 0:
        # Sums are made anew for every sweep: the last one, which finds nothing to move, then rests on exact sums.
        sums[:] = 0.0
        norms[:] = 0.0
        totals[:] = 0.0
        sizes[:] = 0
        for m in range(n_points):
            k = labels[m]
            totals[k] += weights[m]
            sizes[k] += 1
            for p in range(indptr[m], indptr[m + 1]):
                sums[indices[p], k] += weights[m] * data[p]
        for i in range(n_words):
            for k in range(n_slots):
                norms[k] += sums[i, k] * sums[i, k]
        n_moves = 0
        for m in range(n_points):
            own = labels[m]
            dots[:] = 0.0
            for p in range(indptr[m], indptr[m + 1]):
                value = data[p]
                row = sums[indices[p]]
                for k in range(n_slots):
                    dots[k] += value * row[k]
            best = _best_cluster(own, weights[m], squares[m], dots, norms, totals, sizes, penalty)
            if best != own:
                n_moves += 1
                labels[m] = best
                _move(own, best, weights[m], squares[m], dots, norms, totals, sizes)
                for p in range(indptr[m], indptr[m + 1]):
                    sums[indices[p], own] -= weights[m] * data[p]
                    sums[indices[p], best] += weights[m] * data[p]
    return sums, _objective(weights, squares, norms, totals, sizes, penalty)


@njit(cache=True, nogil=True)
def seed_clusters(coordinates, weights, uniforms):  # type: ignore[no-untyped-def]
    """Assign points to the nearest of seeds chosen by greedy k-means++, one row of uniforms for each seed.

    As many seeds are tried as a row has numbers, and the one that lowers the inertia most is taken. Seeds are
    different points even where points coincide, and each is in its own cluster, so no cluster is empty.
    """
    n_points, n_coordinates = coordinates.shape
    n_clusters, n_trials = uniforms.shape
    seeds = np.zeros(n_clusters, np.int64)
    labels = np.zeros(n_points, np.int64)
    nearest = np.full(n_points, np.inf)
    tried = np.empty((n_trials, n_points))
    cumulated = np.cumsum(weights)
    for k in range(n_clusters):
        best_trial = -1
        best_inertia = np.inf
        for t in range(n_trials if k > 0 else 1):
            seed = np.searchsorted(cumulated, uniforms[k, t] * cumulated[-1], side="right")
            if seed == n_points:  # every point coincides with a seed: any point that is none will do
                seed = 0
                while np.any(seeds[:k] == seed):
                    seed += 1
            inertia = 0.0
            for m in range(n_points):
                distance = 0.0
                for j in range(n_coordinates):
                    distance += (coordinates[m, j] - coordinates[seed, j]) ** 2
                tried[t, m] = min(distance, nearest[m])
                inertia += weights[m] * tried[t, m]
            if inertia < best_inertia:
                best_inertia = inertia
                best_trial = t
                seeds[k] = seed
        for m in range(n_points):
            if tried[best_trial, m] < nearest[m]:
                labels[m] = k
                nearest[m] = tried[best_trial, m]
        cumulated = np.cumsum(weights * nearest)
    for k in range(n_clusters):
        labels[seeds[k]] = k
    return labels
