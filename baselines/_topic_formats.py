"""Reading tables of topics and words from the files that other programs write."""

import csv
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.errors import one_line
from gdmbench.files import typed_path

_ENDINGS = {".csv": "csv", ".tsv": "csv", ".npy": "npy", ".npz": "npz", ".txt": "mallet"}


class Table(NamedTuple):
    """Numbers with topics as rows and words as columns, or the other way round, and the names of both, where known."""

    numbers: NDArray[np.float64]
    rows: list[str] | None
    columns: list[str] | None


def read_table(path: Path, form: str | None) -> Table:
    """Return the table in a file, whose numbers are sure to be finite and not negative."""
    readers: dict[str, Callable[[Path], Table]] = {
        "csv": _read_csv,
        "npy": _read_numpy,
        "npz": _read_numpy,
        "mallet": _read_mallet,
    }
    form = form or _ENDINGS.get(path.suffix.lower(), "")
    if form not in readers:
        raise ValueError(f"The name of {path} does not tell its format: give format=csv, npy, npz or mallet.")
    table = readers[form](path)
    if table.numbers.ndim != 2 or not table.numbers.size:
        raise ValueError(f"{path} has an array of shape {table.numbers.shape}: one topic per row is needed.")
    if not np.isfinite(table.numbers).all() or (table.numbers < 0).any():
        raise ValueError(
            f"{path} has numbers that are negative or not finite: write probabilities or weights, not logarithms."
        )
    return table


def read_words(vocabulary: str | Path | Sequence[str]) -> list[str]:
    """Return a list of words, or those of a file with one word per line."""
    if not isinstance(vocabulary, str | Path):
        return [str(word) for word in vocabulary]
    with _opened(typed_path(vocabulary)) as file:
        return [line.strip() for line in file.read().rstrip().split("\n")]


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """Open a text file, with one sentence for what can go wrong."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield file
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8 text: save it as such.") from None


def _read_csv(path: Path) -> Table:
    """Read a table with or without names above its columns and before its rows."""
    with _opened(path) as file:
        reader = csv.reader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
        try:
            lines = [(reader.line_num, cells) for cells in reader if cells]
        except csv.Error as error:
            raise ValueError(f"{path}, line {reader.line_num}: {error}.") from None
    first = lines[0][1] if lines else [""]
    header = None
    if first[0] == "" or not all(map(_is_number, first[1:])) or (not _is_number(first[0]) and _is_count(first[1:])):
        header = first
        lines = lines[1:]
    if not lines:
        raise ValueError(f"{path} has no numbers: one topic per row is needed.")
    before = [cells[0] for _, cells in lines]
    named = not all(map(_is_number, before)) or (header is not None and (header[0] == "" or _is_count(before)))
    width = len(header or lines[0][1]) - named
    numbers = np.empty((len(lines), width))
    for row, (line, cells) in enumerate(lines):
        if len(cells) - named != width:
            raise ValueError(
                f"{path}, line {line}: there are {len(cells) - named} numbers where there should be {width}."
            )
        numbers[row] = [_number(path, line, cell) for cell in cells[named:]]
    above = None if header is None else header[named:]
    return Table(
        numbers, before if named and not _is_count(before) else None, None if above and _is_count(above) else above
    )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _is_count(cells: list[str]) -> bool:
    """Tell whether cells are numbers that programs give to rows or columns without names."""
    return len(cells) > 1 and any(cells == [str(start + i) for i in range(len(cells))] for start in (0, 1))


def _number(path: Path, line: int, cell: str) -> float:
    number = float(cell) if _is_number(cell) else math.nan
    if math.isnan(number):
        raise ValueError(f"{path}, line {line}: {cell[:40]!r} is not a number.")
    return number


def _read_mallet(path: Path) -> Table:
    """Read lines of a topic's number, a word and its weight."""
    columns: dict[str, int] = {}
    topics, words, weights = [], [], []
    with _opened(path) as file:
        for line, text in enumerate(file, start=1):
            fields = text.rstrip("\r\n").split("\t")
            if len(fields) != 3 or not fields[0].isdecimal() or not _is_number(fields[2]):
                raise ValueError(
                    f"{path}, line {line}: {text[:40].rstrip()!r} is not a topic, a word and a weight with tabs "
                    "between them, as MALLET writes them."
                )
            topics.append(float(fields[0]))
            words.append(columns.setdefault(fields[1], len(columns)))
            weights.append(float(fields[2]))
    present, rows = np.unique(topics, return_inverse=True)
    numbers = sparse.coo_array((weights, (rows, words)), shape=(len(present), len(columns))).toarray()
    return Table(numbers.astype(np.float64), None, list(columns))


def _read_numpy(path: Path) -> Table:
    """Read an array; of an archive `components_` with the words `vocabulary`, or the only array there is."""
    try:
        found: Any = np.load(path, allow_pickle=False)
        if isinstance(found, np.ndarray):
            return Table(_real(found), None, None)
        with found:
            names = [name for name in found.files if name != "vocabulary"]
            if len(names) != 1 and "components_" not in names:
                raise ValueError(f"none of its arrays ({', '.join(names)}) is called components_")
            numbers = _real(found["components_" if "components_" in names else names[0]])
            words = [str(word) for word in found["vocabulary"]] if "vocabulary" in found.files else None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}.") from None
    except Exception as error:  # damaged archives raise errors of every kind
        raise ValueError(f"{path} is not an array of topics saved by numpy: {one_line(error)}.") from None
    if words is not None and len(words) != numbers.shape[-1]:
        raise ValueError(f"{path} has {len(words)} words for {numbers.shape[-1]} columns: give one for each.")
    return Table(numbers, None, words)


def _real(array: NDArray[Any]) -> NDArray[np.float64]:
    if array.dtype.kind not in "biuf":
        raise ValueError(f"it holds {array.dtype} and not numbers")
    return array.astype(np.float64)
