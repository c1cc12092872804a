"""Topics and proportions as Dirichlet posteriors: passes over documents that improve them, and the variational bound.

A topic's posterior is a Dirichlet distribution whose parameters are eta plus the expected numbers of its tokens, word
by word. That of a document's proportions has alpha plus the expected numbers of its tokens, topic by topic.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln, psi

from gdmbench.geometry.blocks import map_blocks, stacked, summed
from gdmbench.geometry.counts import lengths_of, spread_rows
from gdmbench.geometry.dirichlet import LEAST_ALPHA, MOST_ALPHA, best_concentration
from gdmbench.geometry.passes import collapsed_pass, expected_topics, log_mixtures, variational_pass

# Inner iterations for a document: in the first pass, where it knows nothing, in the others, and with the topics fixed.
_FIRST_INNER, _INNER, _TRANSFORM_INNER = 10, 3, 30
_THRESHOLD = 1e-3
_LONGEST_STEP = 16.0
# Share of the centre in the topics at the start: words that geometry has cut from a topic would hardly come back.
_SMOOTHING = 0.02
_ENOUGH_DOCUMENTS = 20_000  # to learn alpha from after a cycle: more would not change its second digit
_ENOUGH_TO_LEARN, _MOST_TURNS, _ALPHA_TOLERANCE = 2_000, 20, 0.01

Posterior = NDArray[np.float64]
Step = Callable[[Posterior], Posterior]


class Inference:
    """The documents with what is known of their topics, and the passes over them.

    Parameters
    ----------
    counts : csr_array of shape (n_documents, n_words)
        No document is empty.
    n_topics : int
    alpha, eta : float
        Dirichlet parameters, which may be changed between passes.
    n_jobs : int or None

    Attributes
    ----------
    numbers : ndarray of shape (n_documents, n_topics)
        The expected number of each document's tokens that are of each topic, by the last pass.
    """

    def __init__(
        self, counts: sparse.csr_array, n_topics: int, alpha: float, eta: float, n_jobs: int | None = None
    ) -> None:
        self.alpha, self.eta = alpha, eta
        self._counts, self._n_jobs = counts, n_jobs
        # Equal expected numbers of every topic: at given proportions documents would stick to their zeros.
        self.numbers = np.repeat(lengths_of(counts)[:, None] / n_topics, n_topics, axis=1)
        self._n_inner = _FIRST_INNER
        self._variances: NDArray[np.float64] = np.zeros(())  # of the topics' expected numbers, by the last pass

    def begin(self, topics: NDArray[np.float64]) -> Posterior:
        """Return the posterior of topics if each had an equal share of all tokens."""
        totals = self._counts.sum(axis=0)
        topics = (1.0 - _SMOOTHING) * topics + _SMOOTHING * totals / totals.sum()
        return np.ascontiguousarray((self.eta + totals.sum() / len(topics) * topics).T)

    def variational(self, posterior: Posterior) -> Posterior:
        """Return the topics' posterior after a pass of variational Bayes."""
        topics = np.empty_like(posterior)
        expected_topics(posterior, topics)
        self.numbers += self.alpha

        def infer(rows: sparse.csr_array, mine: slice) -> NDArray[np.float64]:
            shares = np.zeros_like(topics)
            state = self.alpha, self.numbers[mine], self._n_inner
            variational_pass(rows.indptr, rows.indices, rows.data, topics, *state, _THRESHOLD, shares)
            return shares

        expected = summed(map_blocks(infer, self._counts, self._n_jobs))
        self.numbers -= self.alpha
        self._n_inner = _INNER
        expected *= topics
        expected += self.eta
        return expected

    def collapsed(self, posterior: Posterior) -> Posterior:
        """Return the topics' posterior after a pass of second-order collapsed variational Bayes."""
        topics = corrected_topics(posterior, self._variances)
        own_shares = np.minimum(posterior - self.eta, 1.0) / posterior  # no more than there is

        def infer(rows: sparse.csr_array, mine: slice) -> NDArray[np.float64]:
            both = np.zeros((2, *topics.shape))  # expected numbers and their variances
            state = self.alpha, self.numbers[mine], 1 + _INNER  # the first does without what tokens know of themselves
            collapsed_pass(rows.indptr, rows.indices, rows.data, topics, own_shares, *state, *both)
            return both

        expected, self._variances = summed(map_blocks(infer, self._counts, self._n_jobs))
        expected += self.eta
        return expected

    def best_alpha(self) -> float:
        """Return the alpha that maximises the variational bound, given the proportions as the last pass left them."""
        return best_concentration(spread_rows(self.numbers, _ENOUGH_DOCUMENTS) + self.alpha)

    def bound(self, posterior: Posterior) -> float:
        """Return the variational bound of the log-likelihood per token, topics of tokens at their best."""
        logs = psi(posterior) - psi(posterior.sum(axis=0))
        highest = logs.max(axis=1)
        topics = np.exp(logs - highest[:, None])  # none underflows in all topics of a word

        def words_and_proportions(rows: sparse.csr_array, mine: slice) -> float:
            gamma = self.numbers[mine] + self.alpha
            words = log_mixtures(rows.indptr, rows.indices, rows.data, topics, gamma) + float((rows @ highest).sum())
            return words + _negative_divergence(gamma, self.alpha)

        documents = sum(map_blocks(words_and_proportions, self._counts, self._n_jobs))
        return (documents + _negative_divergence(posterior.T, self.eta)) / float(self._counts.sum())


def _negative_divergence(posteriors: NDArray[np.float64], prior: float) -> float:
    """Return the sum of minus the Kullback-Leibler divergences of Dirichlet posteriors, by rows, from their prior.

    Each is ``E[log p - log q]``, with p of equal parameters; E log theta of the tokens is not part of it.
    """
    n = posteriors.shape[1]
    sums = posteriors.sum(axis=1)
    logs = psi(posteriors) - psi(sums)[:, None]
    constants = len(posteriors) * (gammaln(n * prior) - n * gammaln(prior))
    return float(constants + ((prior - posteriors) * logs + gammaln(posteriors)).sum() - gammaln(sums).sum())


def corrected_topics(posterior: Posterior, variances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the posterior means of the topics, lowered where the expected numbers of words are uncertain.

    An entry counts by the mean of its logarithm, to second order ``log x - v / 2 x^2`` for the posterior x and the
    variance v of the expected number. For words expected less than about once that is too hard, and so is the exact
    mean: with either, the topics end farther from the truth (docs/refined_gdm.md). So one token is added to the scale:
    the factor is ``exp(-v / 2 (x^2 + 1))``, at least exp(-1/4) where v <= x, for frequent words the second order.
    """
    return posterior / posterior.sum(axis=0) * np.exp(-0.5 * variances / (posterior**2 + 1.0))


def squarem(step: Step, x: Posterior, least: float) -> Posterior:
    """Return where one cycle of SQUAREM leads: three steps of a fixed-point iteration, the third from farther ahead.

    The steps x1, x2 from x give r = x1 - x and v = x2 - x1 - r, and the third step is from x + 2 s r + s^2 v, entries
    at least `least`, with s = |r| / |v|, of 1 to 16 (the scheme S3 of Varadhan & Roland 2008).
    """
    first = step(x)
    second = step(first)
    r = first - x
    v = second - first - r
    size = float(np.linalg.norm(v))
    s = min(max(float(np.linalg.norm(r)) / size, 1.0), _LONGEST_STEP) if size > 0 else 1.0
    return step(np.maximum(x + 2.0 * s * r + s * s * v, least))


def learn_alpha(counts: sparse.csr_array, posterior: Posterior, alpha: float) -> float:
    """Return the alpha under which the variational bound of some documents is largest, the topics fixed.

    Inference and alpha take turns. Their steps shrink like a geometric series where alpha is small, so that every third
    is taken as far as the first two promise.

    Parameters
    ----------
    counts : csr_array of shape (n_documents, n_words)
        Of which at most 2000 are used, evenly spread.
    posterior : array of shape (n_words, n_topics)
    alpha : float
        Where to begin.
    """
    topics = np.empty_like(posterior)
    expected_topics(posterior, topics)
    rows = spread_rows(counts, _ENOUGH_TO_LEARN)
    n_topics = posterior.shape[1]
    gamma = np.repeat(lengths_of(rows)[:, None] / n_topics + alpha, n_topics, axis=1)
    unused = np.zeros_like(posterior)

    def turn(log_alpha: float) -> float:
        value = float(np.exp(log_alpha))
        variational_pass(rows.indptr, rows.indices, rows.data, topics, value, gamma, _TRANSFORM_INNER, 1e-4, unused)
        return float(np.log(best_concentration(gamma)))

    x = float(np.log(alpha))
    for _ in range(_MOST_TURNS):
        first = turn(x)
        second = turn(first)
        r, v = first - x, second - 2.0 * first + x
        step = min(max(-r / v, 1.0), _LONGEST_STEP) if v != 0.0 else 1.0
        new = float(np.clip(x + 2.0 * step * r + step * step * v, np.log(LEAST_ALPHA), np.log(MOST_ALPHA)))
        if abs(new - x) < _ALPHA_TOLERANCE:
            break
        x = new
    return float(np.exp(new))


def infer_proportions(
    counts: sparse.csr_array, topics: NDArray[np.float64], alpha: float, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """Return the topic proportions of documents by second-order collapsed variational Bayes with the topics fixed."""
    by_word = np.ascontiguousarray(topics.T)
    none = np.zeros_like(by_word)

    def infer(rows: sparse.csr_array, _: slice) -> NDArray[np.float64]:
        numbers: NDArray[np.float64] = np.repeat(lengths_of(rows)[:, None] / len(topics), len(topics), axis=1)
        state = alpha, numbers, _TRANSFORM_INNER
        collapsed_pass(rows.indptr, rows.indices, rows.data, by_word, none, *state, none.copy(), none.copy())
        return numbers

    numbers = stacked(map_blocks(infer, counts, n_jobs)) + alpha
    return numbers / numbers.sum(axis=1, keepdims=True)


def means(posterior: Posterior) -> NDArray[np.float64]:
    """Return the topics, one in each row, of Dirichlet posteriors, one in each column."""
    return np.ascontiguousarray((posterior / posterior.sum(axis=0)).T)
