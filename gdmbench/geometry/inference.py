"""Topics and proportions as Dirichlet posteriors: passes over documents that improve them, and the variational bound.

A topic's posterior is a Dirichlet distribution whose parameters are eta plus the expected numbers of its tokens, word
by word. That of a document's proportions has alpha plus the expected numbers of its tokens, topic by topic.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln, psi

from gdmbench.geometry.blocks import Blocks, spread_over, summed
from gdmbench.geometry.counts import lengths_of
from gdmbench.geometry.dirichlet import LEAST_ALPHA, MOST_ALPHA, best_concentration
from gdmbench.geometry.passes import collapsed_pass, expected_topics, log_mixtures, variational_pass

# Inner iterations for a document: in the first pass, where it knows nothing, in the others, and with the topics fixed.
_FIRST_INNER, _INNER, _TRANSFORM_INNER = 10, 3, 30
_THRESHOLD = 1e-3
_LONGEST_STEP = 16.0
# Share of the centre in the topics at the start: words that geometry has cut from a topic would hardly come back.
_SMOOTHING = 0.02
_ENOUGH_DOCUMENTS = 20_000  # to learn alpha from after a cycle: more would not change its second digit
_FINE_THRESHOLD, _MOST_TURNS, _ALPHA_TOLERANCE = 1e-4, 20, 0.01  # to learn it with the topics fixed

Posterior = NDArray[np.float64]
Numbers = NDArray[np.float32]  # half the memory: there are as many as documents times topics
Step = Callable[[Posterior], Posterior]


class Inference:
    """The documents with what is known of their topics, and the passes over them.

    Parameters
    ----------
    blocks : Blocks
        The documents, none of them empty.
    n_topics : int
    alpha, eta : float
        Dirichlet parameters, which may be changed between passes.

    Attributes
    ----------
    numbers : list of float32 arrays of shape (n_documents_of_the_block, n_topics)
        The expected number of each document's tokens that are of each topic, by the last pass.
    """

    def __init__(self, blocks: Blocks, n_topics: int, alpha: float, eta: float) -> None:
        self.alpha, self.eta = alpha, eta
        self._blocks, self._n_topics = blocks, n_topics
        self._totals = blocks.totals
        self.numbers: list[Numbers | None] = [None] * blocks.n_blocks
        self._n_inner = _FIRST_INNER
        self._variances: NDArray[np.float64] = np.zeros(())  # of the topics' expected numbers, by the last pass

    def begin(self, topics: NDArray[np.float64]) -> Posterior:
        """Return the posterior of topics if each had an equal share of all tokens."""
        n_tokens = self._totals.sum()
        topics = (1.0 - _SMOOTHING) * topics + _SMOOTHING * self._totals / n_tokens
        return np.ascontiguousarray((self.eta + n_tokens / len(topics) * topics).T)

    def variational(self, posterior: Posterior) -> Posterior:
        """Return the topics' posterior after a pass of variational Bayes."""
        topics = np.empty_like(posterior)
        expected_topics(posterior, topics)
        expected = self._pass(_variational, topics, self.alpha, self._n_inner)
        self._n_inner = _INNER
        expected *= topics
        expected += self.eta
        return expected

    def collapsed(self, posterior: Posterior) -> Posterior:
        """Return the topics' posterior after a pass of second-order collapsed variational Bayes."""
        topics = corrected_topics(posterior, self._variances)
        own_shares = np.minimum(posterior - self.eta, 1.0) / posterior  # no more than there is
        # The first inner iteration does without what tokens know of themselves.
        expected, self._variances = self._pass(_collapsed, topics, own_shares, self.alpha, 1 + _INNER)
        expected += self.eta
        return expected

    def _pass(self, function: Callable[..., Any], *shared: Any) -> NDArray[np.float64]:
        """Return the sum over blocks of what a pass adds up, and keep what it finds of their documents."""

        def sums() -> Iterator[NDArray[np.float64]]:
            found = self._blocks.map(function, *shared, own=self.numbers)
            for place, (added, mine) in enumerate(found):
                self.numbers[place] = mine  # at once, as they may be most of what is in memory
                yield added

        total: NDArray[np.float64] = summed(sums())
        return total

    def best_alpha(self) -> float:
        """Return the alpha that maximises the variational bound, given the proportions as the last pass left them."""
        known = [mine for mine in self.numbers if mine is not None]
        parts = spread_over([len(mine) for mine in known], _ENOUGH_DOCUMENTS)
        some = [mine[part] for mine, part in zip(known, parts, strict=True)]
        return best_concentration(np.concatenate(some).astype(np.float64) + self.alpha)

    def bound(self, posterior: Posterior) -> float:
        """Return the variational bound of the log-likelihood per token, topics of tokens at their best."""
        logs = psi(posterior) - psi(posterior.sum(axis=0))
        highest = logs.max(axis=1)
        topics = np.exp(logs - highest[:, None])  # none underflows in all topics of a word
        documents = sum(self._blocks.map(_bound, topics, self.alpha, own=self.numbers)) + float(self._totals @ highest)
        return (documents + _negative_divergence(posterior.T, self.eta)) / float(self._totals.sum())


def _variational(
    rows: sparse.csr_array, topics: NDArray[np.float64], alpha: float, n_inner: int, numbers: Numbers | None
) -> tuple[NDArray[np.float64], Numbers]:
    gamma = _begun(numbers, rows, topics.shape[1])
    gamma += alpha
    shares = np.zeros_like(topics)
    variational_pass(rows.indptr, rows.indices, rows.data, topics, alpha, gamma, n_inner, _THRESHOLD, shares)
    gamma -= alpha
    return shares, gamma.astype(np.float32)


def _collapsed(
    rows: sparse.csr_array,
    topics: NDArray[np.float64],
    own_shares: NDArray[np.float64],
    alpha: float,
    n_inner: int,
    numbers: Numbers | None,
) -> tuple[NDArray[np.float64], Numbers]:
    begun = _begun(numbers, rows, topics.shape[1])
    both = np.zeros((2, *topics.shape))  # expected numbers and their variances
    collapsed_pass(rows.indptr, rows.indices, rows.data, topics, own_shares, alpha, begun, n_inner, *both)
    return both, begun.astype(np.float32)


def _begun(numbers: Numbers | None, rows: sparse.csr_array, n_topics: int) -> NDArray[np.float64]:
    """Return what is known of documents; at first equal numbers: at given proportions they would stick to zeros."""
    if numbers is None:
        return np.repeat(lengths_of(rows)[:, None] / n_topics, n_topics, axis=1)
    return numbers.astype(np.float64)


def _bound(rows: sparse.csr_array, topics: NDArray[np.float64], alpha: float, numbers: Numbers | None) -> float:
    """Return what the documents of a block add to the bound."""
    gamma = _begun(numbers, rows, topics.shape[1]) + alpha
    words: float = log_mixtures(rows.indptr, rows.indices, rows.data, topics, gamma)
    return words + _negative_divergence(gamma, alpha)


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


def learn_alpha(rows: sparse.csr_array, posterior: Posterior, alpha: float) -> float:
    """Return the alpha under which the variational bound of some documents is largest, the topics fixed.

    Inference and alpha take turns. Where alpha is small their steps shrink like a geometric series, so that every
    third is taken as far as the first two promise.

    Parameters
    ----------
    rows : csr_array of shape (n_documents, n_words)
    posterior : array of shape (n_words, n_topics)
    alpha : float
        Where to begin.
    """
    topics, unused = np.empty_like(posterior), np.zeros_like(posterior)
    expected_topics(posterior, topics)
    gamma = _begun(None, rows, topics.shape[1]) + alpha

    def turn(log_alpha: float) -> float:
        passed = rows.indptr, rows.indices, rows.data, topics, float(np.exp(log_alpha)), gamma
        variational_pass(*passed, _TRANSFORM_INNER, _FINE_THRESHOLD, unused)
        return float(np.log(best_concentration(gamma)))

    x = float(np.log(alpha))
    for _ in range(_MOST_TURNS):
        first = turn(x)
        second = turn(first)
        r, v = first - x, second - 2.0 * first + x
        step = min(max(-r / v, 1.0), _LONGEST_STEP) if v != 0.0 else 1.0
        before, x = x, float(np.clip(x + 2.0 * step * r + step * step * v, np.log(LEAST_ALPHA), np.log(MOST_ALPHA)))
        if abs(x - before) < _ALPHA_TOLERANCE:
            break
    return float(np.exp(x))


def infer_proportions(rows: sparse.csr_array, topics: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Return the topic proportions of documents by second-order collapsed variational Bayes with the topics fixed."""
    by_word = np.ascontiguousarray(topics.T)
    none = np.zeros_like(by_word)
    numbers = _begun(None, rows, len(topics))
    passed = rows.indptr, rows.indices, rows.data, by_word, none, alpha, numbers, _TRANSFORM_INNER
    collapsed_pass(*passed, none.copy(), none.copy())
    numbers += alpha
    return numbers / numbers.sum(axis=1, keepdims=True)


def means(posterior: Posterior) -> NDArray[np.float64]:
    """Return the topics, one in each row, of Dirichlet posteriors, one in each column."""
    return np.ascontiguousarray((posterior / posterior.sum(axis=0)).T)
