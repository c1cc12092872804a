"""How time and accuracy of fast methods change with the numbers of documents, topics and words.

Beside the figures stands a table of exponents: the slope of a straight line, by least squares, through the logarithms
of the mean CPU times of fit. An exponent of 1 is time in proportion. At small sizes fixed costs flatten it.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from experiments.criteria import of, setting
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.escape import markdown
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.summary import summarise
from gdmbench.exhibits.tables import markdown_table
from gdmbench.files import atomic_write_text

_SWEEPS = {"growth_M": ("M", "n_words"), "growth_K": ("K", "n_docs"), "growth_V": ("V", "n_docs")}
CLAIMS: list[Claim] = []


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw CPU time and MM distance of every sweep there is, and write the table of exponents."""
    present = [sweep for sweep in _SWEEPS if len(of(frame, sweep))]
    if not present:
        return []
    written: list[Path] = []
    for measure in ("fit_cpu_seconds", "mm_distance"):
        panels = [Panel(of(frame, sweep), measure, setting(of(frame, sweep), _SWEEPS[sweep][1])) for sweep in present]
        written += panel_figure(panels, folder / f"growth_{measure}")
    path = folder / "growth.md"
    atomic_write_text(path, f"# Growth of the CPU time of fit\n\n{_table(frame, present)}\n")
    return [*written, path]


def exponents(frame: pd.DataFrame) -> dict[str, float]:
    """Return for each label of a method the exponent of its CPU time in the swept value; NaN for fewer than two."""
    summary = summarise(frame, ["fit_cpu_seconds"])
    found = {}
    for label, rows in summary.groupby("label", sort=False):
        sizes = pd.to_numeric(rows["value"], errors="coerce").to_numpy(dtype=float)
        seconds = rows["mean"].to_numpy(dtype=float)
        fine = np.isfinite(sizes) & (seconds > 0)
        enough = len(np.unique(sizes[fine])) > 1
        found[str(label)] = float(np.polyfit(np.log(sizes[fine]), np.log(seconds[fine]), 1)[0]) if enough else np.nan
    return found


def _table(frame: pd.DataFrame, present: list[str]) -> str:
    lines = [["method"]]
    columns = []
    for sweep in present:
        mine = of(frame, sweep)
        summary = summarise(mine, ["fit_cpu_seconds"])
        last = {str(row.label): float(str(row.mean)) for row in summary.itertuples()}  # by the largest value
        largest = next(iter(reversed(list(summary["value"].dropna()))), "?")
        lines[0] += [f"exponent in {_SWEEPS[sweep][0]}", f"seconds at {_SWEEPS[sweep][0]} = {largest}"]
        columns.append((exponents(mine), last))
    for label in dict.fromkeys(label for found, _ in columns for label in found):
        cells = [markdown(label)]
        for found, last in columns:
            exponent = found.get(label, np.nan)
            cells += ["–" if np.isnan(exponent) else f"{exponent:.2f}", format_number(last.get(label, np.nan))]
        lines.append(cells)
    return markdown_table(lines)
