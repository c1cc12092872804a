"""One chain of collapsed Gibbs sampling, that can be run on; and labels drawn with the topics fixed."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from baselines._gibbs_kernels import (
    BLOCK,
    add_topics,
    count_labels,
    joint_log_likelihood,
    label_documents,
    log_rising,
    sweep,
)
from baselines._tokens import Tokens

_START_SWEEPS = 10  # with given topics fixed, before the labels are set free
# A token's own topic weighs at least about alpha * eta of what it does with the token, so that subtracting the one and
# adding the other keeps 8 digits down to this; below it the sampler has to look out for cancellation.
_SAFE_PRODUCT = 1e-8
_CANCELLED = 1e-6


class Chain:
    """Labels of all tokens, and the counts that follow from them.

    Parameters
    ----------
    tokens : Tokens
        The documents.
    n_topics, alpha, eta
        Number of topics and the symmetric Dirichlet parameters.
    start : ndarray of shape (n_topics, n_words) or None
        Topics, all positive, to draw the first labels with; None: at random.
    seed : ndarray of two uint64
        For the first labels, and for the sweeps.
    """

    def __init__(
        self,
        tokens: Tokens,
        n_topics: int,
        alpha: float,
        eta: float,
        start: NDArray[np.float64] | None,
        seed: NDArray[np.uint64],
    ) -> None:
        if start is None:
            labels = np.random.default_rng(seed).integers(n_topics, size=tokens.total, dtype=np.uint16)
        else:
            labels, _ = draw_labels(tokens, start, alpha, _START_SWEEPS, 0, seed[0])
        n_padded = -(-n_topics // BLOCK) * BLOCK
        self.doc_topic = np.zeros((len(tokens.lengths), n_padded))
        self.word_topic = np.zeros((tokens.n_words, n_padded), np.int32)
        topic_total = np.zeros(n_padded)
        self._state = self.doc_topic, self.word_topic, topic_total
        count_labels(tokens.indptr, tokens.words, tokens.counts, labels, *self._state)
        self._sums = np.zeros((tokens.n_words, n_topics))
        self._tokens = tokens
        self._labels = labels
        self._parameters = n_topics, alpha, eta
        self._random = seed[1:].copy()

    def run(self, n_sweeps: int, *, average: bool) -> Iterator[float]:
        """Sweep over all tokens again and again; yield the joint log-likelihood after each sweep."""
        tokens, (n_topics, alpha, eta) = self._tokens, self._parameters
        cancelled = None if alpha * eta > _SAFE_PRODUCT else _CANCELLED
        rising = (
            log_rising(alpha, int(tokens.lengths.max())),
            log_rising(eta, int(self.word_topic.sum(axis=1).max())),
        )
        pairs = tokens.indptr, tokens.words, tokens.counts
        for _ in range(n_sweeps):
            sweep(*pairs, self._labels, *self._state, n_topics, alpha, eta, self._random, cancelled)
            if average:
                add_topics(self._sums, self.word_topic, self._state[2], eta)
            yield joint_log_likelihood(*self._state, tokens.lengths, n_topics, alpha, eta, *rising)

    @property
    def topics(self) -> NDArray[np.float64]:
        """Topics averaged over the sweeps run with `average`."""
        return np.ascontiguousarray((self._sums / self._sums.sum(axis=0)).T)


def draw_labels(
    tokens: Tokens, topics: NDArray[np.float64], alpha: float, n_sweeps: int, burn_in: int, seed: np.uint64
) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
    """Sample labels of all tokens with the topics fixed; return the last ones and the mean proportions."""
    labels = np.zeros(tokens.total, np.uint16)
    proportions = np.zeros((len(tokens.lengths), len(topics)))
    pairs = tokens.indptr, tokens.words, tokens.counts
    topics_of_word = np.ascontiguousarray(topics.T)
    label_documents(*pairs, topics_of_word, alpha, n_sweeps, burn_in, np.uint64(seed), labels, proportions)
    return labels, proportions
