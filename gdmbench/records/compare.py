"""Two results folders side by side: the cells whose measures differ beyond rounding."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from gdmbench.errors import ConfigError
from gdmbench.records.record import COLUMNS
from gdmbench.records.store import Records, Store

# The same cell gives the same bits on one machine; another processor or library may round otherwise.
ROUNDING = 1e-6
_MOST_LISTED = 50


@dataclass(frozen=True)
class Difference:
    """One measure, or the status, of one cell that is not the same in both folders."""

    cell: str
    column: str
    first: Any
    second: Any

    def __str__(self) -> str:
        """Write it for the terminal."""
        return f"{self.cell}: {self.column} {self.first} and {self.second}"


def read_records(folder: str | Path) -> Records:
    """Return the newest record of each cell in a results folder and the folders below it, by experiment and key."""
    stores = [Store(path.parent) for path in sorted(Path(folder).rglob("records.jsonl"))]
    if not stores:
        raise ConfigError(f"{folder} holds no records.jsonl: name a results folder.")
    return {f"{record['experiment']}/{key}": record for store in stores for key, record in store.read()[0].items()}


def differences(a: Records, b: Records) -> Iterator[Difference]:
    """Yield what differs by more than rounding in the cells that are in both, in the order of the first."""
    measures = [column.name for column in COLUMNS if column.kind == "measure"]
    for key, left in a.items():
        if key not in b:
            continue
        right = b[key]
        if left["status"] != right["status"]:
            yield Difference(name_of(left), "status", left["status"], right["status"])
            continue
        for measure in measures:
            x, y = left.get(measure), right.get(measure)
            if x is None and y is None:
                continue
            if x is None or y is None or abs(x - y) > ROUNDING * max(abs(x), abs(y)):
                yield Difference(name_of(left), measure, x, y)


def compare_folders(first: str | Path, second: str | Path, *, common: bool = False) -> tuple[str, int]:
    """Compare two results folders in words.

    Parameters
    ----------
    first, second : path
    common : bool
        Whether cells that are in one folder only don't matter.

    Returns
    -------
    text : str
    code : int
        0 if the same cells are in both and none differs, 1 if a measure differs or cells are missing, 2 if the folders
        share no cell.
    """
    a, b = read_records(first), read_records(second)
    shared = a.keys() & b.keys()
    lines = [f"{len(shared)} cells are in both."]
    alone = [(first, [a[key] for key in a if key not in b]), (second, [b[key] for key in b if key not in a])]
    for folder, records in alone:
        lines += listed(f"{len(records)} cells are only in {folder}", [name_of(record) for record in records])
    if not shared:
        return "\n".join([*lines, "The two folders share no cell, so there is nothing to compare."]), 2
    times = [(a[key].get("fit_seconds"), b[key].get("fit_seconds")) for key in shared]
    ratios = [y / x for x, y in times if x and y]
    if ratios:
        lines.append(f"Fit time, second over first: median ratio {median(ratios):.2f}.")
    found = list(differences(a, b))
    if not found:
        lines.append(f"No measure differs by more than rounding ({ROUNDING:g} of its size).")
    lines += listed(f"{len(found)} measures differ", [str(difference) for difference in found])
    missing = any(records for _, records in alone) and not common
    return "\n".join(lines), 1 if found or missing else 0


def name_of(record: dict[str, Any]) -> str:
    """Name the cell of a record in a sentence."""
    at = f" at {record['axis']}={record['value']}" if record.get("axis") else ""
    return f"{record['experiment']}, {record['method']}{at}, repetition {record['repetition']}"


def listed(heading: str, lines: list[str]) -> list[str]:
    """Return lines below a heading, of many only the first; none where there is nothing to list."""
    if not lines:
        return []
    more = [f"  and {len(lines) - _MOST_LISTED} more"] if len(lines) > _MOST_LISTED else []
    return [f"{heading}:", *(f"  {line}" for line in lines[:_MOST_LISTED]), *more]
