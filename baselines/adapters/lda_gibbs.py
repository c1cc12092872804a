"""The collapsed Gibbs sampler of the package `lda` as a method."""

import logging
from typing import Any, Self

import lda
import numpy as np
from numpy.typing import NDArray

from gdmbench.geometry.counts import check_indices

# lda turns on everybody's log messages unless its logger has a handler besides its own.
logging.getLogger("lda").addHandler(logging.NullHandler())


class LdaGibbs:
    """LDA by `lda.LDA`: topics from the last sweep, proportions of unseen documents by iterated pseudo-counts.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    alpha, eta : float
        Dirichlet parameters of the proportions and of the topics.
    n_sweeps : int
        Passes over all tokens.
    random_state : int or None
        Seed.
    """

    def __init__(
        self, n_topics: int, *, alpha: float = 0.1, eta: float = 0.1, n_sweeps: int = 200, random_state: Any = None
    ) -> None:
        self.n_topics = n_topics
        self.alpha = alpha
        self.eta = eta
        self.n_sweeps = n_sweeps
        self.random_state = random_state

    def fit(self, X: Any) -> Self:
        """Sample the topics of a sparse matrix of whole numbers."""
        check_indices(X)
        self.model_ = lda.LDA(self.n_topics, self.n_sweeps, self.alpha, self.eta, self.random_state)
        self.components_: NDArray[np.float64] = self.model_.fit(X).components_
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return topic proportions, equal ones for an empty document, which lda leaves unset."""
        check_indices(X)
        proportions: NDArray[np.float64] = self.model_.transform(X)
        proportions[X.sum(axis=1) == 0] = 1 / self.n_topics
        return proportions
