"""A page for a cause: one sentence that says what was found, and tables beside the figure."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from gdmbench.exhibits.causes import Cause, try_causes
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.escape import markdown
from gdmbench.exhibits.findings import marked
from gdmbench.exhibits.tables import markdown_table
from gdmbench.files import atomic_write_text

CAVEAT = (
    "Claims are judged by the same criterion before and after. A choice under which a claim holds suffices for it; "
    "that the authors made it is not shown."
)


def write_page(path: Path, title: str, *parts: str) -> Path:
    """Write a Markdown page; parts that are empty are left out."""
    atomic_write_text(path, "\n\n".join([f"# {title}", *(part for part in parts if part)]) + "\n")
    return path


def table(lines: Sequence[Sequence[str]], *, numbers: bool = True) -> str:
    """Write lines of cells, the first the heads, as a Markdown table; nothing where there is no other line."""
    return markdown_table([[markdown(cell) for cell in line] for line in lines], numbers=numbers) if lines[1:] else ""


def verdicts_table(claims: Sequence[Claim], causes: dict[str, list[Cause]], frame: pd.DataFrame) -> str:
    """Write for each claim and each choice the verdict before and under it, and the differences that a claim shows."""
    lines = [["claim", "as judged", "choice", "under it", "parts gained", "parts lost"]]
    notes = []
    for claim in claims:
        before = claim.judge(frame)
        if not any(part.estimate.n for part in before.parts):
            continue  # the sweeps that it rests on are not part of this experiment
        for each in try_causes(causes.get(claim.id, []), claim.judge, frame, before):
            gained = f"{each.gained} of {each.failed}" if each.failed else "–"
            verdicts = [marked(found.words) for found in (before, each.finding)]
            lines.append([claim.id, verdicts[0], each.cause.choice, verdicts[1], gained, str(each.lost)])
            notes.append(f"- {markdown(claim.id)}, {markdown(each.cause.choice)}: {markdown(each.finding.evidence)}.")
            records = each.cause.switch(frame)
            if claim.differences and records is not None:
                notes.append(f"  In the units of the measure: {markdown('; '.join(claim.differences(records)))}.")
    tabled = table(lines, numbers=False)
    return "\n\n".join([CAVEAT, tabled, "\n".join(notes)]) if tabled else ""
