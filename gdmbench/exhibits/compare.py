"""Two results folders side by side: the cells whose measures differ beyond noise."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

MEASURES = ("mm_distance", "perplexity", "perplexity_projected", "zero_share", "loss", "n_topics")
# The same cell gives the same bits on one machine; another processor or library may round otherwise.
_ROUNDING = 1e-6


def read_records(folder: str | Path) -> dict[str, dict[str, Any]]:
    """Return the newest record of each key in a results folder and the folders below it.

    Raises
    ------
    ValueError
        If there is no records file.
    """
    paths = sorted(Path(folder).rglob("records.jsonl"))
    if not paths:
        raise ValueError(f"{folder} holds no records.jsonl: name a results folder.")
    records: dict[str, dict[str, Any]] = {}
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            try:
                record = json.loads(line)
                records[f"{record['experiment']}/{record['key']}"] = record
            except (ValueError, KeyError, TypeError):
                continue  # a damaged line is the store's to name
    return records


def differences(a: dict[str, dict[str, Any]], b: dict[str, dict[str, Any]]) -> pd.DataFrame:
    """Return a row for each measure of a cell in both folders that differs by more than rounding.

    Parameters
    ----------
    a, b : dict
        Records by key, as `read_records` gives them.

    Returns
    -------
    DataFrame
        Columns experiment, method, value, repetition, measure, a, b.
    """
    return pd.DataFrame(_differing(a, b), columns=["experiment", "method", "value", "repetition", "measure", "a", "b"])


def _differing(a: dict[str, dict[str, Any]], b: dict[str, dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for key in a.keys() & b.keys():
        left, right = a[key], b[key]
        cell = (left["experiment"], left["method"], left["value"], left["repetition"])
        if left["status"] != right["status"]:
            yield *cell, "status", left["status"], right["status"]
            continue
        for measure in MEASURES:
            x, y = left.get(measure), right.get(measure)
            if x is None and y is None:
                continue
            if x is None or y is None or abs(x - y) > _ROUNDING * max(abs(x), abs(y)):
                yield *cell, measure, x, y


def compare_text(first: str | Path, second: str | Path) -> tuple[str, bool]:
    """Compare two results folders in words; also tell whether they agree."""
    a, b = read_records(first), read_records(second)
    common = a.keys() & b.keys()
    table = differences(a, b)
    alone = f"{len(a) - len(common)} only in {first}, {len(b) - len(common)} only in {second}"
    lines = [f"{len(common)} cells are in both; {alone}."]
    times = [(a[key]["fit_seconds"], b[key]["fit_seconds"]) for key in common]
    ratios = pd.Series([y / x for x, y in times if x and y])
    if len(ratios):
        lines.append(f"Fit time, second over first: median ratio {ratios.median():.2f}.")
    if table.empty:
        lines.append(f"No measure differs by more than rounding ({_ROUNDING:g} of its size).")
        return "\n".join(lines), bool(common)
    ordered = table.sort_values(["experiment", "method", "repetition", "measure"])
    lines += [f"{len(table)} measures differ:", ordered.to_string(index=False, max_rows=50)]
    return "\n".join(lines), False
