"""A method fitted to a whole corpus, and what a reader of the corpus wants of it: topics, proportions, the model."""

import csv
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from gdmbench.execute.cell import fit, rows_on_simplex
from gdmbench.files import atomic_path
from gdmbench.model import load_model, save_model
from gdmbench.plan import Cell


def fit_corpus(cell: Cell, folder: Path, data_dir: str | None = None) -> list[Path]:
    """Fit a cell's method to all documents of its corpus; write `model.npz`, `proportions.csv` and `dropped.csv`.

    Parameters
    ----------
    cell : Cell
        Of a corpus that is divided into training and held-out documents; here none is held out.
    folder : Path
    data_dir : str, optional
        Where named corpora are looked for.

    Returns
    -------
    list of Path
    """
    data = replace(cell, data={**cell.data, "n_heldout": 0, "n_docs": None}).make_data(data_dir)
    model = cell.make_method()
    fit(model, data.train, data.vocabulary)
    topics = rows_on_simplex(model, getattr(model, "components_", None), (None, data.train.shape[1]), "components_")
    saved, path = folder / "model.npz", folder / "proportions.csv"
    save_model(model, saved, data.vocabulary, data.vectorizer)
    proportions = load_model(saved).transform(data.train)  # so that whoever loads the model gets the same
    ids = range(1, len(proportions) + 1) if data.ids is None else data.ids
    rows = ([name, *(f"{p:.6g}" for p in row)] for name, row in zip(ids, proportions.tolist(), strict=True))
    _write_csv(path, ["document", *(f"topic_{number}" for number in range(1, len(topics) + 1))], rows)
    dropped = folder / "dropped.csv"  # written even if nothing was, lest one of an earlier corpus stays
    _write_csv(dropped, ["document", "why"], data.dropped)
    return [saved, path, dropped]


def _write_csv(path: Path, head: list[str], rows: Iterable[Iterable[object]]) -> None:
    with atomic_path(path) as aside, aside.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
