"""Exact projection of many points onto a polytope given by its vertices.

Points are solved one by one by Wolfe's algorithm, from a start that is mostly right already: the vertices that the
minimiser on the whole affine hull gives weight to.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gdmbench.geometry.wolfe import FLAT, OPTIMAL, affine_minimiser, factor_face, settle


@njit(cache=True, nogil=True)
def favoured_face(gram, linear, theta, face, full, full_lower, x):  # type: ignore[no-untyped-def]
    """Start at the vertices that the minimiser on the whole affine hull gives weight to; return their number.

    Where the vertices are dependent (no full factor), start at the nearest vertex.
    """
    n_vertices = len(linear)
    theta[:] = 0.0
    if len(full_lower) == 0:
        face[0] = np.argmin(0.5 * np.diag(gram) - linear)
        theta[face[0]] = 1.0
        return 1
    affine_minimiser(gram, linear, full, n_vertices, full_lower, x)
    size = 0
    total = 0.0
    for k in range(n_vertices):
        if x[k] > 0.0:
            face[size] = k
            theta[k] = x[k]
            total += x[k]
            size += 1
    for i in range(size):
        theta[face[i]] /= total
    return size


@njit(cache=True, nogil=True)
def factor_all(gram, flat):  # type: ignore[no-untyped-def]
    """Positions of all vertices and the factor of their edges, which is empty if they are dependent."""
    full = np.arange(len(gram))
    lower = np.zeros(gram.shape)
    if factor_face(gram, full, len(gram), flat, lower) < len(gram):
        lower = lower[:0]
    return full, lower


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
    extent = np.max(np.diag(gram))
    flat = FLAT * extent
    full, full_lower = factor_all(gram, flat)
    face = np.empty(n_vertices, np.int64)
    lower = np.zeros((n_vertices, n_vertices))
    x = np.zeros(n_vertices)
    gradient = np.zeros(n_vertices)
    for m in range(n_points):
        size = favoured_face(gram, linears[m], thetas[m], face, full, full_lower, x)
        if size < n_vertices or len(full_lower) == 0:
            tolerance = OPTIMAL * max(extent, np.abs(linears[m]).max())
            settle(gram, linears[m], thetas[m], face, size, flat, tolerance, lower, x, gradient)
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
