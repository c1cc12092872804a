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

import numpy as np
from numba import njit

from baselines._mixtures import correlate, mix
from gdmbench.geometry.polytope import Face, Problem, solve_rows

_COMMON_STEPS = 2
_REUSE = 0.1  # a Hessian costs as much as several steps: it is kept while each reduces the gap to this part
_LEAST_SHRINKAGE = 0.1
_LEAST_STEP = 1e-3


@njit(cache=True, nogil=True, error_model="numpy")
def add_cooccurrence(indptr, indices, counts, out):  # type: ignore[no-untyped-def]
    """Add each document's unbiased estimate of the probability of ordered pairs of words; return how many had one.

    A document of n words with counts h contributes ``(h h' - diag(h)) / (n (n - 1))``: the share of each pair among
    its ordered pairs of different tokens. One of fewer than two words has no pairs and contributes nothing.
    """
    n_documents = len(indptr) - 1
    n_used = 0
    for d in range(n_documents):
        start, end = indptr[d], indptr[d + 1]
        n = counts[start:end].sum()
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


@njit(cache=True, nogil=True, error_model="numpy")
def _gather(row, anchors, covered, places, a, q):  # type: ignore[no-untyped-def]
    """Copy what counts of a row and of the anchors' to the front of q and a; return how many columns that are."""
    n = 0
    for j in range(len(row)):
        places[n] = j
        n += row[j] > 0.0 and covered[j]
    total = 0.0
    for m in range(n):
        q[m] = row[places[m]]
        total += q[m]
    for m in range(n):
        q[m] /= total
    for k in range(len(anchors)):
        source, target = anchors[k], a[k]
        for m in range(n):
            target[m] = source[places[m]]
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def _evaluate(a, q, n, c, p, u, g):  # type: ignore[no-untyped-def]
    """Set the mixture p, the ratios u = q/p and g; return the gap."""
    mix(a, c, n, 0.0, p)
    for j in range(n):
        u[j] = q[j] / p[j]
    correlate(a, u, n, g)
    return g.max() - 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def _hessian(a, n, p, u, h):  # type: ignore[no-untyped-def]
    """Set ``h_kl = sum_j q_j a_kj a_lj / p_j^2``; overwrites p and u."""
    n_anchors = len(h)
    for j in range(n):
        p[j] = u[j] / p[j]
    for k in range(n_anchors):
        row = a[k]
        for j in range(n):
            u[j] = p[j] * row[j]
        correlate(a, u, n, h[k, : min(k - k % 5 + 5, n_anchors)])  # whole groups of five are cheapest
    for k in range(n_anchors):
        for m in range(k):
            h[m, k] = h[k, m]


@njit(cache=True, nogil=True, error_model="numpy")
def _hessian_at_mean(anchors, mean):  # type: ignore[no-untyped-def]
    """Return the Hessian of a word whose row is the mean of the anchors', at equal weights."""
    n_anchors, n_words = anchors.shape
    h = np.empty((n_anchors, n_anchors))
    ratios = np.empty(n_words)
    for k in range(n_anchors):
        for j in range(n_words):
            ratios[j] = anchors[k, j] / mean[j] if mean[j] > 0.0 else 0.0
        correlate(anchors, ratios, n_words, h[k])
    return h


@njit(cache=True, nogil=True, error_model="numpy")
def _newton_step(a, q, n, floor, c, p, u, g, h, trial):  # type: ignore[no-untyped-def]
    """Move c to the maximum of the objective's quadratic model above the floor, or part of the way; return the gap.

    The part is judged by slopes: a step is too long if it ends where the objective falls more than half as steeply as
    it rose at the start. Slopes keep their digits near the maximum, where differences of the objective lose theirs.
    """
    free = 1.0 - len(c) * floor
    linear = g + np.dot(h, c) - floor * h.sum(axis=1)
    problem = Problem(free * h, linear.reshape(1, -1), c.copy().reshape(1, -1))
    face = Face(np.empty(len(c), np.uint64), np.empty(len(c)), np.empty(h.shape), np.empty(len(c)))
    solve_rows(problem, face, np.empty(1))
    target = floor + free * problem.weights[0]
    rise = np.dot(g, target - c)
    step = 1.0
    held = False
    while True:
        trial[:] = c + step * (target - c)
        if held:
            # A weight that must end very small but not zero is best approached by orders of magnitude.
            trial[:] = np.maximum(trial, _LEAST_SHRINKAGE * c)
            trial /= trial.sum()
        gap = _evaluate(a, q, n, trial, p, u, g)
        if (gap < np.inf and np.dot(g, target - c) >= -0.5 * rise) or step < _LEAST_STEP:
            break
        if held:
            step *= 0.5
        held = True
    c[:] = trial
    return gap


@njit(cache=True, nogil=True, error_model="numpy")
def recover_weights(rows, anchors, tolerance, max_steps, weights, gaps):  # type: ignore[no-untyped-def]
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
    weights : float64 array of shape (n_rows, n_anchors)
        Overwritten.
    gaps : float64 array of shape (n_rows,)
        Overwritten.
    """
    n_anchors, n_words = anchors.shape
    mean = np.zeros(n_words)
    for k in range(n_anchors):
        mean += anchors[k] / n_anchors
    covered = mean > 0.0
    common = _hessian_at_mean(anchors, mean)
    a = np.empty((n_anchors, n_words))
    q, p, u = np.empty(n_words), np.empty(n_words), np.empty(n_words)
    places = np.empty(n_words + 1, np.int32)
    g, trial = np.empty(n_anchors), np.empty(n_anchors)
    h = np.empty((n_anchors, n_anchors))
    floor = 0.5 * tolerance / n_anchors
    for i in range(len(rows)):
        c = weights[i]
        c[:] = 1.0 / n_anchors
        gaps[i] = 0.0
        n = _gather(rows[i], anchors, covered, places, a, q)
        if n == 0:
            continue
        gap = _evaluate(a, q, n, c, p, u, g)
        h[:] = common
        previous = np.inf
        for step in range(max_steps):
            if gap <= tolerance:
                break
            if step >= _COMMON_STEPS and gap > _REUSE * previous:
                _hessian(a, n, p, u, h)
            previous = gap
            gap = _newton_step(a, q, n, floor, c, p, u, g, h, trial)
        trial[:] = np.where(c > 2.0 * floor, c, 0.0)
        trial /= trial.sum()
        sparse_gap = _evaluate(a, q, n, trial, p, u, g)
        if sparse_gap <= max(gap, tolerance):
            c[:] = trial
            gap = sparse_gap
        gaps[i] = gap
