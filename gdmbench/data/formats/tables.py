"""Text in a column of a table: CSV, JSON lines, or Parquet, one document per row."""

import csv
import io
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.formats.entries import Empty
from gdmbench.data.formats.streams import StrPath, read_text
from gdmbench.data.formats.text import Text, count_words
from gdmbench.errors import one_line

# What the column of the text is usually called.
TEXT_COLUMNS = ("text", "texts", "document", "documents", "content", "body", "abstract")
_USUAL = {
    "id": ("id", "doc_id", "document_id", "docno", "key", "name", "filename", "file"),
    "label": ("label", "labels", "category", "class", "group"),
}
_LONGEST_FIELD = 2**31 - 1
_LONGEST_NAME = 200  # letters of an id or a label

Row = tuple[str, str, str | None, str | None]  # the place, the text, the id, the label


@dataclass(frozen=True)
class Columns:
    """Which columns of a table to read: those asked for, else those that are usually called so."""

    text: str | None = None
    id: str | None = None
    label: str | None = None

    def chosen(self, path: StrPath, names: Sequence[str]) -> tuple[str, str | None, str | None]:
        """Return the names of the columns of the text, the id and the label; None where there is none."""
        text = _choose(path, names, self.text)
        others = [name for name in names if name != text]
        return text, _extra(path, names, others, self.id, "id"), _extra(path, names, others, self.label, "label")


def read_text_table(
    path: StrPath,
    form: str,
    *,
    columns: Columns | None = None,
    encoding: str = "utf-8",
    empty: Empty = "error",
    vectorizer: Any = None,
) -> Corpus:
    """Return the word counts of the texts in a table.

    Parameters
    ----------
    path : path
        The file; CSV and JSON lines may be gzipped.
    form : {"csv", "jsonl", "parquet"}
        CSV has a first line with the names of the columns and commas, semicolons or tabs between its fields; JSON lines
        has an object on each line, or a text.
    columns : Columns
        Those of the text, of ids and of labels.
    encoding : str
        Of CSV and JSON lines.
    empty : "error" or "drop"
        What to do with texts that have no words.
    vectorizer : CountVectorizer or None
        As for `count_words`.
    """
    columns = columns or Columns()
    if form == "parquet":
        rows = _parquet_rows(path, columns)
    elif form == "csv":
        rows = _csv_rows(path, read_text(path, encoding), columns)
    else:
        rows = _json_rows(path, read_text(path, encoding), columns)
    first = next(rows, None)
    if first is None:
        raise CorpusError(f"{path} has no rows: there is nothing to read.")
    texts = enumerate(itertools.chain([first], rows), start=1)
    # A row without an id goes by its number.
    documents = (Text(place, text, name or row, label) for row, (place, text, name, label) in texts)
    return count_words(documents, empty, vectorizer)


def _csv_rows(path: StrPath, text: str, columns: Columns) -> Iterator[Row]:
    """Yield what is read of each row."""
    header = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count))
    limit = csv.field_size_limit(_LONGEST_FIELD)  # a document may well be longer than the 128 kB of the default
    try:
        names = next(reader, [])
        wanted = [None if name is None else names.index(name) for name in columns.chosen(path, names)]
        line = reader.line_num + 1
        for fields in reader:
            if fields:
                if len(fields) != len(names):
                    raise CorpusError(
                        f"{path}, line {line}: there are {len(fields)} fields, but the first line names {len(names)}; "
                        "put texts with commas, quotes or line breaks in quotes."
                    )
                content, name, label = (None if index is None else fields[index] for index in wanted)
                yield f"{path}, line {line}", content or "", name, label
            line = reader.line_num + 1
    except csv.Error as error:
        raise CorpusError(f"{path}, line {reader.line_num}: {one_line(error)}.") from None
    finally:
        csv.field_size_limit(limit)


def _json_rows(path: StrPath, text: str, columns: Columns) -> Iterator[Row]:
    """Yield what is read of each line."""
    chosen = None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        try:
            value: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise CorpusError(f"{place}: this is not JSON; put one object on each line.") from None
        name = label = None
        if isinstance(value, dict):
            chosen = chosen or columns.chosen(path, list(value))
            if chosen[0] not in value:
                raise CorpusError(f"{place}: there is no {chosen[0]!r} here; give every object one.", "text_column")
            name, label = (None if key is None else _short(value.get(key)) for key in chosen[1:])
            value = value[chosen[0]]
        yield place, _text(place, value), name, label


def _parquet_rows(path: StrPath, columns: Columns) -> Iterator[Row]:
    """Yield what is read of each row."""
    if find_spec("pyarrow") is None:
        raise CorpusError(f"Reading {path} needs the package pyarrow: install it with pip install pyarrow.")
    import pandas as pd

    try:
        frame = pd.read_parquet(path, engine="pyarrow")
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror or one_line(error)}.") from None
    except Exception as error:  # pyarrow has errors of its own, which are imported only where it is installed
        raise CorpusError(f"{path} is not a Parquet file that can be read: {one_line(error)}.") from None
    names = [str(name) for name in frame.columns]
    wanted = [None if name is None else names.index(name) for name in columns.chosen(path, names)]
    rows, missing = (each.itertuples(index=False, name=None) for each in (frame, frame.isna()))
    for number, (row, lacks) in enumerate(zip(rows, missing, strict=True), start=1):
        place = f"{path}, row {number}"
        value, name, label = (None if index is None or lacks[index] else row[index] for index in wanted)
        yield place, _text(place, value), _short(name), _short(label) if wanted[2] is not None else None


def _short(value: Any) -> str:
    """Return an id or a label as text; what is missing is empty."""
    return "" if value is None else str(value)[:_LONGEST_NAME]


def _extra(path: StrPath, names: Sequence[str], others: Sequence[str], column: str | None, kind: str) -> str | None:
    """Return the name of the column of ids or of labels, None where there is none."""
    if column is not None:
        if column not in names:
            raise CorpusError(
                f"{path} has no column {column!r}: set {kind}_column to one of its columns.", f"{kind}_column"
            )
        return column
    by_lower = {name.strip().lower(): name for name in reversed(others)}
    return next((by_lower[usual] for usual in _USUAL[kind] if usual in by_lower), None)


def _choose(path: StrPath, names: Sequence[str], column: str | None) -> str:
    """Return the name of the column that has the text."""
    listed = ", ".join(name[:40] for name in names[:10]) + (", …" if len(names) > 10 else "")
    if column is not None:
        if column not in names:
            raise CorpusError(
                f"{path} has no column {column!r}, only {listed}: set text_column to one of them.", "text_column"
            )
        return column
    by_lower = {name.strip().lower(): name for name in reversed(names)}
    for usual in TEXT_COLUMNS:
        if usual in by_lower:
            return by_lower[usual]
    if len(names) == 1:
        return names[0]
    raise CorpusError(f"{path} has the columns {listed}: set text_column to the one with the text.", "text_column")


def _text(place: str, value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise CorpusError(
            f"{place}: there is {type(value).__name__} where the text should be; set text_column to the column of the "
            "text.",
            "text_column",
        )
    return value
