"""Denoised successive projection (pp-SPA): topics as corners of averaged documents in few dimensions."""

from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist

from baselines._simplex import Floats, leading_axes, on_simplex, simplex_corners
from gdmbench.geometry.base import TopicEstimator, one_blas_thread
from gdmbench.geometry.counts import filled_rows, normalise_rows
from gdmbench.parameters import check_positive

_ROWS = 1000  # of distances between documents held at a time


class DenoisedSPA(TopicEstimator):
    """Pseudo-point successive projection (pp-SPA): each topic is a corner of the documents, averaged with neighbours.

    Assumes that each topic has some documents that are nearly pure. Documents are projected onto the affine subspace
    that fits them best, of one dimension less than there are topics. Each is replaced by the mean of its neighbours,
    those with too few are left out as noise, and successive projection takes the corners.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.
    radius : float, default=0.2
        How near neighbours are, as a share of the largest distance of a document from the centre.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    record_ : dict
        `n_left_out`, the number of documents with fewer neighbours than the logarithm of their number.
    n_features_in_ : int
        Number of words.

    Notes
    -----
    The time for neighbours grows with the square of the number of documents.

    References
    ----------
    J. Jin, Z. T. Ke, G. Moryoussef, J. Tang and J. Wang (2024). Improved algorithm and bounds for successive
    projection. ICLR.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.pp_spa import DenoisedSPA
    >>> data = simulate_lda(200, 1000, n_words=50, n_topics=3, random_state=0)
    >>> DenoisedSPA(3).fit(data.train).components_.shape
    (3, 50)
    """

    def __init__(self, n_topics: int = 5, *, radius: float = 0.2) -> None:
        self.n_topics = n_topics
        self.radius = radius

    @one_blas_thread
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts; empty documents are left out."""
        counts = filled_rows(self._read_counts(X, reset=True))[0]
        self._check_topics_asked(counts)
        check_positive("radius", self.radius)
        points, _ = normalise_rows(counts)
        center = points.sum(axis=0) / points.shape[0]
        if self.n_topics == 1:
            self.components_, self.record_ = center[None], {"n_left_out": 0}
            return self

        def covariance(block: Floats) -> Floats:
            image = points @ block - center @ block
            return np.asarray(points.T @ image - np.multiply.outer(center, image.sum(axis=0)))

        axes, _ = leading_axes(covariance, len(center), self.n_topics - 1, "The covariance of documents")
        coordinates = points @ axes - center @ axes
        means, numbers = neighbours(coordinates, self.radius * float(np.linalg.norm(coordinates, axis=1).max()))
        kept = numbers >= np.log(len(means))
        if np.count_nonzero(kept) < self.n_topics:
            raise ValueError(
                f"Only {np.count_nonzero(kept)} documents have neighbours enough to be corners of "
                f"n_topics={self.n_topics} topics: pass more documents or a larger radius than {self.radius:g}."
            )
        self.record_ = {"n_left_out": int(np.count_nonzero(~kept))}
        corners = means[kept][simplex_corners(means[kept], self.n_topics)]
        self.components_ = on_simplex(center + corners @ axes.T)
        return self


def neighbours(points: Floats, distance: float) -> tuple[Floats, Floats]:
    """Return the mean of all points within a distance of each, itself included, and how many these are."""
    means, numbers = np.empty_like(points), np.empty(len(points))
    for start in range(0, len(points), _ROWS):
        rows = slice(start, start + _ROWS)
        near = (cdist(points[rows], points) <= distance).astype(np.float64)
        numbers[rows] = near.sum(axis=1)
        means[rows] = near @ points / numbers[rows, None]
    return means, numbers
