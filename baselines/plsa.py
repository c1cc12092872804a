"""PLSA: the topics and proportions of largest likelihood, by EM and then by Newton steps that step ahead."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from baselines._simplex import Floats
from baselines._start import check_init, read_topics
from gdmbench.geometry.base import TopicEstimator, make_generator
from gdmbench.geometry.counts import filled_rows, lengths_of
from gdmbench.geometry.rows import correlate, gather, mix
from gdmbench.geometry.starts import find_starts
from gdmbench.kernels import kernel
from gdmbench.parameters import check_positive, check_whole

_TINY = 1e-100  # stands for the probability of a word that no topic has
_CENTER_SHARE = 0.02  # of a start: no pass brings back a word that a topic lacks
_EM_PASSES, _MOST_PASSES, _LEAST_LEFT = 20, 2000, 0.01  # the last a share of an entry, so that none is ever 0


class PLSA(TopicEstimator):
    """Probabilistic latent semantic analysis: maximum likelihood, no prior, as Poisson factorisation of the counts.

    EM leads to good optima, slowly. After some passes of it each entry in turn takes a Newton step, and a pass starts
    farther ahead in the direction of the last; where the likelihood is lower there, EM goes on from the best place.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    init : {"geometric", "random"}, topics or an estimator that finds topics, default="geometric"
        Where to start. "geometric": at VLAD's topics, with alpha estimated and with .1, and at clusters of tf-idf.
    n_starts : int, default=3
        Starts, of which the most likely end is kept; at most 6 if geometric, and given topics are one.
    tol : float, default=1e-6
        A start ends when a pass raises the log-likelihood per word by less.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    log_likelihoods_ : ndarray
        Of the documents as Poisson counts, factorials included, at each pass of the start that was kept.

    References
    ----------
    T. Hofmann (1999). Probabilistic latent semantic indexing. SIGIR.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.plsa import PLSA
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, random_state=0)
    >>> PLSA(3, random_state=0).fit(data.train).components_.shape
    (3, 50)
    """

    def __init__(
        self, n_topics: int, *, init: Any = "geometric", n_starts: int = 3, tol: float = 1e-6, random_state: Any = None
    ) -> None:
        self.n_topics, self.init, self.n_starts = n_topics, init, n_starts
        self.tol, self.random_state = tol, random_state

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts; empty documents are left out."""
        counts = filled_rows(self._read_counts(X, reset=True))[0]
        self._check_topics_asked(counts)
        check_init(self.init, ("geometric", "random"))
        check_whole("n_starts", self.n_starts)
        check_positive("tol", self.tol)
        ends = [self._climb(counts, topics) for topics in self._starts(counts)]
        self.components_, self.log_likelihoods_ = max(ends, key=lambda end: end[1][-1])
        return self

    def _starts(self, counts: sparse.csr_array) -> Iterator[Floats]:
        rng = make_generator(self.random_state)
        if not isinstance(self.init, str):
            yield read_topics(self.init, counts, self.n_topics, rng)
        elif self.init == "random":
            chances = np.full(self.n_topics, 10.0)
            yield from (rng.dirichlet(chances, size=counts.shape[0]).T @ counts for _ in range(self.n_starts))
        else:
            yield from (start.topics for start in islice(find_starts(counts, self.n_topics, None, rng), self.n_starts))

    def _climb(self, counts: sparse.csr_array, topics: Floats) -> tuple[Floats, Floats]:
        """Return the topics that the passes lead to, and the log-likelihoods on the way."""
        by_word, lengths = counts.T.tocsr(), lengths_of(counts)
        topics = topics / topics.sum(axis=1, keepdims=True) + _CENTER_SHARE * counts.sum(axis=0) / lengths.sum()
        here = best = last = np.vstack([topics.T, np.repeat((lengths / self.n_topics)[:, None], self.n_topics, axis=1)])
        likelihoods, ahead, is_best = [-np.inf], 0.5, True
        for n_passes in range(_MOST_PASSES):
            new, likelihood = step(counts, by_word, here, n_passes >= _EM_PASSES)
            if likelihood < likelihoods[-1] and is_best:  # by rounding
                break
            if likelihood < likelihoods[-1]:
                here, ahead, is_best = step(counts, by_word, best, False)[0], 0.7 * ahead, True
                last = here
                continue
            likelihoods.append(likelihood)
            best, is_best, rise = here, n_passes < _EM_PASSES, likelihood - likelihoods[-2]
            if not is_best and rise < self.tol * lengths.sum():
                break
            here = new if is_best else np.maximum(new + ahead * (new - last), _LEAST_LEFT * new)
            last, ahead = new, min(1.05 * ahead, 0.98)
        topics = best[: counts.shape[1]]
        return (topics / topics.sum(axis=0)).T.copy(), np.array(likelihoods[1:]) - gammaln(counts.data + 1.0).sum()


def step(counts: sparse.csr_array, by_word: sparse.csr_array, x: Floats, newton: bool) -> tuple[Floats, float]:
    """Return topics, word by word, with documents below them, after a pass over each; and the likelihood before."""
    new = x.copy()
    topics, documents = np.split(new, [counts.shape[1]])
    likelihood = improve(counts.indptr, counts.indices, counts.data, topics, topics.sum(axis=0), documents, newton)
    improve(by_word.indptr, by_word.indices, by_word.data, documents, documents.sum(axis=0), topics, newton)
    documents *= topics.sum(axis=0)
    topics /= topics.sum(axis=0)
    return new, likelihood


@kernel
def improve(indptr, indices, counts, basis, totals, weights, newton):  # type: ignore[no-untyped-def]
    """Raise ``sum_j x_j log p_j - sum_k w_k t_k`` of every row, ``p_j = sum_k w_k b_jk``; return the sum before."""
    found, rows, p, sums = 0.0, np.empty(basis.T.shape), np.empty(len(basis)), np.empty(len(totals))
    for d in range(len(weights)):
        start, w, x = indptr[d], weights[d], counts[indptr[d] : indptr[d + 1]]
        n = len(x)
        gather(indices, start, n, basis, rows)
        mix(rows, w, n, _TINY, p)
        found += (x * np.log(p[:n])).sum() - (w * totals).sum()
        if not newton:
            p[:n] = x / p[:n]
            correlate(rows, p, n, sums)
            w *= sums / totals
            continue
        for k in range(len(totals)):
            row, slope, curve = rows[k], -totals[k], _TINY
            for j in range(n):
                share = row[j] / p[j]
                slope += x[j] * share
                curve += x[j] * share * share
            change = max(w[k] + slope / curve, _LEAST_LEFT * w[k]) - w[k]
            w[k] += change
            p[:n] = np.maximum(p[:n] + change * row[:n], _TINY)
    return found
