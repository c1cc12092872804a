"""Cause: one Gibbs chain, and its last draw, in place of the average over sweeps of the best of three."""

from pathlib import Path

import pandas as pd

from experiments import figure_2
from experiments.criteria import FIGURE_2, of
from experiments.pages import verdicts_table, write_page
from experiments.stand_ins import LDAC, beside, in_place, together
from gdmbench.exhibits.causes import Cause
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.panels import panel_figure
from gdmbench.exhibits.statistics import ratio

CLAIMS: list[Claim] = []
TITLE = "One Gibbs chain and its last draw"

_SWEEPS = {f"{sweep}_gibbs": sweep for sweep in FIGURE_2[:3]}
_SWITCH = in_place("gibbs", "gibbs_last_draw", _SWEEPS)
_LDAC = in_place("vem", "vem_ldac", {f"{sweep}_ldac": sweep for sweep in FIGURE_2[:3]})
_CHOICE = "Gibbs gives the last draw of one chain"
CAUSES = {
    "accuracy": [
        Cause(_CHOICE, "cause_gibbs", _SWITCH),
        Cause(f"{_CHOICE} and {LDAC}", "causes", together(_SWITCH, _LDAC)),
    ]
}
_SHOWN = ("tgdm", "gibbs", "gibbs_one_chain", "gibbs_last_draw")
_STUCK = 3.0  # times the best of three chains: no chain is that far off but for topics that it holds merged


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the MM distance of Gibbs in its variants and of tGDM, and write the verdict with the last draw."""
    both = beside(frame, _SWEEPS)
    both = both[both["method"].isin(_SHOWN)]
    verdicts = verdicts_table([claim for claim in figure_2.CLAIMS if claim.id in CAUSES], CAUSES, frame)
    page = write_page(folder / "cause_gibbs.md", TITLE, sentence(frame), verdicts)
    panels = [figure_2.panel(both, sweep, "mm_distance") for sweep in _SWEEPS.values()]
    return [page, *panel_figure(panels, folder / "cause_gibbs")]


def sentence(frame: pd.DataFrame) -> str:
    """Say how much farther from the truth each variant is, and how many of its runs are stuck."""
    both = beside(frame, _SWEEPS)
    words = []
    for sweep in _SWEEPS.values():
        for method in ("gibbs_one_chain", "gibbs_last_draw"):
            mine = of(both, sweep)
            if not (mine["method"] == method).any():
                continue
            found = ratio(mine, "mm_distance", method, "gibbs")
            label = mine.loc[mine["method"] == method, "label"].iloc[0]
            words.append(f"{label} in {sweep} {format_number(found.value)} times ({_stuck(mine, method)} stuck)")
    return f"MM distance beside that of the best of three chains: {'; '.join(words)}." if words else ""


def _stuck(frame: pd.DataFrame, method: str) -> str:
    """Count the runs that are far from the best of three on the same documents."""
    pairs = frame.pivot_table(index=["value", "repetition"], columns="method", values="mm_distance")
    if method not in pairs or "gibbs" not in pairs:
        return "none known to be"
    pairs = pairs[[method, "gibbs"]].dropna()
    return f"{int((pairs[method] > _STUCK * pairs['gibbs']).sum())} of {len(pairs)}"
