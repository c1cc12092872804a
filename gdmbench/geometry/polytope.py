"""The nearest point of a polytope to each of many points, exactly, by Wolfe's (1976) algorithm.

A point of the polytope is a mixture of its vertices. With H the inner products of the vertices (`gram`) and q those of
the vertices with the point (`linears`, one row for each point), the `weights` w of the nearest one minimise
``w' H w - 2 q' w`` over the simplex.

Wolfe's algorithm keeps a face: some vertices, affinely independent, which alone have weight. It walks to the nearest
point of the face's affine hull; where that lies outside the face, as far as the face goes, and there drops the vertex
that has lost its weight. Once the nearest point lies inside, it lets in the vertex that would lower the objective most,
and ends when none would. Any weights can be the start: the better they are, the fewer faces are visited.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.kernels import kernel

# With more vertices than this, a start with more than this share of its weights negative is a bad one.
_MANY_VERTICES, _FAR = 50, 0.1
# A vertex closer than sqrt(_FLAT) of the polytope's size to the affine hull of a face counts as lying in it.
# _OPTIMAL must exceed _FLAT: only then does walking across a flat direction up to the boundary lower the objective.
_FLAT = 1e-14
_OPTIMAL = 1e-13


def nearest_weights(
    counts: sparse.csr_array, topics: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Project documents, as relative word frequencies, onto the convex hull of the topics.

    Counts may be of any type. Many documents are best projected block by block.

    Returns
    -------
    weights : array of shape (n_documents, n_topics)
        Weights of the topics in each nearest point. An empty document says nothing and gets equal weights.
    minima : array of shape (n_documents,)
        Squared distances to the nearest points, less squared distances to the mean topic.
    """
    counts = counts.astype(np.float64, copy=False)
    mean = topics.mean(axis=0)
    edges = topics - mean  # about the mean, lest what topics have in common cost accuracy
    lengths = counts @ np.ones(counts.shape[1])
    linears = counts @ np.ascontiguousarray(edges.T)
    linears /= np.where(lengths > 0, lengths, 1.0)[:, None]
    linears -= edges @ mean
    gram = edges @ edges.T
    weights = start_weights(gram, linears)
    minima = minimise_on_simplex(gram, linears, weights)
    weights[lengths == 0] = 1.0 / len(topics)
    return weights, minima


def start_weights(gram: NDArray[np.float64], linears: NDArray[np.float64]) -> NDArray[np.float64]:
    """Good starts for `minimise_on_simplex`: minimisers on the whole affine hull, negative weights left out.

    Of many vertices such a start mostly keeps far more than the minimiser has, and each is dropped at the cost of a
    whole large face. There the best single vertex is the start, from which faces grow no larger than need be.
    """
    mean = gram.mean(axis=1)
    about_mean = gram - mean - mean[:, None] + mean.mean()
    weights = (linears - mean) @ np.linalg.pinv(about_mean, hermitian=True) + 1.0 / len(gram)
    if len(gram) > _MANY_VERTICES:
        far = np.flatnonzero((weights < 0.0).mean(axis=1) > _FAR)
        weights[far] = 0.0
        weights[far, np.argmin(np.diag(gram) - 2.0 * linears[far], axis=1)] = 1.0
    np.maximum(weights, 0.0, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def minimise_on_simplex(
    gram: NDArray[np.float64], linears: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Minimise ``w' gram w - 2 linear' w`` over the simplex, for each row of linears.

    Parameters
    ----------
    gram : array of shape (n_vertices, n_vertices)
        Inner products of the vertices relative to some point near them, else cancellation costs accuracy.
    linears : array of shape (n_points, n_vertices)
        Inner products of the points with the vertices, relative to the same point.
    weights : array of shape (n_points, n_vertices)
        Rows on the simplex from which to start; overwritten with the minimisers.

    Returns
    -------
    array of shape (n_points,)
        The minima.
    """
    minima = np.empty(len(linears))
    _solve_rows(Problem(gram, linears, weights), new_face(len(gram)), minima)
    return minima


class Problem(NamedTuple):
    """Arguments of `minimise_on_simplex`; kernels work on one row of linears and weights."""

    gram: NDArray[np.float64]
    linears: NDArray[np.float64]
    weights: NDArray[np.float64]


class Face(NamedTuple):
    """The face that is worked on, in arrays with room for all vertices.

    The first of `vertices` are those of the face (unsigned, so that compiled code need not look for negatives), and
    `target` has an entry for each of them: the weight to walk to. `factor` is the Cholesky factor of the inner products
    of the edges from the first vertex to the others, with reciprocals on the diagonal. `gradient`, half of that of the
    objective, has an entry for each vertex of the polytope.
    """

    vertices: NDArray[np.uint64]
    target: NDArray[np.float64]
    factor: NDArray[np.float64]
    gradient: NDArray[np.float64]


def new_face(n_vertices: int) -> Face:
    """Return room for a face of a polytope."""
    return Face(
        np.zeros(n_vertices, np.uint64), np.zeros(n_vertices), np.zeros((n_vertices, n_vertices)), np.zeros(n_vertices)
    )


@kernel
def _solve_rows(problem: Problem, face: Face, minima: NDArray[np.float64]) -> None:
    for m in range(len(minima)):
        minima[m] = solve_row(problem, face, m)


@kernel
def solve_row(problem: Problem, face: Face, m: int) -> float:
    """Wolfe's algorithm for one row of linears and weights; return the minimum."""
    gram, linears, weights = problem
    vertices, target, _, gradient = face
    n_vertices = len(gram)
    extent = 0.0
    largest = 0.0
    for k in range(n_vertices):
        if gram[k, k] > extent:
            extent = gram[k, k]
        if abs(linears[m, k]) > largest:
            largest = abs(linears[m, k])
    if extent > largest:
        largest = extent
    size = _list_positive(problem, face, m)
    for _ in range(100 + 20 * n_vertices):  # a bound never reached, but for what rounding might do
        is_inside = False
        while not is_inside:
            n_independent = _aim(problem, face, m, size, _FLAT * extent)
            is_inside = n_independent == size
            for i in range(size):
                is_inside = is_inside and target[i] > 0.0
            if is_inside:
                for i in range(size):
                    weights[m, vertices[i]] = target[i]
            else:
                size = _walk(problem, face, m, size, n_independent < size)
        entering = _entering_vertex(problem, face, m, size, _OPTIMAL * largest)
        if entering < 0:
            break
        vertices[size] = entering
        size += 1
    minimum = 0.0
    for k in range(n_vertices):
        minimum += weights[m, k] * (gradient[k] - linears[m, k])
    return minimum


@kernel
def _list_positive(problem: Problem, face: Face, m: int) -> int:
    """Make the face of the vertices that have weight; return their number."""
    size = 0
    for k in range(len(problem.gram)):
        if problem.weights[m, k] > 0.0:
            face.vertices[size] = k
            size += 1
    return size


@kernel
def _aim(problem: Problem, face: Face, m: int, size: int, flat: float) -> int:
    """Set the target to the weights of the nearest point in the affine hull of the face; return the size of the face.

    If a vertex depends affinely on those before it, there is a direction in which the point does not change but for
    rounding: then set the target to that direction, downhill, and return the position of the vertex.
    """
    gram, linears, weights = problem
    vertices, x, lower, _ = face
    base = vertices[0]
    n_independent = size
    for i in range(1, size):
        vertex = vertices[i]
        product = linears[m, vertex] - linears[m, base] - gram[vertex, base] + gram[base, base]
        square = gram[vertex, vertex] - 2.0 * gram[vertex, base] + gram[base, base]
        for j in range(1, i):
            other = vertices[j]
            entry = gram[vertex, other] - gram[vertex, base] - gram[other, base] + gram[base, base]
            for k in range(1, j):
                entry -= lower[i, k] * lower[j, k]
            entry *= lower[j, j]
            lower[i, j] = entry
            product -= entry * x[j]
            square -= entry * entry
        if square <= flat:
            n_independent = i
            break
        lower[i, i] = 1.0 / np.sqrt(square)
        x[i] = product * lower[i, i]
    is_dependent = n_independent < size
    if is_dependent:
        for i in range(1, n_independent):
            x[i] = -lower[n_independent, i]
    rest = 1.0
    for i in range(n_independent - 1, 0, -1):
        value = x[i]
        for k in range(i + 1, n_independent):
            value -= lower[k, i] * x[k]
        x[i] = value * lower[i, i]
        rest -= x[i]
    x[0] = rest
    if is_dependent:
        x[0] -= 2.0  # these weights sum to 0, with 1 for the dependent vertex
        x[n_independent] = 1.0
        slope = 0.0
        for i in range(size):
            if i > n_independent:
                x[i] = 0.0
            gradient = -linears[m, vertices[i]]
            for j in range(size):
                gradient += gram[vertices[i], vertices[j]] * weights[m, vertices[j]]
            slope += x[i] * gradient
        if slope > 0.0:
            for i in range(size):
                x[i] = -x[i]
    return n_independent


@kernel
def _walk(problem: Problem, face: Face, m: int, size: int, is_direction: bool) -> int:
    """Move the weights towards the target (or along it) until one is zero; drop its vertex; return the new size."""
    weights, vertices, target = problem.weights, face.vertices, face.target
    step = np.inf if is_direction else 1.0
    blocking = -1
    for i in range(size):
        weight = weights[m, vertices[i]]
        change = target[i] if is_direction else target[i] - weight
        if change < 0.0 and -weight / change < step:
            step = -weight / change
            blocking = i
    kept = 0
    total = 0.0
    for i in range(size):
        k = vertices[i]
        weight = weights[m, k]
        weight += step * (target[i] if is_direction else target[i] - weight)
        if i == blocking or weight <= 0.0:
            weights[m, k] = 0.0
        else:
            weights[m, k] = weight
            total += weight
            vertices[kept] = k
            kept += 1
    for i in range(kept):
        weights[m, vertices[i]] /= total
    return kept


@kernel
def _entering_vertex(problem: Problem, face: Face, m: int, size: int, tolerance: float) -> int:
    """Set the gradient; return the vertex without weight where it is least, or -1 if that is not below the face's."""
    gram, linears, weights = problem
    vertices, gradient = face.vertices, face.gradient
    level = 0.0
    for k in range(len(gram)):
        value = -linears[m, k]
        for i in range(size):
            value += gram[k, vertices[i]] * weights[m, vertices[i]]
        gradient[k] = value
        level += weights[m, k] * value
    entering = -1
    least = level - tolerance
    for k in range(len(gram)):
        if gradient[k] < least and weights[m, k] == 0.0:
            least = gradient[k]
            entering = k
    return entering
