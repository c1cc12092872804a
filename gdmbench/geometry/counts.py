"""Reading word counts: one canonical sparse form, and the points of the vocabulary simplex they stand for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array

# How long documents may be. A float can't tell one token more or less above 2**53, and sums of squares of much larger
# or smaller numbers would overflow or vanish.
SHORTEST, LONGEST = 1e-9, 2.0**53


def read_counts(X: Any, name: str) -> sparse.csr_array:
    """Return word counts of any kind (nested lists, arrays, sparse matrices, frames) as `check_counts` does."""
    check_indices(X)
    return check_counts(check_array(X, accept_sparse=("csr", "csc"), dtype=np.float64, ensure_min_samples=0), name)


def check_indices(X: Any) -> None:
    """Refuse a sparse matrix whose indices point outside of it: compiled code would follow them."""
    if not sparse.issparse(X):
        return
    matrix: Any = X
    try:
        if matrix.format in ("csr", "csc", "bsr"):
            # A twin, as the check may change its matrix.
            twin = type(matrix)((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
            twin.check_format()
            if (np.diff(twin.indptr) < 0).any():  # which scipy overlooks where the last pointer is 0
                raise ValueError("indptr must be a non-decreasing sequence")
        elif matrix.format == "coo":
            type(matrix)((matrix.data, matrix.coords), shape=matrix.shape)
    except ValueError as error:
        raise ValueError(f"The sparse matrix of word counts is damaged ({error}): build it again.") from None


def check_counts(X: Any, name: str = "X") -> sparse.csr_array:
    """Return word counts as canonical float64 CSR (int32 indices when they fit), refusing what can't be counts.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Already checked to be finite and two-dimensional.
    name : str
        What to call the matrix in the error message.

    Returns
    -------
    scipy.sparse.csr_array
        The counts with sorted indices, no duplicates and no stored zeros; never a view of the caller's data.
    """
    check_indices(X)
    counts = sparse.csr_array(X, dtype=np.float64, copy=True)
    counts.sum_duplicates()
    counts.eliminate_zeros()
    if counts.nnz and counts.data.min() < 0:
        row = int(np.searchsorted(counts.indptr, np.argmin(counts.data), side="right")) - 1
        raise ValueError(
            f"Negative values in data passed to {name}: document {row} has a word count below 0; "
            "pass word counts, which are never negative."
        )
    lengths = counts @ np.ones(counts.shape[1])
    absurd = (lengths > 0) & ~((lengths >= SHORTEST) & (lengths <= LONGEST))
    if absurd.any():
        row = int(np.argmax(absurd))
        raise ValueError(
            f"Data passed to {name} can't be word counts: those of document {row} sum to {lengths[row]:.3g}, and only "
            f"sums from {SHORTEST:g} to {LONGEST:.3g} can be computed with; pass counts or frequencies."
        )
    if counts.indices.dtype != np.int32 and max(counts.nnz, *counts.shape) <= np.iinfo(np.int32).max:
        # One index type means one compiled version of every kernel.
        counts.indices = counts.indices.astype(np.int32)
        counts.indptr = counts.indptr.astype(np.int32)
    return counts


def normalise_rows(counts: sparse.csr_array) -> tuple[sparse.csr_array, NDArray[np.float64]]:
    """Divide each document by its length; return the points and the lengths. Empty rows stay empty."""
    lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    sizes = np.diff(counts.indptr)
    data = counts.data / np.repeat(lengths, sizes)
    return sparse.csr_array((data, counts.indices, counts.indptr), shape=counts.shape), lengths


def squared_norms(points: sparse.csr_array, center: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared Euclidean distance of each sparse row to a dense centre, with no dense array of all rows."""
    squares = sparse.csr_array((points.data**2, points.indices, points.indptr), shape=points.shape)
    own: NDArray[np.float64] = squares @ np.ones(points.shape[1])
    return own - 2.0 * (points @ center) + center @ center
