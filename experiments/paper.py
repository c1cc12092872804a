"""The whole paper: every claim, judged by the records of all experiments; each exhibit is drawn by its own module."""

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
CLAIMS = [claim for exhibit in _EXHIBITS for claim in exhibit.CLAIMS]


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw nothing: the parts have drawn theirs."""
    return []
