"""What topics look like to a reader: do the top words of a topic belong together, do topics have words of their own?"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gdmbench.measures.checks import check_documents
from gdmbench.parameters import check_whole


def coherence(topics: ArrayLike, X: Any, n_words: int = 10) -> float:
    """Return how much the most probable words of topics occur together in the documents of a reference corpus.

    The measure is the normalised pointwise mutual information (NPMI) of two words [1]_, averaged over all pairs of a
    topic's top words and then over topics [2]_. With p the share of documents that contain a word or both words,
    ``NPMI(v, w) = log(p(v, w) / (p(v) p(w))) / -log p(v, w)``: 1 for words that only occur together, 0 for words that
    occur independently, -1 for words that never occur together.

    Parameters
    ----------
    topics : array-like of shape (n_topics, n_words_in_vocabulary)
        Topics. Only the order of the words in each matters: rows need not sum to 1. Of equally probable words those
        that come first in the vocabulary count.
    X : sparse or dense matrix of shape (n_documents, n_words_in_vocabulary)
        Word counts of the reference corpus, of which it matters whether they are 0. Empty documents are left out.
    n_words : int, default=10
        Number of top words of each topic, at least 2.

    Returns
    -------
    float
        From -1 to 1, never NaN. A pair of words that never occur together counts as -1, also if one of them never
        occurs at all; a pair of words that occur in every document says nothing and counts as 0.

    Notes
    -----
    This is gensim's ``CoherenceModel(coherence="c_npmi", window_size=w)`` with w longer than the longest document, save
    for what gensim's 1e-12, added to every p(v, w), does in two cases: pairs that never occur together count there as
    ``-1 + log(p(v) p(w)) / log(1e-12)``, and pairs that occur in every document as -1. gensim's default is a window of
    10 words, for which the order of the words would be needed; its "u_mass" is another measure.

    References
    ----------
    .. [1] G. Bouma (2009). Normalized (pointwise) mutual information in collocation extraction. GSCL.
    .. [2] J. H. Lau, D. Newman and T. Baldwin (2014). Machine reading tea leaves: automatically evaluating topic
       coherence and topic model quality. EACL.

    Examples
    --------
    >>> from gdmbench import GDM, coherence, load_corpus
    >>> counts = load_corpus("reuters").counts
    >>> topics = GDM(10, random_state=0).fit(counts).components_
    >>> frequent = [counts.sum(axis=0)]  # one "topic" of the most frequent words
    >>> coherence(topics, counts) > coherence(frequent, counts)
    True
    """
    counts = check_documents(X)
    check_whole("n_words", n_words, least=2)
    top = top_words(topics, n_words, counts.shape[1])
    n_docs = int(np.count_nonzero(np.diff(counts.indptr)))
    occurs = counts.tocsc(copy=True)
    occurs.data[:] = 1.0
    pairs = np.triu_indices(n_words, k=1)
    values = np.empty(len(top))
    for topic, words in enumerate(top):
        columns = occurs[:, words]
        together = (columns.T @ columns).toarray()
        alone = together.diagonal()
        values[topic] = _npmi(together[pairs], alone[pairs[0]], alone[pairs[1]], n_docs).mean()
    return float(values.mean())


def _npmi(
    both: NDArray[np.float64], first: NDArray[np.float64], second: NDArray[np.float64], n_docs: int
) -> NDArray[np.float64]:
    """Return the NPMI of pairs of words that occur in so many documents: together, the first, the second."""
    values = np.where(both == 0, -1.0, 0.0)
    said = (both > 0) & (both < n_docs)
    both, first, second = both[said], first[said], second[said]
    values[said] = np.log(both * n_docs / (first * second)) / np.log(n_docs / both)
    return values


def diversity(topics: ArrayLike, n_words: int = 25) -> float:
    """Return the share of distinct words among the most probable words of all topics.

    Parameters
    ----------
    topics : array-like of shape (n_topics, n_words_in_vocabulary)
        Topics. Only the order of the words in each matters: rows need not sum to 1. Of equally probable words those
        that come first in the vocabulary count.
    n_words : int, default=25
        Number of top words of each topic.

    Returns
    -------
    float
        1 if no two topics share a top word, ``1 / n_topics`` if all have the same.

    References
    ----------
    A. B. Dieng, F. J. R. Ruiz and D. M. Blei (2020). Topic modeling in embedding spaces. TACL 8, 439-453.

    Examples
    --------
    >>> from gdmbench import diversity
    >>> diversity([[0.5, 0.3, 0.2, 0.0], [0.5, 0.0, 0.2, 0.3]], n_words=2)
    0.75
    """
    top = top_words(topics, n_words)
    return len(np.unique(top)) / top.size


def top_words(topics: ArrayLike, n_words: int, n_columns: int | None = None) -> NDArray[np.intp]:
    """Return the columns of the most probable words of each topic, the most probable first.

    Parameters
    ----------
    topics : array-like of shape (n_topics, n_columns)
    n_words : int
        How many words of each topic.
    n_columns : int, optional
        How many words the vocabulary must have.
    """
    matrix = np.asarray(topics, dtype=np.float64)
    check_whole("n_words", n_words)
    if matrix.ndim != 2 or not matrix.size or n_columns not in (None, matrix.shape[1]):
        wanted = "the words" if n_columns is None else f"the {n_columns} words of X"
        raise ValueError(f"topics must be a matrix with one topic per row over {wanted}, not of shape {matrix.shape}.")
    if np.isnan(matrix).any():
        raise ValueError("topics have entries that are NaN: pass probabilities.")
    if n_words > matrix.shape[1]:
        raise ValueError(f"n_words={n_words} is more than the {matrix.shape[1]} words there are: ask for fewer.")
    return np.argsort(-matrix, axis=1, kind="stable")[:, :n_words]
