"""Held-out perplexity: one function for every method, with the paper's rule for words of probability zero."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gdmbench.geometry.projection import project
from gdmbench.measures.checks import check_documents, check_rows_on_simplex

# Documents are taken in blocks whose words x documents probabilities fill at most this many numbers (8 MB).
BLOCK_ENTRIES = 1 << 20


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
    proportions : array-like of shape (n_documents, n_topics) or None
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

    n_tokens = counts.data.sum()
    zero_tokens = log_likelihood = log_likelihood_smoothed = 0.0
    for block, probabilities in _blocks(counts, topics, proportions):
        tokens, observed = block.data, _at_nonzeros(block, probabilities)
        positive = observed > 0
        zero_tokens += float(tokens[~positive].sum())
        log_likelihood += float(tokens[positive] @ np.log(observed[positive]))
        floor = np.where(probabilities > 0, probabilities, np.inf).min(axis=1)
        total = probabilities.sum(axis=1) + probabilities.shape[1] * floor
        lengths = np.diff(block.indptr)
        smoothed = (observed + floor.repeat(lengths)) / total.repeat(lengths)
        log_likelihood_smoothed += float(tokens @ np.log(smoothed))
    n_positive = n_tokens - zero_tokens
    nonzero = float(np.exp(-log_likelihood / n_positive)) if n_positive else float("nan")
    value = nonzero if zero_tokens == 0 else float(np.exp(-log_likelihood_smoothed / n_tokens))
    return HeldoutPerplexity(value, float(zero_tokens / n_tokens), nonzero)


def _blocks(
    counts: sparse.csr_array, topics: NDArray[np.float64], proportions: NDArray[np.float64]
) -> Iterator[tuple[sparse.csr_array, NDArray[np.float64]]]:
    """Yield the documents in blocks with their word probabilities, so that these are never all in memory."""
    n_docs, n_words = counts.shape
    step = max(1, BLOCK_ENTRIES // n_words)
    for start in range(0, n_docs, step):
        rows = slice(start, start + step)
        yield counts[rows], proportions[rows] @ topics


def _at_nonzeros(block: sparse.csr_array, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of each stored entry of the block."""
    rows = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
    return probabilities[rows, block.indices]
