"""Nonparametric GDM, which finds the number of topics, as a scikit-learn estimator."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.counts import squared_norms
from gdmbench.geometry.dp_means import DPMeans
from gdmbench.geometry.gdm import GeometricEstimator
from gdmbench.geometry.kmeans import Clustering
from gdmbench.parameters import check_positive

_LEAST_PENALTY = 1e-12  # where all documents are alike, and rounding is all that they cost


class NonparametricGDM(GeometricEstimator):
    """Nonparametric Geometric Dirichlet Means (nGDM): GDM that finds the number of topics.

    Weighted DP-means takes the place of k-means: every cluster costs a penalty, so that a document opens a cluster of
    its own when its weighted squared distance to all centroids is larger. The centroids are then extended to topics as
    by `GDM`.

    Parameters
    ----------
    penalty : float or None, default=None
        Price of a topic, positive. With `weighted` it is compared with ``N_m ||w_m - mu_k||^2``, of which sampling
        noise alone makes up to about 1 whatever the length of the document. None: what the costliest document costs
        when all are in one cluster, ``max N_m ||w_m - C||^2``. In a regular simplex with documents at its corners,
        these would cost more than that at another corner, and all other documents cost less at the nearest one, so that
        every corner and nothing else opens a cluster. Where noise makes up most of that cost, too few topics are found.
    n_topics : int or None, default=None
        Instead of a penalty: the number of topics for which to find one.
    weighted : bool, default=True
        Weigh documents by their lengths, in the centre and in the clustering.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics, bit for bit.

    Attributes
    ----------
    n_topics_ : int
        Number of topics found.
    penalty_ : float
        The penalty used.
    components_ : ndarray of shape (n_found, n_words)
        Topics; rows on the simplex.
    center_ : ndarray of shape (n_words,)
        Centre of the documents.
    centroids_ : ndarray of shape (n_found, n_words)
        Cluster centroids.
    labels_ : ndarray of shape (n_documents,)
        Cluster of each document, -1 for an empty document. No single document lowers the penalised inertia by going to
        another cluster or to one of its own.
    extensions_ : ndarray of shape (n_found,)
        The m_k, at least 1.
    inertia_ : float
        Weighted sum of squared distances of documents to their centroids, without penalties.
    n_features_in_ : int
        Number of words.

    References
    ----------
    M. Yurochkin and X. Nguyen (2016). Geometric Dirichlet Means algorithm for topic inference. NIPS.
    B. Kulis and M. I. Jordan (2012). Revisiting k-means: new algorithms via Bayesian nonparametrics. ICML.

    Examples
    --------
    >>> from gdmbench import NonparametricGDM, simulate_lda
    >>> data = simulate_lda(200, 1000, n_words=50, n_topics=3, random_state=0)
    >>> NonparametricGDM(random_state=0).fit(data.train).n_topics_
    3
    """

    n_topics_: int
    penalty_: float

    def __init__(
        self,
        penalty: float | None = None,
        *,
        n_topics: int | None = None,
        weighted: bool = True,
        random_state: Any = None,
    ) -> None:
        self.penalty = penalty
        self.n_topics = n_topics
        self.weighted = weighted
        self.random_state = random_state

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        if self.n_topics is not None:
            if self.penalty is not None:
                raise ValueError(
                    "Pass penalty, the price of a topic, or n_topics, the number of topics to find one for, not both: "
                    f"penalty={self.penalty!r} and n_topics={self.n_topics!r}."
                )
            self._check_topics_asked(counts)
            return
        if self.penalty is not None:
            check_positive("penalty", self.penalty)
        if counts.nnz == 0:
            raise ValueError(
                f"No topics can be found in n_samples={counts.shape[0]} documents that are all empty: pass some words."
            )

    def _cluster(
        self,
        points: sparse.csr_array,
        weights: NDArray[np.float64],
        center: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> Clustering:
        dp_means = DPMeans(points, weights, int(rng.integers(2**63)))
        if self.n_topics is not None:
            self.penalty_, clustering = dp_means.find_penalty(self.n_topics)
        else:
            dearest = float((weights * squared_norms(points, center)).max())
            self.penalty_ = max(dearest, _LEAST_PENALTY) if self.penalty is None else float(self.penalty)
            clustering = dp_means.cluster(self.penalty_)
        self.n_topics_ = len(clustering.centroids)
        return clustering
