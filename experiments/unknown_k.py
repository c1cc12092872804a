"""The number of topics unknown to nGDM and CoSAC: what they find, and how near their topics come."""

from pathlib import Path

import pandas as pd

from experiments.criteria import ALIKE, near, of, setting
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding, all_hold
from gdmbench.exhibits.panels import Panel, panel_figure


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


def _untold(frame: pd.DataFrame) -> Finding:
    return all_hold(near(of(frame, "unknown_k_alpha"), "mm_distance", "ngdm_split", "gdm", ALIKE, at="over all alpha"))


CLAIMS = [
    Claim(
        "unknown-k",
        "nGDM that prices topics by the gain of the first division is as accurate as GDM that is told their number.",
        "ours: unknown_k",
        _untold,
        f"Over alpha from 0.01 to 2 and 10 topics, the MM distances are within a factor {ALIKE}. The rule was chosen "
        "by pilots on other seeds.",
    )
]
