"""Compiled parts of RecoverKL: word co-occurrence from sparse documents, and mixture weights by least divergence.

A word's co-occurrence row q is to be a mixture of the anchors' rows with least Kullback-Leibler divergence: maximise
``sum_j q_j log(sum_k c_k a_kj)`` over the simplex. With ``g_k = sum_j q_j a_kj / (sum_l c_l a_lj)`` the objective is
within ``max_k g_k - 1`` of its maximum: the primal-dual gap, which is driven below a tolerance by Newton steps on the
simplex, each a quadratic programme solved exactly. The first steps of every word take the Hessian of an average word,
which brings most of them near at the cost of a gradient; then each has its own, kept while that is good enough.

Where an anchor alone covers a column that hardly weighs, its best weight is positive but tiny, and the problem as badly
conditioned as that weight is small. So weights are held above a floor, which costs at most half the tolerance; in the
end those at the floor are set to zero where that keeps the gap.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdmbench.geometry.polytope import Problem, new_face, solve_row
from gdmbench.geometry.rows import correlate, mix
from gdmbench.kernels import kernel, subkernel

_COMMON_STEPS = 2
_REUSE = 0.1  # a Hessian costs as much as several steps: it is kept while each reduces the gap to this part
_LEAST_SHRINKAGE = 0.1
_LEAST_STEP = 1e-3


@kernel
def add_cooccurrence(indptr, indices, counts, out):  # type: ignore[no-untyped-def]
    """Add each document's unbiased estimate of the probability of ordered pairs of words; return how many had one.

    A document of n words with counts h contributes ``(h h' - diag(h)) / (n (n - 1))``: the share of each pair among
    its ordered pairs of different tokens. One of fewer than two words has no pairs and contributes nothing.
    """
    n_used = 0
    for d in range(len(indptr) - 1):
        start, end = indptr[d], indptr[d + 1]
        n = 0.0
        for i in range(start, end):
            n += counts[i]
        if n < 2.0:
            continue
        n_used += 1
        scale = 1.0 / (n * (n - 1.0))
        for i in range(start, end):
            row = out[indices[i]]
            share = counts[i] * scale
            row[indices[i]] += share * max(counts[i] - 1.0, 0.0)  # a fraction of a token has no pair either
            for j in range(i + 1, end):
                row[indices[j]] += share * counts[j]
    # Words are in order within documents, so only one triangle has been filled; mirror it tile by tile.
    n_words = len(out)
    tile = 64
    for top in range(0, n_words, tile):
        for left in range(top, n_words, tile):
            for i in range(top, min(top + tile, n_words)):
                for j in range(max(i + 1, left), min(left + tile, n_words)):
                    out[j, i] = out[i, j]
    return n_used


def recover_weights(
    rows: NDArray[np.float64],
    anchors: NDArray[np.float64],
    tolerance: float,
    max_steps: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the weights of the anchors in every row, and the gap reached.

    Parameters
    ----------
    rows : float64 array of shape (n_rows, n_words)
        Distributions; a row of zeros gets equal weights.
    anchors : float64 array of shape (n_anchors, n_words)
        The anchors' rows. A column where all are zero is left out: no weights can explain it.
    tolerance : float
        Wanted gap.
    max_steps : int
        Most Newton steps for a row.

    Returns
    -------
    weights : float64 array of shape (n_rows, n_anchors)
    gaps : float64 array of shape (n_rows,)
    """
    n_anchors, n_words = anchors.shape
    mean = anchors.mean(axis=0)
    covered = mean > 0.0
    # The Hessian of a word whose row is the mean of the anchors', at equal weights.
    common = np.divide(anchors, mean, out=np.zeros_like(anchors), where=covered) @ anchors.T
    room = _Room(
        a=np.zeros((n_anchors, n_words)),
        q=np.zeros(n_words),
        p=np.zeros(n_words),
        u=np.zeros(n_words),
        places=np.zeros(n_words + 1, np.int32),
        c=np.zeros(n_anchors),
        trial=np.zeros(n_anchors),
        target=np.zeros(n_anchors),
        g=np.zeros(n_anchors),
        h=np.zeros((n_anchors, n_anchors)),
    )
    model = Problem(np.zeros((n_anchors, n_anchors)), np.zeros((1, n_anchors)), np.zeros((1, n_anchors)))
    weights = np.full((len(rows), n_anchors), 1.0 / n_anchors)
    gaps = np.zeros(len(rows))
    _recover(rows, anchors, covered, common, tolerance, max_steps, room, model, new_face(n_anchors), weights, gaps)
    return weights, gaps


class _Room(NamedTuple):
    """Room for what belongs to one row, in the letters of the formulas above.

    `places` are the columns that count, and a, q, p and u = q / p have entries for these alone. There are three sets of
    weights: c, those on `trial`, at which p, u and g are taken, and the `target` of a Newton step. h is the Hessian.
    """

    a: NDArray[np.float64]
    q: NDArray[np.float64]
    p: NDArray[np.float64]
    u: NDArray[np.float64]
    places: NDArray[np.int32]
    c: NDArray[np.float64]
    trial: NDArray[np.float64]
    target: NDArray[np.float64]
    g: NDArray[np.float64]
    h: NDArray[np.float64]


@kernel
def _recover(  # type: ignore[no-untyped-def]
    rows, anchors, covered, common, tolerance, max_steps, room, model, face, weights, gaps
):
    """Fill in weights and gaps, both of which stand at what a row of zeros gets."""
    c, trial, target, g, h = room.c, room.trial, room.target, room.g, room.h
    n_anchors = len(anchors)
    floor = 0.5 * tolerance / n_anchors
    for i in range(len(rows)):
        n = _gather(rows, i, anchors, covered, room)
        if n == 0:
            continue
        for k in range(n_anchors):
            c[k] = trial[k] = 1.0 / n_anchors
            for m in range(n_anchors):
                h[k, m] = common[k, m]
        gap = _evaluate(room, n)
        previous = np.inf
        n_steps = 0
        while gap > tolerance and n_steps < max_steps:
            if n_steps >= _COMMON_STEPS and gap > _REUSE * previous:
                _set_hessian(room, n)
            previous = gap
            _aim(room, model, face, floor)
            rise = 0.0
            for k in range(n_anchors):
                rise += g[k] * (target[k] - c[k])
            step = 1.0
            is_held = False
            # The part of the way to go is judged by slopes: a step is too long if it ends where the objective falls
            # more than half as steeply as it rose at the start. Slopes keep their digits near the maximum, where
            # differences of the objective lose theirs.
            while True:
                _try_step(room, step, is_held)
                gap = _evaluate(room, n)
                slope = 0.0
                for k in range(n_anchors):
                    slope += g[k] * (target[k] - c[k])
                if (gap < np.inf and slope >= -0.5 * rise) or step < _LEAST_STEP:
                    break
                if is_held:
                    step *= 0.5
                is_held = True
            for k in range(n_anchors):
                c[k] = trial[k]
            n_steps += 1
        total = 0.0
        for k in range(n_anchors):
            trial[k] = c[k] if c[k] > 2.0 * floor else 0.0
            total += trial[k]
        for k in range(n_anchors):
            trial[k] /= total
        sparse_gap = _evaluate(room, n)
        is_kept = sparse_gap <= max(gap, tolerance)
        gaps[i] = sparse_gap if is_kept else gap
        for k in range(n_anchors):
            weights[i, k] = trial[k] if is_kept else c[k]


@subkernel
def _gather(rows, i, anchors, covered, room):  # type: ignore[no-untyped-def]
    """Copy what counts of a row and of the anchors' to the front of q and a; return how many columns that are."""
    a, q, places = room.a, room.q, room.places
    n = 0
    for j in range(rows.shape[1]):
        places[n] = j
        n += rows[i, j] > 0.0 and covered[j]
    total = 0.0
    for m in range(n):
        q[m] = rows[i, places[m]]
        total += q[m]
    for m in range(n):
        q[m] /= total
    for k in range(len(anchors)):
        for m in range(n):
            a[k, m] = anchors[k, places[m]]
    return n


@subkernel
def _evaluate(room, n):  # type: ignore[no-untyped-def]
    """Set the mixture p of the weights tried, the ratios u = q/p and g; return the gap."""
    q, p, u, g = room.q, room.p, room.u, room.g
    mix(room.a, room.trial, n, 0.0, p)
    for j in range(n):
        u[j] = q[j] / p[j]
    correlate(room.a, u, n, g)
    largest = 0.0
    for k in range(len(g)):
        if not g[k] <= largest:  # or not a number, where a column that counts has no mixture
            largest = g[k] if g[k] > largest else np.inf
    return largest - 1.0


@subkernel
def _set_hessian(room, n):  # type: ignore[no-untyped-def]
    """Set ``h_kl = sum_j q_j a_kj a_lj / p_j^2``; overwrites p and u."""
    a, p, u, h = room.a, room.p, room.u, room.h
    n_anchors = len(h)
    for j in range(n):
        p[j] = u[j] / p[j]
    for k in range(n_anchors):
        for j in range(n):
            u[j] = p[j] * a[k, j]
        correlate(a, u, n, h[k, : min(k - k % 5 + 5, n_anchors)])  # whole groups of five are cheapest
    for k in range(n_anchors):
        for m in range(k):
            h[m, k] = h[k, m]


@subkernel
def _aim(room, model, face, floor):  # type: ignore[no-untyped-def]
    """Set the target to the maximum of the objective's quadratic model above the floor."""
    c, target, g, h = room.c, room.target, room.g, room.h
    n_anchors = len(c)
    free = 1.0 - n_anchors * floor
    total = 0.0
    for k in range(n_anchors):
        model.linears[0, k] = g[k]
        for m in range(n_anchors):
            model.linears[0, k] += h[k, m] * (c[m] - floor)
            model.gram[k, m] = free * h[k, m]
        model.weights[0, k] = max(c[k] - floor, 0.0)
        total += model.weights[0, k]
    for k in range(n_anchors):
        model.weights[0, k] /= total
    solve_row(model, face, 0)
    for k in range(n_anchors):
        target[k] = floor + free * model.weights[0, k]


@subkernel
def _try_step(room, step, is_held):  # type: ignore[no-untyped-def]
    """Set the weights to try on the way to the target.

    A weight that must end very small but not zero is best approached by orders of magnitude, hence `is_held`.
    """
    c, trial, target = room.c, room.trial, room.target
    total = 0.0
    for k in range(len(c)):
        trial[k] = c[k] + step * (target[k] - c[k])
        if is_held:
            trial[k] = max(trial[k], _LEAST_SHRINKAGE * c[k])
        total += trial[k]
    if is_held:
        for k in range(len(c)):
            trial[k] /= total
