"""Figures like the paper's: a measure against the swept value, a colour and marker for each method."""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gdmbench.exhibits.escape import mathtext
from gdmbench.exhibits.scales import SweptAxis, set_measure_scale
from gdmbench.exhibits.style import MARKER_SIZE, MARKER_SIZES, RC, Style, axis_of, in_order, styles_of
from gdmbench.exhibits.summary import summarise
from gdmbench.files import atomic_path
from gdmbench.records.frame import swept_values, value_text
from gdmbench.records.record import column_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

RATES = ("data.n_docs", "data.doc_length")  # axes v along which the paper has a rate, (log v / v)^(1/2)
WIDTH, HEIGHT = 3.5, 2.75  # inches, of a figure with one panel
_AXIS_LETTERS = 42  # of a line beside an axis


def draw_panel(
    ax: "Axes",
    frame: pd.DataFrame,
    measure: str,
    *,
    rate: bool = False,
    styles: Mapping[str, Style] | None = None,
) -> "list[Line2D]":
    """Draw one measure of one experiment.

    Means over repetitions are joined by a line and carry a bar of one standard error either way. Every repetition
    is a small pale dot too, so that a method that ends in one of two places shows both. Without a sweep, or with
    one value only, the methods stand below each other.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw.
    frame : DataFrame
        Records of one experiment, as `gdmbench.records.frame.to_frame` gives them.
    measure : str
        Column to draw.
    rate : bool
        Draw the theoretical rate too if the swept axis has one: (log M/M)^½ or (log N/N)^½, scaled to pass through
        the geometric mean of the methods' means at the first value.
    styles : mapping of method to Style, optional
        Keeps methods alike across panels that don't hold the same ones.

    Returns
    -------
    list of Line2D
        Handles for a legend, their ``gid`` the method; none where the methods are named on the axis.
    """
    if measure not in frame:
        raise ValueError(f"records have no column {measure!r} to draw")
    if frame.empty:
        ax.text(0.5, 0.5, "no records", transform=ax.transAxes, ha="center", va="center", color="#888888")
        ax.set_axis_off()
        return []
    # All records here are of one experiment, so those that lack its name, axis or label get the others'.
    axis = next((axis for axis in frame["axis"] if isinstance(axis, str)), None)
    labels = frame.drop_duplicates("method").set_index("method")["label"]
    frame = frame.assign(experiment="", axis=axis, label=frame["method"].map(labels))
    methods = in_order(frame["method"].unique())
    chosen = {**styles_of(methods), **(styles or {})}
    values = swept_values(frame)
    if len(values) < 2:
        _draw_strip(ax, frame, measure, methods, chosen)
        return []
    swept = SweptAxis.of(values)
    handles = _draw_sweep(ax, frame, measure, methods, chosen, swept)
    if rate and axis in RATES:
        handles += _draw_rate(ax, frame, measure, swept)
    set_measure_scale(ax, frame[measure].to_numpy(), log=column_of(measure).log)
    swept.set_scale(ax)
    ax.set_xlabel(mathtext(axis_of(axis).name))
    ax.set_ylabel(textwrap.fill(mathtext(column_of(measure).title), _AXIS_LETTERS))
    ax.grid(axis="y")
    return handles


def measure_figure(
    frame: pd.DataFrame, measure: str, path_stem: str | Path, *, rate: bool = False, note: str = ""
) -> list[Path]:
    """Draw one measure of one experiment as ``path_stem`` + ``.pdf`` and ``.png``, a note below; return both paths."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(RC):
        swept = len(swept_values(frame)) > 1
        figure = Figure(figsize=(WIDTH, HEIGHT if swept else 0.7 + 0.33 * frame["method"].nunique()))
        handles = draw_panel(figure.add_subplot(), frame, measure, rate=rate)
        rows = add_legend(figure, handles)
        figure.set_figheight(figure.get_figheight() + 0.15 * max(0, rows - 2))
        if note:
            figure.supxlabel(mathtext(textwrap.fill(note, 80)), fontsize=6, color="#888888")
        return save_figure(figure, path_stem)


def add_legend(figure: "Figure", handles: "Sequence[Line2D]") -> int:
    """Put one legend above all panels, where it covers no data; return how many rows the width makes of it."""
    for rows in range(1, len(handles) + 1):
        columns = -(-len(handles) // rows)
        legend = figure.legend(handles=list(handles), loc="outside upper center", ncols=columns)
        extent = legend.get_tightbbox()
        if columns == 1 or extent is None or extent.width <= figure.bbox.width:
            return rows
        legend.remove()
    return 0


def save_figure(figure: "Figure", path_stem: str | Path) -> list[Path]:
    """Write a figure as PDF and PNG with no date inside, so that equal figures are equal files."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # the layout is done, and the same for both formats
    written = []
    for suffix, metadata in ((".pdf", {"CreationDate": None}), (".png", {"Software": None})):
        path = Path(f"{path_stem}{suffix}")
        with atomic_path(path) as aside:
            figure.savefig(aside, metadata=metadata)
        written.append(path)
    return written


def _draw_sweep(
    ax: "Axes",
    frame: pd.DataFrame,
    measure: str,
    methods: list[str],
    styles: Mapping[str, Style],
    swept: SweptAxis,
) -> "list[Line2D]":
    from matplotlib.lines import Line2D

    handles = []
    summary = summarise(frame, [measure])
    for method, offset in zip(methods, swept.offsets(len(methods)), strict=True):
        label = legend_text(frame.loc[frame["method"] == method, "label"].iloc[0])
        look = {**look_of(styles[method]), **({} if swept.ordered else {"linestyle": "none"})}
        means = summary[summary["method"] == method].set_index("value").reindex(list(swept.points))
        if means["mean"].isna().all():
            handles.append(Line2D([], [], **look, alpha=0.4, label=f"{label}, failed", gid=method))
            continue
        places = swept.places(offset)
        single = frame.loc[frame["method"] == method, ["value", measure]].dropna()
        at = places[[swept.points.index(value) for value in single["value"]]]
        _draw_repetitions(ax, at, single[measure].to_numpy(), styles[method])
        bars: dict[str, Any] = {"elinewidth": 0.8, "capsize": 1.6, "capthick": 0.8}
        ax.errorbar(places, means["mean"].to_numpy(), means["se"].to_numpy(), **look, **bars, zorder=3)
        handles.append(Line2D([], [], **look, label=label, gid=method))
    return handles


def _draw_strip(ax: "Axes", frame: pd.DataFrame, measure: str, methods: list[str], styles: Mapping[str, Style]) -> None:
    """Methods below each other, the measure from left to right."""
    summary = summarise(frame, [measure]).set_index("method")
    for row, method in enumerate(methods):
        numbers = frame.loc[frame["method"] == method, measure].dropna().to_numpy()
        if not numbers.size:
            ax.text(0.02, row, "failed", transform=ax.get_yaxis_transform(), va="center", color="#888888")
            continue
        # Multiples of the golden ratio spread any number of dots evenly, and the same way each time.
        jitter = 0.5 * ((np.arange(numbers.size) * 0.6180339887 + 0.5) % 1 - 0.5)
        _draw_repetitions(ax, numbers, row + jitter, styles[method])
        look = {**look_of(styles[method]), "elinewidth": 1.2, "capsize": 2.4, "capthick": 1.0}
        ax.errorbar(summary["mean"][method], row, xerr=summary["se"][method], **look, zorder=3)
    set_measure_scale(ax, frame[measure].to_numpy(), log=column_of(measure).log, side="x")
    value, axis = frame["value"].iloc[0], axis_of(frame["axis"].iloc[0])
    where = f" ({axis.symbol} = {value_text(value)})" if value is not None else ""
    ax.set_xlabel(textwrap.fill(mathtext(f"{column_of(measure).title}{where}"), _AXIS_LETTERS))
    ax.set_yticks(range(len(methods)), [mathtext(summary["label"][method]) for method in methods])
    ax.set_ylim(len(methods) - 0.45, -0.55)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")


def _draw_repetitions(ax: "Axes", x: np.ndarray, y: np.ndarray, style: Style) -> None:
    if y.size > 1:
        look: dict[str, Any] = {"marker": "o", "markersize": 2.6, "markerfacecolor": style.color, "markeredgewidth": 0}
        ax.plot(x, y, linestyle="none", alpha=0.5, zorder=2, **look)


def rate_line(frame: pd.DataFrame, measure: str, swept: SweptAxis) -> tuple[np.ndarray, np.ndarray] | None:
    """Return places and heights of the rate (log v / v)^(1/2), scaled to the methods' geometric mean at the first v."""
    means = frame[frame[measure] > 0].groupby(["value", "method"])[measure].mean()
    values = [float(str(value)) for value in swept.points] if swept.scale != "even" else []
    start = next((value for value in values if value >= 3 and value in means.index), None)
    if start is None:  # below 3 the rate rises
        return None
    x = np.geomspace(start, values[-1], 100)
    rate = np.sqrt(np.log(x) / x)
    return x, rate * np.exp(np.log(means.loc[start]).mean()) / rate[0]


def _draw_rate(ax: "Axes", frame: pd.DataFrame, measure: str, swept: SweptAxis) -> "list[Line2D]":
    line = rate_line(frame, measure, swept)
    if line is None:
        return []
    symbol = axis_of(frame["axis"].iloc[0]).symbol.strip("$")
    label = rf"$\propto(\log {symbol}/{symbol})^{{1/2}}$, set at ${symbol}={value_text(float(line[0][0]))}$"
    look: dict[str, Any] = {"color": "#777777", "linestyle": (0, (4, 2.5)), "linewidth": 1.0}
    return ax.plot(*line, **look, zorder=1, label=label, gid=f"rate in {symbol}")


def legend_text(label: str) -> str:
    """Write a label for a legend."""
    # Of handles whose label begins with an underscore matplotlib makes no entry.
    return mathtext(f" {label}" if label.startswith("_") else label)


def look_of(style: Style) -> dict[str, Any]:
    """Return a style as matplotlib's keywords for a line with markers."""
    face, edge, width = ("white", style.color, 0.9) if style.hollow else (style.color, "white", 0.5)
    size = MARKER_SIZES.get(style.marker, MARKER_SIZE)
    look = {"color": style.color, "linestyle": style.linestyle, "marker": style.marker, "markersize": size}
    return {**look, "markerfacecolor": face, "markeredgecolor": edge, "markeredgewidth": width}
