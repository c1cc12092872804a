"""All exhibits of a run: which files, what is left out, and that drawing again changes nothing."""

import numpy as np
import pandas as pd

from gdmbench.exhibits import write_exhibits

TABLES = {"records.csv", "summary.csv", "summary.md", "summary.tex"}


def names(paths):
    return {path.name for path in paths}


def test_all_files_are_written_and_nothing_else(make_records, tmp_path):
    written = write_exhibits(make_records(values=(100, 1000)), tmp_path / "vary_M", title="Figure 2b", bound=True)
    figures = {f"{m}{s}" for m in ("mm_distance", "perplexity", "fit_seconds") for s in (".pdf", ".png")}
    assert names(written) == TABLES | figures
    assert names((tmp_path / "vary_M").iterdir()) == names(written)


def test_figures_of_unmeasured_columns_are_left_out(make_records, tmp_path):
    records = make_records(axis="data.n_topics", values=(5, 10)).assign(mm_distance=np.nan)
    written = write_exhibits(records, tmp_path, title="Table 1")
    assert "mm_distance.pdf" not in names(written)
    assert "perplexity.pdf" in names(written)


def test_drawing_again_in_another_order_gives_the_same_bytes(make_records, tmp_path):
    records = make_records(values=(100, 1000))
    first = {path.name: path.read_bytes() for path in write_exhibits(records, tmp_path, title="t", bound=True)}
    again = write_exhibits(records.sample(frac=1, random_state=1), tmp_path, title="t", bound=True)
    assert {path.name: path.read_bytes() for path in again} == first


def test_no_records_no_exhibits(tmp_path):
    assert write_exhibits(pd.DataFrame(), tmp_path / "x", title="t") == []
    assert not (tmp_path / "x").exists()


def test_all_failed_still_gives_tables(make_records, fail, tmp_path):
    records = make_records(values=(100, 1000))
    written = write_exhibits(fail(records, records["method"] != ""), tmp_path, title="t")
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
    written = write_exhibits(pd.DataFrame(rows), tmp_path, title="lengths")
    assert "perplexity.png" in names(written)
    table = pd.read_csv(tmp_path / "records.csv")
    assert table["value"].tolist() == ["[50, 1500]", "[50, 1500]"]
