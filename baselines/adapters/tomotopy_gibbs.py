"""The collapsed Gibbs sampler of the package `tomotopy` as a method."""

from typing import Any, Self

import numpy as np
import tomotopy
from numpy.typing import NDArray

from gdmbench.geometry.counts import check_indices


class TomotopyGibbs:
    """LDA by `tomotopy.LDAModel`: topics from the last sweep, proportions of unseen documents by its `infer`.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    alpha, eta : float
        Dirichlet parameters of the proportions and of the topics, kept as they are.
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
        seed = {} if self.random_state is None else {"seed": self.random_state}
        model = tomotopy.LDAModel(k=self.n_topics, alpha=self.alpha, eta=self.eta, **seed)
        model.optim_interval = 0
        for words in filter(None, _documents(X)):
            model.add_doc(words)
        model.train(self.n_sweeps, workers=1)
        self.components_ = np.zeros((self.n_topics, X.shape[1]))
        columns = [int(word) for word in model.used_vocabs]
        self.components_[:, columns] = [model.get_topic_word_dist(topic) for topic in range(self.n_topics)]
        self._saved = model.saves(full=False)  # the model itself can't be pickled
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return topic proportions, equal ones for a document without a known word, which would crash tomotopy."""
        model = tomotopy.LDAModel.loads(self._saved)
        known = set(model.used_vocabs)
        documents = [[word for word in words if word in known] for words in _documents(X)]
        proportions = np.full((X.shape[0], self.n_topics), 1 / self.n_topics)
        filled = [row for row, words in enumerate(documents) if words]
        proportions[filled] = model.infer([model.make_doc(documents[row]) for row in filled], workers=1)[0]
        return proportions


def _documents(X: Any) -> list[list[str]]:
    """Return each document as a list of words, the columns' numbers."""
    check_indices(X)
    names = np.arange(X.shape[1]).astype(str)
    rows = zip(X.indptr, X.indptr[1:], strict=False)
    return [np.repeat(names[X.indices[start:end]], X.data[start:end]).tolist() for start, end in rows]
