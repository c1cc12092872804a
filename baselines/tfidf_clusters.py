"""Clusters of tf-idf: the words of documents that k-means puts together, a strong start on real text."""

from typing import Any, Self

from gdmbench.geometry.base import TopicEstimator, make_generator
from gdmbench.geometry.counts import filled_rows
from gdmbench.geometry.starts import cluster_topics, tfidf_points


class TfidfClusters(TopicEstimator):
    """Topics as the word frequencies of clusters of documents.

    Documents are directions in the leading singular vectors of sublinear tf-idf, where k-means divides them.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics, bit for bit.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    n_features_in_ : int
        Number of words.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.tfidf_clusters import TfidfClusters
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, random_state=0)
    >>> TfidfClusters(3, random_state=0).fit(data.train).components_.shape
    (3, 50)
    """

    def __init__(self, n_topics: int = 5, *, random_state: Any = None) -> None:
        self.n_topics = n_topics
        self.random_state = random_state

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts. Empty documents are left out.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        counts = self._read_counts(X, reset=True)
        self._check_topics_asked(counts)
        filled, _ = filled_rows(counts)
        axes_seed, clusters_seed = make_generator(self.random_state).integers(2**31, size=2)
        points = tfidf_points(filled, self.n_topics, int(axes_seed))
        self.components_ = cluster_topics(filled, points, self.n_topics, int(clusters_seed))
        return self
