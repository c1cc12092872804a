"""Cause: where VEM's alpha starts and when its passes end, which decide whether it ends at a unigram.

A run counts as collapsed where alpha ends above 5: proportions are then all but equal, and with them the topics. Runs
that do not collapse end below 1 here, collapsed ones above 30.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from experiments.criteria import of
from experiments.pages import table, write_page
from gdmbench.exhibits.causes import Cause
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.records.frame import swept_values, value_text

CLAIMS: list[Claim] = []
CAUSES: dict[str, list[Cause]] = {}
TITLE = "Where VEM starts and when it ends"

_COLLAPSED = 5.0
_SHARE = "share of runs collapsed"


def with_collapsed(frame: pd.DataFrame) -> pd.DataFrame:
    """Add a column that is 1 where a run of VEM collapsed, 0 where it did not, empty where it can't be told."""
    alphas = [extra.get("alpha") if isinstance(extra, dict) else None for extra in frame["extra"]]
    numbers = pd.to_numeric(pd.Series(alphas, index=frame.index, dtype=object)).to_numpy(dtype=float)
    share = np.where(np.isnan(numbers), np.nan, numbers > _COLLAPSED)
    return frame.assign(**{_SHARE: np.where(frame["status"] == "ok", share, np.nan)})


def count_collapsed(frame: pd.DataFrame) -> str:
    """Say how many runs collapsed, of how many."""
    collapsed = with_collapsed(frame)[_SHARE].dropna()
    return f"{int(collapsed.sum())} of {len(collapsed)}"


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the share of runs that collapse and the MM distance, and write the grid as a table."""
    mine = with_collapsed(of(frame, "cause_vem_start"))
    if mine.empty:
        return []
    lines = [["alpha starts at", *mine.drop_duplicates("method")["label"]]]
    for alpha in swept_values(mine):
        cells = [_cell(_at(mine, alpha, method)) for method in mine["method"].unique()]
        lines.append([value_text(alpha), *cells])
    grid = f"Runs collapsed; mean MM distance.\n\n{table(lines)}"
    page = write_page(folder / "cause_vem_start.md", TITLE, sentence(frame), grid)
    panels = [Panel(mine, _SHARE, "collapsed"), Panel(mine, "mm_distance", "topics")]
    return [page, *panel_figure(panels, folder / "cause_vem_start")]


def sentence(frame: pd.DataFrame) -> str:
    """Say what the start and the tolerance of R topicmodels give, and what each of them alone gives."""
    mine = of(frame, "cause_vem_start")
    if mine.empty:
        return ""
    starts, methods = swept_values(mine), sorted(mine["method"].unique())
    both = _told(_at(mine, starts[-1], methods[0]), starts[-1])
    start = _told(_at(mine, starts[0], methods[0]), starts[0])
    words = f"With R topicmodels' tolerance {both}; {start}"
    if methods[1:]:
        tolerance = mine.loc[mine["method"] == methods[1], "label"].iloc[0]
        words += f". With {tolerance} {_told(_at(mine, starts[-1], methods[1]), starts[-1])}"
    return f"{words}."


def _told(frame: pd.DataFrame, start: object) -> str:
    return f"{count_collapsed(frame)} runs from alpha = {value_text(start)} collapse (MM distance {_mean(frame)})"


def _cell(frame: pd.DataFrame) -> str:
    return f"{count_collapsed(frame)}; {_mean(frame)}"


def _mean(frame: pd.DataFrame) -> str:
    return format_number(float(frame["mm_distance"].mean()))


def _at(frame: pd.DataFrame, value: object, method: str) -> pd.DataFrame:
    mine = frame[frame["method"] == method]
    return mine[[other == value for other in mine["value"]]]
