"""A summary laid out as grids of means: what the Markdown, LaTeX and terminal tables have in common."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from gdmbench.records.frame import sorted_values
from gdmbench.records.record import column_of

_MOST_MEASURES = 4  # columns of a table without a sweep, so that it fits a page


@dataclass(frozen=True)
class Entry:
    """What one place of a grid holds."""

    mean: float
    se: float
    repetitions: int
    failed: int


@dataclass(frozen=True)
class Grid:
    """A table of entries; ``corner`` says what the names down the side are."""

    experiment: str
    measures: tuple[str, ...]
    corner: str
    names: tuple[object, ...]
    heads: tuple[object, ...]
    rows: tuple[tuple[Entry | None, ...], ...]

    @property
    def caption(self) -> str:
        """The measures by name."""
        return "; ".join(column_of(measure).title for measure in self.measures)

    @property
    def entries(self) -> Iterator[Entry]:
        """All entries that exist."""
        return (entry for row in self.rows for entry in row if entry)

    def transposed(self) -> "Grid":
        """Exchange rows and columns."""
        return replace(self, names=self.heads, heads=self.names, rows=tuple(zip(*self.rows, strict=True)))


def grids_of(summary: pd.DataFrame, measures: Sequence[str]) -> list[Grid]:
    """Lay out a summary: for each measure, one row per swept value and one column per method.

    An experiment without a sweep gives one row per method and one column per measure.
    """
    grids = []
    for experiment, part in summary.groupby("experiment", sort=False):
        present = [measure for measure in measures if (part["measure"] == measure).any()]
        labels = tuple(part["label"].unique())
        values = tuple(sorted_values(part["value"]))
        axis = part["axis"].iloc[0]
        if len(values) > 1:
            for measure in present:
                table = _entries(part[part["measure"] == measure])
                rows = tuple(tuple(table.get((label, value)) for label in labels) for value in values)
                grids.append(Grid(str(experiment), (measure,), axis or "", values, labels, rows))
            continue
        for start in range(0, len(present), _MOST_MEASURES):
            chunk = tuple(present[start : start + _MOST_MEASURES])
            tables = [_entries(part[part["measure"] == measure]) for measure in chunk]
            rows = tuple(tuple(table.get((label, values[0])) for table in tables) for label in labels)
            heads = tuple(column_of(measure).head for measure in chunk)
            grids.append(Grid(str(experiment), chunk, "", labels, heads, rows))
    return grids


def _entries(table: pd.DataFrame) -> dict[tuple[object, object], Entry]:
    columns = zip(
        table["label"], table["value"], table["mean"], table["se"], table["repetitions"], table["failed"], strict=True
    )
    return {(label, value): Entry(mean, se, int(n), int(failed)) for label, value, mean, se, n, failed in columns}
