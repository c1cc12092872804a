"""A method that gets its documents in blocks, as if they did not fit into memory."""

from typing import Any, Self

from sklearn.base import clone

from gdmbench.geometry.base import TopicEstimator
from gdmbench.parameters import check_whole


class InBlocks(TopicEstimator):
    """A method fitted to blocks of documents instead of one matrix.

    Parameters
    ----------
    estimator : estimator
        The method, which must take blocks, such as `gdmbench.RefinedGDM`.
    n_rows : int, default=10000
        Documents of a block.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics.
    """

    def __init__(self, estimator: Any, *, n_rows: int = 10_000) -> None:
        self.estimator = estimator
        self.n_rows = n_rows

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics."""
        check_whole("n_rows", self.n_rows)
        counts = self._read_counts(X, reset=True)
        blocks = [counts[first : first + self.n_rows] for first in range(0, counts.shape[0], self.n_rows)]
        self.components_ = clone(self.estimator, safe=False).fit(blocks).components_
        return self
