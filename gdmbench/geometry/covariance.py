"""The leading axes of the covariance of documents, with or without the noise of drawing their words."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from gdmbench.geometry.blocks import Blocks, summed
from gdmbench.geometry.counts import lengths_of, normalise_rows

_OVERSAMPLING = 8
_ITERATIONS = 4
_SHORTEST = 2.0  # documents with fewer words tell nothing of the noise
_FLAT = 1e-10  # variances this much smaller than the largest are rounding


class Axes(NamedTuple):
    """Directions of largest variance, one in each column, and the variances, largest first and all positive."""

    directions: NDArray[np.float64]
    variances: NDArray[np.float64]


class Covariance:
    """The weighted covariance of documents as an operator: never a matrix of words by words.

    The n words of a document with word probabilities p, drawn independently, give frequencies x with
    ``E[x x'] = (1 - 1/n) p p' + diag(p) / n``. So ``n/(n-1) x x' - diag(x)/(n-1)`` has the expectation p p', and its
    weighted mean less C C', C the centre, estimates the covariance of p, however short the documents are. Documents
    of one word have no part in it; if there are no others, as when frequencies are passed for counts, no noise is
    removed.

    Parameters
    ----------
    blocks : Blocks
        Documents, which may be empty.
    weighted : bool
        Whether documents weigh by their lengths.
    denoise : bool
        Whether to remove the noise; otherwise this is the covariance of the frequencies.

    Attributes
    ----------
    center : ndarray of shape (n_words,)
        The weighted mean of the documents that it is computed from, so that no direction leaves the simplex of words.
    """

    def __init__(self, blocks: Blocks, *, weighted: bool, denoise: bool) -> None:
        self._blocks = blocks
        shortest = _SHORTEST if denoise and any(blocks.map(_has_long)) else 0.0
        self._choice = weighted, shortest, 1.0
        total = sum(blocks.map(_total_weight, *self._choice))
        self._choice = weighted, shortest, total
        self.center, self._noise = summed(blocks.map(_first_moments, *self._choice))

    def apply(self, block: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the covariance times a block of columns."""
        result: NDArray[np.float64] = summed(self._blocks.map(_second_moment_times, block, *self._choice))
        result -= self._noise[:, None] * block
        result -= np.outer(self.center, self.center @ block)
        return result

    def leading_axes(self, n_axes: int, rng: np.random.Generator) -> Axes:
        """Return at most so many axes of largest variance; fewer where the documents do not vary in as many directions.

        References
        ----------
        N. Halko, P.-G. Martinsson and J. A. Tropp (2011). Finding structure with randomness. SIAM Review 53, 217-288.
        """
        n_words = len(self.center)
        n_columns = n_axes + _OVERSAMPLING
        if n_words <= n_columns:
            basis = np.eye(n_words)
        else:
            basis = rng.standard_normal((n_words, n_columns))
            for _ in range(_ITERATIONS):
                image = self.apply(basis)
                basis = np.ascontiguousarray(linalg.qr(image, mode="economic", check_finite=False)[0], dtype=np.float64)
        small = basis.T @ self.apply(basis)
        variances, vectors = np.linalg.eigh(0.5 * (small + small.T))
        variances, vectors = variances[::-1][:n_axes], vectors[:, ::-1][:, :n_axes]
        size = float(self.center @ self.center)  # so that equal documents have no axes, whatever the rounding
        kept = variances > _FLAT * max(size, variances.max(initial=0.0))
        return Axes(np.ascontiguousarray(basis @ vectors[:, kept]), variances[kept])


def _has_long(rows: sparse.csr_array) -> bool:
    return bool((lengths_of(rows) >= _SHORTEST).any())


def _shares(
    rows: sparse.csr_array, weighted: bool, shortest: float, total: float
) -> tuple[sparse.csr_array, NDArray[np.float64], NDArray[np.float64]]:
    """Return documents as frequencies, their shares of the weight, and 1 / (n - 1), or 0 where noise stays."""
    points, lengths = normalise_rows(rows)
    weights = lengths if weighted else (lengths > 0).astype(np.float64)
    others = np.zeros(len(lengths))
    if shortest:
        used = lengths >= shortest
        weights = np.where(used, weights, 0.0)
        np.divide(1.0, lengths - 1.0, out=others, where=used)
    return points, weights / total, others


def _total_weight(rows: sparse.csr_array, *choice: Any) -> float:
    return float(_shares(rows, *choice)[1].sum())


def _first_moments(rows: sparse.csr_array, *choice: Any) -> NDArray[np.float64]:
    """Return the centre's part and the noise's."""
    points, shares, others = _shares(rows, *choice)
    return np.stack([points.T @ shares, points.T @ (shares * others)])


def _second_moment_times(rows: sparse.csr_array, block: NDArray[np.float64], *choice: Any) -> NDArray[np.float64]:
    points, shares, others = _shares(rows, *choice)
    return points.T @ ((shares * (1.0 + others))[:, None] * (points @ block))
