"""From records to numbers: the long table of all records, and means with their standard errors."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from gdmbench.exhibits.frame import IDENTITY, compact, measures_in, tidy, value_text
from gdmbench.exhibits.style import axis_of

_WHOLE = ("repetition", "n_topics", "n_workers")
_POINT = ["experiment", "axis", "value", "method", "label"]


def records_table(records: pd.DataFrame) -> pd.DataFrame:
    """Flatten records into the long table that ``records.csv`` holds.

    Nested specifications become compact JSON strings. Rows are sorted by swept value, method and repetition, so
    that two runs that measured the same differ in nothing but their times.
    """
    table = tidy(records)
    for column in table.columns:
        if table[column].dtype == object:
            table[column] = pd.Series([compact(cell) for cell in table[column]], dtype=object)
    for column in _WHOLE:
        if column in table:
            table[column] = pd.to_numeric(table[column]).astype("Int64")
    first = [column for column in (*IDENTITY, *measures_in(table, drop_empty=False)) if column in table]
    return table[[*first, *(column for column in table.columns if column not in first)]]


def summarise(records: pd.DataFrame, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Average the repetitions of every method at every swept value.

    Parameters
    ----------
    records : DataFrame
        One row a record.
    measures : sequence of str, optional
        Columns to summarise; when left out, all known measures that hold a number.

    Returns
    -------
    DataFrame
        One row for each measure, experiment, swept value and method: ``mean``, ``se`` (standard error of the mean,
        NaN for one repetition), ``median``, ``min``, ``max``, ``repetitions`` (those that gave a number) and
        ``failed`` (those whose status is not ok). Median and extremes show what the mean of a bimodal method hides.
    """
    frame = tidy(records, extra=measures or ())
    groups = list(frame.groupby(_POINT, sort=False, dropna=False))
    rows = [
        {**dict(zip(_POINT, point, strict=True)), "measure": measure, **_describe(group, measure)}
        for measure in (measures_in(frame) if measures is None else measures)
        for point, group in groups
    ]
    columns = [*_POINT, "measure", "mean", "se", "median", "min", "max", "repetitions", "failed"]
    summary = pd.DataFrame(rows, columns=columns)
    for column in ("axis", "value"):
        plain = [None if pd.isna(cell) else cell for cell in summary[column]]
        summary[column] = pd.Series(plain, dtype=object)
    return summary


def failure_notes(records: pd.DataFrame) -> list[str]:
    """Say in a line each which cells did not end well: method, swept value, how many, how, and why."""
    frame = tidy(records)
    notes = []
    for (label, value), group in frame.groupby(["label", "value"], sort=False, dropna=False):
        at = value_text(value)
        where = f" at {axis_of(group['axis'].iloc[0]).plain} = {at}" if at else ""
        for status, failed in group[group["status"] != "ok"].groupby("status"):
            errors = [str(error).strip().splitlines()[-1] for error in failed["error"] if _says_something(error)]
            why = f" ({errors[0]})" if errors else ""
            notes.append(f"{label}{where}: {len(failed)} of {len(group)} failed, {status}{why}")
    return notes


def _describe(group: pd.DataFrame, measure: str) -> dict[str, float]:
    numbers = group[measure].dropna().to_numpy(dtype=float)
    n = len(numbers)
    # An infinite perplexity must show as an infinite mean; only its spread has no meaning.
    spread = n > 1 and np.isfinite(numbers).all()
    return {
        "mean": numbers.mean() if n else np.nan,
        "se": numbers.std(ddof=1) / np.sqrt(n) if spread else np.nan,
        "median": np.median(numbers) if n else np.nan,
        "min": numbers.min() if n else np.nan,
        "max": numbers.max() if n else np.nan,
        "repetitions": n,
        "failed": int((group["status"] != "ok").sum()),
    }


def _says_something(error: object) -> bool:
    return isinstance(error, str) and bool(error.strip())
