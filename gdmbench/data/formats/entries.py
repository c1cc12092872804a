"""From the entries of a counts file to a sparse matrix, refusing what would make its counts wrong."""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats import scan
from gdmbench.data.formats.streams import StrPath

Empty = Literal["error", "drop"]
Entries = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]

_WRONG = {
    scan.NOT_WHOLE: "a number is missing, negative or not whole",
    scan.TOO_LARGE: f"a number is greater than {scan.LARGEST}",
    scan.TOO_FEW: "the line has too few numbers",
    scan.TOO_MANY: "the line has too many numbers",
    scan.BAD_ROW: "the document's number is out of range",
    scan.BAD_COLUMN: "the word's number is out of range",
    scan.BAD_COUNT: "a count must be at least 1",
    scan.SURPLUS: "there are more lines than the header says",
    scan.BLANK: "a blank line stands among the data",
    scan.BAD_LENGTH: "the line does not have as many word:count pairs as it says",
}
_FIRST_ROOM = 1 << 18


def read_triples(
    path: StrPath,
    pieces: Iterator[bytes],
    line: int,
    shape: tuple[int, int],
    n_entries: int,
    *,
    n_fields: int = 3,
    decimals: bool = False,
    least: int = 1,
    empty: Empty = "error",
) -> sparse.csr_array:
    """Read lines `document word count` (see `scan.scan_triples`) that come after a header ending on `line`."""
    state = scan.new_state(line)
    room = min(n_entries, _FIRST_ROOM)
    entries = (np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int64))
    for piece in pieces:
        first = int(state[scan.LINE])
        wanted = min(n_entries, int(state[scan.FILLED]) + piece.count(b"\n"))
        if wanted > room:
            # The header's number is believed only as far as there are lines to fill it.
            room = min(n_entries, max(wanted, room + room // 2))
            for array in entries:
                array.resize(room, refcheck=False)
        text = np.frombuffer(piece, dtype=np.uint8)
        scan.scan_triples(text, n_fields, decimals, least, shape, entries, n_entries, state)
        if state[scan.ERROR]:
            refuse(path, state, piece, first)
    filled = int(state[scan.FILLED])
    if filled < n_entries:
        last = int(state[scan.BLANK_LINE] or state[scan.LINE] + 1)
        raise CorpusError(
            f"{path}, line {last}: the file ends after {filled} of the {n_entries} entries of its header; "
            "it is cut short or the header is wrong."
        )
    return assemble(
        path, entries, shape, lambda entry, _: line + 1 + entry, unsorted=bool(state[scan.UNSORTED]), empty=empty
    )


def assemble(
    path: StrPath,
    entries: Entries,
    shape: tuple[int, int],
    line_of: Callable[[int, int], int],
    *,
    unsorted: bool,
    empty: Empty,
) -> sparse.csr_array:
    """Return entries as CSR with sorted indices, refusing repeated ones and documents without words.

    Memory goes with the entries alone: numbers of documents and words come from the file and may be absurd.

    Parameters
    ----------
    path : path
        The file, for messages.
    entries : arrays of rows, columns and counts
        In the order of the file.
    shape : pair of int
        Numbers of documents and words.
    line_of : function of (entry, document)
        The line on which an entry of a document stands.
    unsorted : bool
        Whether the entries are not in strictly ascending order of rows and columns.
    empty : "error" or "drop"
        What to do with documents that have no words.
    """
    rows, columns, counts = entries
    if unsorted:
        order = np.lexsort((columns, rows))
        rows, columns, counts = rows[order], columns[order], counts[order]
        repeated = np.flatnonzero((np.diff(rows) == 0) & (np.diff(columns) == 0))
        if len(repeated):
            entry = int(order[repeated + 1].min())
            raise CorpusError(
                f"{path}, line {line_of(entry, int(entries[0][entry]))}: "
                "a word is listed twice for one document; give each one count."
            )
    if not counts.all():
        rows, columns, counts = rows[counts > 0], columns[counts > 0], counts[counts > 0]
    if not len(rows):
        raise CorpusError(f"{path} has no words in any document: there is nothing to read.")
    starts = np.concatenate([[0], np.flatnonzero(np.diff(rows)) + 1])
    if len(starts) < shape[0] and empty == "error":
        missing = first_gap(rows[starts])
        entry = int(starts[missing]) if missing < len(starts) else len(rows)
        place = f"{path}" if unsorted else f"{path}, line {line_of(entry, missing)}"
        raise no_words(place, missing + 1, shape[0] - len(starts))
    indptr = np.append(starts, len(rows))
    if len(rows) <= scan.LARGEST:
        indptr = indptr.astype(np.int32)
    return sparse.csr_array((counts, columns, indptr), shape=(len(starts), shape[1]))


def first_gap(present: NDArray[np.integer]) -> int:
    """Return the first number from 0 that is missing in an ascending list."""
    gaps = np.flatnonzero(present != np.arange(len(present)))
    return int(gaps[0]) if len(gaps) else len(present)


def no_words(place: str, document: int, how_many: int) -> CorpusError:
    """Return the error that documents have no words, the first of which is given by its number from 1."""
    others = f" (nor have {how_many - 1} others)" if how_many > 1 else ""
    return CorpusError(
        f"{place}: document {document} has no words{others}; set empty=drop to leave out such documents.", "empty"
    )


def refuse(path: StrPath, state: NDArray[np.int64], piece: bytes, first: int) -> NoReturn:
    """Raise what a scan found wrong, with its line; `first` is the number of lines before the piece."""
    line = int(state[scan.LINE])
    lines = piece.split(b"\n")
    text = lines[line - first - 1].strip() if line > first else b""
    found = f", found {quote(text)}" if text else ""
    raise CorpusError(f"{path}, line {line}: {_WRONG[int(state[scan.ERROR])]}{found}.")


def header_number(path: StrPath, line: int, text: bytes, name: str, largest: int = scan.LARGEST) -> int:
    """Return the number of documents, words or entries that a header gives."""
    number = re.fullmatch(rb"[ \t]*([0-9]{1,18})[ \t]*", text)
    if number is None or int(number[1]) > largest:
        raise CorpusError(
            f"{path}, line {line}: {quote(text)} is not the number of {name} that the header should give here, "
            f"a whole number of at most {largest}."
        )
    return int(number[1])


def quote(text: bytes) -> str:
    """Return bytes of a file as they may stand in a message."""
    shown = text.strip(b" \t\r").decode("ascii", "backslashreplace")
    return repr(shown if len(shown) <= 40 else shown[:40] + "…")
