"""Plain text through scikit-learn's CountVectorizer: a folder of documents, or a file with one document per line."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from scipy import sparse

from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.formats.entries import Empty, no_words
from gdmbench.data.formats.streams import StrPath, read_text


def read_texts(path: StrPath, *, encoding: str = "utf-8", empty: Empty = "error") -> Corpus:
    """Return the word counts of plain text.

    Parameters
    ----------
    path : path
        A folder, each of whose files ending in `.txt` (or `.txt.gz`), also in folders inside, is a document; or a
        file, each of whose lines is one.
    encoding : str
        Of all files.
    empty : "error" or "drop"
        What to do with documents that have no words.
    """
    folder = Path(path)
    if not folder.is_dir():
        text = read_text(path, encoding)
        lines = text.removesuffix("\n").split("\n")
        return count_words(lines, [f"{path}, line {number}" for number in range(1, len(lines) + 1)], empty)
    files = text_files(folder)
    if not files:
        raise CorpusError(f"The folder {path} has no files ending in .txt: put one for each document there.")
    return count_words((read_text(file, encoding) for file in files), [f"{file}, line 1" for file in files], empty)


def text_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are documents, in their order."""
    return sorted(file for pattern in ("*.txt", "*.txt.gz") for file in folder.rglob(pattern) if file.is_file())


def count_words(texts: Iterable[str], places: list[str], empty: Empty) -> Corpus:
    """Return the counts of texts, whose places are named in messages."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(dtype=np.int64)
    try:
        counts = sparse.csr_array(vectorizer.fit_transform(texts))
    except CorpusError:
        raise
    except ValueError:
        raise CorpusError(f"{places[0]}: there are no words of two or more letters in any document.") from None
    blank = np.diff(counts.indptr) == 0
    if blank.any() and empty == "error":
        first = int(np.argmax(blank))
        raise no_words(places[first], first + 1, int(blank.sum()))
    counts.sort_indices()
    words = [str(word) for word in vectorizer.get_feature_names_out()]
    return Corpus(counts[~blank], words)
