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
from gdmbench.kernels import kernel

_COMMON_STEPS = 2
_REUSE = 0.1  # a Hessian costs as much as several steps: it is kept while each reduces the gap to this part
_LEAST_SHRINKAGE = 0.1
_LEAST_STEP = 1e-3


@kernel
def add_cooccurrence(indptr, indices, counts, out):  # type: ignore[no-untyped-def]
    """Add each document's unbiased estimate of the probability of ordered pairs of words; return how many had one.

    A document of n words with counts h contributes ``(h h' - diag(h)) / (n (n - 1))``: the share of each pair among
    its ordered pairs of different tokens. One of fewer than two words has no pairs and contributes nothing. Only the
    upper triangle is filled, as the words of a document are in order.
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
            word = indices[i]
            share = counts[i] * scale
            if counts[i] > 1.0:  # a fraction of a token has no pair either
                out[word, word] += share * (counts[i] - 1.0)
            for j in range(i + 1, end):
                out[word, indices[j]] += share * counts[j]
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
    """Fill in weights and gaps, both of which stand at what a row of zeros gets.

    There is one place where weights are tried; what they are tried for follows from how that went.
    """
    a, q, p, u, places, c, trial, target, g, h = room
    n_anchors = len(anchors)
    floor = 0.5 * tolerance / n_anchors
    free = 1.0 - n_anchors * floor
    for i in range(len(rows)):
        n = _gather(rows, i, anchors, covered, places, q, a)
        if n == 0:
            continue
        for k in range(n_anchors):
            c[k] = trial[k] = 1.0 / n_anchors
            for m in range(n_anchors):
                h[k, m] = common[k, m]
        gap = previous = np.inf
        n_steps = -1
        rise = step = 0.0
        is_held = is_last = False
        while True:
            mix(a, trial, n, 0.0, p)
            for j in range(n):
                u[j] = q[j] / p[j]
            correlate(a, u, n, g)
            largest = 0.0
            slope = 0.0
            for k in range(n_anchors):
                if not g[k] <= largest:  # or not a number, where a column that counts has no mixture
                    largest = g[k] if g[k] > largest else np.inf
                slope += g[k] * (target[k] - c[k])
            if is_last:
                break
            # The part of the way to go is judged by slopes: a step is too long if it ends where the objective falls
            # more than half as steeply as it rose at the start. Slopes keep their digits near the maximum, where
            # differences of the objective lose theirs.
            if step >= _LEAST_STEP and not (largest < np.inf and slope >= -0.5 * rise):
                if is_held:
                    step *= 0.5
                is_held = True
            else:
                n_steps += 1
                gap = largest - 1.0
                for k in range(n_anchors):
                    c[k] = trial[k]
                is_last = gap <= tolerance or n_steps == max_steps
                if not is_last:
                    if n_steps >= _COMMON_STEPS and gap > _REUSE * previous:
                        _set_hessian(a, p, u, n, h)
                    previous = gap
                    _set_model(c, g, h, floor, free, model.gram, model.linears, model.weights)
                    solve_row(model, face, 0)
                    rise = 0.0
                    for k in range(n_anchors):
                        target[k] = floor + free * model.weights[0, k]
                        rise += g[k] * (target[k] - c[k])
                    step = 1.0
                    is_held = False
            if is_last:  # what the floor held up may go
                for k in range(n_anchors):
                    trial[k] = c[k] if c[k] > 2.0 * floor else 0.0
            else:
                for k in range(n_anchors):
                    trial[k] = c[k] + step * (target[k] - c[k])
                    # A weight that must end very small but not zero is best approached by orders of magnitude.
                    if is_held and trial[k] < _LEAST_SHRINKAGE * c[k]:
                        trial[k] = _LEAST_SHRINKAGE * c[k]
            if is_last or is_held:
                total = 0.0
                for k in range(n_anchors):
                    total += trial[k]
                for k in range(n_anchors):
                    trial[k] /= total
        is_kept = largest - 1.0 <= gap or largest - 1.0 <= tolerance
        gaps[i] = largest - 1.0 if is_kept else gap
        for k in range(n_anchors):
            weights[i, k] = trial[k] if is_kept else c[k]


@kernel
def _gather(rows, i, anchors, covered, places, q, a):  # type: ignore[no-untyped-def]
    """Copy what counts of a row and of the anchors' to the front of q and a; return how many columns that are."""
    n = 0
    total = 0.0
    for j in range(rows.shape[1]):
        places[n] = j
        if rows[i, j] > 0.0 and covered[j]:
            n += 1
            total += rows[i, j]
    for m in range(n):
        q[m] = rows[i, places[m]] / total
    for k in range(len(anchors)):
        for m in range(n):
            a[k, m] = anchors[k, places[m]]
    return n


@kernel
def _set_hessian(a, p, u, n, h):  # type: ignore[no-untyped-def]
    """Set ``h_kl = sum_j q_j a_kj a_lj / p_j^2``; overwrites p and u."""
    n_anchors = len(h)
    for j in range(n):
        p[j] = u[j] / p[j]
    for k in range(n_anchors):
        for j in range(n):
            u[j] = p[j] * a[k, j]
        n_wanted = k - k % 5 + 5  # whole groups of five are cheapest
        correlate(a, u, n, h[k, : n_wanted if n_wanted < n_anchors else n_anchors])
    for k in range(n_anchors):
        for m in range(k):
            h[m, k] = h[k, m]


@kernel
def _set_model(c, g, h, floor, free, gram, linears, start):  # type: ignore[no-untyped-def]
    """Set the objective's quadratic model, in the weights' shares of what is above the floor, and c's for a start."""
    total = 0.0
    for k in range(len(c)):
        linears[0, k] = g[k]
        for m in range(len(c)):
            linears[0, k] += h[k, m] * (c[m] - floor)
            gram[k, m] = free * h[k, m]
        start[0, k] = c[k] - floor if c[k] > floor else 0.0
        total += start[0, k]
    for k in range(len(c)):
        start[0, k] /= total
