"""Reading what the measures are given: counts, topics and proportions that fit together."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gdmbench.geometry.counts import read_counts


def check_documents(X: Any) -> sparse.csr_array:
    """Return word counts as canonical float64 CSR, refusing anything else and a corpus with no tokens."""
    counts = read_counts(X, "a measure")
    if not counts.nnz:
        raise ValueError("The documents contain no words: there is nothing to measure.")
    return counts


def check_rows_on_simplex(name: str, rows: ArrayLike, shape: tuple[int | None, int | None]) -> NDArray[np.float64]:
    """Return a matrix whose rows are probability distributions, refusing any other.

    Parameters
    ----------
    name : str
        What to call it in the error message.
    rows : array-like
        The matrix.
    shape : pair of int or None
        The shape it must have; None where any size will do.
    """
    matrix = np.asarray(rows, dtype=np.float64)
    if matrix.ndim != 2 or any(want not in (None, got) for want, got in zip(shape, matrix.shape, strict=True)):
        wanted = " x ".join("any" if size is None else str(size) for size in shape)
        raise ValueError(f"{name} must be a matrix of {wanted} numbers, not of shape {matrix.shape}.")
    if not (matrix >= 0).all() or not np.allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-6):
        raise ValueError(f"Every row of {name} must be a probability distribution: not negative and of sum 1.")
    return matrix
