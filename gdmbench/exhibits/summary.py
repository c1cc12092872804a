"""From records to numbers: the long table of all records, and means with their standard errors."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gdmbench.exhibits.style import axis_of, in_order
from gdmbench.records.frame import numbers_in, swept_values, value_text
from gdmbench.records.record import COLUMNS

_POINT = ["experiment", "axis", "value", "method", "label"]


def records_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the long table that ``records.csv`` holds.

    Nested specifications become compact JSON strings. Rows are sorted by experiment, swept value, method and
    repetition, so that two runs that measured the same differ in nothing but their times.
    """
    table = _in_paper_order(frame)
    for name in table.columns:
        if table[name].dtype == object:
            table[name] = pd.Series([_compact(cell) for cell in table[name]], dtype=object)
    for column in COLUMNS:
        if column.whole:
            table[column.name] = pd.to_numeric(table[column.name], errors="coerce").round().astype("Int64")
    return table


def summarise(frame: pd.DataFrame, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Average the repetitions of every method at every swept value.

    Parameters
    ----------
    frame : DataFrame
        One row per record, as `gdmbench.records.frame.to_frame` gives them.
    measures : sequence of str, optional
        Columns to summarise; when left out, all measures and costs that hold a number.

    Returns
    -------
    DataFrame
        One row for each measure, experiment, swept value and method: ``mean``, ``se`` (standard error of the mean,
        NaN for one repetition), ``median``, ``min``, ``max``, ``repetitions`` (those that gave a number) and
        ``failed`` (those whose status is not ok). Median and extremes show what the mean of a bimodal method hides.
    """
    measures = numbers_in(frame) if measures is None else measures
    points = [
        (
            dict(zip(_POINT, point, strict=True)),
            {measure: group[measure].to_numpy(dtype=float, na_value=np.nan) for measure in measures},
            int((group["status"] != "ok").sum()),
        )
        for point, group in _in_paper_order(frame).groupby(_POINT, sort=False, dropna=False)
    ]
    rows = [
        {**point, "measure": measure, **_describe(numbers[measure]), "failed": failed}
        for measure in measures
        for point, numbers, failed in points
    ]
    columns = [*_POINT, "measure", "mean", "se", "median", "min", "max", "repetitions", "failed"]
    summary = pd.DataFrame(rows, columns=columns)
    for column in ("axis", "value"):
        plain = [None if pd.isna(cell) else cell for cell in summary[column]]
        summary[column] = pd.Series(plain, dtype=object)
    return summary


def failure_notes(frame: pd.DataFrame) -> list[str]:
    """Say in a line each which cells did not end well: method, swept value, how many, how, and why."""
    notes = []
    ordered = _in_paper_order(frame)
    ordered["status"] = ordered["status"].fillna("without a status")
    for (label, value), group in ordered.groupby(["label", "value"], sort=False, dropna=False):
        at = value_text(value)
        where = f" at {axis_of(group['axis'].iloc[0]).plain} = {at}" if at else ""
        for status, failed in group[group["status"] != "ok"].groupby("status"):
            errors = [str(error).strip().splitlines()[-1] for error in failed["error"] if _says_something(error)]
            why = f" ({errors[0]})" if errors else ""
            notes.append(f"{label}{where}: {len(failed)} of {len(group)} failed, {status}{why}")
    return notes


def _in_paper_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Copy a frame with its methods in the paper's order at each swept value."""
    methods = {method: place for place, method in enumerate(in_order(frame["method"].unique()))}
    values = {value: place for place, value in enumerate(swept_values(frame))}
    keys = [
        (experiment, values.get(value, 0), methods[method], repetition)  # a missing value comes first
        for experiment, value, method, repetition in zip(
            frame["experiment"], frame["value"], frame["method"], frame["repetition"], strict=True
        )
    ]
    return frame.iloc[sorted(range(len(keys)), key=keys.__getitem__)].reset_index(drop=True)


def _compact(value: Any) -> Any:
    """Turn a nested specification into compact JSON, and leave anything flat as it is."""
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return value


def _describe(numbers: NDArray[np.float64]) -> dict[str, float]:
    numbers = numbers[~np.isnan(numbers)]
    n = len(numbers)
    # No record holds an infinite number, but a frame may: its mean shows it, and only the spread has no meaning.
    spread = n > 1 and np.isfinite(numbers).all()
    return {
        "mean": numbers.mean() if n else np.nan,
        "se": numbers.std(ddof=1) / np.sqrt(n) if spread else np.nan,
        "median": np.median(numbers) if n else np.nan,
        "min": numbers.min() if n else np.nan,
        "max": numbers.max() if n else np.nan,
        "repetitions": n,
    }


def _says_something(error: object) -> bool:
    return isinstance(error, str) and bool(error.strip())
