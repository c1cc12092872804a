"""The nearest point of a polytope to one point, as a quadratic programme on the Gram matrix of the vertices.

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

# A vertex closer than sqrt(FLAT) of the polytope's size to the affine hull of a face counts as lying in it.
# OPTIMAL must exceed FLAT: only then does walking across a flat direction up to the boundary lower the objective.
FLAT = 1e-14
OPTIMAL = 1e-13


@njit(cache=True, nogil=True)
def factor_face(gram, face, size, flat, lower):  # type: ignore[no-untyped-def]
    """Cholesky factor of the edges face[i] - face[0]; return the first affinely dependent position, or size.

    The diagonal holds reciprocals, as division is what takes time when small systems are solved.
    """
    base = face[0]
    for i in range(1, size):
        for j in range(1, i + 1):
            value = gram[face[i], face[j]] - gram[face[i], base] - gram[face[j], base] + gram[base, base]
            for k in range(1, j):
                value -= lower[i, k] * lower[j, k]
            if j < i:
                lower[i, j] = value * lower[j, j]
            elif value > flat:
                lower[i, i] = 1.0 / np.sqrt(value)
            else:
                return i
    return size


@njit(cache=True, nogil=True)
def _back_substitute(lower, size, x):  # type: ignore[no-untyped-def]
    for i in range(size - 1, 0, -1):
        value = x[i]
        for k in range(i + 1, size):
            value -= lower[k, i] * x[k]
        x[i] = value * lower[i, i]


@njit(cache=True, nogil=True)
def affine_minimiser(gram, linear, face, size, lower, x):  # type: ignore[no-untyped-def]
    """Weights of the nearest point in the affine hull of a factored face."""
    base = face[0]
    for i in range(1, size):
        value = linear[face[i]] - linear[base] - gram[face[i], base] + gram[base, base]
        for k in range(1, i):
            value -= lower[i, k] * x[k]
        x[i] = value * lower[i, i]
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
        dependent = factor_face(gram, face, size, flat, lower)
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
        affine_minimiser(gram, linear, face, size, lower, x)
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
def entering_vertex(gram, linear, theta, face, size, tolerance, gradient):  # type: ignore[no-untyped-def]
    """Vertex that violates optimality of the weights most, or -1 if none does; sets the gradient."""
    _gradient(gram, linear, theta, face, size, gradient)
    level = 0.0
    for i in range(size):
        level += theta[face[i]] * gradient[face[i]]
    entering = -1
    least = level - tolerance
    for k in range(len(gradient)):
        if gradient[k] < least and theta[k] == 0.0:
            least = gradient[k]
            entering = k
    return entering


@njit(cache=True, nogil=True)
def settle(gram, linear, theta, face, size, flat, tolerance, lower, x, gradient):  # type: ignore[no-untyped-def]
    """Wolfe's algorithm from any feasible weights, positive on the face given; leaves the minimiser in theta."""
    size = _improve_face(gram, linear, theta, face, size, flat, lower, x, gradient)
    for _ in range(100 + 20 * len(theta)):  # a bound never reached, but for what rounding might do
        entering = entering_vertex(gram, linear, theta, face, size, tolerance, gradient)
        if entering < 0:
            break
        face[size] = entering
        size = _improve_face(gram, linear, theta, face, size + 1, flat, lower, x, gradient)
    return size
