"""Conic Scan-and-Cover (CoSAC), which finds topics and their number by the directions of documents from the centre."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.base import TopicEstimator
from gdmbench.geometry.counts import label_all, normalise_rows, squared_norms
from gdmbench.parameters import check_at_least, check_whole, is_number

_MOST_SHIFTS = 50  # of a cone towards the mean of its documents
_MOST_DISCARDS = 100  # cones with too few documents
_SAME_PLACE = 1e-10  # a document this much nearer the centre than the centre is to the origin has no direction


class CoSAC(TopicEstimator):
    """Conic Scan-and-Cover: topics as the directions in which documents lie far from the centre.

    Seen from the centre C of the documents, every topic is a direction, and cones about the directions of all topics
    cover the documents that tell topics apart. So the farthest document starts a cone of documents with a cosine
    distance below `omega`; the cone is turned to the mean of its documents until these stay the same, kept as a topic
    if it holds enough of them, and its documents are set aside; and so on until no document farther out than a radius
    is left.
    Rounds of spherical k-means, in which documents count by their distances from the centre, then improve the
    directions v_k, and each topic is as far out on its direction as the farthest of its documents:
    ``C + v_k max <w_m - C, v_k>``, negative entries cut to 0, rows renormalised.

    Parameters
    ----------
    omega : float, default=0.6
        How wide cones are, between 0 and 1: one minus the cosine of their half angle. Narrow ones find more topics.
    min_share : float, default=0.001
        A cone is a topic if it holds more than this share of the documents; others are outliers. From 0 to 1.
    radius : float or None, default=None
        Documents no farther from the centre start no cone. None: the median of the documents' distances.
    n_rounds : int, default=10
        Most rounds of spherical k-means; fewer if no document changes its topic. 0: none.
    weighted : bool, default=True
        Weigh documents by their lengths, in the centre and in the means of cones and clusters.

    Attributes
    ----------
    n_topics_ : int
        Number of topics found. Where no cone holds enough documents it is 1, and the topic is the centre.
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    center_ : ndarray of shape (n_words,)
        Centre of the documents.
    labels_ : ndarray of shape (n_documents,)
        The topic whose direction is nearest to each document's, -1 for an empty document.
    n_features_in_ : int
        Number of words.

    References
    ----------
    M. Yurochkin, A. Guha and X. Nguyen (2017). Conic Scan-and-Cover algorithms for nonparametric topic modeling. NIPS.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.cosac import CoSAC
    >>> data = simulate_lda(200, 1000, n_words=50, n_topics=3, random_state=0)
    >>> CoSAC().fit(data.train).n_topics_
    3
    """

    def __init__(
        self,
        *,
        omega: float = 0.6,
        min_share: float = 0.001,
        radius: float | None = None,
        n_rounds: int = 10,
        weighted: bool = True,
    ) -> None:
        self.omega = omega
        self.min_share = min_share
        self.radius = radius
        self.n_rounds = n_rounds
        self.weighted = weighted

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
        counts = self._read_counts(X, reset=True)
        self._check_parameters(counts)
        filled = np.diff(counts.indptr) > 0
        points, lengths = normalise_rows(counts if filled.all() else counts[filled])
        rays = _Rays(points, lengths if self.weighted else np.ones(len(lengths)))
        directions = self._scan(rays)
        labels = np.zeros(len(lengths), np.int64)
        if len(directions):
            directions, labels = self._improve(rays, directions)
            heights = np.zeros(len(directions))
            np.maximum.at(heights, labels, rays.along(directions)[np.arange(len(labels)), labels])
            topics = np.maximum(rays.center + heights[:, None] * directions, 0.0)
            self.components_ = topics / topics.sum(axis=1, keepdims=True)
        else:
            self.components_ = rays.center[None]
        self.n_topics_ = len(self.components_)
        self.center_ = rays.center
        self.labels_ = label_all(labels, filled)
        return self

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        if not is_number(self.omega) or not 0.0 < self.omega < 1.0:
            raise ValueError(f"omega must be a number between 0 and 1, not {self.omega!r}.")
        if not is_number(self.min_share) or not 0.0 <= self.min_share < 1.0:
            raise ValueError(f"min_share must be a number of at least 0 and below 1, not {self.min_share!r}.")
        if self.radius is not None:
            check_at_least("radius", self.radius, 0.0)
        check_whole("n_rounds", self.n_rounds, least=0)
        if counts.nnz == 0:
            raise ValueError(
                f"No topics can be found in n_samples={counts.shape[0]} documents that are all empty: pass some words."
            )

    def _scan(self, rays: "_Rays") -> NDArray[np.float64]:
        """Return the directions of the cones that cover the documents outside of the radius, one in each row."""
        radius = float(np.median(rays.norms)) if self.radius is None else self.radius
        waiting = rays.norms > max(radius, _SAME_PLACE * float(np.linalg.norm(rays.center)))
        active = np.ones(len(waiting), bool)
        found: list[NDArray[np.float64]] = []
        n_discards = 0
        while waiting.any() and n_discards < _MOST_DISCARDS:
            seed = int(np.argmax(np.where(waiting, rays.norms, -1.0)))
            direction, cone = self._turn(rays, seed, active)
            if np.count_nonzero(cone) > self.min_share * len(cone):
                found.append(direction)
            else:
                n_discards += 1
            cone[seed] = True  # the cone may have turned away from where it started
            active &= ~cone
            waiting &= ~cone
        return np.array(found)

    def _turn(
        self, rays: "_Rays", seed: int, active: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Turn a cone from a document to the mean of the active documents in it until these stay the same."""
        cone = np.arange(len(active)) == seed
        direction = rays.mean_direction(cone)
        for _ in range(_MOST_SHIFTS):
            inside = active & (rays.along(direction) > (1.0 - self.omega) * rays.norms)
            if not inside.any() or np.array_equal(inside, cone):
                break
            cone = inside
            direction = rays.mean_direction(cone)
        return direction, cone.copy()

    def _improve(self, rays: "_Rays", directions: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Run spherical k-means; topics that no document is left to are dropped."""
        labels = np.argmax(rays.along(directions), axis=1)
        for _ in range(self.n_rounds):
            used, labels = np.unique(labels, return_inverse=True)
            directions = rays.mean_directions(labels, len(used))
            before, labels = labels, np.argmax(rays.along(directions), axis=1)
            if np.array_equal(before, labels):
                break
        used, labels = np.unique(labels, return_inverse=True)
        return directions[used], labels


class _Rays:
    """Documents as seen from their centre: sparse rows less the centre, never written out."""

    def __init__(self, points: sparse.csr_array, weights: NDArray[np.float64]) -> None:
        self.center: NDArray[np.float64] = (weights @ points) / weights.sum()
        self.norms = np.sqrt(np.maximum(squared_norms(points, self.center), 0.0))
        self._points, self._weights = points, weights

    def along(self, directions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far each document lies in one direction, or in each of several."""
        return np.asarray(self._points @ np.ascontiguousarray(directions.T) - directions @ self.center)

    def mean_direction(self, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the unit vector towards the weighted mean of some documents."""
        return self.mean_directions(np.where(chosen, 0, 1), 1)[0]

    def mean_directions(self, labels: NDArray[np.int64], n_clusters: int) -> NDArray[np.float64]:
        """Return the unit vector towards the weighted mean of every cluster; zeros where that is the centre.

        Clusters are numbered from 0, and none is empty; documents with higher numbers belong to none.
        """
        mine = np.flatnonzero(labels < n_clusters)
        members = sparse.csr_array((self._weights[mine], (labels[mine], mine)), shape=(n_clusters, len(labels)))
        totals = np.bincount(labels[mine], weights=self._weights[mine]).astype(np.float64)
        means = (members @ self._points).toarray() / totals[:, None] - self.center
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        return np.divide(means, lengths, out=means, where=lengths > 0)
