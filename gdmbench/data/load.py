"""Loading a corpus: a file in one of the usual formats, a folder of text, or a corpus known by name."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from scipy import sparse

from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.formats.entries import Empty
from gdmbench.data.formats.ldac import read_ldac
from gdmbench.data.formats.matrix_market import read_matrix_market
from gdmbench.data.formats.npz import read_npz
from gdmbench.data.formats.streams import StrPath, read_vocabulary
from gdmbench.data.formats.text import read_texts
from gdmbench.data.formats.uci import read_uci
from gdmbench.data.named import NAMES, load_named

Format = Literal["uci", "ldac", "matrix_market", "npz", "text"]
_ENDINGS: dict[str, Format] = {
    ".mtx": "matrix_market",
    ".npz": "npz",
    ".ldac": "ldac",
    ".dat": "ldac",
    ".txt": "text",
}


def load_corpus(
    path: StrPath,
    *,
    format: Format | None = None,
    vocabulary: StrPath | Sequence[str] | None = None,
    data_dir: StrPath | None = None,
    encoding: str = "utf-8",
    empty: Empty = "error",
) -> Corpus:
    """Load the word counts of a corpus.

    Parameters
    ----------
    path : path or name
        A file, a folder of text, or the name of a corpus: "nips", "nips12", "reuters", "20newsgroups". Put `./` before
        a folder that has one of these names. Text files of any format may be gzipped.
    format : {"uci", "ldac", "matrix_market", "npz", "text"} or None
        None: by the file's name: `docword*` is UCI bag-of-words, `.mtx` Matrix Market, `.npz` a sparse matrix saved by
        scipy, `.ldac` or `.dat` LDA-C, another `.txt` text with one document per line, a folder text with one document
        per file.
    vocabulary : path, list of words or None
        The word of each column, or a file with one on each line. None: for `docword.NAME.txt` the file
        `vocab.NAME.txt` beside it if there is one; for text, the words that occur.
    data_dir : path or None
        Where to look for named corpora before downloading them; None: the folder that the environment variable
        GDMBENCH_DATA names.
    encoding : str
        Of text and of the vocabulary.
    empty : {"error", "drop"}
        What to do with documents that have no words.

    Returns
    -------
    Corpus
        `counts` and `vocabulary`.

    Raises
    ------
    CorpusError
        If there is anything wrong with the files; the message is a sentence with the file and line.

    Examples
    --------
    >>> from gdmbench import load_corpus
    >>> load_corpus("reuters").counts.shape
    (395, 4258)
    """
    if empty not in ("error", "drop"):
        raise CorpusError(f"empty={empty!r} is neither 'error' nor 'drop'.")
    if str(path) in NAMES:
        if format is not None or vocabulary is not None:
            raise CorpusError(f"The corpus {path} is known by name: leave out its format and vocabulary.")
        return load_named(str(path), data_dir)
    form = format or _guess_format(path)
    if form == "text":
        if vocabulary is not None:
            raise CorpusError("The vocabulary of text is the words that occur in it: leave out vocabulary.")
        return read_texts(path, encoding=encoding, empty=empty)
    file: StrPath | None = None
    words: list[str] | None = None
    if vocabulary is None:
        file = _vocabulary_beside(path)
    elif isinstance(vocabulary, str | os.PathLike):
        file = vocabulary
    else:
        words = [str(word) for word in vocabulary]
    if file is not None:
        words = read_vocabulary(file, encoding)
    counts = _read_counts(path, form, None if words is None else len(words), empty)
    if words is not None and len(words) != counts.shape[1]:
        place = f"{file}, line {min(len(words), counts.shape[1]) + 1}: " if file else ""
        raise CorpusError(
            f"{place}The vocabulary has {len(words)} words, but {path} has {counts.shape[1]}; give one word for each."
        )
    return Corpus(counts, words)


def _guess_format(path: StrPath) -> Format:
    name = Path(path).name.lower().removesuffix(".gz")
    if not Path(path).exists():
        known = ", ".join(NAMES)
        raise CorpusError(f"There is no file or folder {path}, nor a corpus of that name; there are {known}.")
    if Path(path).is_dir():
        return "text"
    if name.startswith("docword"):
        return "uci"
    if Path(name).suffix in _ENDINGS:
        return _ENDINGS[Path(name).suffix]
    raise CorpusError(
        f"The name of {path} does not tell its format: give format=uci, ldac, matrix_market, npz or text."
    )


def _read_counts(path: StrPath, form: Format, n_words: int | None, empty: Empty) -> sparse.csr_array:
    if form == "uci":
        return read_uci(path, empty=empty)
    if form == "ldac":
        return read_ldac(path, n_words=n_words, empty=empty)
    if form == "matrix_market":
        return read_matrix_market(path, empty=empty)
    if form == "npz":
        return read_npz(path, empty=empty)
    raise CorpusError(f"format={form!r} is not known: use uci, ldac, matrix_market, npz or text.")


def _vocabulary_beside(path: StrPath) -> Path | None:
    """Return `vocab.NAME.txt` beside `docword.NAME.txt`, where it exists."""
    docword = Path(path)
    if not docword.name.startswith("docword."):
        return None
    beside = docword.with_name("vocab." + docword.name.removeprefix("docword.").removesuffix(".gz"))
    return beside if beside.is_file() else None
