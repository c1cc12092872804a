"""The geometric correction of GDM: from cluster centroids to topics."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.counts import squared_norms

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
    lengths = np.linalg.norm(centroids - center, axis=1)
    off_center = lengths > _ON_CENTER * np.linalg.norm(center)
    extensions = np.ones(len(centroids))
    np.divide(radii, lengths, out=extensions, where=off_center)
    return np.maximum(extensions, 1.0)  # a mean is never farther out than its farthest point, but for rounding


def extend(
    center: NDArray[np.float64], centroids: NDArray[np.float64], extensions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the topics C + m_k (mu_k - C), cut to the vocabulary simplex by thresholding and renormalising."""
    topics = center + extensions[:, None] * (centroids - center)
    np.maximum(topics, 0.0, out=topics)
    topics /= topics.sum(axis=1, keepdims=True)
    return topics
