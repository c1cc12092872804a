"""scikit-learn's mini-batch k-means as a topic estimator: what people would take for very many documents."""

from typing import Any, Self

import numpy as np
from sklearn.cluster import MiniBatchKMeans

from gdmbench.geometry.base import TopicEstimator, make_generator
from gdmbench.geometry.counts import normalise_rows


class MiniBatchCentroids(TopicEstimator):
    """Centroids of scikit-learn's mini-batch k-means on word frequencies, weighted by lengths: no extension.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.

    References
    ----------
    D. Sculley (2010). Web-scale k-means clustering. WWW.

    Examples
    --------
    >>> from baselines.adapters.minibatch_kmeans import MiniBatchCentroids
    >>> from gdmbench import simulate_lda
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, random_state=0)
    >>> MiniBatchCentroids(3, random_state=0).fit(data.train).components_.shape
    (3, 50)
    """

    def __init__(self, n_topics: int, *, random_state: Any = None) -> None:
        self.n_topics = n_topics
        self.random_state = random_state

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts."""
        counts = self._read_counts(X, reset=True)
        self._check_topics_asked(counts)
        points, lengths = normalise_rows(counts[np.diff(counts.indptr) > 0])
        seed = int(make_generator(self.random_state).integers(2**31))
        kmeans = MiniBatchKMeans(self.n_topics, n_init=3, random_state=seed).fit(points, sample_weight=lengths)
        self.components_ = kmeans.cluster_centers_ / kmeans.cluster_centers_.sum(axis=1, keepdims=True)
        return self
