"""Claims that five repetitions leave open, judged once more: fresh seeds, as many repetitions as they need.

How many that is was fixed beforehand, from the spread in the first reference run, by `tests/benchmarks/power.py`; each
experiment's file has the number. Only the methods run that a claim is about.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd

from experiments import figure_2, figure_4
from experiments.criteria import of
from experiments.pages import table, write_page
from experiments.stand_ins import Switch, stand_in
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding, marked
from gdmbench.exhibits.panels import Panel, panel_figure

SWEEPS = {  # claim: the paper's sweep that it rests on
    "short-documents": "vary_M_short",
    "no-anchors": "vary_eta",
    "anchors": "vary_eta_anchors",
    "long-documents": "vary_N_long",
}


def name_of(claim_id: str) -> str:
    """Name the experiment that confirms a claim."""
    return f"confirm_{claim_id.replace('-', '_')}"


CONFIRM: dict[str, Switch] = {claim_id: stand_in({name_of(claim_id): sweep}) for claim_id, sweep in SWEEPS.items()}


def confirmed(claim: Claim) -> Claim:
    """Return a claim with its confirming run, if it has one."""
    return replace(claim, confirm=CONFIRM.get(claim.id))


def _judge(claim: Claim) -> Callable[[pd.DataFrame], Finding]:
    def judge(frame: pd.DataFrame) -> Finding:
        fresh = CONFIRM[claim.id](frame)
        return claim.judge(frame.iloc[:0] if fresh is None else fresh)

    return judge


CONFIRMED = [claim for exhibit in (figure_2, figure_4) for claim in exhibit.CLAIMS if claim.id in CONFIRM]
CLAIMS = [replace(claim, judge=_judge(claim)) for claim in CONFIRMED]


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the MM distances of the confirming runs, and write what they decide."""
    lines = [["claim", "repetitions", "verdict", "evidence"]]
    for claim in CLAIMS:
        mine = of(frame, name_of(claim.id))
        if len(mine):
            found = claim.judge(frame)
            repetitions = str(mine["repetition"].nunique())
            lines.append([claim.id, repetitions, marked(found.words), found.evidence])
    page = write_page(folder / "confirm.md", "Confirming runs", table(lines, numbers=False))
    panels = [Panel(of(frame, name_of(claim.id)), "mm_distance", claim.id) for claim in CLAIMS]
    return [page, *panel_figure(panels, folder / "confirm")]
