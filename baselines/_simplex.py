"""What the spectral and geometric baselines share: leading axes, corners of a simplex, weights, frequent words."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import nnls
from scipy.sparse.linalg import LinearOperator, eigsh

Floats = NDArray[np.float64]
_FLAT = 1e-12  # squared lengths, and eigenvalues, this much smaller than the largest are rounding


def leading_axes(multiply: Callable[[Floats], Floats], size: int, n_axes: int, name: str) -> tuple[Floats, Floats]:
    """Return the leading eigenvectors of a symmetric matrix, in columns, and their eigenvalues, largest first.

    Nothing is drawn at random: the iteration starts from equal entries, and an eigenvector has a sum of at least 0.

    Parameters
    ----------
    multiply : callable
        The matrix times a vector or a block of columns.
    size : int
        Number of rows of the matrix.
    n_axes : int
        Number of axes; ValueError if there are not so many with a positive eigenvalue.
    name : str
        What to call the matrix in that sentence.
    """
    if n_axes < size - 1 and size > 50:
        operator = LinearOperator((size, size), matvec=multiply, dtype=np.float64)
        start = np.ones(size) + 0.1 * np.cos(np.arange(size))
        values, vectors = eigsh(operator, n_axes, which="LA", v0=start)
    else:
        matrix = multiply(np.eye(size))
        values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    values, vectors = values[::-1][:n_axes], vectors[:, ::-1][:, :n_axes]
    n_found = int(np.count_nonzero(values > _FLAT * max(values[0], 0.0))) if values[0] > 0 else 0
    if n_found < n_axes:
        raise ValueError(
            f"{name} has {n_found} of the {n_axes} axes that so many topics need, with n_features={size}: ask for "
            "fewer topics or pass more documents."
        )
    return vectors * np.where(vectors.sum(axis=0) < 0, -1.0, 1.0), values


def successive_projection(points: Floats, n_corners: int) -> NDArray[np.intp]:
    """Return the rows that are corners: the longest, then each time the longest once the corners are projected out."""
    rest = points.copy()
    corners: list[int] = []
    flat = _FLAT * float(np.einsum("ij,ij->i", points, points).max(initial=0.0))
    for _ in range(n_corners):
        squares = np.einsum("ij,ij->i", rest, rest)
        corner = int(np.argmax(squares))
        if squares[corner] <= flat:
            raise ValueError(
                f"Only {len(corners)} of the corners of n_topics={n_corners} topics exist, as all other points are "
                "mixtures of these: ask for fewer topics."
            )
        corners.append(corner)
        direction = rest[corner] / np.sqrt(squares[corner])
        rest -= np.outer(rest @ direction, direction)
    return np.array(corners)


def simplex_corners(points: Floats, n_corners: int) -> NDArray[np.intp]:
    """Return the rows that are corners of a simplex in one dimension less than it has corners, wherever 0 lies."""
    return successive_projection(np.column_stack([points, np.ones(len(points))]), n_corners)


def barycentric(points: Floats, corners: Floats) -> Floats:
    """Return the weights, which sum to 1, of as many corners as mix each point; negative ones cut to 0."""
    square = np.column_stack([corners, np.ones(len(corners))])
    weights = np.column_stack([points, np.ones(len(points))]) @ np.linalg.pinv(square)
    return on_simplex(weights, "A point")


def on_simplex(rows: Floats, name: str = "A topic") -> Floats:
    """Cut negative entries to 0 and divide rows by their sums; a row without a positive entry is refused."""
    rows = np.maximum(rows, 0.0)
    sums = rows.sum(axis=1, keepdims=True)
    if not (np.isfinite(sums).all() and sums.all()):
        raise ValueError(f"{name} has no positive entry left: ask for fewer topics or pass more documents.")
    return np.asarray(rows / sums)


def nonnegative_weights(rows: Floats, basis: Floats) -> Floats:
    """Return for each row the non-negative weights of the basis' rows with which it is nearest, by least squares."""
    lower, directions = np.linalg.qr(basis.T)[::-1]
    reduced = rows @ directions
    return np.array([nnls(lower, row)[0] for row in reduced])


def frequent_words(counts: sparse.csr_array, most: int) -> NDArray[np.intp]:
    """Return the columns, in order, of the words in the most documents; of words that tie, the first."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    chosen = np.argsort(-frequency, kind="stable")[:most]
    return np.sort(chosen[frequency[chosen] > 0])


def token_size(counts: sparse.csr_array) -> float:
    """Return what a token counts: 1, or 0 where entries are not whole, which are taken for exact frequencies.

    Pairs of words are those of different tokens; from frequencies there is nothing to take off.
    """
    return float((counts.data % 1.0 == 0.0).all())


def pairs_with(counts: sparse.csr_array, frequent: NDArray[np.intp], block: Floats) -> Floats:
    """Return the co-occurrences of all words with frequent ones, times a block that has a row for each of these.

    As in RecoverKL, co-occurrence is the mean share of each ordered pair among those of different tokens of a document;
    one of fewer than two words has none.
    """
    lengths, token = counts @ np.ones(counts.shape[1]), token_size(counts)
    long = lengths > token
    if not long.any():
        raise ValueError("No document has two words, so no words occur together: pass longer documents.")
    counts, lengths = counts[long], lengths[long]
    scales = 1.0 / (lengths * (lengths - token) * len(lengths))
    found = np.asarray(counts.T @ (scales[:, None] * (counts[:, frequent] @ block)))
    found[frequent] -= token * (counts.T @ scales)[frequent, None] * block
    return found
