"""Minima of many points over a polytope that changes little by little, as one of its vertices moves.

Most points stay on the face where they were. Points on the same face are taken together: their minimiser on its affine
hull is one affine map of their linear terms, which also tells whether it is the minimiser on the polytope. For the
others the vertices that the minimiser on the whole hull gives weight to are tried, again together; those that remain
are solved one by one.
"""

import numpy as np
from numba import njit

from gdmbench.geometry.polytope import factor_all, favoured_face
from gdmbench.geometry.wolfe import FLAT, OPTIMAL, affine_minimiser, entering_vertex, factor_face, settle

# A map loses more to rounding than a solution, so it needs vertices this many times farther from being dependent.
_SAFELY = 1e8
# With more vertices, hardly two points are on the same face.
_FEW_VERTICES = 10


@njit(cache=True, nogil=True)
def warm_minima(gram, linears, active):  # type: ignore[no-untyped-def]
    """Minima of ``theta' gram theta - 2 linear' theta`` over the simplex, one for each linear.

    Parameters
    ----------
    gram : float64 array of shape (n_vertices, n_vertices)
        Positive semi-definite, of vertices relative to some point near them (else cancellation costs accuracy).
    linears : float64 array of shape (n_points, n_vertices)
    active : uint8 array of shape (n_points, n_vertices)
        Where the minimisers are expected to be positive, at least one for each point; overwritten with where they are.
    """
    n_points, n_vertices = linears.shape
    extent = np.max(np.diag(gram))
    flat = FLAT * extent
    minima = np.full(n_points, np.nan)
    _try_faces(gram, linears, active, np.arange(n_points), extent, minima)
    moved = np.flatnonzero(np.isnan(minima))
    if n_vertices <= _FEW_VERTICES and _favour(gram, linears, active, moved, _SAFELY * flat):
        _try_faces(gram, linears, active, moved, extent, minima)
    full, full_lower = factor_all(gram, flat)
    face = np.empty(n_vertices, np.int64)
    lower = np.zeros((n_vertices, n_vertices))
    theta = np.zeros(n_vertices)
    x = np.zeros(n_vertices)
    gradient = np.zeros(n_vertices)
    for m in moved:
        if np.isnan(minima[m]):
            linear = linears[m]
            tolerance = OPTIMAL * max(extent, np.abs(linear).max())
            size = favoured_face(gram, linear, theta, face, full, full_lower, x)
            settle(gram, linear, theta, face, size, flat, tolerance, lower, x, gradient)
            minima[m] = 0.0
            for k in range(n_vertices):
                minima[m] += theta[k] * (gradient[k] - linear[k])
                active[m, k] = theta[k] > 0.0
    return minima


@njit(cache=True, nogil=True)
def _try_faces(gram, linears, active, members, extent, minima):  # type: ignore[no-untyped-def]
    """Set the minima of those members for which the active vertices are right."""
    n_vertices = len(gram)
    flat = FLAT * extent
    face = np.empty(n_vertices, np.int64)
    lower = np.zeros((n_vertices, n_vertices))
    slopes = np.empty((n_vertices + 1, n_vertices))
    constants = np.empty(n_vertices + 1)
    theta = np.zeros(n_vertices)
    x = np.zeros(n_vertices)
    gradient = np.zeros(n_vertices)
    order = _grouped_by_face(active, members)
    end = 0
    while end < len(order):
        start = end
        while end < len(order) and _same_face(active, order[start], order[end]):
            end += 1
        size = _face_first(active[order[start]], face)
        if end - start >= size and _map_face(gram, face, size, _SAFELY * flat, lower, x, slopes, constants):
            _map_minima(linears, order[start:end], face, size, slopes, constants, extent, x, minima)
        elif factor_face(gram, face, size, flat, lower) == size:
            for m in order[start:end]:
                tolerance = OPTIMAL * max(extent, np.abs(linears[m]).max())
                minima[m] = _face_minimum(gram, linears[m], face, size, tolerance, lower, theta, x, gradient)


@njit(cache=True, nogil=True)
def _grouped_by_face(active, members):  # type: ignore[no-untyped-def]
    """Order members so that those on the same face follow each other, where there are few enough faces to pay."""
    n_vertices = active.shape[1]
    if n_vertices > _FEW_VERTICES:
        return members
    keys = np.zeros(len(members), np.int64)
    starts = np.zeros(2**n_vertices + 1, np.int64)
    for t in range(len(members)):
        for k in range(n_vertices):
            keys[t] = 2 * keys[t] + active[members[t], k]
        starts[keys[t] + 1] += 1
    starts = np.cumsum(starts)
    order = np.empty(len(members), np.int64)
    for t in range(len(members)):
        order[starts[keys[t]]] = members[t]
        starts[keys[t]] += 1
    return order


@njit(cache=True, nogil=True)
def _same_face(active, one, other):  # type: ignore[no-untyped-def]
    same = True
    for k in range(active.shape[1]):
        same &= active[one, k] == active[other, k]
    return same


@njit(cache=True, nogil=True)
def _face_first(active, face):  # type: ignore[no-untyped-def]
    """List the active vertices, then the others; return how many are active."""
    size = 0
    for k in range(len(active)):
        if active[k]:
            face[size] = k
            size += 1
    place = size
    for k in range(len(active)):
        if not active[k]:
            face[place] = k
            place += 1
    return size


@njit(cache=True, nogil=True)
def _map_face(gram, face, size, flat, lower, x, slopes, constants):  # type: ignore[no-untyped-def]
    """Express the minimiser on the affine hull of a face by the linear term there; return whether that is accurate.

    One row for each vertex of the face gives its weight, one for each other vertex how far the gradient there is above
    the level of the face (but for its own linear term), and the last row gives this level.
    """
    n_vertices = len(gram)
    if factor_face(gram, face, size, flat, lower) < size:
        return False
    linear = np.zeros(n_vertices)
    for column in range(-1, size):  # the first is without a linear term, and gives the constants
        if column >= 0:
            linear[face[column]] = 1.0
        affine_minimiser(gram, linear, face, size, lower, x)
        level = -linear[face[0]]
        for i in range(size):
            level += gram[face[0], face[i]] * x[i]
        for row in range(n_vertices + 1):
            value = level
            if row < size:
                value = x[row]
            elif row < n_vertices:
                value = -level
                for i in range(size):
                    value += gram[face[row], face[i]] * x[i]
            if column < 0:
                constants[row] = value
            else:
                slopes[row, column] = value - constants[row]
        if column >= 0:
            linear[face[column]] = 0.0
    return True


@njit(cache=True, nogil=True)
def _favour(gram, linears, active, members, flat):  # type: ignore[no-untyped-def]
    """Make those vertices active that the minimiser on the whole hull favours; return whether that is known."""
    n_vertices = len(gram)
    lower = np.zeros((n_vertices, n_vertices))
    slopes = np.empty((n_vertices + 1, n_vertices))
    constants = np.empty(n_vertices + 1)
    if not _map_face(gram, np.arange(n_vertices), n_vertices, flat, lower, np.empty(n_vertices), slopes, constants):
        return False
    for m in members:
        for k in range(n_vertices):
            weight = constants[k]
            for i in range(n_vertices):
                weight += slopes[k, i] * linears[m, i]
            active[m, k] = weight > 0.0
    return True


@njit(cache=True, nogil=True)
def _map_minima(linears, members, face, size, slopes, constants, extent, x, minima):  # type: ignore[no-untyped-def]
    """Minima of points by the map of their face; left alone where the minimiser is not on it."""
    n_vertices = len(face)
    for m in members:
        largest = extent
        for i in range(n_vertices):
            x[i] = linears[m, face[i]]
            largest = max(largest, abs(x[i]))
        on_face = True
        minimum = constants[n_vertices]
        for row in range(size):
            weight = constants[row]
            for i in range(size):
                weight += slopes[row, i] * x[i]
            on_face &= weight > 0.0
            minimum += (slopes[n_vertices, row] - weight) * x[row]
        for row in range(size, n_vertices):
            above = constants[row] - x[row]
            for i in range(size):
                above += slopes[row, i] * x[i]
            on_face &= above >= -OPTIMAL * largest
        if on_face:
            minima[m] = minimum


@njit(cache=True, nogil=True)
def _face_minimum(gram, linear, face, size, tolerance, lower, theta, x, gradient):  # type: ignore[no-untyped-def]
    """Minimum by solving on a factored face, or nan if the minimiser is not on it."""
    affine_minimiser(gram, linear, face, size, lower, x)
    for k in range(len(linear)):
        theta[k] = 0.0
    for i in range(size):
        if x[i] <= 0.0:
            return np.nan
        theta[face[i]] = x[i]
    if entering_vertex(gram, linear, theta, face, size, tolerance, gradient) >= 0:
        return np.nan
    minimum = 0.0
    for i in range(size):
        minimum += x[i] * (gradient[face[i]] - linear[face[i]])
    return minimum
