"""Records as a frame in canonical form, made once: what every table, figure and claim starts from."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gdmbench.parameters import is_number
from gdmbench.records.record import COLUMNS, NUMBERS


def to_frame(records: Iterable[Mapping[str, Any]], labels: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return records as a frame with one row per record and the columns of a record.

    Measures and costs are floats, and NaN unless the status is ok; swept values are numbers where they can be, else
    strings, else None; a method has one label in an experiment, and no two methods share one; rows are sorted by
    experiment, swept value, method and repetition, so that their order does not depend on which cell ended first.

    Parameters
    ----------
    records : iterable of mapping
        A record may lack columns, which are then empty, and have others, which are kept.
    labels : mapping of method to str, optional
        What to call methods; by default what the records say.
    """
    rows = [dict(record) for record in records]
    others = dict.fromkeys(name for row in rows for name in row)
    names = list(dict.fromkeys([*(column.name for column in COLUMNS), *others]))
    frame = pd.DataFrame({name: pd.Series([row.get(name) for row in rows], dtype=object) for name in names})
    ok = frame["status"] == "ok"
    for name in NUMBERS:
        frame[name] = pd.to_numeric(frame[name], errors="coerce").astype(float).where(ok)
    for name in ("experiment", "method"):
        frame[name] = frame[name].fillna("").astype(str)
    frame["repetition"] = pd.to_numeric(frame["repetition"], errors="coerce").fillna(0).astype(int)
    frame["value"] = pd.Series([plain_value(value) for value in frame["value"]], dtype=object)
    names_of = {name: _unique_labels(part, labels or {}) for name, part in frame.groupby("experiment")}
    pairs = zip(frame["experiment"], frame["method"], strict=True)
    frame["label"] = pd.Series([names_of[experiment][method] for experiment, method in pairs], dtype=object)
    keys = [
        (experiment, _value_key(value), method, repetition)
        for experiment, value, method, repetition in zip(
            frame["experiment"], frame["value"], frame["method"], frame["repetition"], strict=True
        )
    ]
    return frame.iloc[sorted(range(len(keys)), key=keys.__getitem__)].reset_index(drop=True)


def _unique_labels(frame: pd.DataFrame, labels: Mapping[str, str]) -> dict[str, str]:
    """Give each method of an experiment one name; two methods of the same name get their config names added."""
    given = {method: str(label) for method, label in zip(frame["method"], frame["label"], strict=True) if label}
    names = {method: labels.get(method) or given.get(method, method) for method in sorted(set(frame["method"]))}
    shared = [name for name in names.values() if list(names.values()).count(name) > 1]
    return {method: f"{name} ({method})" if name in shared else name for method, name in names.items()}


def numbers_in(frame: pd.DataFrame) -> list[str]:
    """List the measures and costs that a frame holds any number of."""
    return [name for name in NUMBERS if name in frame and frame[name].notna().any()]


def swept_values(frame: pd.DataFrame) -> list[Any]:
    """List the distinct swept values in order; [None] where nothing was swept."""
    return sorted_values(frame["value"])


def sorted_values(values: Iterable[Any]) -> list[Any]:
    """Sort distinct swept values: numbers by size, then strings with the numbers inside them by size."""
    return sorted(dict.fromkeys(None if _absent(value) else value for value in values), key=_value_key)


def are_numbers(values: Sequence[Any]) -> bool:
    """Tell whether the swept values can stand on a numerical axis."""
    return bool(values) and all(is_number(value) for value in values)


def value_text(value: Any) -> str:
    """Write a swept value as short as it goes without loss: 15000, 0.1, [50, 1500]."""
    if _absent(value):
        return ""
    if not is_number(value):
        return str(value)
    number = float(value)
    if number.is_integer() and abs(number) < 1e7:
        return str(int(number))
    return f"{number:.6g}"


def plain_value(value: Any) -> Any:
    """Return a swept value as a number if it is one, else as a string; None where nothing was swept."""
    if _absent(value):
        return None
    try:
        number = math.nan if isinstance(value, bool | np.bool_) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        return str(value)
    return int(number) if number.is_integer() else number


def _absent(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def _value_key(value: Any) -> tuple[Any, ...]:
    if _absent(value):
        return (0,)
    if is_number(value):
        return (1, float(value))
    parts = re.split(r"(\d+(?:\.\d+)?)", str(value))
    return (2, *((float(part), "") if index % 2 else (0.0, part) for index, part in enumerate(parts)))
