"""Everything that a run leaves to look at, drawn from its records."""

from pathlib import Path

import pandas as pd

from gdmbench.exhibits.figures import measure_figure
from gdmbench.exhibits.summary import failure_notes, records_table, summarise
from gdmbench.exhibits.tables import csv_text, latex_text, markdown_text
from gdmbench.exhibits.topics import write_topics
from gdmbench.files import atomic_write_text
from gdmbench.records.record import COLUMNS


def write_sweep(
    frame: pd.DataFrame, folder: str | Path, *, title: str, rate: bool = False, note: str = ""
) -> list[Path]:
    """Write the tables and figures of one experiment.

    Parameters
    ----------
    frame : DataFrame
        One row per record, as `gdmbench.records.frame.to_frame` gives them; each cell once.
    folder : path
        Where to write; made if missing.
    title : str
        Heading of the summary and start of its captions.
    rate : bool
        Draw the theoretical rate in the figure of MM distance, where the swept axis has one.
    note : str
        What a reader of the summary and of each figure must know of the records.

    Returns
    -------
    list of Path
        The files written: ``records.csv``, ``summary.csv``, ``.md`` and ``.tex``, and a ``.pdf`` and ``.png`` for
        each main column of a record that holds any number; where words have names also ``topics.md``,
        ``.pdf`` and ``.png``. None when there are no records.
    """
    if frame.empty:
        return []
    folder = Path(folder)
    summary = summarise(frame)
    texts = {
        "records.csv": csv_text(records_table(frame)),
        "summary.csv": csv_text(summary),
        "summary.md": markdown_text(summary, title, failure_notes(frame), note),
        "summary.tex": latex_text(summary, title),
    }
    for name, text in texts.items():
        atomic_write_text(folder / name, text)
    written = [folder / name for name in texts]
    for column in COLUMNS:
        if column.main and (summary["measure"] == column.name).any():
            with_rate = rate and column.name == "mm_distance"
            written += measure_figure(frame, column.name, folder / column.name, rate=with_rate, note=note)
    return [*written, *write_topics(frame, folder)]
