"""What a corpus is here: sparse word counts, the words if they have names, and the truth if it is known."""

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# No corpus has longer words; one such word would make every table and every array of words as wide as itself.
LONGEST_WORD = 1000


class CorpusError(ValueError):
    """A corpus that cannot be read or used.

    Parameters
    ----------
    message : str
        One sentence with the place and the remedy.
    *keys : str
        The parameters that the message names, so that `as_typed` can name them as the command line does.
    """

    def __init__(self, message: str, *keys: str) -> None:
        super().__init__(message)
        self.keys = keys


def as_typed(error: ValueError, prefix: str) -> str:
    """Return the message of an error of this room with its parameters as they are typed, such as `data.n_heldout`.

    Parameters
    ----------
    error : ValueError
        A CorpusError, or what `gdmbench.parameters` raises, whose message begins with the parameter.
    prefix : str
        What stands before parameters on the command line, such as "data.".

    Examples
    --------
    >>> as_typed(CorpusError("Documents are too few: set n_heldout lower.", "n_heldout"), "data.")
    'Documents are too few: set data.n_heldout lower.'
    """
    message = str(error)
    first = re.match(r"(\w+) must be ", message)
    for key in getattr(error, "keys", (first[1],) if first else ()):
        before, _, after = message.rpartition(key)  # the last place, as paths come first and remedies last
        message = f"{before}{prefix}{key}{after}"
    return message


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
    ids : ndarray of shape (n_documents,)
        What the file calls each document: its id or the name of its file, else its row in the file, from 1.
    labels : ndarray of shape (n_documents,) or None
        The group of each document, where the file has one.
    openings : ndarray of shape (n_documents,) or None
        The first words of each document, where there is text.
    dropped : list of pairs of str
        The documents that were left out: the id of each, and why.
    vectorizer : CountVectorizer or None
        What counted the words, where there is text.
    """

    counts: sparse.csr_array
    vocabulary: list[str] | None = None
    topics: NDArray[np.float64] | None = None
    proportions: NDArray[np.float64] | None = None
    ids: NDArray[Any] = field(default=None)  # type: ignore[arg-type] # filled in below
    labels: NDArray[Any] | None = None
    openings: NDArray[Any] | None = None
    dropped: list[tuple[str, str]] = field(default_factory=list)
    vectorizer: Any = None

    def __post_init__(self) -> None:
        if self.ids is None:
            object.__setattr__(self, "ids", np.arange(1, self.counts.shape[0] + 1))
        try:
            self.counts.check_format()
        except ValueError as error:
            raise CorpusError(f"The sparse matrix of word counts is damaged ({error}): build it again.") from None
        if self.vocabulary is not None and len(self.vocabulary) != self.counts.shape[1]:
            raise CorpusError(
                f"The vocabulary has {len(self.vocabulary)} words but the counts have "
                f"{self.counts.shape[1]} columns: give one word for each column."
            )
        longest = max(self.vocabulary or [""], key=len)
        if len(longest) > LONGEST_WORD:
            raise CorpusError(
                f"The word {longest[:40] + '…'!r} has {len(longest)} letters, more than the {LONGEST_WORD} a word may "
                "have: leave it out of the text or the vocabulary."
            )

    def told_of(self, documents: NDArray[Any]) -> dict[str, Any]:
        """Return what is known of some documents besides their words: `ids`, `labels` and `openings`."""
        known = {"ids": self.ids, "labels": self.labels, "openings": self.openings}
        return {name: None if each is None else each[documents] for name, each in known.items()}


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
    ids, labels, openings, dropped, vectorizer
        As of a `Corpus`, of the training documents; None and empty where they are simulated.
    heldout_labels : ndarray of shape (n_documents,) or None
        The group of each held-out document, where the corpus has labels.
    """

    train: sparse.csr_array
    heldout: sparse.csr_array
    topics: NDArray[np.float64] | None = None
    proportions: NDArray[np.float64] | None = None
    heldout_proportions: NDArray[np.float64] | None = None
    vocabulary: list[str] | None = None
    record_: dict[str, Any] = field(default_factory=dict)
    ids: NDArray[Any] | None = None
    labels: NDArray[Any] | None = None
    openings: NDArray[Any] | None = None
    dropped: list[tuple[str, str]] = field(default_factory=list)
    vectorizer: Any = None
    heldout_labels: NDArray[Any] | None = None
