"""Nonparametric GDM, which finds the number of topics, as a scikit-learn estimator."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.dp_means import DPMeans
from gdmbench.geometry.gdm import GeometricEstimator
from gdmbench.geometry.kmeans import Clustering, weighted_kmeans
from gdmbench.parameters import check_positive

# In simulated corpora the clusters up to the true number gain a third of the first division or more, those beyond it
# less than a fifth.
_SHARE = 0.25
_RESTARTS = 10
_LEAST_PENALTY = 1e-12  # where all documents are alike, and rounding is all that they cost


class NonparametricGDM(GeometricEstimator):
    """Nonparametric Geometric Dirichlet Means (nGDM): GDM that finds the number of topics.

    Clusters minimise the weighted inertia plus a penalty for each of them, so that their number is found too. The
    centroids are then extended to topics as by `GDM`. There is no true number of topics in real text: take what is
    found as a first guess, and see `+experiment=choose_k` for others.

    Parameters
    ----------
    penalty : float or None, default=None
        Price of a topic, positive; weighted DP-means finds the clusters. With `weighted` it is compared with
        ``N_m ||w_m - mu_k||^2``, of which sampling noise alone makes up to about 1 whatever the length of the document.
        None: a quarter of what the first division of the documents into two clusters takes off the inertia. A
        penalty of that size no single document can pay, so that DP-means would stay at one topic; k-means with more
        and more clusters minimises the same objective instead, until one more does not pay. In simulated documents
        it finds 5 to 15 topics unless they are much mixed, and one or two too few of 20; in 17,131 posts to 20
        newsgroups it finds 9 to 11.
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
        elif self.penalty is not None:
            self.penalty_ = float(self.penalty)
            clustering = dp_means.cluster(self.penalty_)
        else:
            self.penalty_, clustering = _first_division(points, weights, rng)
        self.n_topics_ = len(clustering.centroids)
        return clustering


def _first_division(
    points: sparse.csr_array, weights: NDArray[np.float64], rng: np.random.Generator
) -> tuple[float, Clustering]:
    """Return a share of what the first division gains as the penalty, and the last clusters that are worth it."""

    def clusters(number: int) -> Clustering:
        return weighted_kmeans(points, weights, number, n_restarts=_RESTARTS, rng=rng)

    best, penalty = clusters(1), 0.0
    for number in range(2, len(weights) + 1):
        more = clusters(number)
        gain = best.inertia - more.inertia
        if number == 2:
            penalty = max(_SHARE * gain, _LEAST_PENALTY)
        if gain <= penalty:
            break
        best = more
    return penalty, best
