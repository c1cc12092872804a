"""Geometric Dirichlet Means: cluster the documents, then extend the centroids to topics."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.base import TopicEstimator, make_generator, one_blas_thread
from gdmbench.geometry.counts import filled_rows, label_all, normalise_rows, squared_norms
from gdmbench.geometry.kmeans import Clustering, weighted_kmeans
from gdmbench.parameters import check_whole

# A centroid this much nearer the centre than the centre is to the origin has no direction but rounding.
_ON_CENTER = 1e-10


def default_extensions(
    points: sparse.csr_array,
    labels: NDArray[np.int64],
    center: NDArray[np.float64],
    centroids: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return m_k = R_k / ||C - mu_k||, with R_k the distance from the centre to the farthest document of the cluster.

    A centroid on the centre shows no direction in which to extend; its m_k is 1, which leaves it where it is.
    """
    radii = np.zeros(len(centroids))
    np.maximum.at(radii, labels, np.sqrt(np.maximum(squared_norms(points, center), 0.0)))
    distances = np.linalg.norm(centroids - center, axis=1)
    off_center = distances > _ON_CENTER * np.linalg.norm(center)
    extensions = np.ones(len(centroids))
    np.divide(radii, distances, out=extensions, where=off_center)
    return np.maximum(extensions, 1.0)  # a mean is never farther out than its farthest point, but for rounding


def weighted_mean(points: sparse.csr_array, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the centre of the documents."""
    return points.T @ weights / weights.sum()


def extend(
    center: NDArray[np.float64], centroids: NDArray[np.float64], extensions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the topics C + m_k (mu_k - C), cut to the vocabulary simplex by thresholding and renormalising."""
    topics = center + extensions[:, None] * (centroids - center)
    np.maximum(topics, 0.0, out=topics)
    topics /= topics.sum(axis=1, keepdims=True)
    return topics


class GeometricEstimator(TopicEstimator):
    """What GDM and its variants share: cluster the documents, then extend the centroids to topics."""

    weighted: bool
    random_state: Any
    center_: NDArray[np.float64]
    centroids_: NDArray[np.float64]
    labels_: NDArray[np.int64]
    extensions_: NDArray[np.float64]
    inertia_: float

    @one_blas_thread
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts. Empty documents are left out of the fit.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        counts = self._read_counts(X, reset=True, as_given=True)
        self._check_parameters(counts)
        counts, filled = filled_rows(counts)
        points, lengths = normalise_rows(counts)
        weights = lengths if self.weighted else np.ones(len(lengths))
        center = weighted_mean(points, weights)
        clustering = self._cluster(points, weights, center, make_generator(self.random_state))
        extensions = default_extensions(points, clustering.labels, center, clustering.centroids)
        self.extensions_ = self._tune(points, lengths, center, clustering, extensions)
        self.center_ = center
        self.centroids_ = clustering.centroids
        self.inertia_ = clustering.inertia
        self.labels_ = label_all(clustering.labels, filled)
        self.components_ = extend(center, self.centroids_, self.extensions_)
        return self

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        """Refuse parameters that make no sense, or not with these documents; every variant has its own."""
        raise NotImplementedError

    def _cluster(
        self,
        points: sparse.csr_array,
        weights: NDArray[np.float64],
        center: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> Clustering:
        """Cluster the normalised documents; every variant does this in its own way."""
        raise NotImplementedError

    def _tune(
        self,
        points: sparse.csr_array,
        lengths: NDArray[np.float64],
        center: NDArray[np.float64],
        clustering: Clustering,
        extensions: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Choose the extensions, given the default ones; GDM itself keeps these."""
        return extensions


class GDM(GeometricEstimator):
    """Geometric Dirichlet Means: topics as extended centroids of weighted k-means.

    Documents, as relative word frequencies, are points near the topic polytope. Their k-means centroids, pushed away
    from the centre C as far as the farthest document of their cluster, estimate its vertices:
    ``beta_k = C + m_k (mu_k - C)`` with ``m_k = R_k / ||C - mu_k||``, negative entries cut to 0, rows renormalised.

    Parameters
    ----------
    n_topics : int
        Number of topics, at most the number of non-empty documents; more topics than words are allowed.
    weighted : bool, default=True
        Weigh documents by their lengths, in the centre and in k-means.
    n_restarts : int, default=10
        Number of k-means++ starts, each run to an optimum of single moves in a reduced space.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics, bit for bit.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    center_ : ndarray of shape (n_words,)
        Centre of the documents.
    centroids_ : ndarray of shape (n_topics, n_words)
        k-means centroids.
    labels_ : ndarray of shape (n_documents,)
        Cluster of each document, -1 for an empty document. No cluster is empty, and no move of a single document
        lowers the inertia.
    extensions_ : ndarray of shape (n_topics,)
        The m_k, at least 1. A centroid on the centre (as with one topic, or equal documents) is not extended: 1.
    inertia_ : float
        Weighted sum of squared distances of documents to their centroids.
    n_features_in_ : int
        Number of words.

    References
    ----------
    M. Yurochkin and X. Nguyen (2016). Geometric Dirichlet Means algorithm for topic inference. NIPS.

    Examples
    --------
    >>> from gdmbench import GDM, simulate_lda
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, random_state=0)
    >>> gdm = GDM(3, random_state=0).fit(data.train)
    >>> gdm.components_.shape
    (3, 50)
    >>> gdm.transform(data.heldout).shape
    (100, 3)
    """

    def __init__(
        self,
        n_topics: int,
        *,
        weighted: bool = True,
        n_restarts: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.weighted = weighted
        self.n_restarts = n_restarts
        self.random_state = random_state

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        self._check_topics_asked(counts)
        check_whole("n_restarts", self.n_restarts)

    def _cluster(
        self,
        points: sparse.csr_array,
        weights: NDArray[np.float64],
        center: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> Clustering:
        return weighted_kmeans(points, weights, self.n_topics, n_restarts=self.n_restarts, rng=rng)
