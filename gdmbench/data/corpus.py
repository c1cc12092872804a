"""What a corpus is here: sparse word counts, the words if they have names, and the truth if it is known."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


class CorpusError(ValueError):
    """A corpus that cannot be read or used; the message is one sentence with the place and the remedy."""


@dataclass(frozen=True)
class Corpus:
    """Word counts of documents.

    Attributes
    ----------
    counts : csr_array of int64, shape (n_documents, n_words)
        How often each word occurs in each document; sorted indices, no stored zeros.
    vocabulary : list of str or None
        The word of each column, where known.
    topics : ndarray of shape (n_topics, n_words) or None
        The true topics, where the corpus is simulated.
    proportions : ndarray of shape (n_documents, n_topics) or None
        The true topic proportions, where the corpus is simulated.
    """

    counts: sparse.csr_array
    vocabulary: list[str] | None = None
    topics: NDArray[np.float64] | None = None
    proportions: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        try:
            self.counts.check_format()
        except ValueError as error:
            raise CorpusError(f"The sparse matrix of word counts is damaged ({error}): build it again.") from None
        if self.vocabulary is not None and len(self.vocabulary) != self.counts.shape[1]:
            raise CorpusError(
                f"The vocabulary has {len(self.vocabulary)} words but the counts have "
                f"{self.counts.shape[1]} columns: give one word for each column."
            )


@dataclass(frozen=True)
class Split:
    """Training and held-out documents over the same words: what an experiment runs on.

    Attributes
    ----------
    train, heldout : csr_array of int64, shape (n_documents, n_words)
        Word counts.
    topics : ndarray of shape (n_topics, n_words) or None
        The true topics, where the documents are simulated.
    proportions, heldout_proportions : ndarray of shape (n_documents, n_topics) or None
        The true topic proportions of the two sets of documents, where simulated.
    vocabulary : list of str or None
        The word of each column, where known.
    record_ : dict
        What the data want in the record's column `extra`: plain data, such as lists.
    """

    train: sparse.csr_array
    heldout: sparse.csr_array
    topics: NDArray[np.float64] | None = None
    proportions: NDArray[np.float64] | None = None
    heldout_proportions: NDArray[np.float64] | None = None
    vocabulary: list[str] | None = None
    record_: dict[str, Any] = field(default_factory=dict)
