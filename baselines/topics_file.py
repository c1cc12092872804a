"""Topics from elsewhere: a method that reads its topics from a file, whatever program wrote it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from baselines._topic_formats import Table, read_table, read_words
from gdmbench.content import digest_of
from gdmbench.files import typed_path
from gdmbench.geometry.base import TopicEstimator


class TopicsFile(TopicEstimator):
    """Topics that another program found, read from a file, so that its result joins a comparison.

    Where both the file and the corpus name their words, words are matched by name: words of the corpus that the file
    lacks get probability 0, words of the file that the corpus lacks are left out, and each topic is divided by its new
    sum. Where either has no names, the file must have as many words as the corpus, in the same order.

    Parameters
    ----------
    path : str or path
        The file.
    format : {"csv", "npy", "npz", "mallet"} or None, default=None
        None: by the ending of the file's name.

        - "csv" (`.csv`, or `.tsv` with tabs): a table of probabilities or weights with the words as header or in the
          first column, as R's ``write.csv(posterior(model)$terms, file)`` or a data frame's `to_csv` writes it; topics
          as rows or as columns; or the numbers alone.
        - "npy" (`.npy`): an array that `numpy.save` wrote, such as gensim's ``model.get_topics()``; its words are
          given by `vocabulary`.
        - "npz" (`.npz`): what `gdmbench.save_model` wrote, or any archive with one array in it or an array called
          `components_` and words called `vocabulary`.
        - "mallet" (`.txt`): the file that MALLET's ``--topic-word-weights-file`` writes, each line a topic, a word and
          a weight with tabs between them.
    vocabulary : str, path, list of str or None, default=None
        The words of a file that does not name them, or a text file with one word per line.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics over the words of the corpus; rows on the simplex.
    record_ : dict
        For the records of a benchmark: `matched_words`, how many words of the corpus the file has; `matched_share`, the
        share of the topics' probability that lies on words of the corpus, on average over topics; and
        `least_matched_share`, that of the topic that has lost most.
    n_features_in_ : int
        Number of words.

    Notes
    -----
    Weights are divided by their sum, so counts will do; logarithms of probabilities won't. `transform` projects onto
    the topic polytope, as topics are all there is.

    Examples
    --------
    >>> import tempfile
    >>> from gdmbench import load_corpus
    >>> from baselines.topics_file import TopicsFile
    >>> corpus = load_corpus("reuters")
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write('"","church","pope","zebra"\\n"1",0.5,0.25,0.25\\n')
    ...     _ = file.flush()
    ...     model = TopicsFile(file.name).fit(corpus.counts, vocabulary=corpus.vocabulary)
    >>> model.record_["matched_words"], model.record_["matched_share"]
    (2, 0.75)
    """

    def __init__(
        self,
        path: str | Path,
        *,
        format: Literal["csv", "npy", "npz", "mallet"] | None = None,
        vocabulary: str | Path | Sequence[str] | None = None,
    ) -> None:
        self.path = path
        self.format = format
        self.vocabulary = vocabulary

    @staticmethod
    def content(path: str | Path, vocabulary: Any = None) -> str | None:
        """Return a digest of the files, so that a run knows other topics under the same name."""
        files = [typed_path(file) for file in (path, vocabulary) if isinstance(file, str | Path)]
        return digest_of([("", file) for file in files]) if all(file.is_file() for file in files) else None

    def fit(self, X: Any, y: None = None, *, vocabulary: Sequence[str] | None = None) -> Self:
        """Read the topics and match their words to those of a corpus.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts, of which only the number of words matters.
        y : None
            Ignored.
        vocabulary : list of str or None
            The word of each column of X.

        Returns
        -------
        self
        """
        n_words = self._read_counts(X, reset=True).shape[1]
        if vocabulary is not None and len(vocabulary) != n_words:
            raise ValueError(f"vocabulary has {len(vocabulary)} words, but X has {n_words} columns: give one for each.")
        path = typed_path(self.path)
        table = read_table(path, self.format)
        if self.vocabulary is not None:
            table = _with_names(path, table, read_words(self.vocabulary))
        weights, columns = _align(path, table, n_words, vocabulary)
        totals, matched = weights.sum(axis=1), weights[:, columns >= 0]
        kept = matched.sum(axis=1)
        if not kept.all():
            topic = int(np.argmin(kept))
            raise ValueError(
                f"Topic {topic + 1} of {path} has no probability on any word of the corpus: "
                "give the words of the file as the corpus spells them."
            )
        self.components_ = np.zeros((len(weights), n_words))
        self.components_[:, columns[columns >= 0]] = matched / kept[:, None]
        shares = kept / totals
        self.record_ = {
            "matched_words": int(np.count_nonzero(columns >= 0)),
            "matched_share": float(shares.mean()),
            "least_matched_share": float(shares.min()),
        }
        return self


def _with_names(path: Path, table: Table, words: list[str]) -> Table:
    """Name the words of a table: its columns, or its rows where only their number is right."""
    numbers = table.numbers
    if len(words) == numbers.shape[1]:
        return Table(numbers, None, words)
    if len(words) == numbers.shape[0]:
        return Table(numbers, words, None)
    raise ValueError(
        f"{path} has {numbers.shape[0]} rows and {numbers.shape[1]} columns, but vocabulary has {len(words)} words: "
        "give one word for each column (or row, where topics are columns)."
    )


def _align(
    path: Path, table: Table, n_words: int, vocabulary: Sequence[str] | None
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the weights with one topic per row, and the corpus' column of each of their words, -1 for none."""
    numbers = table.numbers
    if vocabulary is None or (table.rows is None and table.columns is None):
        if n_words not in numbers.shape:
            raise ValueError(
                f"{path} has topics over {max(numbers.shape)} words, but the corpus has {n_words}, and without names "
                "on both sides they can't be matched: give the words of the file with vocabulary=."
            )
        return (numbers if numbers.shape[1] == n_words else numbers.T), np.arange(n_words)
    place: dict[str, int] = {}
    for column, word in enumerate(vocabulary):
        place.setdefault(word, column)
    by_rows, by_columns = (
        np.array([place.get(word, -1) for word in names or []], dtype=np.intp) for names in (table.rows, table.columns)
    )
    found = max(np.count_nonzero(by_rows >= 0), np.count_nonzero(by_columns >= 0))
    if not found:
        raise ValueError(f"{path} has no word in common with the corpus: check its words and their spelling.")
    if np.count_nonzero(by_columns >= 0) == found:
        weights, columns, names = numbers, by_columns, table.columns
    else:
        weights, columns, names = numbers.T, by_rows, table.rows
    used = columns[columns >= 0]
    if len(np.unique(used)) < len(used):
        words, times = np.unique(np.array(names)[columns >= 0], return_counts=True)
        raise ValueError(f"{path} has the word {str(words[np.argmax(times)])!r} twice: give each word once.")
    return weights, columns
