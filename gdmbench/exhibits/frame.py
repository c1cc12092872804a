"""Records as a frame in canonical form: what every table, figure and claim starts from."""

import json
import math
import re
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from gdmbench.exhibits.style import MEASURES, in_order

IDENTITY = ("key", "experiment", "method", "label", "axis", "value", "repetition", "status", "error")


def tidy(records: pd.DataFrame, extra: Sequence[str] = ()) -> pd.DataFrame:
    """Copy records into canonical form; ``extra`` names measures of the user's own.

    Every identity column exists; measures are floats, and NaN unless the status is ok; swept values are numbers
    where they can be, else strings, else None; labels are unique; rows are in an order that does not depend on which
    cell ended first.
    """
    if "method" not in records.columns:
        raise ValueError("records need a column 'method'; one row is one record")
    frame = records.reset_index(drop=True).copy()
    for column, default in {"experiment": "", "axis": None, "value": None, "repetition": 0, "error": None}.items():
        if column not in frame:
            frame[column] = default
    if "status" not in frame:
        frame["status"] = "ok"
    ok = frame["status"] == "ok"
    for measure in {*measures_in(frame, drop_empty=False), *extra}:
        frame[measure] = pd.to_numeric(frame[measure], errors="coerce").astype(float).where(ok)
    frame["value"] = pd.Series([_plain_value(value) for value in frame["value"]], dtype=object)
    # Beside a sweep, records of an experiment without one have NaN where they had None.
    frame["axis"] = pd.Series([None if _absent(axis) else axis for axis in frame["axis"]], dtype=object)
    frame["label"] = frame["method"].map(labels_of(frame))
    place = {method: position for position, method in enumerate(in_order(frame["method"].unique()))}
    keys = [
        (str(experiment), _value_key(value), place[method], repetition)
        for experiment, value, method, repetition in zip(
            frame["experiment"], frame["value"], frame["method"], frame["repetition"], strict=True
        )
    ]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return frame.iloc[order].reset_index(drop=True)


def measures_in(records: pd.DataFrame, *, drop_empty: bool = True) -> list[str]:
    """List the known measures that the records hold, without those that are NaN throughout."""
    present = [measure for measure in MEASURES if measure in records.columns]
    return [measure for measure in present if not drop_empty or records[measure].notna().any()]


def labels_of(records: pd.DataFrame) -> dict[str, str]:
    """Map each method to its display name; two methods of one name get their config names added."""
    given: Any = records.dropna(subset="label").groupby("method")["label"].first() if "label" in records else {}
    names = {method: str(given.get(method, method)) for method in in_order(records["method"].unique())}
    shared = [name for name in names.values() if list(names.values()).count(name) > 1]
    return {method: f"{name} ({method})" if name in shared else name for method, name in names.items()}


def swept_values(records: pd.DataFrame) -> list[object]:
    """List the distinct swept values in order; [None] where nothing was swept."""
    return sorted_values(_plain_value(value) for value in records["value"]) if "value" in records else [None]


def sorted_values(values: Iterable[object]) -> list[object]:
    """Sort distinct swept values: numbers by size, then strings with the numbers inside them by size."""
    distinct = dict.fromkeys(None if _absent(value) else value for value in values)
    return sorted(distinct, key=_value_key)


def are_numbers(values: Sequence[object]) -> bool:
    """Tell whether the swept values can stand on a numerical axis."""
    return bool(values) and all(_is_number(value) for value in values)


def value_text(value: object) -> str:
    """Write a swept value as short as it goes without loss: 15000, 0.1, [50, 1500]."""
    if _absent(value):
        return ""
    if not _is_number(value):
        return str(value)
    number = float(value)  # type: ignore[arg-type]
    if number.is_integer() and abs(number) < 1e7:
        return str(int(number))
    return f"{number:.6g}"


def compact(value: object) -> object:
    """Turn a nested specification into compact JSON, and leave anything flat as it is."""
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return value


def _absent(value: object) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_) and math.isfinite(value)


def _plain_value(value: object) -> object:
    if _absent(value):
        return None
    try:
        number = float("nan") if isinstance(value, bool | np.bool_) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = float("nan")
    if not math.isfinite(number):
        return str(value)
    return int(number) if number.is_integer() else number


def _value_key(value: object) -> tuple[object, ...]:
    if _absent(value):
        return (0,)
    if _is_number(value):
        return (1, float(value))  # type: ignore[arg-type]
    parts = re.split(r"(\d+(?:\.\d+)?)", str(value))
    return (2, *((float(part), "") if index % 2 else (0.0, part) for index, part in enumerate(parts)))
