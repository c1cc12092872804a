"""Word counts: reading and checking them, and documents as points, their relative word frequencies.

The measures read counts too, in every worker, also where no method needs scikit-learn, which takes a second to import.
So it is asked only for what is not a matrix of finite numbers in sparse rows yet.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# How long documents may be. A float can't tell one token more or less above 2**53, and sums of squares of much larger
# or smaller numbers would overflow or vanish.
SHORTEST, LONGEST = 1e-9, 2.0**53


def read_counts(X: Any, name: str, as_given: bool = False) -> sparse.csr_array:
    """Return word counts of any kind (nested lists, arrays, sparse matrices, frames) as `check_counts` does."""
    check_indices(X)
    if not _are_numbers_in_rows(X):
        from sklearn.utils import check_array

        X = check_array(X, accept_sparse=("csr", "csc"), dtype=np.float64, ensure_min_samples=0)
    return check_counts(X, name, as_given)


def _are_numbers_in_rows(X: Any) -> bool:
    """Say whether this is what scikit-learn would make of it, but for the type of its numbers."""
    if not isinstance(X, sparse.csr_array | sparse.csr_matrix) or X.ndim != 2:
        return False
    return X.shape[1] > 0 and (X.dtype.kind in "iu" or (X.dtype.kind == "f" and bool(np.isfinite(X.data).all())))


def check_indices(X: Any) -> None:
    """Refuse a sparse matrix whose indices point outside of it: compiled code would follow them."""
    if not sparse.issparse(X):
        return
    matrix: Any = X
    try:
        if matrix.format in ("csr", "csc", "bsr"):
            # A twin, as the check may change its matrix.
            twin = type(matrix)((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
            twin.check_format(full_check=True)
            if (np.diff(twin.indptr) < 0).any():  # which scipy overlooks where the last pointer is 0
                raise ValueError("indptr must be a non-decreasing sequence")
        elif matrix.format == "coo":
            type(matrix)((matrix.data, matrix.coords), shape=matrix.shape)
    except ValueError as error:
        raise ValueError(f"The sparse matrix of word counts is damaged ({error}): build it again.") from None


def check_counts(X: Any, name: str = "X", as_given: bool = False) -> sparse.csr_array:
    """Return word counts as canonical float64 CSR (int32 indices when they fit), refusing what can't be counts.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Already checked to be finite and two-dimensional, its indices by `check_indices`.
    name : str
        What to call the matrix in the error message.
    as_given : bool, default=False
        Whether counts may also be of the type that the caller's have, which saves a copy.

    Returns
    -------
    scipy.sparse.csr_array
        The counts with sorted indices, no duplicates and no stored zeros. Where the caller's are like that they are
        shared and not copied, so never write to them.
    """
    X = X if sparse.issparse(X) else np.asarray(X, dtype=np.float64)
    counts = sparse.csr_array(X)
    counts = sparse.csr_array((counts.data, counts.indices, counts.indptr), shape=counts.shape)  # with its own flags
    if counts.data.min(initial=1) <= 0 or not counts.has_canonical_format:
        counts = counts.astype(np.float64, copy=True)
        counts.sum_duplicates()
        counts.eliminate_zeros()
    least, largest = counts.data.min(initial=1), float(counts.data.max(initial=1))
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


def _check_lengths(counts: sparse.csr_array, name: str) -> None:
    """Refuse documents whose counts sum to what can't be computed with."""
    lengths = lengths_of(counts)
    absurd = (lengths > 0) & ~((lengths >= SHORTEST) & (lengths <= LONGEST))
    if absurd.any():
        row = int(np.argmax(absurd))
        raise ValueError(
            f"Data passed to {name} can't be word counts: those of document {row} sum to {lengths[row]:.3g}, and only "
            f"sums from {SHORTEST:g} to {LONGEST:.3g} can be computed with; pass counts or frequencies."
        )


def lengths_of(counts: sparse.csr_array) -> NDArray[np.float64]:
    """Return the length of each document."""
    return counts @ np.ones(counts.shape[1])


def filled_rows(counts: sparse.csr_array) -> tuple[sparse.csr_array, NDArray[np.bool_]]:
    """Return the documents that have words, and which documents these are."""
    filled = np.diff(counts.indptr) > 0
    return (counts if filled.all() else counts[filled]), filled


def label_all(labels: NDArray[np.int64], filled: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the labels of all documents, -1 for those that are empty, from those of the others."""
    everywhere = np.full(len(filled), -1)
    everywhere[filled] = labels
    return everywhere


def normalise_rows(counts: sparse.csr_array) -> tuple[sparse.csr_array, NDArray[np.float64]]:
    """Divide each document by its length; return the points and the lengths. Empty rows stay empty."""
    lengths = lengths_of(counts)
    data = counts.data / np.repeat(lengths, np.diff(counts.indptr))
    return sparse.csr_array((data, counts.indices, counts.indptr), shape=counts.shape), lengths


def row_squares(points: sparse.csr_array) -> NDArray[np.float64]:
    """Squared Euclidean length of each sparse row."""
    return sparse.csr_array((points.data**2, points.indices, points.indptr), shape=points.shape) @ np.ones(
        points.shape[1]
    )


def squared_norms(points: sparse.csr_array, center: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared Euclidean distance of each sparse row to a dense centre, with no dense array of all rows."""
    return row_squares(points) - 2.0 * (points @ center) + center @ center
