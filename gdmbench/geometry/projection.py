"""Projecting documents onto the topic polytope: topic proportions, and distances for the geometric loss."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array

from gdmbench.geometry.counts import check_counts, normalise_rows
from gdmbench.geometry.polytope import minimise_on_simplex


def project(X: Any, topics: Any) -> NDArray[np.float64]:
    """Return the topic proportions of the point of the topic polytope nearest to each document.

    Each document's relative word frequencies are projected, in the Euclidean norm, onto the convex hull of the topics;
    its proportions are the weights of the topics in that point. The projection is exact for any topics. Where topics
    are repeated or affinely dependent the nearest point is unique but its weights are not, and one choice is returned.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Word counts; each row is divided by its sum.
    topics : array of shape (n_topics, n_words)
        Vertices of the polytope.

    Returns
    -------
    ndarray of shape (n_documents, n_topics)
        Rows on the simplex. An empty document says nothing and gets equal proportions.

    References
    ----------
    M. Yurochkin and X. Nguyen (2016). Geometric Dirichlet Means algorithm for topic inference. NIPS.
    P. Wolfe (1976). Finding the nearest point in a polytope. Mathematical Programming 11, 128-149.

    Examples
    --------
    >>> import numpy as np
    >>> from gdmbench import project
    >>> project(np.array([[2, 2, 0], [0, 0, 5]]), np.eye(3)[:2])
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    return _project(X, topics)[0]


def squared_distances(X: Any, topics: Any) -> NDArray[np.float64]:
    """Return the squared Euclidean distance of each document's word frequencies to the topic polytope.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Word counts; each row is divided by its sum.
    topics : array of shape (n_topics, n_words)
        Vertices of the polytope.

    Returns
    -------
    ndarray of shape (n_documents,)
        Zero for an empty document, so that it adds nothing to the geometric loss.
    """
    return _project(X, topics)[1]


def _project(X: Any, topics: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    X = check_array(X, accept_sparse=("csr", "csc"), dtype=np.float64, ensure_min_samples=0)
    topics = check_array(topics, dtype=np.float64, input_name="topics")
    if X.shape[1] != topics.shape[1]:
        raise ValueError(
            f"X has {X.shape[1]} words but topics have {topics.shape[1]}: pass both over the same vocabulary."
        )
    points, lengths = normalise_rows(check_counts(X))
    thetas, distances = nearest_in_polytope(points, topics)
    thetas[lengths == 0] = 1.0 / len(topics)
    distances[lengths == 0] = 0.0
    return thetas, distances


def nearest_in_polytope(
    points: sparse.csr_array, topics: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Project checked, normalised rows: weights of the nearest points, and squared distances to them."""
    center = topics.mean(axis=0)
    edges = topics - center
    linears = points @ edges.T - edges @ center
    thetas, minima = minimise_on_simplex(edges @ edges.T, linears)
    return thetas, np.maximum(minima + squared_norms(points, center), 0.0)


def squared_norms(points: sparse.csr_array, center: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared Euclidean distance of each sparse row to a dense centre, without a dense documents x words array."""
    own = np.asarray(points.multiply(points).sum(axis=1)).ravel()
    return np.asarray(own - 2.0 * (points @ center) + center @ center, dtype=np.float64)
