"""Everything that a run leaves to look at, drawn from its records."""

from pathlib import Path

import pandas as pd

from gdmbench.exhibits.figures import measure_figure
from gdmbench.exhibits.tables import (
    csv_text,
    failure_notes,
    latex_text,
    markdown_text,
    records_table,
    summarise,
)
from gdmbench.exhibits.topics import write_topics
from gdmbench.files import atomic_write_text

FIGURES = ("mm_distance", "perplexity", "fit_seconds")


def write_exhibits(records: pd.DataFrame, folder: str | Path, *, title: str, bound: bool = False) -> list[Path]:
    """Write the tables and figures of one experiment.

    Parameters
    ----------
    records : DataFrame
        One row a record; each cell once.
    folder : path
        Where to write; made if missing.
    title : str
        Heading of the summary and start of its captions.
    bound : bool
        Draw the theoretical rate in the figure of MM distance, where the swept axis has one.

    Returns
    -------
    list of Path
        The files written: ``records.csv``, ``summary.csv``, ``.md`` and ``.tex``, and a ``.pdf`` and ``.png`` for
        each of MM distance, perplexity and fit time that any record holds; where words have names also ``topics.md``,
        ``.pdf`` and ``.png``. None when there are no records.
    """
    if records.empty:
        return []
    folder = Path(folder)
    summary = summarise(records)
    texts = {
        "records.csv": csv_text(records_table(records)),
        "summary.csv": csv_text(summary),
        "summary.md": markdown_text(summary, title, failure_notes(records)),
        "summary.tex": latex_text(summary, title),
    }
    for name, text in texts.items():
        atomic_write_text(folder / name, text)
    written = [folder / name for name in texts]
    for measure in FIGURES:
        if (summary["measure"] == measure).any():
            written += measure_figure(records, measure, folder / measure, bound=bound and measure == "mm_distance")
    return [*written, *write_topics(records, folder)]
