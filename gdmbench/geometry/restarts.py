"""Restarts of k-means on points of a few coordinates, where they are cheap, and which partitions are worth more work.

Restarts see at most 10,000 points, or ten for each cluster where that is more. The best of them is varied by swaps: one
centroid is put elsewhere and the others follow. They end early where they find the same optima again.
"""

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdmbench.geometry.blocks import blocks_of, in_threads
from gdmbench.geometry.hartigan import DensePoints, dense_points, improve_dense, new_clusters
from gdmbench.kernels import kernel

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


class _Run(NamedTuple):
    """Where a start in the reduced space has ended; sums are the clusters' weighted sums of coordinates."""

    inertia: float
    labels: NDArray[np.int64]
    sums: NDArray[np.float64]


def promising_partitions(
    coordinates: NDArray[np.float64],
    residuals: NDArray[np.float64],
    weights: NDArray[np.float64],
    n_clusters: int,
    n_restarts: int,
    rng: np.random.Generator,
    n_jobs: int = 1,
) -> list[NDArray[np.int64]]:
    """Partitions from starts in the reduced space: the best, and others nearly as good but different."""
    n_points = len(weights)
    sample = np.arange(n_points)
    if n_points > max(_MOST_DOCUMENTS, 10 * n_clusters):
        sample = np.sort(rng.choice(n_points, size=max(_MOST_DOCUMENTS, 10 * n_clusters), replace=False))
    points = dense_points(coordinates[sample], residuals[sample], weights[sample])
    runs = sorted(_tries(points, n_clusters, n_restarts, rng, n_jobs), key=_inertia)
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

        def nearest(block: slice, run: _Run = run) -> NDArray[np.int64]:
            return np.argmin(_shifted_distances(coordinates[block], points.weights, run), axis=1)

        everywhere = np.concatenate(list(in_threads(nearest, blocks_of(n_points), n_jobs)))
        everywhere[sample] = run.labels  # so that no cluster is empty
        partitions.append(everywhere)
    return partitions


def _tries(points: DensePoints, n_clusters: int, n_restarts: int, rng: np.random.Generator, n_jobs: int) -> list[_Run]:
    """Start, and then swap, until little is expected to be unseen.

    Threads try what comes next before it is known whether it is wanted. What they find is taken in order, as if there
    were one thread, and the rest is thrown away: what follows the last try that is wanted, and swaps of a result that
    is no longer the best.
    """
    n_starts, n_tries = _STARTS * n_restarts, (_STARTS + _SWAPS) * n_restarts
    n_trials = 2 + int(np.log(n_clusters))
    runs: list[_Run] = []
    n_tried = 0

    def draw(number: int, rng: np.random.Generator) -> tuple[Any, ...]:
        return (rng.random((n_clusters, n_trials)),) if number < n_starts else (rng.random(), rng.integers(n_clusters))

    def attempt(best: _Run | None, drawn: tuple[Any, ...]) -> _Run | None:
        labels = _seed(points, *drawn) if best is None else _swap(points, best, *drawn)
        if not np.bincount(labels, minlength=n_clusters).all():
            return None
        clusters = new_clusters(points.coordinates.shape[1], n_clusters)
        inertia = improve_dense(points, labels, clusters, 0.0, _MOST_SWEEPS)
        return _Run(inertia, labels, clusters.sums)

    def is_enough() -> bool:
        return n_tried >= n_restarts and has_seen_enough([run.inertia for run in runs])

    while n_tried < n_tries and not is_enough():
        best = None if n_tried < n_starts else min(runs, key=_inertia)
        stop = min(max(n_restarts, n_tried + n_jobs), n_starts if best is None else n_tries)
        ahead = deepcopy(rng)  # so that the generator itself gives numbers for those tries alone that are taken
        drawn = [draw(number, ahead) for number in range(n_tried, stop)]
        for run in in_threads(partial(attempt, best), drawn, n_jobs):
            draw(n_tried, rng)
            n_tried += 1
            if run is not None:
                runs.append(run)
                if is_enough() or (best is not None and run.inertia < best.inertia):
                    break
    return runs


def _inertia(run: _Run) -> float:
    return run.inertia


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
    nearest = np.full(n_points, np.inf)
    cumulated = np.cumsum(points.weights)
    for k, numbers in enumerate(uniforms):
        tried = []
        for number in numbers if k > 0 else numbers[:1]:
            seed = int(np.searchsorted(cumulated, number * cumulated[-1], side="right"))
            if seed == n_points:  # every point coincides with a seed: any point that is none will do
                seed = min(set(range(k + 1)) - set(seeds))
            trial = np.empty((2, n_points))
            try_seed(columns, points.weights, seed, nearest, *trial)
            tried.append((seed, *trial))
        seed, closer, cumulated = min(tried, key=lambda trial: trial[2][-1])
        labels[closer < nearest] = k
        nearest = closer
        seeds.append(seed)
    labels[seeds] = np.arange(len(seeds))
    return labels


@kernel
def try_seed(
    columns: NDArray[np.float64],
    weights: NDArray[np.float64],
    seed: int,
    nearest: NDArray[np.float64],
    closer: NDArray[np.float64],
    cumulated: NDArray[np.float64],
) -> None:
    """Set how near each point, given coordinate by coordinate, has a seed if this one is added; add up by weight.

    One call of what would be four of numpy's: threads that make many short calls wait for each other in between.
    """
    n_coordinates, n_points = columns.shape
    for m in range(n_points):
        closer[m] = 0.0
    for j in range(n_coordinates):
        x = columns[j, seed]
        for m in range(n_points):
            closer[m] += (columns[j, m] - x) ** 2
    total = 0.0
    for m in range(n_points):
        closer[m] = min(closer[m], nearest[m])
        total += weights[m] * closer[m]
        cumulated[m] = total


def _swap(points: DensePoints, run: _Run, uniform: float, moved: int) -> NDArray[np.int64]:
    """Nearest centroids once one of them is put on a point drawn as by k-means++; some may then have no point."""
    coordinates, weights = points.coordinates, points.weights
    distances = _shifted_distances(coordinates, weights, run)
    squares = np.einsum("md,md->m", coordinates, coordinates)
    far = np.cumsum(weights * np.maximum(distances.min(axis=1) + squares, 0.0))
    place = min(int(np.searchsorted(far, uniform * far[-1], side="right")), len(far) - 1)
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
    n_jobs: int = 1,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Cluster points of a few coordinates as `weighted_kmeans` does sparse ones; return labels and centroids."""
    residuals = np.zeros(len(coordinates))
    coordinates = np.ascontiguousarray(coordinates)
    labels = promising_partitions(coordinates, residuals, weights, n_clusters, n_restarts, rng, n_jobs)[0]
    clusters = new_clusters(coordinates.shape[1], n_clusters)
    improve_dense(dense_points(coordinates, residuals, weights, n_jobs), labels, clusters, 0.0, _MOST_SWEEPS)
    return labels, np.ascontiguousarray((clusters.sums / np.bincount(labels, weights=weights)).T)
