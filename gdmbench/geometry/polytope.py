"""Exact projection onto a polytope given by its vertices, as a quadratic programme on their Gram matrix.

Minimise ``theta' H theta / 2 - q' theta`` over the simplex, where H holds the inner products of the vertices and q
those of the vertices with the point. The method is Wolfe's (1976) nearest-point algorithm: keep a face of affinely
independent vertices on which the current point is the affine minimiser with positive weights, let in the vertex that
violates optimality most, walk to the new affine minimiser and drop what reaches weight zero on the way.

References
----------
P. Wolfe (1976). Finding the nearest point in a polytope. Mathematical Programming 11, 128-149.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

# A vertex closer than sqrt(_FLAT) of the polytope's size to the affine hull of a face counts as lying in it.
# _OPTIMAL must exceed _FLAT: only then does walking across a flat direction up to the boundary lower the objective.
_FLAT = 1e-14
_OPTIMAL = 1e-13


@njit(cache=True, nogil=True)
def _factor_face(gram, face, size, flat, lower):  # type: ignore[no-untyped-def]
    """Cholesky factor of the edges face[i] - face[0]; return the first affinely dependent position, or size."""
    base = face[0]
    for i in range(1, size):
        for j in range(1, i + 1):
            value = gram[face[i], face[j]] - gram[face[i], base] - gram[face[j], base] + gram[base, base]
            for k in range(1, j):
                value -= lower[i, k] * lower[j, k]
            if j < i:
                lower[i, j] = value / lower[j, j]
            elif value > flat:
                lower[i, i] = np.sqrt(value)
            else:
                return i
    return size


@njit(cache=True, nogil=True)
def _back_substitute(lower, size, x):  # type: ignore[no-untyped-def]
    for i in range(size - 1, 0, -1):
        value = x[i]
        for k in range(i + 1, size):
            value -= lower[k, i] * x[k]
        x[i] = value / lower[i, i]


@njit(cache=True, nogil=True)
def _affine_minimiser(gram, linear, face, size, lower, x):  # type: ignore[no-untyped-def]
    """Weights of the nearest point in the affine hull of a factored face."""
    base = face[0]
    for i in range(1, size):
        value = linear[face[i]] - linear[base] - gram[face[i], base] + gram[base, base]
        for k in range(1, i):
            value -= lower[i, k] * x[k]
        x[i] = value / lower[i, i]
    _back_substitute(lower, size, x)
    rest = 1.0
    for i in range(1, size):
        rest -= x[i]
    x[0] = rest


@njit(cache=True, nogil=True)
def _gradient(gram, linear, theta, face, size, gradient):  # type: ignore[no-untyped-def]
    for k in range(len(linear)):
        value = -linear[k]
        for i in range(size):
            value += gram[k, face[i]] * theta[face[i]]
        gradient[k] = value


@njit(cache=True, nogil=True)
def _walk(theta, face, size, target, unbounded):  # type: ignore[no-untyped-def]
    """Move the weights towards target (or along it, if unbounded) until one is zero; drop it; return the new size."""
    step = np.inf if unbounded else 1.0
    blocking = -1
    for i in range(size):
        change = target[i] if unbounded else target[i] - theta[face[i]]
        if change < 0.0 and -theta[face[i]] / change < step:
            step = -theta[face[i]] / change
            blocking = i
    kept = 0
    total = 0.0
    for i in range(size):
        k = face[i]
        change = target[i] if unbounded else target[i] - theta[k]
        theta[k] += step * change
        if i == blocking or theta[k] <= 0.0:
            theta[k] = 0.0
        else:
            total += theta[k]
            face[kept] = k
            kept += 1
    for i in range(kept):
        theta[face[i]] /= total
    return kept


@njit(cache=True, nogil=True)
def _improve_face(gram, linear, theta, face, size, flat, lower, x, gradient):  # type: ignore[no-untyped-def]
    """Walk to the affine minimiser of the face, dropping vertices until its weights are positive; return its size."""
    while size > 1:
        dependent = _factor_face(gram, face, size, flat, lower)
        if dependent < size:
            # The vertex at this position is a combination of those before it: no curvature that way, so go downhill.
            x[:size] = 0.0
            for i in range(1, dependent):
                x[i] = -lower[dependent, i]
            _back_substitute(lower, dependent, x)
            x[dependent] = 1.0
            x[0] = -1.0
            for i in range(1, dependent):
                x[0] -= x[i]
            _gradient(gram, linear, theta, face, size, gradient)
            slope = 0.0
            for i in range(size):
                slope += x[i] * gradient[face[i]]
            if slope > 0.0:
                for i in range(size):
                    x[i] = -x[i]
            size = _walk(theta, face, size, x, True)
            continue
        _affine_minimiser(gram, linear, face, size, lower, x)
        inside = True
        for i in range(size):
            inside = inside and x[i] > 0.0
        if inside:
            for i in range(size):
                theta[face[i]] = x[i]
            return size
        size = _walk(theta, face, size, x, False)
    theta[face[0]] = 1.0
    return size


@njit(cache=True, nogil=True)
def simplex_minimisers(gram, linears):  # type: ignore[no-untyped-def]
    """Minimise ``theta' gram theta / 2 - linear' theta`` over the simplex, for each row of linears.

    Parameters
    ----------
    gram : float64 array of shape (n_vertices, n_vertices)
        Positive semi-definite, of vertices relative to some point near them (else cancellation costs accuracy).
    linears : float64 array of shape (n_points, n_vertices)

    Returns
    -------
    float64 array of shape (n_points, n_vertices)
        Weights, non-negative with sum one.
    """
    n_points, n_vertices = linears.shape
    thetas = np.zeros((n_points, n_vertices))
    size_of_polytope = 0.0
    for k in range(n_vertices):
        size_of_polytope = max(size_of_polytope, gram[k, k])
    flat = _FLAT * size_of_polytope
    full = np.arange(n_vertices)
    full_lower = np.zeros((n_vertices, n_vertices))
    independent = _factor_face(gram, full, n_vertices, flat, full_lower) == n_vertices
    face = np.empty(n_vertices, np.int64)
    lower = np.zeros((n_vertices, n_vertices))
    x = np.zeros(n_vertices)
    gradient = np.zeros(n_vertices)
    for m in range(n_points):
        linear = linears[m]
        theta = thetas[m]
        size = 0
        if independent:
            # Most documents need only this: the minimiser on the whole hull, then on the vertices it gives weight to.
            _affine_minimiser(gram, linear, full, n_vertices, full_lower, x)
            for k in range(n_vertices):
                if x[k] > 0.0:
                    face[size] = k
                    theta[k] = x[k]
                    size += 1
            if size == n_vertices:
                continue
            total = theta.sum()
            for k in range(n_vertices):
                theta[k] /= total
        else:
            face[0] = np.argmin(0.5 * np.diag(gram) - linear)
            theta[face[0]] = 1.0
            size = 1
        size = _improve_face(gram, linear, theta, face, size, flat, lower, x, gradient)
        tolerance = _OPTIMAL * max(size_of_polytope, np.abs(linear).max())
        for _ in range(100 + 20 * n_vertices):  # far above what is needed; ends the loop whatever rounding does
            _gradient(gram, linear, theta, face, size, gradient)
            level = 0.0
            for i in range(size):
                level += theta[face[i]] * gradient[face[i]]
            entering = np.argmin(gradient)
            if gradient[entering] >= level - tolerance or theta[entering] > 0.0:
                break
            face[size] = entering
            size = _improve_face(gram, linear, theta, face, size + 1, flat, lower, x, gradient)
    return thetas


def minimise_on_simplex(
    gram: NDArray[np.float64], linears: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the minimisers of ``theta' gram theta - 2 linear' theta`` over the simplex, and the minima.

    Only differences between vertices matter to the minimiser, so the problem is solved about their mean, where the
    Gram matrix has no common part left to cancel; the minima are those of the problem as given.
    """
    mean = gram.mean(axis=1)
    centred = gram - mean - mean[:, None] + mean.mean()
    shifted = linears - mean
    shifted -= shifted.mean(axis=1, keepdims=True)
    thetas = simplex_minimisers(centred, np.ascontiguousarray(shifted))
    minima = np.einsum("mk,mk->m", thetas, thetas @ gram - 2.0 * linears)
    return thetas, minima
