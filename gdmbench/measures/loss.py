"""The geometric loss G(B): how far documents lie from the topic polytope."""

from typing import Any

from numpy.typing import ArrayLike

from gdmbench.geometry.projection import squared_distances
from gdmbench.measures.checks import check_documents, check_rows_on_simplex


def geometric_loss(X: Any, topics: ArrayLike) -> float:
    """Return `G(B) = sum_m N_m min_{x in B} ||x - w_m / N_m||²`, B the convex hull of the topics.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Word counts w_m, of sum N_m. Empty documents count for nothing.
    topics : array-like of shape (n_topics, n_words)
        Rows on the simplex.

    Examples
    --------
    >>> from gdmbench.measures.loss import geometric_loss
    >>> geometric_loss([[4, 0]], [[0.5, 0.5]])
    2.0
    """
    counts = check_documents(X)
    topics = check_rows_on_simplex("topics", topics, (None, counts.shape[1]))
    return float(counts.sum(axis=1) @ squared_distances(counts, topics))
