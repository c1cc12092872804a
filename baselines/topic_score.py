"""Topic-SCORE: topics as the corners of a simplex of words, in ratios of singular vectors."""

import warnings
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from baselines._simplex import Floats, barycentric, leading_axes, on_simplex, simplex_corners
from gdmbench.geometry.base import TopicEstimator, make_generator, one_blas_thread
from gdmbench.geometry.counts import filled_rows, normalise_rows
from gdmbench.parameters import check_whole


class TopicSCORE(TopicEstimator):
    """Topic-SCORE (Ke and Wang): each word is a point in a simplex that has a corner for each topic.

    Assumes that each topic has an anchor word, which occurs in no other topic. Words are scaled by the root of their
    mean frequency, and the leading singular vectors of the documents divided by the first, entry by entry. Anchor
    words then lie at the corners; k-means averages words, and successive projection takes corners among its centres. A
    word's barycentric coordinates, with the scaling undone, give the topics.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.
    clusters_per_topic : int, default=10
        Clusters of words, for each topic, among whose centres the corners are.
    random_state : int, Generator, RandomState or None, default=None
        Of k-means. Same seed, same topics.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    n_features_in_ : int
        Number of words.

    References
    ----------
    Z. T. Ke and M. Wang (2024). Using SVD for topic modeling. Journal of the American Statistical Association 119.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.topic_score import TopicSCORE
    >>> data = simulate_lda(200, 1000, n_words=50, n_topics=3, random_state=0)
    >>> TopicSCORE(3, random_state=0).fit(data.train).components_.shape
    (3, 50)
    """

    def __init__(self, n_topics: int = 5, *, clusters_per_topic: int = 10, random_state: Any = None) -> None:
        self.n_topics = n_topics
        self.clusters_per_topic = clusters_per_topic
        self.random_state = random_state

    @one_blas_thread
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts; empty documents are left out, words that never occur get 0."""
        counts = filled_rows(self._read_counts(X, reset=True))[0]
        self._check_topics_asked(counts)
        check_whole("clusters_per_topic", self.clusters_per_topic)
        points, _ = normalise_rows(counts)
        mean = points.sum(axis=0) / points.shape[0]
        occurs = np.flatnonzero(mean)
        scales = np.sqrt(mean[occurs])
        scaled = points[:, occurs] @ sparse.diags_array(1.0 / scales)  # Y = W diag(mean)^(-1/2)
        axes, _ = leading_axes(
            lambda block: scaled.T @ (scaled @ block), len(occurs), self.n_topics, "The matrix of scaled documents"
        )
        first = np.maximum(axes[:, 0], np.finfo(float).tiny)  # positive but for rounding
        limit = np.log(max(points.shape[0], 2))
        ratios = np.clip(axes[:, 1:] / first[:, None], -limit, limit)
        weights = barycentric(ratios, self._corners(ratios))
        self.components_ = np.zeros((self.n_topics, counts.shape[1]))
        self.components_[:, occurs] = on_simplex((weights * (scales * first)[:, None]).T)
        return self

    def _corners(self, ratios: Floats) -> Floats:
        """Return the corners among centres of clusters; few words are their own centres."""
        n_clusters, centers = self.clusters_per_topic * self.n_topics, ratios
        if len(ratios) > n_clusters and self.n_topics > 1:
            seed = int(make_generator(self.random_state).integers(2**31))
            with warnings.catch_warnings():  # words that are alike may be fewer points than clusters
                warnings.simplefilter("ignore", ConvergenceWarning)
                centers = KMeans(n_clusters, n_init=3, random_state=seed).fit(ratios).cluster_centers_
        return np.asarray(centers[simplex_corners(centers, self.n_topics)])
