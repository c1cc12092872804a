"""Whether verdicts depend on how the words of claims are read: every claim judged under several readings."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from gdmbench.exhibits.claim_wording import READINGS, Reading, read_as
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.escape import markdown
from gdmbench.exhibits.findings import MARKS
from gdmbench.exhibits.tables import csv_text, markdown_table
from gdmbench.files import atomic_write_text

_JUDGED = "as judged"
_EXPLAINED = """\
Each claim under its own reading and under others: another factor in place of its own for what is "almost identical",
"comparable" or "similar"; arithmetic means or medians over repetitions in place of geometric means. ✓ reproduced, ◐
partly reproduced, ✗ not reproduced, ? not enough evidence; **bold** where the verdict is another than the one
judged."""


def robustness_table(claims: Sequence[Claim], frame: pd.DataFrame) -> pd.DataFrame:
    """Judge every claim under every reading.

    Parameters
    ----------
    claims : sequence of Claim
    frame : DataFrame
        The records of all experiments.

    Returns
    -------
    DataFrame
        One row per claim: `id`, the verdict `as judged` and under each reading, and `same`, how many readings give
        the same verdict.
    """
    table = pd.DataFrame({"id": [claim.id for claim in claims]})
    for name, reading in {_JUDGED: Reading(), **READINGS}.items():
        with read_as(reading):
            table[name] = [claim.judge(frame).outcome for claim in claims]
    table["same"] = (table[list(READINGS)].to_numpy() == table[[_JUDGED]].to_numpy()).sum(axis=1)
    return table


def write_robustness(claims: Sequence[Claim], frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Write ``robustness.csv`` and ``robustness.md``; return their paths."""
    table = robustness_table(claims, frame)
    readings = [name for name in table.columns if name not in ("id", _JUDGED, "same")]
    lines = [["claim", _JUDGED, *readings]]
    for _, row in table.iterrows():
        marks = [MARKS[row[name]] if row[name] == row[_JUDGED] else f"**{MARKS[row[name]]}**" for name in readings]
        lines.append([markdown(row["id"]), MARKS[row[_JUDGED]], *marks])
    stable = int((table["same"] == len(readings)).sum())
    count = f"{stable} of {len(table)} verdicts are the same under every reading."
    paths = [folder / "robustness.csv", folder / "robustness.md"]
    atomic_write_text(paths[0], csv_text(table))
    page = "\n\n".join(["# Other readings of the claims", _EXPLAINED, count, markdown_table(lines, numbers=False)])
    atomic_write_text(paths[1], page + "\n")
    return paths
