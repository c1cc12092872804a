"""From the lines of a counts file to a sparse matrix, refusing what would make its counts wrong."""

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.streams import StrPath
from gdmbench.kernels import kernel

Empty = Literal["error", "drop"]

LARGEST = 2**31 - 1
WORDLESS = "it has no words"
_LISTED = 1_000_000  # rows that are named one by one: a header may claim any number
_TOO_LARGE = 10**17


class Counts(NamedTuple):
    """What a file of counts holds: its documents that have words, and which rows these are."""

    matrix: sparse.csr_array
    rows: NDArray[np.int64]  # ascending, the first row of a file is 1
    n_rows: int

    def left_out(self) -> list[tuple[str, str]]:
        """Return the rows that have no words, each with the reason; stretches where there are very many."""
        ends = np.append(self.rows, self.n_rows + 1)
        begins = np.append(1, self.rows + 1)
        gaps = ends > begins
        stretches = zip(begins[gaps].tolist(), ends[gaps].tolist(), strict=True)
        if self.n_rows - len(self.rows) > _LISTED:
            return [(f"{first} to {end - 1}", WORDLESS) for first, end in stretches]
        return [(str(row), WORDLESS) for first, end in stretches for row in range(first, end)]


def checked_lines(
    path: StrPath, pieces: Iterator[bytes], form: re.Pattern[bytes], meaning: str, line: int = 1
) -> Iterator[tuple[int, bytes]]:
    """Yield pieces of a file with the number of their first line, once it is sure that every line has its form.

    Parameters
    ----------
    path : path
        The file, for messages.
    pieces : iterator of bytes
        As `read_lines` gives them.
    form : pattern
        Matches as many lines of the right form as there are.
    meaning : str
        What a line should be, for messages.
    line : int
        The number of the first line.
    """
    ended = False  # by a blank line, after which there may be no other
    for piece in pieces:
        end = _length(form, piece)
        if ended or end < len(piece):
            piece = tidy(piece)
            end = 0 if ended else _length(form, piece)
            ended = end < len(piece)
        if piece[end:].strip(b" \n"):
            found, number = quote(piece[end:].partition(b"\n")[0]), line + piece.count(b"\n", 0, end)
            raise CorpusError(f"{path}, line {number}: {found} is not {meaning}.")
        if end:
            yield line, piece[:end]
        line += piece.count(b"\n")


def _length(form: re.Pattern[bytes], text: bytes) -> int:
    """Return how many bytes from the beginning have a form."""
    match = form.match(text)
    return match.end() if match else 0


def tidy(text: bytes) -> bytes:
    """Return lines with one blank between numbers and none at their ends, whatever they had."""
    return re.sub(rb"(?m)^ +| +(?=[ \n])", b"", text.replace(b"\r\n", b"\n").replace(b"\t", b" "))


def whole_numbers(text: bytes) -> NDArray[np.int64]:
    """Return the whole numbers in a text, none greater than 10**17."""
    numbers = np.empty(len(text) // 2 + 1, dtype=np.int64)
    return numbers[: _fill_numbers(np.frombuffer(text, dtype=np.uint8), numbers)]


@kernel
def _fill_numbers(text: NDArray[np.uint8], numbers: NDArray[np.int64]) -> int:
    """Write the numbers in a text that ends in something else; return how many there are."""
    # A docword file is read 1.3 times faster than with numpy.fromstring(text, sep=" ").
    n_numbers, value = 0, -1
    for byte in text:
        if 48 <= byte <= 57:
            value = min(10 * max(value, 0) + (byte - 48), _TOO_LARGE)
        elif value >= 0:
            numbers[n_numbers] = value
            n_numbers += 1
            value = -1
    return n_numbers


def check_range(
    path: StrPath, lines: NDArray[np.int64], name: str, numbers: NDArray[Any], least: int, most: int
) -> None:
    """Refuse numbers outside of a range or between two whole numbers; `lines` are the lines that they stand on."""
    wrong = (numbers < least) | (numbers > most)
    if numbers.dtype.kind == "f":
        wrong |= numbers != np.floor(numbers)
    if wrong.any():
        raise CorpusError(
            f"{path}, line {lines[wrong.argmax()]}: {name} must be a whole number from {least} to {most}."
        )


def assemble(
    path: StrPath,
    rows: NDArray[Any],
    columns: NDArray[Any],
    counts: NDArray[np.int64],
    shape: tuple[int, int],
    *,
    empty: Empty,
    repeated: Literal["error", "sum"] = "error",
) -> Counts:
    """Return entries as canonical CSR, refusing documents without words and, if asked for, repeated entries.

    Memory goes with the entries alone: numbers of documents and words come from the file and may be absurd.

    Parameters
    ----------
    path : path
        The file, for messages.
    rows, columns, counts : arrays
        The entries, numbered from 0, in any order.
    shape : pair of int
        Numbers of documents and words.
    empty : "error" or "drop"
        What to do with documents that have no words.
    repeated : "error" or "sum"
        What to do with several entries for one word of a document.
    """
    documents = np.unique(rows)
    if len(documents) < shape[0]:
        rows = np.searchsorted(documents, rows)
    places = rows.astype(np.int32), columns.astype(np.int32)
    matrix = sparse.coo_array((counts, places), shape=(len(documents), shape[1])).tocsr()
    if repeated == "error" and matrix.nnz < len(counts):
        document = documents[np.argmax(np.bincount(rows) > np.diff(matrix.indptr))] + 1
        raise CorpusError(f"{path}: a word is listed twice for document {document}; give each one count.")
    matrix.eliminate_zeros()
    filled = np.diff(matrix.indptr) > 0
    if not filled.any():
        raise CorpusError(f"{path} has no words in any document: there is nothing to read.")
    documents = documents[filled]
    if len(documents) < shape[0] and empty == "error":
        gaps = np.flatnonzero(documents != np.arange(len(documents)))
        first = int(gaps[0]) if len(gaps) else len(documents)
        raise no_words(str(path), first + 1, shape[0] - len(documents))
    return Counts(matrix if filled.all() else matrix[filled], documents + 1, shape[0])


def no_words(place: str, document: int, how_many: int) -> CorpusError:
    """Return the error that documents have no words, the first of which is given by its number from 1."""
    others = f" (nor have {how_many - 1} others)" if how_many > 1 else ""
    return CorpusError(
        f"{place}: document {document} has no words{others}; set empty=drop to leave out such documents.", "empty"
    )


def quote(text: bytes) -> str:
    """Return bytes of a file as they may stand in a message."""
    shown = text.strip(b" ").decode("ascii", "backslashreplace")
    return repr(shown if len(shown) <= 60 else shown[:60] + "…")
