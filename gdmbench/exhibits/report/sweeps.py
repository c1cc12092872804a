"""Sweeps as the page takes them: what was swept, and every point with its repetitions and their summary."""

import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from gdmbench.exhibits.digits import format_mean
from gdmbench.exhibits.escape import latex, plain
from gdmbench.exhibits.figures import RATES, rate_line
from gdmbench.exhibits.report.overview import ratios_to_best
from gdmbench.exhibits.report.sources import Plain, Source
from gdmbench.exhibits.scales import SweptAxis
from gdmbench.exhibits.style import axis_of, in_order, styles_of
from gdmbench.exhibits.summary import summarise
from gdmbench.records.frame import are_numbers, numbers_in, swept_values, value_text
from gdmbench.records.record import NUMBERS, column_of


def columns_data() -> Plain:
    """Tell how each measure and cost is called and read."""
    found = {}
    for name in NUMBERS:
        column = column_of(name)
        found[name] = {
            "title": plain(column.title),
            "tex": latex(column.title),
            "log": column.log,
            "main": column.main,
            "cost": column.kind == "cost",
        }
    return found


def methods_data(frame: pd.DataFrame) -> Plain:
    """Give every method its look, in the paper's order; its label is that of the sweep where it comes first."""
    labels = frame.drop_duplicates("method").set_index("method")["label"]
    methods = in_order(frame["method"].unique())
    styles = styles_of(methods)
    return {
        method: {
            "label": plain(str(labels[method])),
            "color": styles[method].color,
            "marker": styles[method].marker,
            "line": styles[method].linestyle,
            "hollow": styles[method].hollow,
        }
        for method in methods
    }


def sweeps_data(sources: Sequence[Source], page_folder: Path) -> list[Plain]:
    """Lay out every experiment that has records; files beside it are named relative to the page."""
    found: list[Plain] = []
    taken: set[str] = set()
    for source in sources:
        for experiment, frame in source.frame.groupby("experiment", sort=False):
            name = str(experiment) or source.name
            ident = re.sub(r"[^\w.-]+", "-", name)  # an address within the page
            while ident in taken:
                ident += "-again"
            taken.add(ident)
            found.append({"id": ident, "name": name, **_sweep(source, name, frame, page_folder)})
    return found


def _sweep(source: Source, name: str, frame: pd.DataFrame, page_folder: Path) -> Plain:
    key = next((key for key in frame["axis"] if isinstance(key, str)), None)
    axis, values = axis_of(key), swept_values(frame)
    place = {value: index for index, value in enumerate(values)}
    methods = in_order(frame["method"].unique())
    labels = frame.drop_duplicates("method").set_index("method")["label"]
    measures = numbers_in(frame)
    points = _points(frame, measures, place)
    return {
        "title": plain(source.title),
        "tex": latex(source.title),
        "folder": source.folder.name,
        "command": f"python -m gdmbench +experiment={name}",
        "axis": {"key": key, "name": plain(axis.name), "symbol": plain(axis.symbol), "tex": latex(axis.symbol)},
        "values": [{"text": value_text(value), "tex": latex(value_text(value))} for value in values],
        "numbers": values if are_numbers(values) else None,
        "scale": SweptAxis.of(values).scale if len(values) > 1 else "one",
        "rate": _rate(frame, str(axis.symbol), SweptAxis.of(values)) if source.rate and key in RATES else None,
        "methods": methods,
        "labels": {method: plain(str(labels[method])) for method in methods},
        "tex_labels": {method: latex(str(labels[method])) for method in methods},
        "measures": measures,
        # addresses are relative, so that the folder can move as a whole
        "files": {
            name: "./" + quote(Path(os.path.relpath(source.folder / f"{name}.pdf", page_folder)).as_posix())
            for name in measures
            if (source.folder / f"{name}.pdf").is_file()
        },
        "cells": len(frame),
        "failed": int((frame["status"] != "ok").sum()),
        "points": points,
        "ratios": {
            measure: ratios_to_best(points[measure])
            for measure in measures
            if column_of(measure).ranked and len(methods) > 1
        },
    }


def _points(frame: pd.DataFrame, measures: Sequence[str], place: dict[object, int]) -> dict[str, list[Plain]]:
    """Summarise the repetitions as `summary.csv` does: by measure, one entry for each method and swept value."""
    cells: dict[tuple[str, int], list[int]] = {}
    at = [place.get(None if pd.isna(value) else value, 0) for value in frame["value"]]
    for row, cell in enumerate(zip(frame["method"], at, strict=True)):
        cells.setdefault(cell, []).append(row)
    columns = {measure: frame[measure].to_list() for measure in measures}
    repetitions = frame["repetition"].to_list()
    found: dict[str, list[Plain]] = {measure: [] for measure in measures}
    for point in summarise(frame, measures).to_dict("records"):
        numbers, value = columns[point["measure"]], place.get(point["value"], 0)
        rows = [row for row in cells[point["method"], value] if not math.isnan(numbers[row])]
        entry = {
            "method": point["method"],
            "value": value,
            "text": format_mean(point["mean"], point["se"]),
            "n": int(point["repetitions"]),
            "failed": int(point["failed"]),
            "repetitions": [int(repetitions[row]) for row in rows],
            "numbers": [number_or_text(numbers[row]) for row in rows],
        }
        entry |= {name: number_or_text(point[name]) for name in ("mean", "se", "median", "min", "max")}
        found[point["measure"]].append(entry)
    return found


def _rate(frame: pd.DataFrame, symbol: str, swept: SweptAxis) -> Plain | None:
    """Lay out the paper's rate as figures draw it, and say what it is."""
    found = rate_line(frame, "mm_distance", swept)
    if found is None:
        return None
    x, y = found
    v, start = plain(symbol), value_text(float(x[0]))
    words = f"Dashed: the paper's rate, ∝ (log {v} / {v})^½, through the methods' geometric mean at {v} = {start}."
    return {"line": [{"x": float(a), "y": float(b)} for a, b in zip(x, y, strict=True)], "words": words}


def number_or_text(number: float) -> float | str | None:
    """Write a number for JSON, which has neither infinity nor not-a-number."""
    if math.isnan(number):
        return None
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return float(number)
