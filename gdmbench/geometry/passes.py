"""Compiled passes over documents that improve topics by their likelihood: variational Bayes, plain and collapsed.

Both read the word counts as CSR and the topics word by word (n_words x n_topics), as the means, or exponentials of the
mean logarithms, of Dirichlet posteriors. They infer the topics of every token of a document given these, in a few inner
iterations from what the document had before, and add them up in an array of the caller's: how often each word is
expected to have been drawn from each topic. Nothing but one document's share is ever kept of what is known of every
token. Sums over a document's words may be reassociated, so that the compiler can use vector instructions; the order is
fixed when the code is compiled, so equal input still gives equal bits.
"""

from math import exp, log

import numpy as np

from gdmbench.geometry.digamma import digamma, exp_digamma
from gdmbench.geometry.rows import correlate, gather, mix, scatter
from gdmbench.kernels import kernel

# Stands for sums over topics that have underflowed. Its reciprocal does not overflow times any number of tokens.
_TINY = 1e-200


@kernel
def expected_topics(posterior, topics):  # type: ignore[no-untyped-def]
    """Set topics to ``exp(E log beta)`` of Dirichlet posteriors, each word's divided by the largest of its topics.

    Only the ratios of a word's entries matter to a pass, and these do not underflow however small eta is.
    """
    n_words, n_topics = posterior.shape
    totals = np.zeros(n_topics)
    for w in range(n_words):
        for k in range(n_topics):
            totals[k] += posterior[w, k]
    for k in range(n_topics):
        totals[k] = digamma(totals[k])
    for w in range(n_words):
        largest = -np.inf
        for k in range(n_topics):
            topics[w, k] = digamma(posterior[w, k]) - totals[k]
            largest = max(largest, topics[w, k])
        for k in range(n_topics):
            topics[w, k] = exp(topics[w, k] - largest)


@kernel
def _most_words(indptr):  # type: ignore[no-untyped-def]
    """Return the largest number of different words in a document."""
    most = 0
    for d in range(len(indptr) - 1):
        most = max(most, indptr[d + 1] - indptr[d])
    return most


@kernel
def _divide(c, n, mixed):  # type: ignore[no-untyped-def]
    """Replace what is mixed by the counts over it. On arrays by themselves such loops become vector instructions."""
    for j in range(n):
        mixed[j] = c[j] / mixed[j]


@kernel
def variational_pass(  # type: ignore[no-untyped-def]
    indptr, indices, counts, topics, alpha, gamma, n_inner, threshold, shares
):
    """Infer the proportions of all documents by variational Bayes and add up the expected numbers by topics.

    An inner iteration is ``phi_jk ~ exp(digamma(gamma_k)) topics_jk``, then ``gamma_k = alpha + sum_j c_j phi_jk``.

    Parameters
    ----------
    indptr, indices, counts : arrays
        Documents as CSR; counts float64.
    topics : float64 array of shape (n_words, n_topics)
        As `expected_topics` makes them.
    alpha : float
    gamma : float64 array of shape (n_documents, n_topics)
        Dirichlet posteriors of the proportions: where inference starts; overwritten.
    n_inner, threshold
        Most inner iterations for a document, which ends earlier when gamma moves by less than this on average.
    shares : float64 array of shape (n_words, n_topics)
        Gets ``sum_d c_dj phi_djk / topics_jk`` added: times the topics, the expected numbers.
    """
    n_documents, n_topics = gamma.shape
    n_most = _most_words(indptr)
    rows = np.empty((n_topics, n_most))  # the topics at the words of this document
    c, ratios = np.empty(n_most), np.empty(n_most)
    weights, sums = np.empty(n_topics), np.empty(n_topics)
    for d in range(n_documents):
        start = indptr[d]
        n = indptr[d + 1] - start
        for j in range(n):
            c[j] = counts[start + j]
        gather(indices, start, n, topics, rows)
        for k in range(n_topics):
            weights[k] = exp_digamma(gamma[d, k])
        change = np.inf
        for iteration in range(n_inner + 1):
            mix(rows, weights, n, _TINY, ratios)
            _divide(c, n, ratios)
            if iteration == n_inner or change < threshold * n_topics:
                break
            correlate(rows, ratios, n, sums)
            change = 0.0
            for k in range(n_topics):
                new = alpha + weights[k] * sums[k]
                change += abs(new - gamma[d, k])
                gamma[d, k] = new
                weights[k] = exp_digamma(new)
        scatter(indices, start, n, ratios, weights, shares)


@kernel
def log_mixtures(indptr, indices, counts, topics, gamma):  # type: ignore[no-untyped-def]
    """Return ``sum_dj c_dj log sum_k exp(E log theta_dk) topics_jk``, gamma the Dirichlet posteriors of theta."""
    n_topics = gamma.shape[1]
    n_most = _most_words(indptr)
    rows, mixed, weights = np.empty((n_topics, n_most)), np.empty(n_most), np.empty(n_topics)
    total = 0.0
    for d in range(len(gamma)):
        start = indptr[d]
        n = indptr[d + 1] - start
        gather(indices, start, n, topics, rows)
        for k in range(n_topics):
            weights[k] = exp_digamma(gamma[d, k])
        mix(rows, weights, n, _TINY, mixed)
        length = 0.0
        for j in range(n):
            total += counts[start + j] * log(mixed[j])
            length += counts[start + j]
        total -= length * digamma(gamma[d].sum())
    return total


@kernel(fastmath={"contract"})
def _weigh(a, damping, row, own, tokens, inverses, n, phi, sums):  # type: ignore[no-untyped-def]
    """Set one topic's phi, yet to be multiplied by the inverses, to its new value, yet to be divided by the sums."""
    for j in range(n):
        p = phi[j] * inverses[j]
        p = (a - tokens[j] * p) * (damping * row[j]) * (1.0 - p * own[j])
        phi[j] = p
        sums[j] += p


@kernel(fastmath={"contract", "reassoc"})
def _moments(c, inverses, n, phi):  # type: ignore[no-untyped-def]
    """Return the sums of c phi and of c phi^2 of one topic, phi yet to be multiplied by the inverses."""
    number = squares = 0.0
    for j in range(n):
        p = phi[j] * inverses[j]
        share = c[j] * p
        number += share
        squares += share * p
    return number, squares


@kernel(fastmath={"contract"})
def _give_back(indices, start, c, inverses, n, phi, expected, variances):  # type: ignore[no-untyped-def]
    """Add a document's expected numbers and their variances to those of all documents."""
    for j in range(n):
        i, x, y = np.uint32(indices[start + j]), c[j], inverses[j]
        for k in range(len(phi)):
            p = phi[k, j] * y
            expected[i, k] += x * p
            variances[i, k] += x * p * (1.0 - p)


@kernel
def collapsed_pass(  # type: ignore[no-untyped-def]
    indptr, indices, counts, topics, own_shares, alpha, numbers, n_inner, expected, variances
):
    """Infer the topics of all tokens by collapsed variational Bayes to second order and add up the expected numbers.

    With n_k the expected number of the document's tokens of topic k and v_k its variance, an inner iteration is
    ``phi_jk ~ (n_k - phi_jk + alpha) exp(-v_k / 2 (n_k + alpha)^2) topics_jk (1 - phi_jk own_jk)``. The token itself
    does not count, neither in its document nor in the posterior of its word. The first iteration does without what the
    tokens' phi are needed for.

    Parameters
    ----------
    indptr, indices, counts : arrays
        Documents as CSR; counts float64.
    topics : float64 array of shape (n_words, n_topics)
        Posterior means of the topics, corrected to second order for the variances of the expected numbers.
    own_shares : float64 array of shape (n_words, n_topics)
        The share that one token has in the posterior of its word; zero where the topics are fixed.
    alpha : float
    numbers : float64 array of shape (n_documents, n_topics)
        The n_k of every document: where inference starts; overwritten.
    n_inner : int
        Inner iterations, the first included.
    expected, variances : float64 arrays of shape (n_words, n_topics)
        Get ``sum_d c_dj phi_djk`` and ``sum_d c_dj phi_djk (1 - phi_djk)`` added.
    """
    n_documents, n_topics = numbers.shape
    n_most = _most_words(indptr)
    rows, own, phi = np.empty((n_topics, n_most)), np.empty((n_topics, n_most)), np.empty((n_topics, n_most))
    c, tokens, sums, inverses = np.empty(n_most), np.empty(n_most), np.empty(n_most), np.empty(n_most)
    spread = np.empty(n_topics)
    for d in range(n_documents):
        start = indptr[d]
        n = indptr[d + 1] - start
        for j in range(n):
            c[j] = counts[start + j]
            tokens[j] = min(c[j], 1.0)  # a count below one is less than a token
            inverses[j] = 0.0
        gather(indices, start, n, topics, rows)
        gather(indices, start, n, own_shares, own)
        for k in range(n_topics):
            spread[k] = 0.0
            for j in range(n):
                phi[k, j] = 0.0
        for _ in range(n_inner):
            for j in range(n):
                sums[j] = _TINY
            for k in range(n_topics):
                a = numbers[d, k] + alpha
                _weigh(a, exp(-0.5 * spread[k] / (a * a)), rows[k], own[k], tokens, inverses, n, phi[k], sums)
            for j in range(n):
                inverses[j] = 1.0 / sums[j]
            for k in range(n_topics):
                number, squares = _moments(c, inverses, n, phi[k])
                numbers[d, k] = number
                spread[k] = max(number - squares, 0.0)
        _give_back(indices, start, c, inverses, n, phi, expected, variances)
