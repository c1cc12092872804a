"""KL DP-means: clusters of documents under the Kullback-Leibler divergence, their number found by a penalty."""

from numbers import Real
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.base import TopicEstimator
from gdmbench.geometry.dp_means import search_penalty

_MOST_ROUNDS = 500
_MOST_CUTS = 10


class _Clusters(NamedTuple):
    labels: NDArray[np.int64]
    means: NDArray[np.float64]
    objective: float


class KLDPMeans(TopicEstimator):
    """DP-means with the Kullback-Leibler divergence (Jiang, Kulis and Jordan 2012).

    A document with words w_m of length N_m costs ``N_m KL(w_m / N_m || mu_k)`` in cluster k, and every cluster costs a
    penalty. Without smoothing, a word that a cluster lacks makes a document infinitely far from it, and every document
    stays alone. So each cluster holds besides its documents ``smoothing`` of every word: a pseudo-document u of
    V * smoothing words, all equally frequent, whose divergence from the mean counts like any other. The objective

        sum_m N_m KL(w_m / N_m || mu_z(m)) + sum_k (V smoothing KL(u || mu_k) + penalty)

    falls with every move: a document to another cluster, a new mean, a cluster cut in two, a cluster closed. The
    published algorithm opens a cluster for a single document that lies farther than the penalty from all others;
    cutting starts from that document too, but goes on to divide the cluster by its best means, so that two merged
    topics part even where no document of theirs is far from their common mean. The order of documents is irrelevant.

    `transform` projects documents onto the polytope of the means, which is kinder to the method on mixed documents than
    its own hard assignment.

    Parameters
    ----------
    penalty : float or None, default=None
        Price of a cluster, in nats, positive.
    n_topics : int or None, default=None
        Instead of a penalty: the number of clusters for which to find one. Where none is found, the nearest number
        counts, with a warning.
    smoothing : float, default=0.1
        Pseudo-count of every word in every cluster, positive.

    Attributes
    ----------
    n_topics_ : int
        Number of clusters found.
    penalty_ : float
        The penalty used.
    components_ : ndarray of shape (n_topics_, n_words)
        Smoothed means of the clusters; rows on the simplex.
    labels_ : ndarray of shape (n_documents,)
        Cluster of each document, -1 for an empty document.
    objective_ : float
        The objective above.
    n_features_in_ : int
        Number of words.

    References
    ----------
    K. Jiang, B. Kulis and M. I. Jordan (2012). Small-variance asymptotics for exponential family Dirichlet process
    mixture models. NIPS.

    Examples
    --------
    >>> from baselines.kl_dp_means import KLDPMeans
    >>> from gdmbench import simulate_lda
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, alpha=0.02, random_state=0)
    >>> KLDPMeans(n_topics=3).fit(data.train).n_topics_
    3
    """

    n_topics_: int
    penalty_: float

    def __init__(self, penalty: float | None = None, *, n_topics: int | None = None, smoothing: float = 0.1) -> None:
        self.penalty = penalty
        self.n_topics = n_topics
        self.smoothing = smoothing

    def fit(self, X: Any, y: None = None) -> Self:
        """Cluster a matrix of word counts.

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
        problem = _Problem(counts[filled], float(self.smoothing))
        if self.penalty is not None:
            self.penalty_, found = float(self.penalty), problem.cluster(float(self.penalty))
        else:
            assert self.n_topics is not None  # checked before
            guess = problem.suggest_penalty(self.n_topics)
            self.penalty_, found = search_penalty(problem.cluster, lambda c: len(c.means), guess, self.n_topics)
        self.components_ = found.means
        self.n_topics_ = len(found.means)
        self.objective_ = found.objective
        self.labels_ = np.full(len(filled), -1)
        self.labels_[filled] = found.labels
        return self

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        if (self.penalty is None) == (self.n_topics is None):
            raise ValueError(
                "Pass either penalty, the price of a cluster, or n_topics, the number of clusters to find one for; "
                f"not penalty={self.penalty!r} and n_topics={self.n_topics!r}."
            )
        for name in ("penalty", "smoothing"):
            value = getattr(self, name)
            wrong = isinstance(value, bool) or not isinstance(value, Real) or not 0.0 < float(value) < np.inf
            if wrong and not (name == "penalty" and value is None):
                raise ValueError(f"{name} must be a positive number, not {value!r}.")
        if self.n_topics is not None:
            self._check_topics_asked(counts)
        if counts.nnz == 0:
            raise ValueError(
                f"No topics can be found in n_samples={counts.shape[0]} documents that are all empty: pass some words."
            )


class _Problem:
    """The documents and what they cost in clusters; every move there is that can lower the objective."""

    def __init__(self, counts: sparse.csr_array, smoothing: float) -> None:
        self.counts = counts
        self.smoothing = smoothing
        self.n_words = counts.shape[1]
        lengths = np.repeat(np.asarray(counts.sum(axis=1)).ravel(), np.diff(counts.indptr))
        # sum_i w_i log(w_i / N), the part of a document's cost that is the same in every cluster
        self.own = np.add.reduceat(counts.data * np.log(counts.data / lengths), counts.indptr[:-1])
        self._splits: dict[bytes, tuple[float, NDArray[np.int64]]] = {}

    def cluster(self, penalty: float) -> _Clusters:
        """From one cluster on: assign and average until nothing changes, then split or close one cluster, and again."""
        labels = np.zeros(len(self.own), dtype=np.int64)
        for _ in range(_MOST_ROUNDS):
            labels, means, costs = self._settle(labels)
            moved = self._split_best(labels, len(means), penalty)
            if moved is None:
                moved = self._close_best(labels, means, costs, penalty)
            if moved is None:
                break
            labels = moved
        objective = sum(self._cost_together(np.flatnonzero(labels == k)) for k in range(len(means)))
        return _Clusters(labels, means, float(objective + penalty * len(means)))

    def suggest_penalty(self, n_clusters: int) -> float:
        """Return a price between what the last cluster wanted gains and what one more would."""
        labels = np.zeros(len(self.own), dtype=np.int64)
        gains = []
        for n_now in range(1, n_clusters + 1):
            labels, means, _ = self._settle(labels)
            gain, _, new = self._best_split(labels, len(means))
            gains.append(max(gain, 1e-12))
            labels = labels.copy()
            labels[new] = n_now
        high = gains[-2] if n_clusters > 1 else 2.0 * gains[-1]
        return float(np.sqrt(max(high, gains[-1]) * gains[-1]))

    def _means(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        smoothed = sums + self.smoothing
        means: NDArray[np.float64] = smoothed / smoothed.sum(axis=-1, keepdims=True)
        return means

    def _sums(self, documents: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(self.counts[documents].sum(axis=0), dtype=np.float64).ravel()

    def _costs(self, means: NDArray[np.float64], documents: NDArray[np.int64] | slice) -> NDArray[np.float64]:
        """Return the cost of documents in every cluster, documents x clusters."""
        costs: NDArray[np.float64] = self.own[documents, None] - self.counts[documents] @ np.log(means).T
        return costs

    def _cost_together(self, documents: NDArray[np.int64]) -> float:
        """Return what documents, with the pseudo-document, cost as one cluster at its best mean."""
        smoothed = self._sums(documents) + self.smoothing
        fitted = smoothed @ np.log(smoothed / smoothed.sum())
        return float(self.own[documents].sum() - fitted - self.smoothing * self.n_words * np.log(self.n_words))

    def _settle(self, labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Assign and average in turn until no document moves; clusters left empty are dropped."""
        rows = np.arange(len(labels))
        for _ in range(_MOST_ROUNDS):
            kept, labels = np.unique(labels, return_inverse=True)
            members = sparse.csr_array((np.ones(len(rows)), (labels, rows)), shape=(len(kept), len(rows)))
            means = self._means((members @ self.counts).toarray())
            costs = self._costs(means, slice(None))
            new = np.argmin(costs, axis=1)
            # A document stays where it is unless it gains: ties must not make it wander for ever.
            stay = costs[rows, labels] <= costs[rows, new]
            if stay.all():
                break
            labels = np.where(stay, labels, new)
        return labels, means, costs

    def _split_best(self, labels: NDArray[np.int64], n_clusters: int, penalty: float) -> NDArray[np.int64] | None:
        gain, cost, new = self._best_split(labels, n_clusters)
        if gain - penalty <= 1e-9 * (penalty + cost):
            return None
        moved = labels.copy()
        moved[new] = n_clusters
        return moved

    def _best_split(self, labels: NDArray[np.int64], n_clusters: int) -> tuple[float, float, NDArray[np.int64]]:
        """Return the gain, before the penalty, and cost of the split that gains most, and the documents that leave."""
        best = (-np.inf, 0.0, np.empty(0, dtype=np.int64))
        for k in range(n_clusters):
            documents = np.flatnonzero(labels == k)
            if len(documents) > 1:
                key = documents.tobytes()
                if key not in self._splits:
                    self._splits[key] = self._split(documents)
                gain, leaving = self._splits[key]
                if gain > best[0]:
                    best = gain, abs(gain), leaving
        return best

    def _split(self, documents: NDArray[np.int64]) -> tuple[float, NDArray[np.int64]]:
        """Cut a cluster in two, from its mean and its dearest document; return the gain and who leaves."""
        costs = self._costs(self._means(self._sums(documents))[None], documents)[:, 0]
        leaves = np.zeros(len(documents), dtype=bool)
        leaves[np.argmax(costs)] = True
        for _ in range(_MOST_CUTS):
            means = self._means(np.array([self._sums(documents[~leaves]), self._sums(documents[leaves])]))
            stays, goes = self._costs(means, documents).T
            new = goes < stays
            if new.all() or not new.any() or np.array_equal(new, leaves):
                break
            leaves = new
        apart = self._cost_together(documents[leaves]) + self._cost_together(documents[~leaves])
        return self._cost_together(documents) - apart, documents[leaves]

    def _close_best(
        self, labels: NDArray[np.int64], means: NDArray[np.float64], costs: NDArray[np.float64], penalty: float
    ) -> NDArray[np.int64] | None:
        """Send the documents of one cluster to their second choices if its price is more than they then cost."""
        if len(means) == 1:
            return None
        rows = np.arange(len(labels))
        others = costs.copy()
        others[rows, labels] = np.inf
        second = np.argmin(others, axis=1)
        dearer = np.bincount(labels, weights=others[rows, second] - costs[rows, labels])
        pseudo = -self.smoothing * (np.log(means).sum(axis=1) + self.n_words * np.log(self.n_words))
        gains = penalty + pseudo - dearer
        closing = int(np.argmax(gains))
        if gains[closing] <= 1e-9 * (penalty + dearer[closing]):
            return None
        return np.where(labels == closing, second, labels)
