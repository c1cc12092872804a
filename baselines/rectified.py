"""Rectified anchor words: RecoverKL on a co-occurrence matrix made one that a topic model can have."""

from typing import Any, Self

import numpy as np

from baselines._recover_kernels import recover_weights
from baselines._simplex import Floats, frequent_words, leading_axes, on_simplex, pairs_with
from baselines.recover_kl import RecoverKL, condition, find_anchors
from gdmbench.geometry.base import one_blas_thread
from gdmbench.parameters import check_whole

_STILL = 1e-7  # a round that changes the matrix by less, as a share of its norm, is the last


class RectifiedAnchors(RecoverKL):
    """RecoverKL after rectification of the co-occurrence (Lee, Bindel and Mimno 2015).

    Assumes an anchor word for each topic, as RecoverKL does. Noise gives the co-occurrence of words a full rank and
    negative eigenvalues, and anchors are then rare words far out. In turns, the matrix is replaced by the nearest one
    of rank K without negative eigenvalues, the nearest that sums to 1, and the nearest without negative entries. Which
    words may be anchors, and how others are recovered, is as RecoverKL has it by default.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics, hence of anchors.
    most_words : int, default=2000
        Words, those in the most documents, whose co-occurrence is rectified and among which anchors are. Others are
        recovered from how they occur with these.
    n_rounds : int, default=100
        Most turns; fewer when the matrix hardly changes.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    anchors_ : ndarray of shape (n_topics,)
        Columns of the anchor words, in the order found.
    gaps_ : ndarray of shape (n_words,)
        Primal-dual gap reached for each word.
    record_ : dict
        `anchors`, `largest_gap` and `n_rounds`, the turns made.

    References
    ----------
    M. Lee, D. Bindel and D. Mimno (2015). Robust spectral inference for joint stochastic matrix factorization. NIPS.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.rectified import RectifiedAnchors
    >>> data = simulate_lda(1000, 100, n_words=50, n_topics=3, anchors=True, random_state=0)
    >>> RectifiedAnchors(3).fit(data.train).components_.shape == data.topics.shape
    True
    """

    def __init__(self, n_topics: int = 5, *, most_words: int = 2000, n_rounds: int = 100) -> None:
        super().__init__(n_topics)
        self.most_words = most_words
        self.n_rounds = n_rounds

    @one_blas_thread
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts; documents of fewer than two words are left out."""
        counts = self._read_counts(X, reset=True)
        self._check_topics_asked(counts)
        check_whole("n_rounds", self.n_rounds)
        check_whole("most_words", self.most_words, least=self.n_topics)
        frequent = frequent_words(counts, self.most_words)
        pairs = pairs_with(counts, frequent, np.eye(len(frequent)))
        total = pairs[frequent].sum()
        rectified, n_rounds = rectify(pairs[frequent] / total, self.n_topics, self.n_rounds)
        pairs[frequent] = rectified * total
        rows, marginal = condition(pairs)
        candidates = np.flatnonzero(np.isin(frequent, self._candidates(counts)) & (marginal[frequent] > 0))
        self.anchors_ = frequent[find_anchors(rows[frequent], candidates, self.n_topics)]
        weights, self.gaps_ = recover_weights(rows, rows[self.anchors_], self.tol, self.max_steps)
        self.components_ = on_simplex((weights * marginal[:, None]).T)
        largest = float(self.gaps_.max())
        self.record_ = {"anchors": self.anchors_.tolist(), "largest_gap": largest, "n_rounds": n_rounds}
        return self


def rectify(pairs: Floats, rank: int, n_rounds: int) -> tuple[Floats, int]:
    """Return a matrix near one that is non-negative, sums to 1 and is positive semi-definite of a rank; and the turns.

    Where it has to be cut the entries are non-negative and sum to 1 to rounding, and the rank is nearly that.
    """
    for turn in range(n_rounds):  # noqa: B007 (it is returned)
        before = pairs
        axes, values = leading_axes(before.__matmul__, len(pairs), rank, "The co-occurrence of words")
        pairs = (axes * values) @ axes.T
        pairs = pairs + (1.0 - pairs.sum()) / pairs.size
        pairs = np.maximum(0.5 * (pairs + pairs.T), 0.0)
        if np.linalg.norm(pairs - before) <= _STILL * np.linalg.norm(before):
            break
    return pairs / pairs.sum(), turn + 1
