"""SPOC: topics as the documents at the corners of the simplex that singular vectors show."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from baselines._simplex import leading_axes, on_simplex, successive_projection
from gdmbench.geometry.base import TopicEstimator, one_blas_thread
from gdmbench.geometry.counts import filled_rows, normalise_rows


class SPOC(TopicEstimator):
    """Successive projection overlapping clustering: each topic is the denoised word distribution of one document.

    Assumes that each topic has a document that is nearly pure. The frequencies of words are projected onto as many
    leading singular vectors as there are topics; successive projection takes the documents farthest out. Their
    projections, negative entries cut to 0, are the topics.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    documents_ : ndarray of shape (n_topics,)
        The document taken for each topic, numbered as in the matrix given.
    n_features_in_ : int
        Number of words.

    Notes
    -----
    Documents count alike, however short they are, and a short document may lie far out by chance.

    References
    ----------
    O. Klopp, M. Panov, S. Sigalla and A. B. Tsybakov (2023). Assigning topics to documents by successive projections.
    Annals of Statistics 51.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.spoc import SPOC
    >>> data = simulate_lda(200, 1000, n_words=50, n_topics=3, random_state=0)
    >>> SPOC(3).fit(data.train).components_.shape
    (3, 50)
    """

    documents_: NDArray[np.intp]

    def __init__(self, n_topics: int = 5) -> None:
        self.n_topics = n_topics

    @one_blas_thread
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts; empty documents are left out."""
        counts, filled = filled_rows(self._read_counts(X, reset=True))
        self._check_topics_asked(counts)
        points, _ = normalise_rows(counts)
        axes, values = leading_axes(
            lambda block: points.T @ (points @ block), counts.shape[1], self.n_topics, "The matrix of documents"
        )
        # Projections of documents, W = U S V', so that W V = U S; rows of U are corners where those of W are.
        projected = points @ axes
        corners = successive_projection(projected / np.sqrt(values), self.n_topics)
        self.documents_ = np.flatnonzero(filled)[corners]
        self.components_ = on_simplex(projected[corners] @ axes.T)
        return self
