"""All exhibits of a run: which files, what is left out, and that drawing again changes nothing."""

import numpy as np
import pandas as pd

from gdmbench.exhibits.write import write_sweep
from gdmbench.records.frame import to_frame
from gdmbench.records.record import COLUMNS

TABLES = {"records.csv", "summary.csv", "summary.md", "summary.tex"}


def names(paths):
    return {path.name for path in paths}


def test_all_files_are_written_and_drawing_again_in_another_order_gives_the_same_bytes(make_frame, tmp_path):
    frame, folder = make_frame(values=(100, 1000)), tmp_path / "vary_M"
    first = {path.name: path.read_bytes() for path in write_sweep(frame, folder, title="Figure 2b", rate=True)}
    figures = {f"{m}{s}" for m in ("mm_distance", "perplexity", "fit_seconds") for s in (".pdf", ".png")}
    assert set(first) == TABLES | figures
    assert names(folder.iterdir()) == set(first)
    shuffled = to_frame(frame.sample(frac=1, random_state=1).to_dict("records"))
    again = write_sweep(shuffled, folder, title="Figure 2b", rate=True)
    assert {path.name: path.read_bytes() for path in again} == first


def test_figures_of_unmeasured_columns_are_left_out(make_frame, tmp_path):
    frame = make_frame(axis="model.n_topics", values=(5, 10)).assign(mm_distance=np.nan)
    written = write_sweep(frame, tmp_path, title="Table 1")
    assert "mm_distance.pdf" not in names(written)
    assert "perplexity.pdf" in names(written)


def test_no_records_no_exhibits(tmp_path):
    assert write_sweep(to_frame([]), tmp_path / "x", title="t") == []
    assert not (tmp_path / "x").exists()


def test_all_failed_still_gives_tables(make_frame, fail, tmp_path):
    frame = make_frame(values=(100, 1000))
    written = write_sweep(fail(frame, frame["method"] != ""), tmp_path, title="t")
    assert names(written) == TABLES
    assert "5 of 5 failed" in (tmp_path / "summary.md").read_text("utf-8")


def test_records_as_the_runner_stores_them(tmp_path):
    """Dicts with None where nothing was measured, lists as values, columns missing from some."""
    rows = [
        {"method": "gdm", "label": "GDM", "axis": "data.doc_length", "value": [50, 1500], "repetition": 0}
        | {"status": "ok", "error": None, "mm_distance": 0.01, "perplexity": 400.0, "fit_seconds": 0.1},
        {"method": "vem", "label": "VEM", "axis": "data.doc_length", "value": [50, 1500], "repetition": 0}
        | {"status": "timeout", "error": "slow", "mm_distance": None, "perplexity": None, "fit_seconds": None},
    ]
    written = write_sweep(to_frame(rows), tmp_path, title="lengths")
    assert "perplexity.png" in names(written)
    table = pd.read_csv(tmp_path / "records.csv")
    assert table["value"].tolist() == ["[50, 1500]", "[50, 1500]"]


WHOLE = {"experiment": "e", "method": "gdm", "label": "GDM", "axis": "data.n_docs", "value": 5, "repetition": 0}
WHOLE |= {"status": "ok", "mm_distance": 0.1, "perplexity": 9.0, "fit_seconds": 1.0, "key": "k", "data": {"n_docs": 5}}
WHOLE |= {"top_words": [[["a", 0.9], ["b", 0.1]]]}


def test_records_that_lack_fields_are_no_traceback(tmp_path):
    others = [{**WHOLE, "method": "vem", "value": 6}, {}]
    parts = [{name: value for name, value in WHOLE.items() if name != missing} for missing in WHOLE]
    written = write_sweep(to_frame([WHOLE, *others, *parts]), tmp_path, title="")
    figures = {f"{m}{s}" for m in ("mm_distance", "perplexity", "fit_seconds", "topics") for s in (".pdf", ".png")}
    assert names(written) == TABLES | figures | {"topics.md"}
    table = pd.read_csv(tmp_path / "records.csv")
    assert len(table) == 3 + len(WHOLE)
    assert list(table.columns) == [column.name for column in COLUMNS]
