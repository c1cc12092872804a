"""Probabilistic latent semantic analysis by expectation maximisation."""

import numpy as np
from scipy import sparse


class PLSA:
    """Topics and proportions that maximise the likelihood of the words, with no prior on either.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    n_iterations : int
        Steps of expectation maximisation.
    random_state : int or None
        Seed of the start.

    References
    ----------
    T. Hofmann (1999). Probabilistic latent semantic indexing. SIGIR.
    """

    def __init__(self, n_topics: int, *, n_iterations: int = 100, random_state: int | None = None) -> None:
        self.n_topics = n_topics
        self.n_iterations = n_iterations
        self.random_state = random_state

    def fit(self, X):
        """Find the topics of a sparse matrix of word counts."""
        rng = np.random.default_rng(self.random_state)
        self.components_ = rng.dirichlet(np.ones(X.shape[1]), size=self.n_topics)
        self._climb(X, rng.dirichlet(np.ones(self.n_topics), size=X.shape[0]), learn_topics=True)
        return self

    def transform(self, X):
        """Return the topic proportions of documents, the topics kept as they are."""
        return self._climb(X, np.full((X.shape[0], self.n_topics), 1 / self.n_topics), learn_topics=False)

    def _climb(self, X, proportions, learn_topics):
        documents, words = X.nonzero()
        counts = np.asarray(X[documents, words]).ravel()
        for _ in range(self.n_iterations):
            expected = np.einsum("ik,ki->i", proportions[documents], self.components_[:, words])
            ratio = sparse.csr_array((counts / np.maximum(expected, 1e-300), (documents, words)), shape=X.shape)
            topics = self.components_ * (ratio.T @ proportions).T
            proportions = proportions * (ratio @ self.components_.T + 1e-12)  # keeps an empty document's as they are
            proportions /= proportions.sum(axis=1, keepdims=True)
            if learn_topics:
                self.components_ = topics / topics.sum(axis=1, keepdims=True)
        return proportions
