"""Projecting documents onto the topic polytope: topic proportions, and distances for the geometric loss."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.blocks import Blocks, stacked
from gdmbench.geometry.counts import normalise_rows, squared_norms
from gdmbench.geometry.polytope import nearest_weights
from gdmbench.geometry.sources import read_blocks


def project(X: Any, topics: Any, *, n_jobs: int | None = None) -> NDArray[np.float64]:
    """Return the topic proportions of the point of the topic polytope nearest to each document.

    Each document's relative word frequencies are projected, in the Euclidean norm, onto the convex hull of the
    topics; its proportions are the weights of the topics in that point. The projection is exact for any topics.
    Where topics are repeated or affinely dependent, the nearest point is unique but its weights are not, and one
    choice of them is returned.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words), or blocks of documents
        Word counts; each row is divided by its sum.
    topics : array of shape (n_topics, n_words)
        Vertices of the polytope.
    n_jobs : int or None, default=None
        Number of threads, of use with more than 25,000 documents: None is one, -1 all cores. The result is the same,
        bit for bit, whatever it is.

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
    blocks, topics = _read(X, topics, n_jobs)
    return stacked(weights for weights, _ in blocks.map(nearest_weights, topics))


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
    blocks, topics = _read(X, topics)
    return stacked(blocks.map(_distances_in_block, topics))


def _distances_in_block(counts: sparse.csr_array, topics: NDArray[np.float64]) -> NDArray[np.float64]:
    points, lengths = normalise_rows(counts)
    distances = np.maximum(nearest_weights(counts, topics)[1] + squared_norms(points, topics.mean(axis=0)), 0.0)
    distances[lengths == 0] = 0.0
    return distances


def _read(X: Any, topics: Any, n_jobs: int | None = None) -> tuple[Blocks, NDArray[np.float64]]:
    blocks = read_blocks(X, "project", n_jobs, as_given=True)
    topics = np.asarray(topics, dtype=np.float64)
    if topics.ndim != 2 or not np.isfinite(topics).all():
        raise ValueError("topics must be a matrix of finite numbers: pass one row for each topic.")
    if len(topics) == 0:
        raise ValueError("topics is empty: pass at least one topic to project onto.")
    if blocks.n_words != topics.shape[1]:
        raise ValueError(
            f"X has {blocks.n_words} words but topics have {topics.shape[1]}: pass both over the same vocabulary."
        )
    return blocks, topics
