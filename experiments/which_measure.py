"""Which measure chooses good topics: those of unseen words, of the paper, and those that need no unseen documents.

Many models are fitted to documents whose topics are known: methods times numbers of topics. The true error of a model
is the total variation between its topics and the true ones. A measure is good if the model that it prefers has a small
error.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from experiments.choose_k import with_stability
from experiments.criteria import of
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_mean
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.tables import csv_text, markdown_table
from gdmbench.files import atomic_write_text

CLAIMS: list[Claim] = []  # the paper chooses no models

SETTINGS = {
    "measure_lda_short": "LDA, 50 words",
    "measure_lda_long": "LDA, 300 words",
    "measure_posts": "newsgroups, 50 words",
    "measure_papers": "papers, all words",
}
# What each measure is called, and whether more of it is better.
MEASURES = {
    "completion": ("completion", False),
    "left_to_right": ("left to right", True),
    "perplexity": ("perplexity of the paper", False),
    "loss": ("geometric loss", False),
    "coherence": ("coherence", True),
    "diversity": ("diversity", True),
    "stability": ("stability", True),
}
ERROR = "total_variation"
_BEST = "the best model"


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the error of the model that each measure chooses, and write it with rank correlations as a table."""
    found = judged_measures(frame)
    if found.empty:
        return []
    atomic_write_text(folder / "which_measure.csv", csv_text(found))
    atomic_write_text(folder / "which_measure.md", _markdown(found))
    panels = [Panel(_strip(found[found["setting"] == name]), ERROR, title) for name, title in SETTINGS.items()]
    panels = [panel for panel in panels if len(panel.frame)]
    drawn = panel_figure(panels, folder / "which_measure", columns=2)
    return [*drawn, folder / "which_measure.csv", folder / "which_measure.md"]


def judged_measures(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each setting, repetition and measure.

    ``correlation`` is Kendall's between the measure, better first, and the error over all models; ``chosen`` is the
    error of the model that the measure likes best; ``best`` that of the best model.
    """
    rows = []
    for setting in SETTINGS:
        mine = with_stability(of(frame, setting))
        mine = mine.assign(left_to_right=[(extra or {}).get("left_to_right", np.nan) for extra in mine["extra"]])
        for repetition, models in mine[mine[ERROR].notna()].groupby("repetition"):
            errors = models[ERROR].reset_index(drop=True)
            for measure, (_, more) in MEASURES.items():
                worth = models[measure].reset_index(drop=True) * (1 if more else -1)
                if worth.notna().any():
                    chosen = float(errors[int(np.nanargmax(worth))])
                    correlation = -worth.corr(errors, method="kendall")
                    rows.append((setting, repetition, measure, correlation, chosen, float(errors.min())))
    return pd.DataFrame(rows, columns=["setting", "repetition", "measure", "correlation", "chosen", "best"])


def _strip(found: pd.DataFrame) -> pd.DataFrame:
    """Lay the errors of chosen models out as records, with each measure as a method."""
    best = found.drop_duplicates("repetition").assign(measure=_BEST, chosen=lambda rows: rows["best"])
    rows = pd.concat([found, best], ignore_index=True)
    labels = [MEASURES[measure][0] if measure in MEASURES else measure for measure in rows["measure"]]
    return pd.DataFrame(
        {
            "experiment": rows["setting"],
            "method": rows["measure"],
            "label": labels,
            "axis": None,
            "value": None,
            "repetition": rows["repetition"],
            "status": "ok",
            ERROR: rows["chosen"],
        }
    )


def _markdown(found: pd.DataFrame) -> str:
    parts = [
        "# Which measure chooses good topics",
        "For each measure: Kendall's correlation with the true error of all models, and the error (total variation) of "
        "the model that it would choose, over that of the best model. Means over repetitions ± standard errors.",
    ]
    head = ["measure", "correlation with the error", "error of the chosen model", "chosen / best"]
    for setting, title in SETTINGS.items():
        mine = found[found["setting"] == setting]
        lines = [head]
        for measure, (label, _) in MEASURES.items():
            rows = mine[mine["measure"] == measure]
            if len(rows):
                numbers = [rows["correlation"], rows["chosen"], rows["chosen"] / rows["best"]]
                lines.append([label, *(_mean(each) for each in numbers)])
        if lines[1:]:
            parts += [f"## {title}", markdown_table(lines)]
    return "\n\n".join(parts) + "\n"


def _mean(numbers: pd.Series) -> str:
    error = float(numbers.std(ddof=1) / np.sqrt(len(numbers))) if len(numbers) > 1 else float("nan")
    return format_mean(float(numbers.mean()), error)
