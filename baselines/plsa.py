"""PLSA: the topics and proportions of largest likelihood, by EM that steps ahead."""

from collections.abc import Iterator
from math import log
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln, xlogy
from sklearn.utils.validation import check_is_fitted

from baselines._start import check_init, read_topics
from gdmbench.geometry.base import TopicEstimator, make_generator, one_blas_thread
from gdmbench.geometry.counts import filled_rows, lengths_of
from gdmbench.geometry.rows import correlate, gather, mix, scatter
from gdmbench.geometry.starts import find_starts
from gdmbench.kernels import kernel
from gdmbench.parameters import check_positive, check_whole

_TINY = 1e-200  # stands for the probability of a word that no topic has
_CENTER_SHARE = 0.02  # of a start: EM never brings back a word that a topic lacks
_LONGEST_STEP, _LEAST_LEFT = 32.0, 0.01
_MOST_CYCLES, _TRANSFORM_STEPS = 1000, 100
Floats = NDArray[np.float64]


class PLSA(TopicEstimator):
    """Probabilistic latent semantic analysis: maximum likelihood without a prior, by EM accelerated with SQUAREM.

    The third of every three passes starts from farther ahead in the direction of the first two, or, if the likelihood
    is lower there, from where the second ended. So it never falls.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    init : {"geometric", "random"}, topics or an estimator that finds topics, default="geometric"
        Where to start. "geometric": at VLAD's topics, with alpha estimated and with .1, and at clusters of tf-idf.
    n_starts : int, default=3
        Starts, of which the most likely end is kept; at most 6 if geometric, and given topics are one.
    tol : float, default=1e-6
        A start ends when three passes raise the log-likelihood per word by less.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
    log_likelihoods_ : ndarray
        Of the documents as Poisson counts, factorials included, at every third pass of the start that was kept.

    References
    ----------
    T. Hofmann (1999). Probabilistic latent semantic indexing. SIGIR. (SQUAREM: see RefinedGDM.)

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

    @one_blas_thread
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

    def transform(self, X: Any) -> Floats:
        """Return the proportions of largest likelihood, equal ones for an empty document."""
        check_is_fitted(self)
        counts = self._read_counts(X, reset=False)
        topics = np.ascontiguousarray(self.components_.T)
        proportions = np.full((counts.shape[0], len(self.components_)), 1.0 / len(self.components_))
        add_pass(counts.indptr, counts.indices, counts.data, topics, proportions, _TRANSFORM_STEPS, topics.copy())
        return proportions

    def _starts(self, counts: sparse.csr_array) -> Iterator[Floats]:
        rng = make_generator(self.random_state)
        if not isinstance(self.init, str):
            yield read_topics(self.init, counts, self.n_topics, rng)
        elif self.init == "random":
            for _ in range(self.n_starts):
                yield counts.sum(axis=0) / counts.sum() * rng.exponential(size=(self.n_topics, counts.shape[1]))
        else:
            starts = find_starts(counts, self.n_topics, None, rng)
            yield from (start.topics for start, _ in zip(starts, range(self.n_starts), strict=False))

    def _climb(self, counts: sparse.csr_array, topics: Floats) -> tuple[Floats, Floats]:
        """Return the topics that EM leads to, and the log-likelihoods on the way."""
        n_words, lengths = counts.shape[1], lengths_of(counts)
        x = np.full((n_words + len(lengths), self.n_topics), 1.0 / self.n_topics)
        x[:n_words] = topics.T + _CENTER_SHARE * (counts.sum(axis=0) / lengths.sum())[:, None]
        x[:n_words] /= x[:n_words].sum(axis=0)
        likelihoods = [-np.inf]
        for _ in range(_MOST_CYCLES):
            first, likelihood = em_step(counts, x)
            likelihoods.append(likelihood)
            if likelihood - likelihoods[-2] < self.tol * lengths.sum():
                break
            second, after = em_step(counts, first)
            r, v = first - x, second - 2.0 * first + x
            s = min(max(float(np.linalg.norm(r)) / (float(np.linalg.norm(v)) or 1.0), 1.0), _LONGEST_STEP)
            ahead = np.maximum(x + 2.0 * s * r + s * s * v, _LEAST_LEFT * second)
            ahead[:n_words] /= ahead[:n_words].sum(axis=0)
            ahead[n_words:] /= ahead[n_words:].sum(axis=1, keepdims=True)
            x, there = em_step(counts, ahead)
            if there < after:
                x, _ = em_step(counts, second)
        constant = xlogy(lengths, lengths).sum() - lengths.sum() - gammaln(counts.data + 1.0).sum()
        return np.ascontiguousarray(x[:n_words].T), np.array(likelihoods[1:]) + constant


def em_step(counts: sparse.csr_array, x: Floats) -> tuple[Floats, float]:
    """Return topics, word by word, with the proportions below them after a step of EM; and their likelihood before."""
    new = np.zeros_like(x)
    topics, proportions = new[: counts.shape[1]], new[counts.shape[1] :]
    proportions[:] = x[counts.shape[1] :]
    likelihood = add_pass(counts.indptr, counts.indices, counts.data, x[: len(topics)], proportions, 1, topics)
    topics *= x[: len(topics)]
    topics /= topics.sum(axis=0)
    return new, likelihood


@kernel
def add_pass(indptr, indices, counts, topics, proportions, n_steps, shares):  # type: ignore[no-untyped-def]
    """Improve the proportions by EM, add ``sum_d c_dj theta_dk / p_dj`` to the shares; return the first likelihood."""
    total, rows, mixed, sums = 0.0, np.empty(topics.T.shape), np.empty(len(topics)), np.empty(topics.shape[1])
    for d in range(len(proportions)):
        start, weights = indptr[d], proportions[d]
        n = indptr[d + 1] - start
        gather(indices, start, n, topics, rows)
        for step in range(n_steps + 1):
            mix(rows, weights, n, _TINY, mixed)
            for j in range(n):
                if step == 0:
                    total += counts[start + j] * log(mixed[j])
                mixed[j] = counts[start + j] / mixed[j]
            if step < n_steps:
                correlate(rows, mixed, n, sums)
                found = (weights * sums).sum()
                if found > 0.0:
                    weights *= sums / found
        scatter(indices, start, n, mixed, weights, shares)
    return total
