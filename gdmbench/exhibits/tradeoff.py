"""One measure against another: every method a point with both error bars, and the front that no method beats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gdmbench.exhibits.escape import mathtext
from gdmbench.exhibits.figures import add_legend, legend_text, look_of, save_figure
from gdmbench.exhibits.scales import set_measure_scale
from gdmbench.exhibits.style import RC, Style, in_order, styles_of
from gdmbench.exhibits.summary import summarise
from gdmbench.records.record import column_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _HEIGHT = 2.3, 2.2  # inches, of a panel
_FRONT: dict[str, Any] = {"color": "#777777", "linestyle": (0, (4, 2.5)), "linewidth": 1.0}


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """One panel: the records of one setting, and its heading."""

    frame: pd.DataFrame
    title: str = ""


def pareto_front(points: Mapping[str, tuple[float, float]]) -> list[str]:
    """Return the names of the points that no other point beats, by their first number.

    A point is beaten by one that is no more in either number and less in one; points with a number missing don't
    count.

    Examples
    --------
    >>> pareto_front({"fast": (1.0, 9.0), "exact": (8.0, 2.0), "slow": (9.0, 3.0)})
    ['fast', 'exact']
    """
    finite = {name: point for name, point in points.items() if np.isfinite(point).all()}
    front: list[str] = []
    for name in sorted(finite, key=lambda name: finite[name]):
        last = finite[front[-1]] if front else None
        if last is None or finite[name][1] < last[1] or finite[name] == last:
            front.append(name)
    return front


def means_of(frame: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    """Return one row per method of one setting: its label, the means of two measures and their standard errors."""
    rows: dict[str, dict[str, Any]] = {}
    # Methods are compared over all that the setting holds, swept or not.
    for row in summarise(frame.assign(experiment="", axis=None, value=None), [x, y]).to_dict("records"):
        mine = rows.setdefault(str(row["method"]), {"label": row["label"]})
        side = "x" if row["measure"] == x else "y"
        mine |= {side: row["mean"], f"{side}_se": row["se"]}
    return pd.DataFrame.from_dict(rows, orient="index", columns=["label", "x", "x_se", "y", "y_se"])


def front_of(frame: pd.DataFrame, x: str, y: str) -> list[str]:
    """Return the methods of one setting that no other beats in the means of both measures."""
    means = means_of(frame, x, y)
    return pareto_front(dict(zip(means.index, zip(means["x"], means["y"], strict=True), strict=True)))


def tradeoff_figure(
    panels: Sequence[Tradeoff], x: str, y: str, path_stem: str | Path, *, columns: int = 5
) -> list[Path]:
    """Draw panels (a), (b), … of one measure against another, as ``path_stem`` + ``.pdf`` and ``.png``.

    Parameters
    ----------
    panels : sequence of Tradeoff
        In the order of their letters.
    x, y : str
        The two columns of records; of both, less is better.
    path_stem : path
        Where to write, without suffix.
    columns : int, default=5
        Panels in a row.

    Returns
    -------
    list of Path
        The two files written.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    if not panels:
        raise ValueError("tradeoff_figure needs at least one panel")
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    methods = in_order({method for panel in panels for method in panel.frame["method"].unique()})
    styles = styles_of(methods)
    labels = {method: label for panel in panels for method, label in _labels(panel.frame).items()}
    with mpl.rc_context(RC):
        figure = Figure(figsize=(max(3.5, _WIDTH * columns), _HEIGHT * rows + 0.4))
        for index, panel in enumerate(panels):
            ax = figure.add_subplot(rows, columns, index + 1)
            ax.set_title(f"({chr(ord('a') + index)})  {mathtext(panel.title)}".rstrip(), loc="left")
            _draw(ax, panel.frame, x, y, styles)
            if index % columns:
                ax.set_ylabel("")
            if index + columns < len(panels):
                ax.set_xlabel("")
        handles: list[Line2D] = [
            Line2D([], [], **{**look_of(styles[method]), "linestyle": "none"}, label=legend_text(labels[method]))
            for method in methods
        ]
        add_legend(figure, [*handles, Line2D([], [], **_FRONT, label="Pareto front")])
        return save_figure(figure, path_stem)


def _labels(frame: pd.DataFrame) -> dict[str, str]:
    return dict(zip(frame["method"], frame["label"], strict=True))


def _draw(ax: "Axes", frame: pd.DataFrame, x: str, y: str, styles: Mapping[str, Style]) -> None:
    means = means_of(frame, x, y)
    finite = means.dropna(subset=["x", "y"])
    if finite.empty:
        ax.text(0.5, 0.5, "no records", transform=ax.transAxes, ha="center", va="center", color="#888888")
        ax.set_axis_off()
        return
    front = finite.loc[front_of(frame, x, y)]
    # From each point of the front, more time gains nothing before the next one: steps, not a slope.
    ax.step(front["x"], front["y"], where="post", **_FRONT, zorder=1)
    bars: dict[str, Any] = {"elinewidth": 0.8, "capsize": 1.6, "capthick": 0.8}
    for method, row in finite.iterrows():
        style = styles[str(method)]
        single = frame.loc[frame["method"] == method, [x, y]].dropna()
        if len(single) > 1:
            dots: dict[str, Any] = {"marker": "o", "markersize": 2.2, "markeredgewidth": 0, "color": style.color}
            ax.plot(single[x], single[y], linestyle="none", alpha=0.4, zorder=2, **dots)
        ax.errorbar(row["x"], row["y"], row["y_se"], row["x_se"], **look_of(style), **bars, zorder=3)
    for side, measure in (("x", x), ("y", y)):
        set_measure_scale(ax, frame[measure].to_numpy(dtype=float), log=column_of(measure).log, side=side)
    ax.set_xlabel(mathtext(column_of(x).title))
    ax.set_ylabel(mathtext(column_of(y).title))
    ax.grid()
