"""Word counts: reading and checking them, and documents as points, their relative word frequencies.

The measures read counts too, in every worker, also where no method needs scikit-learn, which takes a second to import.
So it is asked only for what is not a matrix of finite numbers in sparse rows yet.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.blocks import BLOCK, blocks_of, in_threads, row_by_row, rows_of
from gdmbench.kernels import kernel

# How long documents may be. A float can't tell one token more or less above 2**53, and sums of squares of much larger
# or smaller numbers would overflow or vanish.
SHORTEST, LONGEST = 1e-9, 2.0**53
_PIECE = 2**19  # numbers, of which the least and the largest are found while they are near the processor


def read_counts(X: Any, name: str, as_given: bool = False, n_jobs: int = 1) -> sparse.csr_array:
    """Return word counts of any kind (nested lists, arrays, sparse matrices, frames) as `check_counts` does."""
    check_indices(X, n_jobs)
    if not _are_numbers_in_rows(X):
        from sklearn.utils import check_array

        X = check_array(X, accept_sparse=("csr", "csc"), dtype=np.float64, ensure_min_samples=0)
    return check_counts(X, name, as_given, n_jobs)


def _are_numbers_in_rows(X: Any) -> bool:
    """Say whether this is what scikit-learn would make of it, but for the type of its numbers."""
    if not isinstance(X, sparse.csr_array | sparse.csr_matrix) or X.ndim != 2:
        return False
    return X.shape[1] > 0 and (X.dtype.kind in "iu" or (X.dtype.kind == "f" and bool(np.isfinite(X.data).all())))


def check_indices(X: Any, n_jobs: int = 1) -> None:
    """Refuse a sparse matrix whose indices point outside of it: compiled code would follow them."""
    if not sparse.issparse(X):
        return
    matrix: Any = X
    try:
        if matrix.format in ("csr", "csc", "bsr"):
            # A twin, as the check may change its matrix.
            twin = type(matrix)((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
            is_rows = matrix.format == "csr" and matrix.ndim == 2  # else it is refused later, for its shape
            twin.check_format(full_check=not is_rows)
            if (np.diff(twin.indptr) < 0).any():  # which scipy overlooks where the last pointer is 0
                raise ValueError("indptr must be a non-decreasing sequence")
            if is_rows and twin.nnz:  # scipy would look at all of the indices twice, with one thread
                least, largest = _extremes(twin.indices, n_jobs)
                if least < 0 or largest >= twin.shape[1]:
                    raise ValueError(f"indices must be from 0 to {twin.shape[1] - 1}")
        elif matrix.format == "coo":
            type(matrix)((matrix.data, matrix.coords), shape=matrix.shape)
    except ValueError as error:
        raise ValueError(f"The sparse matrix of word counts is damaged ({error}): build it again.") from None


def check_counts(X: Any, name: str = "X", as_given: bool = False, n_jobs: int = 1) -> sparse.csr_array:
    """Return word counts as canonical float64 CSR (int32 indices when they fit), refusing what can't be counts.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Already checked to be finite and two-dimensional, its indices by `check_indices`.
    name : str
        What to call the matrix in the error message.
    as_given : bool, default=False
        Whether counts may also be of the type that the caller's have, which saves a copy.
    n_jobs : int, default=1
        Number of threads.

    Returns
    -------
    scipy.sparse.csr_array
        The counts with sorted indices, no duplicates and no stored zeros. Where the caller's are like that they are
        shared and not copied, so never write to them.
    """
    X = X if sparse.issparse(X) else np.asarray(X, dtype=np.float64)
    counts = sparse.csr_array(X)
    counts = sparse.csr_array((counts.data, counts.indices, counts.indptr), shape=counts.shape)  # with its own flags
    least, largest = _extremes(counts.data, n_jobs)
    if least <= 0 or not _is_canonical(counts, n_jobs):
        counts = counts.astype(np.float64, copy=True)
        counts.sum_duplicates()
        counts.eliminate_zeros()
        least, largest = _extremes(counts.data, n_jobs)
    if least < 0:
        row = int(np.searchsorted(counts.indptr, np.argmin(counts.data), side="right")) - 1
        raise ValueError(
            f"Negative values in data passed to {name}: document {row} has a word count below 0; "
            "pass word counts, which are never negative."
        )
    longest = np.diff(counts.indptr).max(initial=0)
    if least < SHORTEST or largest * longest > LONGEST:  # else there is no need to add them up
        _check_lengths(counts, name)
    if counts.indices.dtype != np.int32 and max(counts.nnz, *counts.shape) <= np.iinfo(np.int32).max:
        # One index type means one compiled version of every kernel.
        counts.indices = counts.indices.astype(np.int32)
        counts.indptr = counts.indptr.astype(np.int32)
    if not as_given and counts.dtype != np.float64:
        counts.data = counts.data.astype(np.float64)
    return counts


def _extremes(numbers: NDArray[Any], n_jobs: int) -> tuple[float, float]:
    """Return the least and the largest of some numbers; those of none are 1."""
    if not len(numbers):
        return 1.0, 1.0

    def find(part: slice) -> tuple[float, float]:
        mine = numbers[part]
        pieces = [mine[piece] for piece in blocks_of(len(mine), _PIECE)]
        least, largest = zip(*((piece.min(), piece.max()) for piece in pieces), strict=True)
        return float(min(least)), float(max(largest))

    parts = blocks_of(len(numbers), max(_PIECE, -(-len(numbers) // (4 * n_jobs))))  # that threads end together
    least, largest = zip(*in_threads(find, parts, n_jobs), strict=True)
    return min(least), max(largest)


def _is_canonical(counts: sparse.csr_array, n_jobs: int) -> bool:
    """Tell whether the words of each document are in order and none is stored twice."""

    def ask(block: slice) -> bool:
        return bool(rows_of(counts, block).has_canonical_format)

    return all(in_threads(ask, blocks_of(counts.shape[0]), n_jobs))


def _check_lengths(counts: sparse.csr_array, name: str) -> None:
    """Refuse documents whose counts sum to what can't be computed with."""
    lengths = counts @ np.ones(counts.shape[1])
    absurd = (lengths > 0) & ~((lengths >= SHORTEST) & (lengths <= LONGEST))
    if absurd.any():
        row = int(np.argmax(absurd))
        raise ValueError(
            f"Data passed to {name} can't be word counts: those of document {row} sum to {lengths[row]:.3g}, and only "
            f"sums from {SHORTEST:g} to {LONGEST:.3g} can be computed with; pass counts or frequencies."
        )


def read_points(
    counts: sparse.csr_array, n_jobs: int
) -> tuple[sparse.csr_array, NDArray[np.float64], NDArray[np.bool_]]:
    """Return the word frequencies of the documents that have words, their lengths, and which documents these are."""
    filled = np.diff(counts.indptr) > 0
    if not filled.all():  # those without words have no part in the data
        indptr = np.append(counts.indptr[:1], counts.indptr[1:][filled])
        counts = sparse.csr_array((counts.data, counts.indices, indptr), shape=(len(indptr) - 1, counts.shape[1]))
    return *normalise_rows(counts, n_jobs), filled


def label_all(labels: NDArray[np.int64], filled: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the labels of all documents, -1 for those that are empty, from those of the others."""
    if filled.all():
        return labels
    everywhere = np.full(len(filled), -1)
    everywhere[filled] = labels
    return everywhere


def normalise_rows(counts: sparse.csr_array, n_jobs: int = 1) -> tuple[sparse.csr_array, NDArray[np.float64]]:
    """Divide each document by its length; return the points and the lengths. Empty rows stay empty."""
    lengths, data = np.empty(counts.shape[0]), np.empty(counts.nnz)

    def divide(block: slice) -> None:
        mine = slice(counts.indptr[block.start], counts.indptr[block.stop])
        data[mine] = counts.data[mine]
        _divide_rows(data, counts.indptr, block.start, block.stop, lengths)

    for _ in in_threads(divide, blocks_of(counts.shape[0]), n_jobs):
        pass
    return sparse.csr_array((data, counts.indices, counts.indptr), shape=counts.shape), lengths


@kernel
def _divide_rows(
    data: NDArray[np.float64], indptr: NDArray[np.int32], start: int, stop: int, lengths: NDArray[np.float64]
) -> None:
    """Set the sums of some of the rows, and divide the rows by them."""
    for m in range(start, stop):
        length = 0.0
        for p in range(indptr[m], indptr[m + 1]):
            length += data[p]
        for p in range(indptr[m], indptr[m + 1]):
            data[p] /= length
        lengths[m] = length


def row_squares(points: sparse.csr_array, n_jobs: int = 1) -> NDArray[np.float64]:
    """Squared Euclidean length of each sparse row."""
    if points.shape[0] <= BLOCK:  # of so few rows they take less time than to compile a kernel
        squared = sparse.csr_array((points.data**2, points.indices, points.indptr), shape=points.shape)
        return squared @ np.ones(points.shape[1])
    squares = np.empty(points.shape[0])

    def fill(block: slice) -> None:
        _square_rows(points.data, points.indptr, block.start, block.stop, squares)

    for _ in in_threads(fill, blocks_of(points.shape[0]), n_jobs):
        pass
    return squares


@kernel
def _square_rows(
    data: NDArray[np.float64], indptr: NDArray[np.int32], start: int, stop: int, squares: NDArray[np.float64]
) -> None:
    """Set the sums of squares of some of the rows."""
    for m in range(start, stop):
        square = 0.0
        for p in range(indptr[m], indptr[m + 1]):
            square += data[p] * data[p]
        squares[m] = square


def squared_norms(
    points: sparse.csr_array,
    center: NDArray[np.float64],
    n_jobs: int = 1,
    squares: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Squared Euclidean distance of each sparse row to a dense centre, with no dense array of all rows.

    `squares` are the rows' own squared lengths, where these are known already.
    """
    norms = row_by_row(lambda rows, _: rows @ center, points, n_jobs)
    norms *= -2.0
    norms += row_squares(points, n_jobs) if squares is None else squares
    norms += center @ center
    return norms
