"""Loading a corpus: counts or text in a file of a usual format, a folder of text, or a corpus known by name."""

import inspect
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from gdmbench.data.beside import labels_beside, read_labels, vocabulary_beside
from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.formats.entries import Counts, Empty
from gdmbench.data.formats.ldac import read_ldac
from gdmbench.data.formats.npz import read_npz, read_parts
from gdmbench.data.formats.streams import StrPath, read_vocabulary
from gdmbench.data.formats.tables import Columns, read_text_table
from gdmbench.data.formats.text import read_texts
from gdmbench.data.formats.triples import read_matrix_market, read_uci
from gdmbench.data.named import NAMES, load_named
from gdmbench.data.preprocess import preprocess
from gdmbench.files import typed_path

Format = Literal["uci", "ldac", "matrix_market", "npz", "text", "csv", "jsonl", "parquet"]
_FORMATS = "uci, ldac, matrix_market, npz, text, csv, jsonl or parquet"
_OF_TEXT = ("text", "csv", "jsonl", "parquet")
_ENDINGS: dict[str, Format] = {
    ".mtx": "matrix_market",
    ".mm": "matrix_market",
    ".npz": "npz",
    ".ldac": "ldac",
    ".lda-c": "ldac",
    ".dat": "ldac",
    ".txt": "text",
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}


def load_corpus(path: StrPath, **options: Any) -> Corpus:
    """Load a corpus, and leave out words and documents if asked to.

    Parameters
    ----------
    path : path or name
        A file, a folder of text, or the name of a corpus: "nips", "nips12", "reuters", "20newsgroups".
    **options
        How to read it: `format`, `vocabulary`, `text_column`, `id_column`, `label_column`, `data_dir`, `encoding`,
        `empty` and `vectorizer`, see `gdmbench.data.load.read_corpus`. What to leave out: `stop_words`, `min_letters`,
        `min_df`, `max_df`, `min_count`, `max_count`, `vocabulary_size`, `drop_shortest` and `min_length`, see
        `gdmbench.data.preprocess.preprocess`; without any of these the corpus is as the file has it.

    Returns
    -------
    Corpus
        `counts`, `vocabulary`, the `ids` of documents and what was `dropped`; their `labels` where the files
        have them; of text also `openings` and the `vectorizer`.

    Raises
    ------
    CorpusError
        If there is anything wrong with the files; the message is a sentence with the file and line.

    Examples
    --------
    >>> from gdmbench import load_corpus
    >>> load_corpus("reuters").counts.shape
    (395, 4258)
    >>> load_corpus("reuters", stop_words="english", min_letters=4, min_df=5).counts.shape
    (395, 3294)
    """
    inspect.signature(load_corpus).bind(path, **options)  # which refuses what neither step takes
    filters = {name: options.pop(name) for name in options_of(preprocess) if name in options}
    corpus = read_corpus(path, **options)
    return preprocess(corpus, **filters) if filters else corpus


def options_of(step: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a step but the first, which is what it works on."""
    _, *rest = inspect.signature(step).parameters.values()
    return {parameter.name: parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in rest}


def read_corpus(
    path: StrPath,
    *,
    format: Format | None = None,
    vocabulary: StrPath | Sequence[str] | None = None,
    text_column: str | None = None,
    id_column: str | None = None,
    label_column: str | None = None,
    data_dir: StrPath | None = None,
    encoding: str = "utf-8",
    empty: Empty = "error",
    vectorizer: Any = None,
) -> Corpus:
    """Read the word counts of a corpus, all of them.

    Parameters
    ----------
    path : path or name
        A file, a folder of text, or the name of a corpus: "nips", "nips12", "newsgroups", "reuters", "20newsgroups".
        Put `./` before a folder that has one of these names. Text files of any format may be gzipped.
    format : {"uci", "ldac", "matrix_market", "npz", "text", "csv", "jsonl", "parquet"} or None, default=None
        None: by the file's name: `docword*` is UCI bag-of-words, `.mtx` or `.mm` Matrix Market, `.npz` a sparse matrix
        saved by scipy, a folder with such files the parts of one, `.ldac`, `.lda-c` or `.dat` LDA-C, another `.txt`
        text with one document per line, another folder text with one document per file, `.csv`, `.tsv`, `.jsonl`,
        `.ndjson` or `.parquet` a table with a column of texts
        (Parquet needs the package pyarrow).
    vocabulary : path, list of words or None, default=None
        The word of each column, or a file with one on each line. None: for `docword.NAME.txt` the file
        `vocab.NAME.txt` beside it if there is one; for text, the words that occur.
    text_column : str or None, default=None
        The column of a table that has the text. None: the one called text, texts, document, documents, content, body
        or abstract, or the only one.
    id_column : str or None, default=None
        The column of a table that names the documents. None: the one called id, doc_id, document_id, docno, key, name,
        filename or file; where there is none, documents go by their rows.
    label_column : str or None, default=None
        The column of a table that has the group of each document. None: the one called label, labels, category, class
        or group, if there is one.
    data_dir : path or None, default=None
        Where to look for named corpora before downloading them; None: the folder that the environment variable
        GDMBENCH_DATA names.
    encoding : str, default="utf-8"
        Of text and of the vocabulary.
    empty : {"error", "drop"}, default="error"
        What to do with documents that have no words.
    vectorizer : CountVectorizer or None, default=None
        What counts the words of texts: a `CountVectorizer` of scikit-learn with any stop words, n-grams or pattern.
        None: words of two or more letters or digits, in lower case, but not of digits alone.

    Returns
    -------
    Corpus
        `counts`, `vocabulary`, the `ids` of documents, which are those of the file, and what was `dropped`. Of text
        also the `openings` of documents. The `labels` of their groups if there are any: a column of a table, the
        folders inside a folder of text, the lines of `labels.NAME.txt` beside `docword.NAME.txt`.

    Raises
    ------
    CorpusError
        If there is anything wrong with the files; the message is a sentence with the file and line.
    """
    if empty not in ("error", "drop"):
        raise CorpusError(f"empty={empty!r} is neither 'error' nor 'drop'.", "empty")
    if str(path) in NAMES:
        if format is not None or vocabulary is not None:
            raise CorpusError(
                f"The corpus {path} is known by name: leave out format and vocabulary.", "format", "vocabulary"
            )
        if vectorizer is not None and str(path) != "20newsgroups":
            raise CorpusError(f"The corpus {path} is counted already: leave out vectorizer.", "vectorizer")
        return load_named(str(path), data_dir, vectorizer)
    path = typed_path(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise CorpusError(f"{path} is a pipe or a device, which may have no end: save what it gives to a file.")
    form = format or _guess_format(path)
    columns = Columns(text_column, id_column, label_column)
    for key, column in [("text_column", text_column), ("id_column", id_column), ("label_column", label_column)]:
        if column is not None and form not in ("csv", "jsonl", "parquet"):
            raise CorpusError(f"{path} has no columns to choose from: leave out {key}.", key)
    if vectorizer is not None and form not in _OF_TEXT:
        raise CorpusError(f"{path} holds counts already: leave out vectorizer.", "vectorizer")
    try:
        if form in _OF_TEXT:
            if vocabulary is not None:
                raise CorpusError(
                    "The vocabulary of text is the words that occur in it: leave out vocabulary.", "vocabulary"
                )
            if form == "text":
                return read_texts(path, encoding=encoding, empty=empty, vectorizer=vectorizer)
            return read_text_table(path, form, columns=columns, encoding=encoding, empty=empty, vectorizer=vectorizer)
        return _load_counts(path, form, vocabulary, encoding, empty)
    except MemoryError:
        raise CorpusError(f"{path} needs more memory than there is: give fewer documents.") from None


def _load_counts(
    path: Path, form: Format, vocabulary: StrPath | Sequence[str] | None, encoding: str, empty: Empty
) -> Corpus:
    """Load a file of counts, with the words of its columns and the groups of its documents where they are known."""
    file: Path | None = None
    words: list[str] | None = None
    if vocabulary is None:
        file = vocabulary_beside(path)
    elif isinstance(vocabulary, str | os.PathLike):
        file = typed_path(vocabulary)
    else:
        words = [str(word) for word in vocabulary]
    if file is not None:
        words = read_vocabulary(file, encoding)
    read = _read_counts(path, form, None if words is None else len(words), empty)
    counts = read.matrix
    if words is not None and len(words) != counts.shape[1]:
        place = f"{file}, line {min(len(words), counts.shape[1]) + 1}: " if file else ""
        raise CorpusError(
            f"{place}The vocabulary has {len(words)} words, but {path} has {counts.shape[1]}; give one word for each."
        )
    groups = labels_beside(path)
    labels = None if groups is None else read_labels(groups, read, encoding)
    return Corpus(counts, words, ids=read.rows, labels=labels, dropped=read.left_out())


def _guess_format(path: Path) -> Format:
    name = path.name.lower().removesuffix(".gz")
    if not path.exists():
        known = ", ".join(NAMES)
        raise CorpusError(f"There is no file or folder {path}, nor a corpus of that name; there are {known}.")
    if path.is_dir():
        return "npz" if any(path.glob("*.npz")) else "text"
    if name.startswith("docword"):
        return "uci"
    if Path(name).suffix in _ENDINGS:
        return _ENDINGS[Path(name).suffix]
    raise CorpusError(f"The name of {path} does not tell what it is: give format={_FORMATS}.", "format")


def _read_counts(path: Path, form: Format, n_words: int | None, empty: Empty) -> Counts:
    if form == "uci":
        return read_uci(path, empty=empty)
    if form == "ldac":
        return read_ldac(path, n_words=n_words, empty=empty)
    if form == "matrix_market":
        return read_matrix_market(path, empty=empty)
    if form == "npz":
        return read_parts(path, empty) if path.is_dir() else read_npz(path, empty=empty)
    raise CorpusError(f"format={form!r} is not known: use {_FORMATS}.", "format")


# Editors and `inspect` see what the two steps take.
_PATH = inspect.Parameter("path", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=StrPath)
load_corpus.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [_PATH, *options_of(read_corpus).values(), *options_of(preprocess).values()], return_annotation=Corpus
)
