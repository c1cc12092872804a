"""How probable documents are under topics and proportions, with the paper's rule for words of probability zero."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# Documents are taken in blocks whose words x documents probabilities fill at most this many numbers (8 MB).
BLOCK_ENTRIES = 1 << 20


class TokenLikelihood(NamedTuple):
    """The mean log-likelihood of tokens and what words of probability zero have to do with it.

    Attributes
    ----------
    mean : float
        ``sum_mi w_mi log p_mi / sum_mi w_mi``, under the paper's rule for zeros.
    zero_share : float
        The share of the tokens whose word has probability zero in its document; the rule was used if it is above 0.
    mean_nonzero : float
        With those tokens left out; NaN if no token remains.
    """

    mean: float
    zero_share: float
    mean_nonzero: float


def token_likelihood(
    counts: sparse.csr_array, topics: NDArray[np.float64], proportions: NDArray[np.float64], *, always: bool = False
) -> TokenLikelihood:
    """Return the mean log-likelihood of the tokens of documents under ``p = proportions @ topics``.

    Where no token has probability zero this is the plain mean. Where one has, the mean over the whole corpus would be
    minus infinity; then, as in the code published with the paper, the smallest positive probability of each document
    (of *every* document, also of those without such a token) is added to all its word probabilities, which are divided
    by their new sum.

    Parameters
    ----------
    counts : csr_array of shape (n_documents, n_words)
        As `check_counts` gives them, with at least one token.
    topics : ndarray of shape (n_topics, n_words)
        Rows on the simplex.
    proportions : ndarray of shape (n_documents, n_topics)
        Rows on the simplex.
    always : bool, default=False
        Whether to add the smallest positive probabilities even where no token has probability zero.
    """
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
    nonzero = float(log_likelihood / n_positive) if n_positive else float("nan")
    mean = nonzero if zero_tokens == 0 and not always else float(log_likelihood_smoothed / n_tokens)
    return TokenLikelihood(mean, float(zero_tokens / n_tokens), nonzero)


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
