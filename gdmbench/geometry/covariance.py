"""The leading axes of the covariance of documents, with or without the noise of drawing their words."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

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
    points : CSR array of shape (n_documents, n_words)
        Documents as word frequencies.
    lengths, weights : arrays of shape (n_documents,)
    denoise : bool
        Whether to remove the noise; else this is the covariance of the frequencies.
    """

    def __init__(
        self,
        points: sparse.csr_array,
        lengths: NDArray[np.float64],
        weights: NDArray[np.float64],
        *,
        denoise: bool,
    ) -> None:
        used = lengths >= _SHORTEST
        if denoise and used.any():
            shares = np.where(used, weights, 0.0) / weights[used].sum()
            others = np.where(used, lengths - 1.0, np.inf)
        else:
            shares = weights / weights.sum()
            others = np.full(len(lengths), np.inf)
        self._points = points
        self.center = points.T @ shares  # of the documents used, so that no direction leaves the simplex of words
        self._shares = shares * (1.0 + 1.0 / others)
        self._noise = points.T @ (shares / others)

    def apply(self, block: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the covariance times a block of columns."""
        result = self._points.T @ (self._shares[:, None] * (self._points @ block))
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
