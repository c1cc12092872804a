"""Plain text through scikit-learn's CountVectorizer: a folder of documents, or a file with one document per line."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.formats.entries import WORDLESS, Empty, no_words
from gdmbench.data.formats.streams import StrPath, read_text
from gdmbench.errors import one_line

_WORDS = r"(?u)\b(?!\d+\b)\w\w+\b"  # scikit-learn's, without words of digits
_OPENING = 300  # letters of a text that are kept, so that a reader knows it again


class Text(NamedTuple):
    """A document: where it stands, for messages, its text, what the file calls it and its group, if it has one."""

    place: str
    text: str
    id: str | int
    label: str | None = None


def read_texts(path: StrPath, *, encoding: str = "utf-8", empty: Empty = "error", vectorizer: Any = None) -> Corpus:
    """Return the word counts of plain text.

    Parameters
    ----------
    path : path
        A folder, each of whose files ending in `.txt` (or `.txt.gz`), also in folders inside, is a document, which
        belongs to the group of its folder; or a file, each of whose lines is one.
    encoding : str
        Of all files.
    empty : "error" or "drop"
        What to do with documents that have no words.
    vectorizer : CountVectorizer or None
        As for `count_words`.
    """
    folder = Path(path)
    if not folder.is_dir():
        lines = read_text(path, encoding).removesuffix("\n").split("\n")
        documents = (Text(f"{path}, line {n}", line, n) for n, line in enumerate(lines, start=1))
        return count_words(documents, empty, vectorizer)
    files = text_files(folder)
    if not files:
        raise CorpusError(f"The folder {folder} has no files ending in .txt: put one for each document there.")
    grouped = any(file.parent != folder for file in files)

    def named(path: Path) -> str:
        return os.fsencode(path.relative_to(folder)).decode("utf-8", "replace").removeprefix(".")

    documents = (
        Text(f"{file}, line 1", read_text(file, encoding), named(file), named(file.parent) if grouped else None)
        for file in files
    )
    return count_words(documents, empty, vectorizer)


def text_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are documents, in their order."""
    return sorted(file for pattern in ("*.txt", "*.txt.gz") for file in folder.rglob(pattern) if file.is_file())


def count_words(documents: Iterable[Text], empty: Empty, vectorizer: Any = None) -> Corpus:
    """Return the counts of texts and what is known of them; their places are named in messages.

    Parameters
    ----------
    documents : iterable of Text
    empty : "error" or "drop"
        What to do with texts that have no words.
    vectorizer : CountVectorizer or None
        What counts the words; None: words of two or more letters or digits, but not of digits alone.
    """
    from sklearn.base import clone
    from sklearn.feature_extraction.text import CountVectorizer

    seen: list[Text] = []  # without the text itself

    def texts() -> Iterator[str]:
        for document in documents:
            seen.append(document._replace(text=" ".join(document.text[:_OPENING].split())))
            yield document.text

    vectorizer = CountVectorizer(token_pattern=_WORDS) if vectorizer is None else clone(vectorizer)
    try:
        counts = sparse.csr_array(vectorizer.fit_transform(texts()))
    except CorpusError:
        raise
    except ValueError as error:
        if "empty vocabulary" not in str(error):
            raise CorpusError(f"vectorizer can't count these texts: {one_line(error)}", "vectorizer") from None
        raise CorpusError(f"{seen[0].place}: there are no words of two or more letters in any document.") from None
    if counts.dtype.kind not in "iu":
        raise CorpusError("vectorizer gives weights, not counts: pass a CountVectorizer.", "vectorizer")
    counts = counts.astype(np.int64)
    filled = np.diff(counts.indptr) > 0
    if empty == "error" and not filled.all():
        first = int(np.argmin(filled))
        raise no_words(seen[first].place, first + 1, int((~filled).sum()))
    counts.sort_indices()
    words = [str(word) for word in vectorizer.get_feature_names_out()]
    kept = [document for document, has_words in zip(seen, filled, strict=True) if has_words]
    return Corpus(
        counts[filled],
        words,
        ids=np.array([document.id for document in kept], dtype=object),
        labels=None if seen[0].label is None else np.array([document.label for document in kept], dtype=object),
        openings=np.array([document.text for document in kept], dtype=object),
        dropped=[(str(document.id), WORDLESS) for document, fine in zip(seen, filled, strict=True) if not fine],
        vectorizer=vectorizer,
    )
