"""The steps of lda-c's variational EM: inference of all documents, and new topics; and what shows a collapsed run."""

from math import exp, lgamma, log

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.digamma import digamma_less_log
from gdmbench.kernels import kernel

_VARIATIONAL_TOL = float(np.float32(1e-6))  # the program keeps its tolerances in single precision
_ZERO = float(np.exp(-100.0))  # the probability of a word that a topic has no count of
_TINY = 1e-300  # in place of a sum that has underflowed
_COLLAPSED = 0.05  # collapsed runs have .01 or less, others .1 or more


def infer(
    counts: sparse.csr_array, topics: NDArray[np.float64], alpha: float, max_variational: int
) -> tuple[NDArray[np.float64], float, NDArray[np.float64]]:
    """Run an E-step; return gamma of every document, the bound, and the expected counts of topics by words."""
    gamma = np.empty((counts.shape[0], len(topics)))
    expected = np.zeros_like(topics.T)
    by_word = np.ascontiguousarray(np.where(topics > 0, topics, _ZERO).T)
    bound = _infer_documents(
        counts.indptr, counts.indices, counts.data, by_word, float(alpha), max_variational, gamma, expected
    )
    return gamma, bound, np.ascontiguousarray(expected.T)


@kernel
def _infer_documents(indptr, indices, counts, topics, alpha, limit, gamma, expected):  # type: ignore[no-untyped-def]
    """Infer gamma of every document and add up the expected counts of words by topics; return the bound.

    Every word changes gamma at once, and the next word sees the change. The words' part of the bound, ``count sum_k
    phi_k (log beta_kw - log phi_k)``, is ``count (log(sum) - sum_k phi_k digamma(gamma_k))`` with the gamma by which
    phi was found.
    """
    n_documents, n_topics = gamma.shape
    prior = lgamma(n_topics * alpha) - n_topics * lgamma(alpha)
    digammas, weights, phi = np.empty(n_topics), np.empty(n_topics), np.empty((len(topics), n_topics))
    total = 0.0
    for d in range(n_documents):
        start, n = indptr[d], indptr[d + 1] - indptr[d]
        length = counts[start : start + n].sum()
        phi[:n] = 1.0 / n_topics
        gamma[d] = alpha + length / n_topics
        g = gamma[d]
        constant = prior - lgamma(n_topics * alpha + length)
        previous, rise, n_done = 0.0, np.inf, 0
        while n_done < limit and rise > _VARIATIONAL_TOL:
            bound = constant
            for j in range(n):
                count, topic = counts[start + j], topics[indices[start + j]]
                sum_ = _TINY
                entropy = 0.0
                for k in range(n_topics):  # apart from what follows, so that it becomes vector instructions
                    digammas[k] = digamma_less_log(g[k])
                for k in range(n_topics):
                    weights[k] = (g[k] + 6.0) * exp(digammas[k]) * topic[k]
                    sum_ += weights[k]
                    digammas[k] += log(g[k] + 6.0)
                inverse = 1.0 / sum_
                for k in range(n_topics):
                    new = weights[k] * inverse
                    entropy += new * digammas[k]
                    g[k] += count * (new - phi[j, k])
                    phi[j, k] = new
                bound += count * (log(sum_) - entropy)
            for k in range(n_topics):
                bound += lgamma(g[k])
            n_done += 1
            if n_done > 1:
                rise = (previous - bound) / previous
            previous = bound
        total += previous
        for j in range(n):
            for k in range(n_topics):
                expected[indices[start + j], k] += counts[start + j] * phi[j, k]
    return total


def best_topics(expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the topics of maximum likelihood, without smoothing; one without any count is uniform."""
    sums = expected.sum(axis=1, keepdims=True)
    return np.where(sums > 0, expected / np.where(sums > 0, sums, 1.0), 1 / expected.shape[1])


def is_collapsed(gamma: NDArray[np.float64]) -> bool:
    """Tell whether all documents have nearly the same proportions, so that the model is one of a single topic.

    That is when their total variation distance from the mean proportions is below .05 on average.
    """
    proportions = gamma / gamma.sum(axis=1, keepdims=True)
    distances = np.abs(proportions - proportions.mean(axis=0)).sum(axis=1) / 2
    return gamma.shape[1] > 1 and bool(distances.mean() < _COLLAPSED)
