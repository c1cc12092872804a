"""Preprocessing of word counts: which words and documents of a real corpus are kept."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.parameters import check_at_least, check_whole


def preprocess(
    corpus: Corpus,
    *,
    drop_shortest: int = 0,
    min_letters: int = 0,
    stop_words: str | Sequence[str] | None = None,
    min_df: int | float = 1,
    max_df: int | float = 1.0,
    min_count: int = 1,
    max_count: int | None = None,
    vocabulary_size: int | None = None,
    min_length: int = 1,
) -> Corpus:
    """Return a corpus with only the words and documents that pass every filter, in their original order.

    The steps, in order: the shortest documents are dropped; words are kept that occur and pass all filters, judged by
    the remaining documents; of these the highest-ranking words are kept; documents now too short are dropped.

    Parameters
    ----------
    corpus : Corpus
        Its truth, if any, is left out of the result.
    drop_shortest : int
        Number of shortest documents to drop first (of equally short ones the first).
    min_letters : int
        Least number of letters of a word.
    stop_words : "english", list of str or None
        Words to drop; "english": scikit-learn's list.
    min_df, max_df : int or float
        Least and greatest number of documents that a word occurs in; a float is a share of the documents.
    min_count, max_count : int
        Least and greatest number of times that a word occurs, the least at least 1; None for the greatest: any.
    vocabulary_size : int or None
        Keep so many words with the greatest `(tf / df) * log(n_documents / df)`, where tf is how often the word occurs
        and df in how many documents; of words that rank equal the first stay. None: keep all.
    min_length : int
        Least number of words in a document; at least 1, so empty documents are always dropped.

    Returns
    -------
    Corpus
    """
    check_whole("drop_shortest", drop_shortest, least=0)
    check_whole("min_letters", min_letters, least=0)
    check_at_least("min_df", min_df, 0)
    check_at_least("max_df", max_df, 0)
    check_whole("min_count", min_count)
    check_whole("min_length", min_length)
    for name, number in [("max_count", max_count), ("vocabulary_size", vocabulary_size)]:
        if number is not None:
            check_whole(name, number)
    counts, words = _words_that_occur(corpus)
    if drop_shortest >= counts.shape[0]:
        raise CorpusError(
            f"drop_shortest={drop_shortest} leaves none of the {counts.shape[0]} documents: set it lower.",
            "drop_shortest",
        )
    documents, reasons = np.arange(counts.shape[0]), []
    if drop_shortest:
        order = np.argsort(counts.sum(axis=1), kind="stable")
        documents = np.sort(order[drop_shortest:])
        counts = counts[documents]
        reasons = [(row, f"it is one of the {drop_shortest} shortest") for row in order[:drop_shortest]]
    n_docs = counts.shape[0]
    totals = np.asarray(counts.sum(axis=0), dtype=np.int64)
    frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
    kept = (
        (frequencies >= _documents(min_df, n_docs))
        & (frequencies <= _documents(max_df, n_docs))
        & (totals >= min_count)
        & (totals <= (np.inf if max_count is None else max_count))
        & _by_spelling(words, counts.shape[1], min_letters, stop_words)
    )
    if vocabulary_size is not None:
        kept = _highest_ranking(totals, frequencies, n_docs, kept, vocabulary_size)
    if not kept.any():
        raise CorpusError(
            "No word passes the filters: loosen min_df, max_df, min_count or the others.",
            "min_df",
            "max_df",
            "min_count",
        )
    counts = counts[:, kept]
    lengths = counts.sum(axis=1)
    for row in np.flatnonzero(lengths < min_length):
        left = f"fewer than min_length={min_length} of its words are kept"
        reasons.append((documents[row], left if lengths[row] else "none of its words is kept"))
    counts, documents = counts[lengths >= min_length], documents[lengths >= min_length]
    if not counts.shape[0]:
        raise CorpusError(
            f"No document has min_length={min_length} of the words kept: loosen the filters.", "min_length"
        )
    return Corpus(
        counts,
        None if words is None else [word for word, keep in zip(words, kept, strict=True) if keep],
        **corpus.told_of(documents),
        dropped=corpus.dropped + [(str(corpus.ids[row]), why) for row, why in sorted(reasons)],
        vectorizer=corpus.vectorizer,
    )


def _words_that_occur(corpus: Corpus) -> tuple[sparse.csr_array, list[str] | None]:
    """Return the counts and the words without those that never occur, of which a file may claim any number."""
    counts = corpus.counts
    used, indices = np.unique(counts.indices, return_inverse=True)
    counts = sparse.csr_array(
        (counts.data, indices.astype(counts.indices.dtype), counts.indptr), shape=(counts.shape[0], len(used))
    )
    return counts, None if corpus.vocabulary is None else [corpus.vocabulary[word] for word in used]


def _documents(bound: int | float, n_docs: int) -> float:
    """Return a bound on document frequencies as a number of documents."""
    return bound * n_docs if isinstance(bound, float) else bound


def _by_spelling(
    vocabulary: list[str] | None, n_words: int, min_letters: int, stop_words: str | Sequence[str] | None
) -> NDArray[np.bool_]:
    """Return which words are long enough and no stop words."""
    if not min_letters and stop_words is None:
        return np.ones(n_words, dtype=bool)
    if vocabulary is None:
        raise CorpusError(
            "Without words, min_letters and stop_words can't choose: give the corpus a vocabulary.",
            "min_letters",
            "stop_words",
            "vocabulary",
        )
    if stop_words == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        stop_words = list(ENGLISH_STOP_WORDS)
    elif isinstance(stop_words, str):
        raise CorpusError(f"stop_words={stop_words!r} is not known: give 'english' or a list of words.", "stop_words")
    dropped = frozenset(stop_words or ())
    return np.array([len(word) >= min_letters and word.lower() not in dropped for word in vocabulary])


def _highest_ranking(
    totals: NDArray[np.int64], frequencies: NDArray[np.int64], n_docs: int, kept: NDArray[np.bool_], size: int
) -> NDArray[np.bool_]:
    """Return which of the kept words rank highest."""
    candidates = np.flatnonzero(kept)
    if size > len(candidates):
        raise CorpusError(
            f"vocabulary_size={size} is more than the {len(candidates)} words that pass the filters: set it lower.",
            "vocabulary_size",
        )
    tf, df = totals[candidates], frequencies[candidates]
    rank = tf / df * np.log(n_docs / df)
    best = np.zeros_like(kept)
    best[candidates[np.argsort(-rank, kind="stable")[:size]]] = True
    return best
