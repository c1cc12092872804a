"""The variational E-step of latent Dirichlet allocation, compiled, with the numbers that gensim's gives.

For one document with word counts c the E-step alternates ``phi_nk ~ t_k b_kn`` and ``gamma_k = alpha_k + sum_n c_n
phi_nk``, where ``t = exp(E log theta)`` and ``b = exp(E log beta)``. gensim adds the machine epsilon to the normaliser
of phi, and stops when gamma moves by less than a threshold on average; so does this.
"""

from math import exp, lgamma, log

import numpy as np

from gdmbench.geometry.digamma import digamma, exp_digamma
from gdmbench.geometry.rows import correlate, mix
from gdmbench.kernels import kernel

_EPSILON = float(np.finfo(np.float64).eps)
_TINY = float(np.finfo(np.float64).tiny)


@kernel
def infer_documents(  # type: ignore[no-untyped-def]
    indptr, indices, counts, topics, alpha, gamma, max_iterations, threshold, sstats
):
    """Run the E-step on every document, from the given gamma, which is overwritten with the result.

    Parameters
    ----------
    indptr, indices, counts : arrays
        Documents as CSR; counts float64.
    topics : float64 array of shape (n_words, n_topics)
        ``exp(E log beta)``, transposed.
    alpha : float64 array of shape (n_topics,)
    gamma : float64 array of shape (n_documents, n_topics)
        Start; overwritten.
    max_iterations : int
        Most iterations for a document.
    threshold : float
        A document is done when gamma moves by less than this on average over topics.
    sstats : float64 array of shape (n_words, n_topics), or (0, n_topics) where they are not wanted
        Gets ``sum_d c_dn t_dk / normaliser_dn`` added: times `topics`, the expected counts of topics by words.

    Returns
    -------
    int
        Iterations over all documents.
    """
    n_documents, n_topics = gamma.shape
    longest = 0
    for d in range(n_documents):
        longest = max(longest, indptr[d + 1] - indptr[d])
    rows = np.empty((n_topics, longest))  # the topics' entries at the words of this document
    ratios = np.empty(longest)
    t = np.empty(n_topics)
    sums = np.empty(n_topics)
    n_iterations = 0
    for d in range(n_documents):
        start = indptr[d]
        n = indptr[d + 1] - start
        words = indices[start : start + n]
        c = counts[start : start + n]
        g = gamma[d]
        length = c.sum()
        for j in range(n):
            for k in range(n_topics):
                rows[k, j] = topics[words[j], k]
        # t is exp(digamma(gamma_k)), without the common factor exp(-digamma(sum of gamma)), which cancels from
        # gamma; only the epsilon must be scaled accordingly. After one iteration gamma sums to alpha + length.
        for k in range(n_topics):
            t[k] = exp_digamma(g[k])
        mix(rows, t, n, _EPSILON * exp_digamma(g.sum()), ratios)
        epsilon = _EPSILON * exp_digamma(alpha.sum() + length)
        for _ in range(max_iterations):
            for j in range(n):
                ratios[j] = c[j] / ratios[j]
            correlate(rows, ratios, n, sums)
            change = 0.0
            for k in range(n_topics):
                new = alpha[k] + t[k] * sums[k]
                change += abs(new - g[k])
                g[k] = new
                t[k] = exp_digamma(new)
            mix(rows, t, n, epsilon, ratios)
            n_iterations += 1
            if change < threshold * n_topics:
                break
        if len(sstats):
            for j in range(n):
                ratio = c[j] / ratios[j]
                for k in range(n_topics):
                    sstats[words[j], k] += t[k] * ratio
    return n_iterations


@kernel
def documents_bound(indptr, indices, counts, topics, alpha, gamma):  # type: ignore[no-untyped-def]
    """Return the documents' part of the variational bound: ``E log p(w, theta) - E log q(theta)``, phi at its best.

    Parameters as in `infer_documents`.
    """
    n_documents, n_topics = gamma.shape
    t = np.empty(n_topics)
    constant = lgamma(alpha.sum())
    for k in range(n_topics):
        constant -= lgamma(alpha[k])
    bound = 0.0
    for d in range(n_documents):
        g = gamma[d]
        common = digamma(g.sum())
        bound += constant - lgamma(g.sum())
        for k in range(n_topics):
            expected_log = digamma(g[k]) - common
            t[k] = exp(expected_log)
            bound += lgamma(g[k]) + (alpha[k] - g[k]) * expected_log
        for j in range(indptr[d], indptr[d + 1]):
            p = 0.0
            for k in range(n_topics):
                p += t[k] * topics[indices[j], k]
            bound += counts[j] * log(max(p, _TINY))
    return bound
