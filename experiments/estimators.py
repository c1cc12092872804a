"""Estimators that only experiments need: GDM on part of the documents, GDM that reports more of itself, baselines."""

from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from scipy.linalg import subspace_angles
from scipy.optimize import linear_sum_assignment
from scipy.sparse.linalg import LinearOperator, eigsh
from scipy.spatial.distance import cdist

from gdmbench.geometry.base import TopicEstimator, make_generator
from gdmbench.geometry.counts import check_counts, normalise_rows, squared_norms
from gdmbench.geometry.gdm import GDM, extend
from gdmbench.geometry.projection import project
from gdmbench.measures.bounds import likelihood_bounds
from gdmbench.measures.matching import minimum_matching_distance

N_SINGLE = 200  # documents that are a corpus of their own each
_CENTER_SHARE = 0.01  # of the centre in every topic: the proposition asks for positive probabilities
_ROUNDING = 1e-6


class PicturedGDM(GDM):
    """GDM that leaves in its record what a picture of it needs.

    Parameters
    ----------
    n_topics, weighted, n_restarts, random_state
        As for `gdmbench.GDM`.
    n_pictured : int, default=600
        How many of the documents to keep, the first ones.

    Attributes
    ----------
    record_ : dict
        ``documents`` (word counts), ``labels``, ``center``, ``centroids``, ``topics``.
    """

    def __init__(
        self,
        n_topics: int,
        *,
        weighted: bool = True,
        n_restarts: int = 10,
        n_pictured: int = 600,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_topics, weighted=weighted, n_restarts=n_restarts, random_state=random_state)
        self.n_pictured = n_pictured

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics and note the picture."""
        super().fit(X)
        self.record_ = {
            "documents": X[: self.n_pictured].toarray().tolist(),
            "labels": self.labels_[: self.n_pictured].tolist(),
            "center": self.center_.tolist(),
            "centroids": self.centroids_.tolist(),
            "topics": self.components_.tolist(),
        }
        return self


class DiscardingGDM(TopicEstimator):
    """GDM on what is left of the documents when a share of them is discarded.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    discarded_share : float
        How many documents to discard, from 0 (none) to less than 1.
    which : {"central", "random"}
        Those nearest the length-weighted centre, or as many at random to compare with.
    random_state : int, Generator, RandomState or None
        Same seed, same topics.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics.
    """

    def __init__(
        self,
        n_topics: int,
        *,
        discarded_share: float = 0.5,
        which: Literal["central", "random"] = "central",
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.discarded_share = discarded_share
        self.which = which
        self.random_state = random_state

    def fit(self, X: Any, y: None = None) -> Self:
        """Discard documents and find the topics of the rest."""
        if not 0 <= self.discarded_share < 1:
            raise ValueError(f"discarded_share must be at least 0 and less than 1, not {self.discarded_share!r}.")
        counts = self._read_counts(X, reset=True)
        counts = counts[np.diff(counts.indptr) > 0]
        rng = make_generator(self.random_state)
        points, lengths = normalise_rows(counts)
        if self.which == "central":
            distances = squared_norms(points, (lengths @ points) / lengths.sum())
        else:
            distances = rng.random(len(lengths))
        n_discarded = int(self.discarded_share * len(lengths))
        kept = np.sort(np.argsort(distances, kind="stable")[n_discarded:])
        self.components_ = GDM(self.n_topics, random_state=rng).fit(counts[kept]).components_
        return self


class ExtendedGDM(GDM):
    """GDM that leaves in its record how far it extends its centroids, and how far it should have.

    Attributes
    ----------
    record_ : dict
        ``extension``, the mean of the m_k.
    """

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics and note the extensions."""
        super().fit(X)
        self.record_ = {"extension": float(self.extensions_.mean())}
        return self

    def truth_record(self, topics: Any) -> dict[str, float]:
        """Compare with the extensions that would be right.

        Every topic found is matched with a true one, no two with the same, so that the sum of squared distances is
        least. Right is the extension at which the ray from the centre through the centroid comes nearest to that
        topic.

        Parameters
        ----------
        topics : ndarray of shape (n_topics, n_words)
            The true topics.

        Returns
        -------
        dict
            ``right_extension``, the mean; ``right_mm_distance``, the MM distance with the right extensions.
        """
        _, match = linear_sum_assignment(cdist(self.components_, topics, "sqeuclidean"))
        rays = self.centroids_ - self.center_
        right = ((topics[match] - self.center_) * rays).sum(axis=1) / (rays**2).sum(axis=1)
        extended = extend(self.center_, self.centroids_, right)
        return {
            "right_extension": float(right.mean()),
            "right_mm_distance": float(minimum_matching_distance(extended, topics)),
        }


class Unigram(TopicEstimator):
    """One topic for all documents: the frequencies of the words, whose perplexity no topic model should exceed.

    Attributes
    ----------
    components_ : ndarray of shape (1, n_words)
        The one topic.
    """

    def fit(self, X: Any, y: None = None) -> Self:
        """Count the words."""
        counts = self._read_counts(X, reset=True).sum(axis=0, dtype=np.float64)
        self.components_ = np.atleast_2d(counts / counts.sum())
        return self


class BoundedGDM(GDM):
    """GDM that leaves in its record how far the likelihood is from the bounds of Proposition 1.

    The proposition holds for any polytope and proportions that give observed words positive probability: here GDM's
    topics with a hundredth of the centre mixed in, and projected proportions.

    Attributes
    ----------
    record_ : dict
        ``upper``, ``lower`` and ``lower_printed``: distances from the bounds in nats per token, negative where a bound
        is broken; ``broken_...``: the share of documents that break it as corpora of one document.
    """

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics and measure the distances from the bounds."""
        super().fit(X)
        topics = (1 - _CENTER_SHARE) * self.components_ + _CENTER_SHARE * self.center_
        proportions = project(X, topics)
        self.record_ = _slacks(X, topics, proportions)
        alone = [
            _slacks(X[[m]], topics, proportions[[m]]) for m in np.flatnonzero(np.diff(X.indptr))[:N_SINGLE].tolist()
        ]
        for bound in ("upper", "lower", "lower_printed"):
            self.record_[f"broken_{bound}"] = float(np.mean([slack[bound] < -_ROUNDING for slack in alone]))
        return self


class SpannedGDM(GDM):
    """GDM that leaves in its record how far its centroids' span is from the leading singular subspace.

    Attributes
    ----------
    record_ : dict
        Sines of the largest angle between two subspaces. ``centroids``: the span of the k-means centroids, and the
        leading right singular vectors of the weighted documents. ``relaxed``: that of the centroids of relaxed
        k-means, whose cluster indicators are the leading eigenvectors of the documents' Gram matrix, and the same.
    """

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics and measure the angles."""
        super().fit(X)
        points, lengths = normalise_rows(check_counts(X))
        weighted = sparse.csr_array(points.multiply(np.sqrt(lengths)[:, None]))
        leading = _leading_eigenvectors(weighted.T @ weighted, self.n_topics)
        n_docs = weighted.shape[0]
        gram = LinearOperator((n_docs, n_docs), matvec=lambda v: weighted @ (weighted.T @ v), dtype=np.float64)
        indicators = _leading_eigenvectors(gram, self.n_topics)
        self.record_ = {
            "centroids": _sine(self.centroids_.T, leading),
            "relaxed": _sine(weighted.T @ indicators, leading),
        }
        return self


class CenterTopics(TopicEstimator):
    """The same topic over and over, the length-weighted centre of the documents: what a method must beat.

    Parameters
    ----------
    n_topics : int
        Number of topics.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics, all alike.
    """

    def __init__(self, n_topics: int) -> None:
        self.n_topics = n_topics

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the centre."""
        counts = self._read_counts(X, reset=True)
        self._check_topics_asked(counts)
        points, lengths = normalise_rows(counts[np.diff(counts.indptr) > 0])
        self.components_ = np.tile((lengths @ points) / lengths.sum(), (self.n_topics, 1))
        return self


def _slacks(X: Any, topics: Any, proportions: Any) -> dict[str, float]:
    bounds = likelihood_bounds(X, topics, proportions)
    tokens = float(X.sum())
    return {
        "upper": (bounds.upper - bounds.likelihood) / tokens,
        "lower": (bounds.likelihood - bounds.lower) / tokens,
        "lower_printed": (bounds.likelihood - bounds.lower_printed) / tokens,
    }


def _leading_eigenvectors(matrix: Any, count: int) -> Any:
    return eigsh(matrix, k=count, which="LM", v0=np.ones(matrix.shape[0]), tol=1e-12)[1]


def _sine(a: Any, b: Any) -> float:
    return float(np.sin(subspace_angles(a, b).max()))
