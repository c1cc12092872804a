"""Cause: VEM with R topicmodels' defaults in the sweeps of Figures 2 and 3, and the claims judged again."""

from pathlib import Path

import pandas as pd

from experiments import figure_2, projection
from experiments.cause_vem_start import count_collapsed
from experiments.criteria import FIGURE_2, of
from experiments.pages import verdicts_table, write_page
from experiments.stand_ins import LDAC, beside, in_place
from gdmbench.exhibits.causes import Cause
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.panels import panel_figure

CLAIMS: list[Claim] = []
TITLE = "VEM with the defaults of R topicmodels"

_SWEEPS = {f"{sweep}_ldac": sweep for sweep in FIGURE_2}
_CAUSE = Cause(LDAC, "cause_vem_ldac", in_place("vem", "vem_ldac", _SWEEPS))
_IN_ALPHA = in_place("vem", "vem_ldac", {"vary_alpha_ldac": "vary_alpha"})
_OF_VEM = ("accuracy", "speed", "vem-unstable", "projection")  # no other claim of these exhibits is about VEM
_JUDGED = [claim for exhibit in (figure_2, projection) for claim in exhibit.CLAIMS if claim.id in _OF_VEM]
CAUSES = {
    **{claim_id: [_CAUSE] for claim_id in ("accuracy", "vem-unstable", "projection")},
    "alpha": [Cause(LDAC, "vary_alpha_ldac", _IN_ALPHA)],
}


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw Figures 2 and 3 with both VEMs, and write the verdicts of their claims and Supplement 3's with these."""
    both = beside(frame, _SWEEPS)
    panels = [figure_2.panel(both, sweep, measure) for measure in ("mm_distance", "perplexity") for sweep in FIGURE_2]
    verdicts = verdicts_table(_JUDGED, {claim.id: [_CAUSE] for claim in _JUDGED}, frame)
    page = write_page(folder / "cause_vem_ldac.md", TITLE, sentence(frame), verdicts)
    return [page, *panel_figure(panels, folder / "cause_vem_ldac", columns=len(FIGURE_2))]


def sentence(frame: pd.DataFrame) -> str:
    """Say where runs collapse, and which claims turn with these defaults and how."""
    changed = _CAUSE.switch(frame)
    if changed is None:
        return ""
    collapsed = ", ".join(f"{count_collapsed(of(frame, stand_in))} in {sweep}" for stand_in, sweep in _SWEEPS.items())
    verdicts = {claim.id: (claim.judge(frame).outcome, claim.judge(changed).outcome) for claim in _JUDGED}
    turned = [f"{name}: {before} → {after}" for name, (before, after) in verdicts.items() if before != after]
    words = f": {'; '.join(turned)}" if turned else ""
    return f"Runs that collapse: {collapsed}. Of {len(verdicts)} claims about VEM {len(turned)} turn{words}."
