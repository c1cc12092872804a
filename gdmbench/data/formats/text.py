"""Plain text through scikit-learn's CountVectorizer: a folder of documents, or a file with one document per line."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.formats.entries import WORDLESS, Empty, no_words
from gdmbench.data.formats.streams import StrPath, read_text

_OPENING = 300  # letters of a text that are kept, so that a reader knows it again


class Text(NamedTuple):
    """A document: where it stands, for messages, its text, what the file calls it and its group, if it has one."""

    place: str
    text: str
    id: str | int
    label: str | None = None


def read_texts(path: StrPath, *, encoding: str = "utf-8", empty: Empty = "error") -> Corpus:
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
    """
    folder = Path(path)
    if not folder.is_dir():
        lines = read_text(path, encoding).removesuffix("\n").split("\n")
        return count_words((Text(f"{path}, line {n}", line, n) for n, line in enumerate(lines, start=1)), empty)
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
    return count_words(documents, empty)


def text_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are documents, in their order."""
    return sorted(file for pattern in ("*.txt", "*.txt.gz") for file in folder.rglob(pattern) if file.is_file())


def count_words(documents: Iterable[Text], empty: Empty) -> Corpus:
    """Return the counts of texts and what is known of them; their places are named in messages."""
    from sklearn.feature_extraction.text import CountVectorizer

    seen: list[Text] = []  # without the text itself

    def texts() -> Iterator[str]:
        for document in documents:
            seen.append(document._replace(text=" ".join(document.text[:_OPENING].split())))
            yield document.text

    vectorizer = CountVectorizer(dtype=np.int64)
    try:
        counts = sparse.csr_array(vectorizer.fit_transform(texts()))
    except CorpusError:
        raise
    except ValueError:
        raise CorpusError(f"{seen[0].place}: there are no words of two or more letters in any document.") from None
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
    )
