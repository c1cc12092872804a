"""What the claims of the paper that fail depend on: every cause in a sentence, every claim under every choice."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from experiments import discard, exhibits, figure_2, projection, supplement_1, table_1
from experiments.pages import verdicts_table, write_page
from experiments.propositions import SUM_OVER_ALL_WORDS
from gdmbench.exhibits.causes import Cause
from gdmbench.exhibits.claims import Claim

_MODULES = exhibits("cause_*")
CAUSES: dict[str, list[Cause]] = {"bounds": [SUM_OVER_ALL_WORDS]}
for _module in _MODULES:
    for _claim, _causes in _module.CAUSES.items():
        CAUSES.setdefault(_claim, []).extend(_causes)


def with_causes(claim: Claim) -> Claim:
    """Return a claim with the choices that it may depend on."""
    return replace(claim, causes=CAUSES.get(claim.id, ()))


_JUDGED_HERE = (figure_2, projection, table_1, supplement_1, discard)  # the exhibits whose sweeps are parts
CLAIMS = [with_causes(claim) for exhibit in _JUDGED_HERE for claim in exhibit.CLAIMS if claim.id in CAUSES]


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Write the sentence of every cause and the verdict of every claim under every choice; the parts draw figures."""
    told = [f"## {module.TITLE}\n\n{words}" for module in _MODULES if (words := module.sentence(frame))]
    verdicts = verdicts_table(CLAIMS, CAUSES, frame)
    return [write_page(folder / "causes.md", "What claims depend on", *told, "## Claims", verdicts)]
