"""Text in a column of a table: CSV, JSON lines, or Parquet, one document per row."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.formats.entries import Empty
from gdmbench.data.formats.streams import StrPath, read_text
from gdmbench.data.formats.text import count_words
from gdmbench.errors import one_line

# What the column of the text is usually called.
TEXT_COLUMNS = ("text", "texts", "document", "documents", "content", "body", "abstract")
_LONGEST_FIELD = 2**31 - 1


def read_text_table(
    path: StrPath, form: str, *, column: str | None = None, encoding: str = "utf-8", empty: Empty = "error"
) -> Corpus:
    """Return the word counts of the texts in a table.

    Parameters
    ----------
    path : path
        The file; CSV and JSON lines may be gzipped.
    form : {"csv", "jsonl", "parquet"}
        CSV has a first line with the names of the columns and commas, semicolons or tabs between its fields; JSON lines
        has an object on each line, or a text.
    column : str or None
        The column of the text; None: one of `TEXT_COLUMNS`, or the only one there is.
    encoding : str
        Of CSV and JSON lines.
    empty : "error" or "drop"
        What to do with texts that have no words.
    """
    if form == "parquet":
        rows = _parquet_rows(path, column)
    elif form == "csv":
        rows = _csv_rows(path, read_text(path, encoding), column)
    else:
        rows = _json_rows(path, read_text(path, encoding), column)
    places, texts = [], []
    for place, text in rows:
        places.append(place)
        texts.append(text)
    if not texts:
        raise CorpusError(f"{path} has no rows: there is nothing to read.")
    return count_words(texts, places, empty)


def _csv_rows(path: StrPath, text: str, column: str | None) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each row."""
    header = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count))
    limit = csv.field_size_limit(_LONGEST_FIELD)  # a document may well be longer than the 128 kB of the default
    try:
        names = next(reader, [])
        index = names.index(_choose(path, names, column))
        line = reader.line_num + 1
        for fields in reader:
            if fields:
                if len(fields) != len(names):
                    raise CorpusError(
                        f"{path}, line {line}: there are {len(fields)} fields, but the first line names {len(names)}; "
                        "put texts with commas, quotes or line breaks in quotes."
                    )
                yield f"{path}, line {line}", fields[index]
            line = reader.line_num + 1
    except csv.Error as error:
        raise CorpusError(f"{path}, line {reader.line_num}: {one_line(error)}.") from None
    finally:
        csv.field_size_limit(limit)


def _json_rows(path: StrPath, text: str, column: str | None) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each line."""
    chosen = None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        try:
            value: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise CorpusError(f"{place}: this is not JSON; put one object on each line.") from None
        if isinstance(value, dict):
            chosen = chosen or _choose(path, list(value), column)
            if chosen not in value:
                raise CorpusError(f"{place}: there is no {chosen!r} here; give every object one.", "text_column")
            value = value[chosen]
        yield place, _text(place, value)


def _parquet_rows(path: StrPath, column: str | None) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each row."""
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
    values = frame.iloc[:, names.index(_choose(path, names, column))]
    for number, (value, missing) in enumerate(zip(values, values.isna(), strict=True), start=1):
        place = f"{path}, row {number}"
        yield place, _text(place, None if missing else value)


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
