"""Sweeps as the page takes them: plain columns, one entry per record, in the order of methods and swept values."""

import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from gdmbench.exhibits.escape import latex, plain
from gdmbench.exhibits.figures import RATES
from gdmbench.exhibits.report.sources import Plain, Source
from gdmbench.exhibits.scales import SweptAxis
from gdmbench.exhibits.style import axis_of, in_order, styles_of
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
            "meaning": column.meaning,
            "log": column.log,
            "main": column.main,
            "cost": column.kind == "cost",
            "ranked": column.ranked,
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
    number = {method: index for index, method in enumerate(methods)}
    labels = frame.drop_duplicates("method").set_index("method")["label"]
    measures = numbers_in(frame)
    return {
        "title": plain(source.title),
        "tex": latex(source.title),
        "folder": source.folder.name,
        "command": f"python -m gdmbench +experiment={name}",
        "axis": {"key": key, "name": plain(axis.name), "symbol": plain(axis.symbol), "tex": latex(axis.symbol)},
        "values": [{"text": value_text(value), "tex": latex(value_text(value))} for value in values],
        "numbers": values if are_numbers(values) else None,
        "scale": SweptAxis.of(values).scale if len(values) > 1 else "one",
        "rate": bool(source.rate and key in RATES and are_numbers(values)),
        "methods": methods,
        "labels": {method: plain(str(labels[method])) for method in methods},
        "tex_labels": {method: latex(str(labels[method])) for method in methods},
        "measures": measures,
        "files": _files(source.folder, page_folder, measures),
        "records": {
            "method": [number[method] for method in frame["method"]],
            "value": [place.get(None if pd.isna(value) else value, 0) for value in frame["value"]],
            "repetition": [int(repetition) for repetition in frame["repetition"]],
            "ok": [int(status == "ok") for status in frame["status"]],
            **{measure: [number_or_text(x) for x in frame[measure]] for measure in measures},
        },
    }


def _files(folder: Path, page_folder: Path, measures: Sequence[str]) -> dict[str, str]:
    return {
        measure: relative_address(folder / f"{measure}.pdf", page_folder)
        for measure in measures
        if (folder / f"{measure}.pdf").is_file()
    }


def relative_address(path: Path, page_folder: Path) -> str:
    """Write the address of a file for a link in the page: relative, so that the folder can move as a whole."""
    return "./" + quote(Path(os.path.relpath(path, page_folder)).as_posix())


def number_or_text(number: float) -> float | str | None:
    """Write a number for JSON, which has neither infinity nor not-a-number."""
    if math.isnan(number):
        return None
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return float(number)
