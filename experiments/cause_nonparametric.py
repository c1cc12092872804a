"""Cause: the penalty of nGDM and KL DP-means, tuned to the true number of topics or the same at every alpha."""

from pathlib import Path

import pandas as pd

from experiments import supplement_1
from experiments.criteria import of
from experiments.pages import verdicts_table, write_page
from experiments.stand_ins import in_place, together
from gdmbench.exhibits.causes import Cause, try_causes
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.records.frame import swept_values, value_text

CLAIMS: list[Claim] = []
TITLE = "Penalties of the nonparametric methods"

_FIXED = {"supplement_1_fixed": "supplement_1"}
_TUNED_AT = {"01": "0.1", "05": "0.5", "2": "2"}  # the alpha at which the penalties give the true number of topics


_WRONG_K = (
    "At other values of alpha these penalties give many times too many topics or too few; it shows that the verdict "
    "depends on how penalties are set."
)


def _fixed(name: str) -> Cause:
    switches = [in_place(method, f"{method}_{name}", _FIXED) for method in ("ngdm", "kl_dp_means")]
    choice = f"both penalties are those that give the true K at alpha = {_TUNED_AT[name]}, at every alpha"
    return Cause(choice, "cause_nonparametric", together(*switches), _WRONG_K)


CAUSES = {"nonparametric": [_fixed(name) for name in _TUNED_AT]}


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw perplexity and number of topics with tuned and with fixed penalties, and write the verdicts."""
    panels = []
    for sweep, title in (("supplement_1", "tuned"), ("supplement_1_fixed", "fixed")):
        mine = of(frame, sweep)
        panels += [Panel(mine, "perplexity", f"penalties {title}"), Panel(mine, "n_topics", "topics found")]
    verdicts = verdicts_table(supplement_1.CLAIMS, CAUSES, frame)
    page = write_page(folder / "cause_nonparametric.md", TITLE, sentence(frame), verdicts)
    return [page, *panel_figure(panels, folder / "cause_nonparametric", columns=2)]


def sentence(frame: pd.DataFrame) -> str:
    """Say how many topics the fixed penalties give at both ends of the sweep, and under which the claim holds."""
    mine = of(frame, "supplement_1_fixed")
    if mine.empty:
        return ""
    ends = swept_values(mine)[0], swept_values(mine)[-1]
    words = []
    for _, group in mine.groupby("method"):
        found = [group.loc[[other == value for other in group["value"]], "n_topics"].mean() for value in ends]
        words.append(f"{group['label'].iloc[0]}: {format_number(found[0])} and {format_number(found[1])}")
    (claim,) = supplement_1.CLAIMS
    tried = try_causes(CAUSES["nonparametric"], claim.judge, frame, claim.judge(frame))
    holds = [each.cause.choice for each in tried if each.outcome == "reproduced"]
    under = f"It holds under {'; '.join(holds)}" if holds else "It holds under none of them"
    at = " and ".join(value_text(value) for value in ends)
    return f"Topics found at alpha = {at}, {'; '.join(words)}. {under}."
