"""Drawing documents from topics, sparsely: time goes with the tokens, memory with the non-zeros."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.kernels import kernel

# Documents are drawn in blocks that may have at most about this many non-zeros (12 MB).
BLOCK_ENTRIES = 1 << 20


def draw_counts(
    lengths: NDArray[np.int64],
    proportions: NDArray[np.float64],
    topics: NDArray[np.float64],
    rng: np.random.Generator,
) -> sparse.csr_array:
    """Draw documents `w_m ~ Multinomial(lengths[m], proportions[m] @ topics)`.

    The tokens of a document are first shared out among the topics (one multinomial draw), then each token's
    word is drawn from its topic by inverting the cumulative distribution, so a word of probability 0 is never
    drawn. A guide table [1]_ makes each inversion take about two comparisons.

    References
    ----------
    .. [1] H.-C. Chen, Y. Asau (1974). On generating random variates from an empirical distribution.
       AIIE Transactions.
    """
    n_docs, n_words = len(lengths), topics.shape[1]
    cumulative = np.cumsum(topics, axis=1)
    cumulative /= cumulative[:, -1:]
    # guide[k, j] is the word of topic k at u = j / n_words, where the search for u up to (j + 1) / n_words begins.
    grid = np.arange(n_words) / n_words
    guide = np.stack([np.searchsorted(row, grid, side="right") for row in cumulative]).astype(np.int32)
    topic_counts = rng.multinomial(lengths, proportions)
    # A document has no more distinct words than tokens; how many fewer is known only when they are drawn.
    capacity = np.cumsum(np.minimum(lengths, n_words))
    cuts = np.unique(capacity // BLOCK_ENTRIES, return_index=True)[1][1:]
    tally = np.zeros(n_words, dtype=np.int64)
    sizes, words, counts = [], [], []
    for block in np.split(topic_counts, cuts):
        room = int(np.minimum(block.sum(axis=1), n_words).sum())
        block_words, block_counts = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int64)
        block_sizes = np.empty(len(block), dtype=np.int64)
        _fill_counts(rng, block, cumulative, guide, tally, block_words, block_counts, block_sizes)
        end = block_sizes.sum()
        sizes.append(block_sizes)
        words.append(block_words[:end].copy())
        counts.append(block_counts[:end].copy())
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    if indptr[-1] <= np.iinfo(np.int32).max:
        # Indices and row pointer have one type in scipy: keep the short one wherever it will do.
        indptr = indptr.astype(np.int32)
    matrix = sparse.csr_array((np.concatenate(counts), np.concatenate(words), indptr), shape=(n_docs, n_words))
    matrix.sort_indices()
    return matrix


@kernel
def _fill_counts(
    rng: np.random.Generator,
    topic_counts: NDArray[np.int64],
    cumulative: NDArray[np.float64],
    guide: NDArray[np.int32],
    tally: NDArray[np.int64],
    indices: NDArray[np.int32],
    data: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> None:
    """Draw the tokens of each document, write its words with their counts, and how many they are.

    `tally` is room for the counts of all words in a document, all zero before and after.
    """
    n_docs, n_topics = topic_counts.shape
    n_words = cumulative.shape[1]
    end = 0
    for doc in range(n_docs):
        start = end
        for topic in range(n_topics):
            for _ in range(topic_counts[doc, topic]):
                u = rng.random()
                word = guide[topic, min(int(u * n_words), n_words - 1)]
                while cumulative[topic, word] <= u:
                    word += 1
                # u * n_words can round up to the next whole number: then the guide starts one cell too far.
                while word > 0 and cumulative[topic, word - 1] > u:
                    word -= 1
                if tally[word] == 0:
                    indices[end] = word
                    end += 1
                tally[word] += 1
        for position in range(start, end):
            data[position] = tally[indices[position]]
            tally[indices[position]] = 0
        sizes[doc] = end - start
