"""KL DP-means, which clusters documents by Kullback-Leibler divergence and finds the number of clusters."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from baselines._kl_kernels import assign, cost_alone
from gdmbench.geometry.base import TopicEstimator
from gdmbench.geometry.counts import label_all
from gdmbench.geometry.dp_means import search_penalty
from gdmbench.parameters import check_positive


class KLDPMeans(TopicEstimator):
    """DP-means with the Kullback-Leibler divergence: the small-variance limit of a Dirichlet process of multinomials.

    A document costs ``N_m KL(w_m || mu_k)``, its length times the divergence of its word frequencies from the mean of
    its cluster, and every cluster costs the penalty. Documents go to the cheapest cluster in turn, or open a cluster of
    their own where that is cheaper, or close it where it is not; then the means follow; and so on until nothing
    changes. The first clusters come from a farthest-first traversal: seeds, each the document that would save most by
    a cluster of its own, until none would save the penalty.

    The divergence from a mean that lacks a word of the document is infinite, so no document would ever join another
    that has opened a cluster. Hence every mean is smoothed: it has `smoothing` tokens of every word beside those of its
    documents, and these cost what a document of theirs would. All steps lower the same sum of costs and penalties.

    `transform` projects documents onto the polytope of the means, which suits mixed documents better than the
    method's own hard assignment.

    Parameters
    ----------
    penalty : float or None, default=None
        Price of a cluster, positive, in nats: a document opens one when its cost falls by more.
    n_topics : int or None, default=None
        Instead of a penalty: the number of clusters for which to find one. Where none is found, the nearest number
        counts, with a warning.
    smoothing : float, default=0.1
        Tokens added to every mean for every word, positive.

    Attributes
    ----------
    n_topics_ : int
        Number of clusters found.
    penalty_ : float
        The penalty used.
    components_ : ndarray of shape (n_found, n_words)
        Smoothed means of the clusters; rows on the simplex.
    labels_ : ndarray of shape (n_documents,)
        Cluster of each document, -1 for an empty document.
    objective_ : float
        Sum of all costs and penalties.
    n_features_in_ : int
        Number of words.

    References
    ----------
    K. Jiang, B. Kulis and M. I. Jordan (2012). Small-variance asymptotics for exponential family Dirichlet process
    mixture models. NIPS.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.kl_dp_means import KLDPMeans
    >>> data = simulate_lda(200, 1000, n_words=50, n_topics=3, random_state=0)
    >>> found = KLDPMeans(n_topics=3).fit(data.train)
    >>> KLDPMeans(penalty=found.penalty_).fit(data.train).n_topics_
    3
    """

    def __init__(self, penalty: float | None = None, *, n_topics: int | None = None, smoothing: float = 0.1) -> None:
        self.penalty = penalty
        self.n_topics = n_topics
        self.smoothing = smoothing

    def fit(self, X: Any, y: None = None) -> Self:
        """Cluster the documents of a matrix of word counts.

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
        counts = self._read_counts(X, reset=True)
        self._check_parameters(counts)
        filled = np.diff(counts.indptr) > 0
        documents = _Documents(counts if filled.all() else counts[filled], float(self.smoothing))
        if self.penalty is None:
            assert self.n_topics is not None  # checked before
            guess = _suggest_penalty(documents, self.n_topics)
            self.penalty_, clusters = search_penalty(
                lambda penalty: _dp_means(documents, penalty), lambda found: len(found.means), guess, self.n_topics
            )
        else:
            self.penalty_ = float(self.penalty)
            clusters = _dp_means(documents, self.penalty_)
        self.components_ = clusters.means
        self.n_topics_ = len(clusters.means)
        self.objective_ = clusters.objective
        self.labels_ = label_all(clusters.labels, filled)
        return self

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        if (self.penalty is None) == (self.n_topics is None):
            raise ValueError(
                "Pass either penalty, the price of a cluster, or n_topics, the number of clusters to find one for; "
                f"not penalty={self.penalty!r} and n_topics={self.n_topics!r}."
            )
        check_positive("smoothing", self.smoothing)
        if self.penalty is None:
            self._check_topics_asked(counts)
            return
        check_positive("penalty", self.penalty)
        if counts.nnz == 0:
            raise ValueError(
                f"No clusters can be found in n_samples={counts.shape[0]} documents, all empty: pass some words."
            )


@dataclass(frozen=True)
class _Clusters:
    labels: NDArray[np.int64]
    means: NDArray[np.float64]
    objective: float


class _Documents:
    """Counts, with what does not change: lengths, entropies, and what each document costs in a cluster of its own."""

    def __init__(self, counts: sparse.csr_array, smoothing: float) -> None:
        self.counts = counts
        self.n_docs, self.n_words = counts.shape
        self.smoothing = smoothing
        self.lengths: NDArray[np.float64] = counts @ np.ones(self.n_words)
        self.parts = counts.data, counts.indices, counts.indptr
        self.entropies, self.alone = cost_alone(*self.parts, self.n_words, self.lengths, smoothing)

    def means(self, labels: NDArray[np.int64], n_clusters: int) -> NDArray[np.float64]:
        """Return the smoothed means of clusters."""
        members = sparse.csr_array((np.ones(self.n_docs), (labels, np.arange(self.n_docs))), (n_clusters, self.n_docs))
        smoothed = (members @ self.counts).toarray() + self.smoothing
        return smoothed / smoothed.sum(axis=1, keepdims=True)

    def costs(self, log_mean: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what each document costs in one cluster."""
        return self.entropies - self.counts @ log_mean

    def objective(self, labels: NDArray[np.int64], means: NDArray[np.float64], penalty: float) -> float:
        """Return the sum of all costs and penalties."""
        log_means = np.log(means)
        rows = np.repeat(np.arange(self.n_docs), np.diff(self.counts.indptr))
        documents = self.entropies.sum() - self.counts.data @ log_means[labels[rows], self.counts.indices]
        smoothing = -self.smoothing * (np.log(self.n_words) + log_means).sum()
        return float(documents + smoothing + penalty * len(means))


def _dp_means(documents: _Documents, penalty: float) -> _Clusters:
    """Cluster with a given penalty."""
    labels, dearest = _seed_farthest_first(documents, penalty, documents.n_docs)
    n_clusters = len(dearest)
    best: _Clusters | None = None
    while True:
        means = documents.means(labels, n_clusters)
        objective = documents.objective(labels, means, penalty)
        if best is not None and objective >= best.objective:  # nothing changed, or rounding alone
            return best
        best = _Clusters(labels.copy(), means, objective)
        log_means = np.zeros((documents.n_words, 2 * n_clusters + 8))  # with room for new clusters
        log_means[:, :n_clusters] = np.log(means).T
        assign(
            *documents.parts,
            documents.lengths,
            documents.entropies - documents.alone - penalty,
            log_means,
            n_clusters,
            documents.smoothing,
            labels,
        )
        used, labels = np.unique(labels, return_inverse=True)
        n_clusters = len(used)


def _seed_farthest_first(
    documents: _Documents, penalty: float, max_seeds: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Assign documents to seeds, each the one that saves most by a cluster of its own, until none saves the penalty.

    Returns the labels and what each seed saved when it was chosen; the first saves most where all are in one cluster.
    """
    labels = np.zeros(documents.n_docs, np.int64)
    savings = documents.costs(np.log(documents.means(labels, 1)[0])) - documents.alone
    dearest: list[float] = []
    while len(dearest) < max_seeds:
        seed = int(np.argmax(savings))
        if dearest and savings[seed] <= penalty:
            break
        dearest.append(float(savings[seed]))
        mean = documents.counts[[seed]].toarray()[0] + documents.smoothing
        candidates = documents.costs(np.log(mean / mean.sum())) - documents.alone
        nearer = candidates < savings if len(dearest) > 1 else np.ones(documents.n_docs, bool)
        labels[nearer] = len(dearest) - 1
        savings[nearer] = candidates[nearer]
        labels[seed] = len(dearest) - 1
        savings[seed] = -np.inf  # never chosen twice, even where documents coincide
    return labels, np.array(dearest)


def _suggest_penalty(documents: _Documents, n_clusters: int) -> float:
    """Return a penalty between what the last seed wanted saves and what one more would: nearly always right."""
    _, dearest = _seed_farthest_first(documents, -np.inf, min(n_clusters + 1, documents.n_docs))
    dearest = np.append(dearest, 0.0)[: n_clusters + 1]
    dearest[0] = 4.0 * dearest[1]  # any penalty above the second is enough for one cluster
    dearest = np.maximum(dearest, 1e-9 * max(dearest[0], 1.0))
    return float(np.sqrt(dearest[-2] * dearest[-1]))
