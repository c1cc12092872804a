"""A method fitted to a whole corpus, and what a reader of the corpus wants of it: topics, proportions, the model."""

import csv
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gdmbench.execute.cell import fit, rows_on_simplex
from gdmbench.files import atomic_path, atomic_write_text
from gdmbench.model import load_model, save_model
from gdmbench.plan import Cell

_WORDS, _DOCUMENTS, _GROUPS = 15, 5, 40  # of each topic, and of the corpus, that are told


def fit_corpus(cell: Cell, folder: Path, data_dir: str | None = None) -> list[Path]:
    """Fit a cell's method to all documents of its corpus; write the model and what it tells of the documents.

    That is `model.npz`, `proportions.csv`, `chosen.json` for the page, and `dropped.csv`.

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
    about = folder / "chosen.json"
    atomic_write_text(about, json.dumps(_about(cell, model, data, topics, proportions), ensure_ascii=False) + "\n")
    dropped = folder / "dropped.csv"  # written even if nothing was, lest one of an earlier corpus stays
    _write_csv(dropped, ["document", "why"], data.dropped)
    return [saved, path, about, dropped]


def _about(cell: Cell, model: Any, data: Any, topics: Any, proportions: Any) -> dict[str, Any]:
    """Tell what a reader wants to know of each topic: its size, its words, its documents, its share of each group."""
    lengths = np.asarray(data.train.sum(axis=1), dtype=float)
    sizes = lengths @ proportions / lengths.sum()
    ids = [str(name) for name in (range(1, len(lengths) + 1) if data.ids is None else data.ids)]
    words = data.vocabulary or [f"word {column + 1}" for column in range(topics.shape[1])]
    long = np.flatnonzero(lengths >= np.median(lengths))  # a document of three words is all about anything
    found = []
    for topic, shares, size in zip(topics, proportions.T, sizes, strict=True):
        best = np.argsort(-topic, kind="stable")[:_WORDS]
        typical = long[np.argsort(-shares[long], kind="stable")[:_DOCUMENTS]]
        found.append(
            {
                "size": float(size),
                "words": [[words[word], float(topic[word])] for word in best],
                "documents": [
                    [ids[m], float(shares[m]), "" if data.openings is None else str(data.openings[m])] for m in typical
                ],
            }
        )
    at = f"{cell.axis}={cell.value}" if cell.axis else ""
    about = {"label": cell.label, "at": at, "documents": len(lengths), "dropped": len(data.dropped), "topics": found}
    return about | {"groups": _groups(data.labels, lengths, proportions)}


def _groups(labels: Any, lengths: Any, proportions: Any) -> list[list[Any]]:
    """Return the largest groups, each with its number of documents and the share of each topic in its words."""
    names, places = np.unique([] if labels is None else labels.astype(str), return_inverse=True)
    counts = np.bincount(places, minlength=len(names))
    if not 1 < len(names) <= len(lengths) / 2:  # labels that differ from document to document group nothing
        return []
    found = []
    for group in np.argsort(-counts, kind="stable")[:_GROUPS]:
        mine = places == group
        shares = lengths[mine] @ proportions[mine] / lengths[mine].sum()
        found.append([str(names[group]), int(counts[group]), shares.tolist()])
    return found


def _write_csv(path: Path, head: list[str], rows: Iterable[Iterable[object]]) -> None:
    with atomic_path(path) as aside, aside.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
