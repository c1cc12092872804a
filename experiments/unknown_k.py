"""The number of topics unknown to nGDM and CoSAC: what they find, and how near their topics come."""

from pathlib import Path

import pandas as pd

from experiments.criteria import of, setting
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.panels import Panel, panel_figure

CLAIMS: list[Claim] = []


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the number of topics found and the MM distance, against alpha and against the true number of topics."""
    panels = []
    for part, shared in (("unknown_k_alpha", "n_topics"), ("unknown_k_topics", "alpha")):
        mine = of(frame, part)
        if len(mine):
            panels += [
                Panel(mine, "n_topics", setting(mine, shared)),
                Panel(mine, "mm_distance", setting(mine, shared)),
            ]
    return panel_figure(panels, folder / "unknown_k", columns=2) if panels else []
