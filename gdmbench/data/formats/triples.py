"""Files with a header and a line `document word count` for each entry: UCI bag-of-words and Matrix Market.

scipy.io.mmread is not strict enough for counts: it reads 1.5 as 1, takes whatever stands behind the numbers of a line,
and makes room for as many entries as the header says.
"""

import itertools
import re
from collections.abc import Iterator, Sequence

import numpy as np

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.entries import (
    LARGEST,
    Counts,
    Empty,
    assemble,
    check_range,
    checked_lines,
    quote,
    whole_numbers,
)
from gdmbench.data.formats.streams import StrPath, read_lines

# With ++, which never gives back, a check of two million lines takes .1 s instead of .7 s.
_NUMBER = rb"[ \t]*([0-9]++)[ \t]*"
_UCI = re.compile((_NUMBER + rb"\r?\n") * 3)
_MATRIX_MARKET = re.compile(
    rb"[ \t]*%%MatrixMarket[ \t]+matrix[ \t]+coordinate[ \t]+(integer|real|pattern)[ \t]+general[ \t]*\r?\n"
    rb"(?:%.*\n)*" + _NUMBER * 3 + rb"\r?\n",
    re.IGNORECASE,
)
_LINES = {
    b"pattern": (re.compile(rb"(?:[0-9]++ [0-9]++\n)*+"), "`document word`, two whole numbers"),
    b"integer": (re.compile(rb"(?:[0-9]++ [0-9]++ [0-9]++\n)*+"), "`document word count`, three whole numbers"),
    b"real": (
        re.compile(rb"(?:[0-9]++ [0-9]++ (?:[0-9]++\.?[0-9]*|\.[0-9]++)(?:[eE][+-]?0*[0-9]{1,2})?\n)*+"),
        "`document word count`, two whole numbers and a decimal one",
    ),
}


def read_uci(path: StrPath, *, empty: Empty = "error", sha256: str | None = None) -> Counts:
    """Return the counts of a docword file, plain or gzipped."""
    pieces = read_lines(path, sha256)
    first = next(pieces, b"")
    header = _UCI.match(first)
    if header is None:
        raise CorpusError(
            f"{path} does not begin with three lines that give the numbers of documents, words and entries, but with "
            f"{quote(first)}."
        )
    pieces = itertools.chain([first[header.end() :]], pieces)
    return _read_triples(path, pieces, 4, b"integer", header.groups(), least=1, empty=empty)


def read_matrix_market(path: StrPath, *, empty: Empty = "error") -> Counts:
    """Return the counts of a Matrix Market file, plain or gzipped; zeros may be stored."""
    pieces = read_lines(path)
    first = next(pieces, b"")
    header = _MATRIX_MARKET.match(first)
    if header is None:
        raise CorpusError(
            f"{path} does not begin with '%%MatrixMarket matrix coordinate integer general' and a line that gives the "
            f"numbers of documents, words and entries, but with {quote(first)}."
        )
    pieces = itertools.chain([first[header.end() :]], pieces)
    line = header[0].count(b"\n") + 1
    return _read_triples(path, pieces, line, header[1].lower(), header.groups()[1:], least=0, empty=empty)


def _read_triples(
    path: StrPath,
    pieces: Iterator[bytes],
    line: int,
    field: bytes,
    header: Sequence[bytes],
    *,
    least: int,
    empty: Empty,
) -> Counts:
    """Read the entries, which begin on `line`; the header has the numbers of documents, words and entries."""
    if max(map(len, header)) > 18 or max(map(int, header[:2])) > LARGEST:
        raise CorpusError(f"{path}: its header gives more than {LARGEST} documents or words; fetch the file again.")
    n_docs, n_words, n_entries = map(int, header)
    form, meaning = _LINES[field]
    parts, n_read = [np.empty((3, 0), np.int32)], 0
    for first, piece in checked_lines(path, pieces, form, meaning, line):
        numbers = np.fromstring(piece, sep=" ") if field == b"real" else whole_numbers(piece)
        if field == b"pattern":
            numbers = np.insert(numbers.reshape(-1, 2), 2, 1, axis=1)
        rows, columns, counts = table = np.ascontiguousarray(numbers.reshape(-1, 3).T)
        lines = np.arange(first, first + len(rows))
        check_range(path, lines, "the document's number", rows, 1, n_docs)
        check_range(path, lines, "the word's number", columns, 1, n_words)
        check_range(path, lines, "the count", counts, least, LARGEST)
        parts.append(table.astype(np.int32))
        n_read += len(rows)
        if n_read > n_entries:
            raise CorpusError(f"{path}: there are more lines than the {n_entries} entries of the header.")
    if n_read < n_entries:
        raise CorpusError(
            f"{path}: the file ends after {n_read} of the {n_entries} entries of its header; it is cut short or the "
            "header is wrong."
        )
    rows, columns, counts = np.concatenate(parts, axis=1)
    return assemble(path, rows - 1, columns - 1, counts.astype(np.int64), (n_docs, n_words), empty=empty)
