"""Several panels in a row under one legend, as the paper lays out its figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from gdmbench.exhibits.escape import mathtext
from gdmbench.exhibits.figures import add_legend, draw_panel, save_figure
from gdmbench.exhibits.style import RC, in_order, styles_of
from gdmbench.records.frame import swept_values

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

_WIDTH, _HEIGHT = 2.3, 2.45  # inches, of a panel and of the row with its legend


@dataclass(frozen=True, eq=False)
class Panel:
    """One panel: which measure of which experiment's records, and what its heading says beside the letter."""

    frame: pd.DataFrame
    measure: str
    title: str = ""
    rate: bool = False


def panel_figure(panels: Sequence[Panel], path_stem: str | Path, *, columns: int | None = None) -> list[Path]:
    """Draw panels (a), (b), … in a row with one shared legend, as ``path_stem`` + ``.pdf`` and ``.png``.

    Methods look the same in every panel. A measure is named once in a row if its neighbour to the left has the same.

    Parameters
    ----------
    panels : sequence of Panel
        In the order of their letters.
    path_stem : path
        Where to write, without suffix.
    columns : int, optional
        Panels in a row; all of them when left out.

    Returns
    -------
    list of Path
        The two files written.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    if not panels:
        raise ValueError("panel_figure needs at least one panel")
    columns = columns or len(panels)
    rows = -(-len(panels) // columns)
    methods = in_order({method for panel in panels for method in panel.frame["method"].unique()})
    styles = styles_of(methods)
    handles: dict[str, Line2D] = {}
    with mpl.rc_context(RC):
        figure = Figure(figsize=(_WIDTH * columns, _HEIGHT * rows))
        for index, panel in enumerate(panels):
            ax = figure.add_subplot(rows, columns, index + 1)
            ax.set_title(f"({chr(ord('a') + index)})  {mathtext(panel.title)}".rstrip(), loc="left")
            drawn = draw_panel(ax, panel.frame, panel.measure, rate=panel.rate, styles=styles)
            # A method that failed in one panel only has a proper handle from another.
            proper = {str(handle.get_gid()): handle for handle in drawn if handle.get_alpha() is None}
            handles = {str(handle.get_gid()): handle for handle in drawn} | handles | proper
            if index % columns and _names_repeat(panels[index - 1], panel, swept=bool(drawn)):
                ax.set_ylabel("")
                ax.yaxis.set_tick_params(labelleft=bool(drawn))
        rates = [handle for name, handle in handles.items() if name not in methods]
        add_legend(figure, [*(handles[method] for method in methods if method in handles), *rates])
        return save_figure(figure, path_stem)


def _names_repeat(left: Panel, panel: Panel, *, swept: bool) -> bool:
    """Whether what stands beside the vertical axis stands there in the panel to the left too."""
    if swept:
        return left.measure == panel.measure and len(swept_values(left.frame)) > 1
    return set(left.frame["method"]) == set(panel.frame["method"])
