"""Cause: the distances of topics from the centre, which must be equal for the central documents to be dispensable."""

from pathlib import Path

import pandas as pd

from experiments import discard
from experiments.criteria import of, ratio_of_values
from experiments.pages import verdicts_table, write_page
from experiments.stand_ins import stand_in
from gdmbench.exhibits.causes import Cause
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.panels import Panel, panel_figure

CLAIMS: list[Claim] = []
TITLE = "Distances of topics from the centre"
_EQUAL = stand_in({"discard_equal": "discard"})
_OTHER_DATA = "The paper simulates no such topics; it shows that unequal distances explain the failure."
CAUSES = {"discard": [Cause("topics lie at equal distances from the centre", "cause_discard", _EQUAL, _OTHER_DATA)]}
_SWEEPS = {"discard": "unequal distances", "discard_equal": "equal distances"}


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the MM distance against the share discarded, for both kinds of topics, and write the verdict for equal."""
    verdicts = verdicts_table(discard.CLAIMS, CAUSES, frame)
    page = write_page(folder / "cause_discard.md", TITLE, sentence(frame), verdicts)
    panels = [Panel(of(frame, sweep), "mm_distance", title) for sweep, title in _SWEEPS.items()]
    return [page, *panel_figure(panels, folder / "cause_discard")]


def sentence(frame: pd.DataFrame) -> str:
    """Say what discarding three quarters costs, central ones and as many at random, for both kinds of topics."""
    words = []
    for sweep, title in _SWEEPS.items():
        mine = of(frame, sweep)
        if mine.empty:
            continue
        central, random = (
            ratio_of_values(mine, "mm_distance", method, 0.75, 0) for method in ("gdm_central", "gdm_random")
        )
        words.append(f"with topics at {title} {central} times the error, and without as many at random {random} times")
    return f"Without the central three quarters of the documents GDM has {'; '.join(words)}." if words else ""
