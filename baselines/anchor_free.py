"""AnchorFree: topics as the largest volume that word co-occurrence allows, by linear programs."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from baselines._simplex import Floats, frequent_words, leading_axes, nonnegative_weights, on_simplex, pairs_with
from gdmbench.geometry.base import TopicEstimator, one_blas_thread
from gdmbench.parameters import check_whole

_TOLERANCE = 1e-6  # by which a round must enlarge the volume


class AnchorFree(TopicEstimator):
    """AnchorFree (Huang, Fu and Sidiropoulos): co-occurrence factorised so that the topics' volume is largest.

    Assumes proportions, or rather topics, that are scattered enough: weaker than an anchor word for each topic. The
    co-occurrence of words is ``P = B B'``, and topics are the columns of ``B G`` that are non-negative and sum to 1
    with the largest determinant of G. One column of G at a time the determinant is linear, so that two linear programs
    find its best value.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.
    most_words : int, default=1000
        The programs are over so many words, those in the most documents. The probabilities of the others are the
        non-negative least-squares fit of their co-occurrences with these.
    n_rounds : int, default=12
        Most rounds over the columns; fewer if the volume stays the same.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.

    References
    ----------
    K. Huang, X. Fu and N. D. Sidiropoulos (2016). Anchor-free correlated topic modeling: identifiability and
    algorithm. NIPS.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.anchor_free import AnchorFree
    >>> data = simulate_lda(1000, 100, n_words=50, n_topics=3, random_state=0)
    >>> AnchorFree(3).fit(data.train).components_.shape
    (3, 50)
    """

    def __init__(self, n_topics: int = 5, *, most_words: int = 1000, n_rounds: int = 12) -> None:
        self.n_topics = n_topics
        self.most_words = most_words
        self.n_rounds = n_rounds

    @one_blas_thread
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts; documents of fewer than two words are left out."""
        counts = self._read_counts(X, reset=True)
        self._check_topics_asked(counts)
        check_whole("most_words", self.most_words, least=self.n_topics)
        check_whole("n_rounds", self.n_rounds)
        frequent = frequent_words(counts, self.most_words)
        p = pairs_with(counts, frequent, np.eye(len(frequent)))[frequent]
        axes, values = leading_axes(lambda block: p @ block, len(p), self.n_topics, "The co-occurrence of words")
        b = axes * np.sqrt(values)
        g = enlarge(b, self.n_rounds)
        inverse = np.linalg.inv(g)
        # P = (B G) (G^-1 G^-T) (B G)': what words occur with is their row of topics times this.
        basis = inverse @ inverse.T @ (b @ g).T
        directions, upper = np.linalg.qr(basis.T)
        rows = nonnegative_weights(pairs_with(counts, frequent, directions), upper.T)
        rows[frequent] = np.maximum(b @ g, 0.0)  # all on the scale of these
        self.components_ = on_simplex(rows.T)
        return self


def enlarge(b: Floats, n_rounds: int) -> Floats:
    """Return the G with the largest absolute determinant of those where B G is non-negative and its columns sum to 1.

    It starts from the identity, which need not be one of them; after a round every column is.
    """
    n = b.shape[1]
    g, volume = np.eye(n), 0.0
    for _ in range(n_rounds):
        for k in range(n):
            rest = np.delete(g, k, axis=1)
            cofactors = np.array([(-1.0) ** (i + k) * np.linalg.det(np.delete(rest, i, axis=0)) for i in range(n)])
            size = float(np.abs(cofactors).max())
            if not size > 0:
                raise ValueError(_without(n))
            ends = [_program(b, sign * cofactors / size) for sign in (1.0, -1.0)]
            g[:, k] = max(ends, key=lambda end: abs(float(cofactors @ end)))
        before, volume = volume, abs(float(np.linalg.det(g)))
        if volume <= before * (1.0 + _TOLERANCE):
            break
    return g


def _program(b: Floats, costs: NDArray[np.float64]) -> Floats:
    """Return the column of G where the costs are least."""
    found = linprog(costs, A_ub=-b, b_ub=np.zeros(len(b)), A_eq=b.sum(axis=0)[None], b_eq=[1.0], bounds=(None, None))
    if found.status != 0:
        raise ValueError(_without(b.shape[1]))
    return np.asarray(found.x)


def _without(n_topics: int) -> str:
    return (
        f"The linear programs of AnchorFree have no solution for n_topics={n_topics}: ask for fewer topics, or pass "
        "more documents."
    )
