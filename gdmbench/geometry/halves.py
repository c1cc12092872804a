"""The words of documents divided in two at random: one half to infer a document's topics, the other to be predicted."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.splitmix import GOLDEN, seeded_counter, uniform
from gdmbench.kernels import kernel

_SMOOTHING = 1e-3
_MOST_TOKENS = 100_000.0  # that a count is divided in


def divide_words(
    counts: sparse.csr_array, seed: int, first_document: int = 0
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Divide the tokens of each document in two halves at random.

    The halves of a document depend on the seed, its words and its number alone, so that they are the same in whatever
    blocks documents come. The second half gets the odd token. A count that is not whole, or very large, is divided as
    so many equal parts as it has whole tokens at most, 100,000 at most.

    Parameters
    ----------
    counts : csr_array of shape (n_documents, n_words)
    seed : int
    first_document : int
        The number of the first of these documents.

    Returns
    -------
    first, second : csr_array of shape (n_documents, n_words)
        A document of less than two tokens is empty in the first.
    """
    data = counts.data.astype(np.float64)
    chosen = np.empty_like(data)
    _choose(counts.indptr, data, np.uint64(seed), first_document, chosen)
    halves = []
    for half in (chosen, data - chosen):
        matrix = sparse.csr_array((half, counts.indices, counts.indptr), shape=counts.shape, copy=True)
        matrix.eliminate_zeros()
        halves.append(matrix)
    return halves[0], halves[1]


def word_frequencies(totals: NDArray[np.number]) -> NDArray[np.float64]:
    """Return the share of each word, given how often it occurs, if it occurred once more, so that none is zero."""
    frequencies = totals + 1.0
    return frequencies / frequencies.sum()


def smoothed_topics(topics: NDArray[np.float64], frequencies: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return topics of which 0.1 % is the frequencies of words, so that none has probability zero."""
    return (1.0 - _SMOOTHING) * topics + _SMOOTHING * frequencies


@kernel
def _choose(indptr, counts, seed, first_document, chosen):  # type: ignore[no-untyped-def]
    """Set how much of each count is in the first half: half of the tokens of a document, every half as likely."""
    for d in range(len(indptr) - 1):
        left = 0
        for j in range(indptr[d], indptr[d + 1]):
            left += int(min(np.ceil(counts[j]), _MOST_TOKENS))
        wanted = left // 2
        counter = seeded_counter(seed, first_document + d)
        for j in range(indptr[d], indptr[d + 1]):
            n_tokens = int(min(np.ceil(counts[j]), _MOST_TOKENS))
            taken = 0
            for _ in range(n_tokens):
                counter += GOLDEN
                if uniform(counter) * left < wanted:  # of those left, so many are still wanted
                    taken += 1
                    wanted -= 1
                left -= 1
            chosen[j] = counts[j] * taken / n_tokens
