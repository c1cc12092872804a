"""Held-out perplexity: one function for every method, with the paper's rule for words of probability zero."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gdmbench.geometry.likelihood import token_likelihood
from gdmbench.geometry.projection import project
from gdmbench.measures.checks import check_documents, check_rows_on_simplex


class HeldoutPerplexity(NamedTuple):
    """Perplexity of documents and what words of probability zero have to do with it.

    Attributes
    ----------
    perplexity : float
        Under the paper's rule for zeros.
    zero_share : float
        The share of the tokens whose word has probability zero in its document; the rule was used if it is
        above 0.
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

    Where no token has probability zero this is the plain perplexity. Where one has, the perplexity of the
    whole corpus would be infinite; then, as in the code published with the paper, the smallest positive
    probability of each document (of *every* document, also of those without such a token) is added to all its
    word probabilities, which are divided by their new sum.

    Parameters are those of `perplexity`.
    """
    counts = check_documents(X)
    topics = check_rows_on_simplex("topics", topics, (None, counts.shape[1]))
    if proportions is None:
        proportions = project(counts, topics)
    proportions = check_rows_on_simplex("proportions", proportions, (counts.shape[0], len(topics)))
    mean, zero_share, mean_nonzero = token_likelihood(counts, topics, proportions)
    with np.errstate(over="ignore"):  # the perplexity may be greater than any float
        return HeldoutPerplexity(float(np.exp(-mean)), zero_share, float(np.exp(-mean_nonzero)))
