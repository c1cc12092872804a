"""The whole paper: every claim, checked on the records of all experiments; each exhibit is drawn by its own module."""

from pathlib import Path

import pandas as pd

from experiments import (
    discard,
    figure_1,
    figure_2,
    figure_3,
    figure_4,
    propositions,
    supplement_1,
    supplement_2,
    supplement_3,
    table_1,
    theorem_1,
)

_EXHIBITS = (
    figure_1,
    figure_2,
    figure_3,
    figure_4,
    table_1,
    supplement_1,
    supplement_2,
    supplement_3,
    propositions,
    theorem_1,
    discard,
)
CLAIMS = [claim for exhibit in _EXHIBITS for claim in exhibit.CLAIMS]


def draw(records: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw nothing: the parts have drawn theirs."""
    return []
