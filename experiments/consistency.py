"""Theorem 1: on exact mixtures GDM's topics converge, as documents are added (a) or as alpha falls (b)."""

from pathlib import Path

import numpy as np
import pandas as pd

from experiments.criteria import of, setting
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding, Part, all_hold, judged
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.statistics import fit_exponent, trend

_SETTINGS = {
    "consistency_M": ("equilateral", "alpha"),
    "consistency_M_uniform": ("equilateral", "alpha"),
    "consistency_alpha": ("any topics", "n_docs"),
}


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the error against the number of documents, for two alphas, and against alpha."""
    panels = []
    for sweep, (topics, key) in _SETTINGS.items():
        mine = of(frame, sweep)
        panels.append(Panel(mine, "mm_distance", f"{topics}, {setting(mine, key)}"))
    return panel_figure(panels, folder / "consistency")


def _in_documents(frame: pd.DataFrame) -> Finding:
    parts: list[Part] = []
    for sweep, at in (("consistency_M", "at alpha = 0.1"), ("consistency_M_uniform", "at alpha = 1")):
        mine = of(frame, sweep)
        change = trend(mine, "mm_distance", "gdm")
        power = fit_exponent(mine, "mm_distance", "gdm", of=np.reciprocal)
        parts.append(Part(f"MM, last / first M {at}", change.overall, change.falls(), most=1))
        parts.append(judged(f"power of 1/M {at}", power, least=0))
    return all_hold(parts)


def _in_alpha(frame: pd.DataFrame) -> Finding:
    mine = of(frame, "consistency_alpha")
    change = trend(mine, "mm_distance", "gdm")
    power = fit_exponent(mine, "mm_distance", "gdm", of=np.asarray)
    return all_hold(
        Part("MM, last / first alpha", change.overall, change.rises(), least=1),
        judged("power of alpha", power, least=0),
    )


_DATA = "The data are exact mixtures p_m, as the theorem assumes."
CLAIMS = [
    Claim(
        "consistency-M",
        "On an equilateral polytope GDM converges to the vertices as the number of documents grows.",
        "Thm. 1a",
        _in_documents,
        f"{_DATA} At alpha = 0.1 and alpha = 1, the MM distance falls along M, with no step clearly up, and the power "
        "of 1/M fitted to it is above 0.",
    ),
    Claim(
        "consistency-alpha",
        "At a fixed number of documents GDM converges to the vertices as alpha goes to 0.",
        "Thm. 1b",
        _in_alpha,
        f"{_DATA} The MM distance rises along alpha, with no step clearly down, and the power of alpha fitted to it is "
        "above 0.",
    ),
]
