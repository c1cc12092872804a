"""Truth under real words: errors of methods where topics and words are those of real text."""

from pathlib import Path

import pandas as pd

from experiments.criteria import name, of
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding, all_hold, judged
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.statistics import ratio

_SWEEP = "real_truth"
_MEASURES = ("mm_distance", "total_variation", "completion", "fit_cpu_seconds")
LIMITS = {"mm_distance": 1.15, "total_variation": 1.1}  # of the errors of Gibbs from a good start


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw errors, completion and time against how the documents were drawn."""
    mine = of(frame, _SWEEP)
    if mine.empty:
        return []
    return panel_figure([Panel(mine, measure) for measure in _MEASURES], folder / _SWEEP, columns=2)


def _refined(frame: pd.DataFrame) -> Finding:
    mine = of(frame, _SWEEP)
    return all_hold(
        [
            judged(
                name(measure, "refined_gdm", "gibbs_from_vlad"),
                ratio(mine, measure, "refined_gdm", "gibbs_from_vlad"),
                most=limit,
            )
            for measure, limit in LIMITS.items()
        ]
    )


CLAIMS = [
    Claim(
        "real-truth-refined",
        "Where the words are real but the truth is known, refined GDM is about as accurate as 100 sweeps of Gibbs that "
        "start from VLAD.",
        "ours: real_truth",
        _refined,
        f"The MM distance of refined GDM, which learns alpha, is below {LIMITS['mm_distance']} times, and its total "
        f"variation below {LIMITS['total_variation']} times that of Gibbs from VLAD, which is told alpha = 0.1, over "
        "documents drawn in three ways: with proportions from a Dirichlet distribution, with those of real documents, "
        "and with these and words that come in bursts.",
    ),
]
