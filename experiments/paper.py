"""The whole paper: every claim, judged by the records of all experiments, also under other readings of its words.

Each exhibit is drawn by its own module.
"""

import re
from pathlib import Path

import pandas as pd

from experiments import causes, confirm, exhibits
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.robustness import write_robustness

_AGAIN = (causes, confirm)  # which judge claims of other exhibits once more
_PLACES = ("Fig.", "Table", "Supp.", "Prop.", "Thm.", "Discussion")


def _place(claim: Claim) -> tuple[int, int]:
    """Return where in the paper a claim stands, as numbers to sort by."""
    kind = next((index for index, place in enumerate(_PLACES) if place in claim.where), len(_PLACES))
    number = re.search(r"\d+", claim.where)
    return kind, int(number[0]) if number else 0


_CLAIMS = {
    claim.id: claim
    for exhibit in exhibits()
    if exhibit not in _AGAIN
    for claim in exhibit.CLAIMS
    if not claim.where.startswith("ours: ")
}
CLAIMS = [confirm.confirmed(causes.with_causes(claim)) for claim in sorted(_CLAIMS.values(), key=_place)]


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Write the verdicts under other readings; the parts have drawn their own."""
    return write_robustness(CLAIMS, frame, folder)
