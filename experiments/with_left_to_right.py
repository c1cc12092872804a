"""Any method, with the left-to-right likelihood of the held-out documents in its record."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from gdmbench.geometry.base import TopicEstimator
from gdmbench.geometry.halves import smoothed_topics
from gdmbench.measures.left_to_right import left_to_right


class WithLeftToRight(TopicEstimator):
    """A method that also reports how likely its topics make unseen documents, from left to right.

    Parameters
    ----------
    estimator : estimator
        The method.
    alpha : float, default=0.1
        Dirichlet parameter of the proportions, the same for every method.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics, as the method gives them.
    """

    def __init__(self, estimator: Any, *, alpha: float = 0.1) -> None:
        self.estimator = estimator
        self.alpha = alpha

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics."""
        self._read_counts(X, reset=True)
        self.fitted_ = clone(self.estimator, safe=False).fit(X)
        self.components_ = np.asarray(self.fitted_.components_)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the method's own topic proportions."""
        weights: NDArray[np.float64] = self.fitted_.transform(X)
        return weights

    def heldout_record(self, heldout: Any) -> dict[str, float]:
        """Return ``left_to_right``, the mean log-likelihood of a word."""
        topics = self.components_ / self.components_.sum(axis=1, keepdims=True)
        likelihoods = left_to_right(heldout, smoothed_topics(topics, self.word_frequencies_), self.alpha)
        return {"left_to_right": float(likelihoods.sum() / heldout.sum())}
