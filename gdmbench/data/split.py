"""A real corpus made ready for an experiment: loaded, preprocessed, divided into training and held-out documents."""

import numpy as np

from gdmbench.content import reads_files
from gdmbench.data.corpus import Corpus, CorpusError, Split
from gdmbench.data.digest import content_digest
from gdmbench.data.formats.entries import Empty
from gdmbench.data.load import Format, load_corpus
from gdmbench.data.preprocess import preprocess
from gdmbench.parameters import check_whole


@reads_files(content_digest)
def split_corpus(
    path: str,
    *,
    n_heldout: int | None = None,
    n_docs: int | float | None = None,
    format: Format | None = None,
    vocabulary: str | None = None,
    text_column: str | None = None,
    data_dir: str | None = None,
    encoding: str = "utf-8",
    empty: Empty = "error",
    drop_shortest: int = 0,
    min_letters: int = 0,
    stop_words: str | list[str] | None = None,
    min_df: int | float = 1,
    max_df: int | float = 1.0,
    min_count: int = 1,
    max_count: int | None = None,
    vocabulary_size: int | None = None,
    min_length: int = 1,
    random_state: int | np.random.SeedSequence | np.random.Generator | None = None,
) -> Split:
    """Load a corpus, preprocess it and set documents chosen at random aside.

    Parameters
    ----------
    path, format, vocabulary, text_column, data_dir, encoding, empty
        See `load_corpus`.
    n_heldout : int or None
        Number of held-out documents; None: a tenth of all documents, at least 1 and at most 300.
    n_docs : int, float or None
        Number of training documents, chosen at random too, or between 0 and 1 their share of all documents; None: all
        the rest.
    drop_shortest, min_letters, stop_words, min_df, max_df, min_count, max_count, vocabulary_size, min_length
        See `preprocess`.
    random_state : int, SeedSequence, Generator or None
        The same seed gives the same division.

    Returns
    -------
    Split
        `train`, `heldout`, `vocabulary`; no truth.
    """
    corpus = load_corpus(
        path,
        format=format,
        vocabulary=vocabulary,
        text_column=text_column,
        data_dir=data_dir,
        encoding=encoding,
        empty=empty,
    )
    corpus = preprocess(
        corpus,
        drop_shortest=drop_shortest,
        min_letters=min_letters,
        stop_words=stop_words,
        min_df=min_df,
        max_df=max_df,
        min_count=min_count,
        max_count=max_count,
        vocabulary_size=vocabulary_size,
        min_length=min_length,
    )
    return divide(corpus, n_heldout, n_docs=n_docs, random_state=random_state)


def divide(
    corpus: Corpus,
    n_heldout: int | None = None,
    *,
    n_docs: int | float | None = None,
    random_state: int | np.random.SeedSequence | np.random.Generator | None = None,
) -> Split:
    """Divide a corpus at random into held-out and training documents, each in their original order.

    Parameters
    ----------
    corpus : Corpus
    n_heldout : int or None
        Number of held-out documents; None: a tenth of all documents, at least 1 and at most 300.
    n_docs : int, float or None
        Number of training documents, or between 0 and 1 their share of all documents; None: all the rest.
    random_state : int, SeedSequence, Generator or None
        The same seed gives the same division.
    """
    there_are = corpus.counts.shape[0]
    if n_heldout is None:
        n_heldout = min(max(there_are // 10, 1), 300)
    check_whole("n_heldout", n_heldout, least=0)
    if isinstance(n_docs, float) and 0 < n_docs < 1:
        n_docs = max(1, int(n_docs * there_are))
    if n_docs is not None:
        check_whole("n_docs", n_docs)
    wanted = 1 if n_docs is None else int(n_docs)
    if n_heldout + wanted > there_are:
        raise CorpusError(
            f"The corpus has {there_are} documents, too few for n_heldout={n_heldout} held-out and {wanted} training "
            "documents: set n_heldout or n_docs lower.",
            "n_heldout",
            "n_docs",
        )
    order = np.random.default_rng(random_state).permutation(there_are)
    heldout = np.sort(order[:n_heldout])
    train = np.sort(order[n_heldout : None if n_docs is None else n_heldout + wanted])
    return Split(corpus.counts[train], corpus.counts[heldout], vocabulary=corpus.vocabulary)
