"""Figure 3: held-out perplexity in the sweeps of Figure 2."""

from pathlib import Path

import pandas as pd

from experiments.criteria import FIGURE_2, SIMILAR, less, of
from experiments.figure_2 import panel
from gdmbench.exhibits.claim_wording import limit_of
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding, all_hold
from gdmbench.exhibits.panels import panel_figure


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the four panels."""
    return panel_figure([panel(frame, sweep, "perplexity") for sweep in FIGURE_2], folder / "figure_3")


def _projection_recover_kl(frame: pd.DataFrame) -> Finding:
    parts = [
        less(of(frame, sweep), "perplexity", "recover_kl", "gibbs", limit=limit_of(SIMILAR), at=f"in {sweep}")
        for sweep in FIGURE_2
    ]
    return all_hold(parts)


CLAIMS = [
    Claim(
        "projection-recoverkl",
        "Projected proportions give RecoverKL a good perplexity in all scenarios.",
        "Fig. 3",
        _projection_recover_kl,
        f"RecoverKL's perplexity, with projected proportions, is below {SIMILAR} times that of Gibbs, with its own, in "
        "each of the four sweeps.",
    ),
]
