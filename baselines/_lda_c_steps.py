"""The two steps of lda-c's variational EM: inference of all documents, and alpha; and what shows a collapsed run."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import polygamma, psi

from baselines._digamma_cells import digamma_cells
from baselines._lda_c_kernels import Room, infer_documents

_VARIATIONAL_TOL = float(np.float32(1e-6))  # the program keeps its tolerances in single precision
_ZERO = float(np.exp(-100.0))  # the probability of a word that a topic has no count of
_NEWTON_START, _NEWTON_TOL, _NEWTON_STEPS = 100.0, 1e-5, 1000
_COLLAPSED = 0.05  # collapsed runs have .01 or less, others .1 or more


class Documents:
    """Documents, with what the E-step needs of them in every pass."""

    def __init__(self, counts: sparse.csr_array, n_topics: int) -> None:
        self.counts = counts
        self._lengths: NDArray[np.float64] = counts @ np.ones(counts.shape[1])
        sizes = np.diff(counts.indptr)
        self._order = np.argsort(-sizes, kind="stable")
        self._room = Room.of(int(sizes.max()), n_topics)

    def infer(
        self, topics: NDArray[np.float64], alpha: float, max_variational: int
    ) -> tuple[NDArray[np.float64], float, NDArray[np.float64]]:
        """Run an E-step; return gamma, the bound, and the expected counts of topics by words."""
        n_topics, n_words = topics.shape
        gamma = np.empty((self.counts.shape[0], n_topics))
        bounds = np.empty(self.counts.shape[0])
        expected = np.zeros((n_words, n_topics))
        infer_documents(
            self.counts.indptr,
            self.counts.indices,
            self.counts.data,
            self._order,
            self._room,
            np.ascontiguousarray(np.where(topics > 0, topics, _ZERO).T),
            alpha,
            *digamma_cells(alpha, alpha + self._lengths.max()),
            max_variational,
            _VARIATIONAL_TOL,
            gamma,
            bounds,
            expected,
        )
        return gamma, float(bounds.sum()), np.ascontiguousarray(expected.T)


def best_topics(expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the topics of maximum likelihood, without smoothing; one without any count is uniform."""
    sums = expected.sum(axis=1, keepdims=True)
    return np.where(sums > 0, expected / np.where(sums > 0, sums, 1.0), 1 / expected.shape[1])


def best_alpha(gamma: NDArray[np.float64]) -> float:
    """Return the symmetric alpha that maximises the bound, given gamma of every document, by Newton on log alpha."""
    n_documents, n_topics = gamma.shape
    statistic = float(psi(gamma).sum() - n_topics * psi(gamma.sum(axis=1)).sum())
    start = alpha = _NEWTON_START
    log_alpha = np.log(alpha)
    for _ in range(_NEWTON_STEPS):
        alpha = np.exp(log_alpha)
        if np.isnan(alpha):
            start *= 10
            alpha = start
            log_alpha = np.log(alpha)
        slope = n_documents * n_topics * (psi(n_topics * alpha) - psi(alpha)) + statistic
        curvature = n_documents * (n_topics**2 * polygamma(1, n_topics * alpha) - n_topics * polygamma(1, alpha))
        log_alpha -= slope / (curvature * alpha + slope)
        if abs(slope) <= _NEWTON_TOL:
            break
    return float(np.exp(log_alpha))


def is_collapsed(gamma: NDArray[np.float64]) -> bool:
    """Tell whether all documents have nearly the same proportions, so that the model is one of a single topic.

    That is when their total variation distance from the mean proportions is below .05 on average.
    """
    proportions = gamma / gamma.sum(axis=1, keepdims=True)
    distances = np.abs(proportions - proportions.mean(axis=0)).sum(axis=1) / 2
    return gamma.shape[1] > 1 and bool(distances.mean() < _COLLAPSED)
