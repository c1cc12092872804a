"""Held-out perplexity: one function for every method, with the paper's rule for words of probability zero."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gdmbench.geometry.likelihood import token_likelihood
from gdmbench.geometry.projection import project
from gdmbench.measures.checks import check_documents, check_rows_on_simplex

_ROUNDING = 1e-9  # between two ways to project the same documents


class HeldoutPerplexity(NamedTuple):
    """Perplexity of documents and what words of probability zero have to do with it.

    Attributes
    ----------
    perplexity : float
        Under the paper's rule for zeros.
    zero_share : float
        The share of the tokens whose word has probability zero in its document.
    perplexity_nonzero : float
        With those tokens left out; NaN if no token remains.
    """

    perplexity: float
    zero_share: float
    perplexity_nonzero: float


def perplexity(X: Any, topics: ArrayLike, proportions: ArrayLike | None = None) -> float:
    """Return the perplexity of documents under topics.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Word counts.
    topics : array-like of shape (n_topics, n_words)
        Rows on the simplex.
    proportions : array-like of shape (n_documents, n_topics) or None, default=None
        The topic proportions of each document; None: by projection onto the topic polytope.

    Returns
    -------
    float
        `exp(-sum_mi w_mi log p_mi / sum_mi w_mi)` with `p = proportions @ topics`; see `heldout_perplexity`
        for words of probability zero.

    Examples
    --------
    >>> from gdmbench import perplexity
    >>> round(perplexity([[2, 2]], [[0.5, 0.5]]), 12)
    2.0
    """
    return heldout_perplexity(X, topics, proportions).perplexity


def heldout_perplexity(X: Any, topics: ArrayLike, proportions: ArrayLike | None = None) -> HeldoutPerplexity:
    """Return the perplexity of documents and what tokens of probability zero have to do with it.

    Where a token has probability zero, the perplexity of the whole corpus would be infinite. Then the smallest positive
    probability of each document (of *every* document, also of those without such a token) is added to all its
    word probabilities, which are divided by their new sum. As in the code published with the paper, that is done
    always where proportions are projected, and only where it is needed where they are given.

    Parameters are those of `perplexity`.
    """
    counts = check_documents(X)
    topics = check_rows_on_simplex("topics", topics, (None, counts.shape[1]))
    always = proportions is None
    weights = project(counts, topics) if proportions is None else proportions
    return _perplexity(counts, topics, weights, always)


def own_and_projected(
    X: Any, topics: ArrayLike, proportions: ArrayLike | None
) -> tuple[HeldoutPerplexity, HeldoutPerplexity]:
    """Return the perplexity with a method's own proportions and with projected ones.

    They are the same where a method has none, and where its own are projections.
    """
    counts = check_documents(X)
    topics = check_rows_on_simplex("topics", topics, (None, counts.shape[1]))
    weights = project(counts, topics)
    projected = _perplexity(counts, topics, weights, always=True)
    if proportions is None or np.allclose(proportions, weights, atol=_ROUNDING):
        return projected, projected
    return _perplexity(counts, topics, proportions, always=False), projected


def _perplexity(
    counts: sparse.csr_array, topics: NDArray[np.float64], proportions: ArrayLike, always: bool
) -> HeldoutPerplexity:
    weights = check_rows_on_simplex("proportions", proportions, (counts.shape[0], len(topics)))
    mean, zero_share, mean_nonzero = token_likelihood(counts, topics, weights, always=always)
    with np.errstate(over="ignore"):  # the perplexity may be greater than any float
        return HeldoutPerplexity(float(np.exp(-mean)), zero_share, float(np.exp(-mean_nonzero)))
