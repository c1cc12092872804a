"""The whole paper: every claim, judged by the records of all experiments, also under other readings of its words.

Each exhibit is drawn by its own module.
"""

from pathlib import Path

import pandas as pd

from experiments import (
    consistency,
    discard,
    figure_1,
    figure_2,
    figure_3,
    figure_4,
    projection,
    propositions,
    supplement_1,
    supplement_2,
    table_1,
)
from experiments.causes import with_causes
from experiments.confirm import confirmed
from gdmbench.exhibits.robustness import write_robustness

_EXHIBITS = (
    figure_1,
    figure_2,
    figure_3,
    figure_4,
    table_1,
    supplement_1,
    supplement_2,
    projection,
    propositions,
    consistency,
    discard,
)
CLAIMS = [confirmed(with_causes(claim)) for exhibit in _EXHIBITS for claim in exhibit.CLAIMS]


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Write the verdicts under other readings; the parts have drawn their own."""
    return write_robustness(CLAIMS, frame, folder)
