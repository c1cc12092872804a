"""Two results folders side by side."""

import json

import pytest

from gdmbench.cli import main
from gdmbench.errors import ConfigError
from gdmbench.records.compare import compare_folders, read_records


@pytest.fixture
def record(made_up_record):
    numbers = {"fit_seconds": 1.0, "mm_distance": 0.5, "perplexity": 100.0}
    return lambda key, **more: made_up_record(**{"key": key, "axis": "data.n_docs", "value": 1, **numbers, **more})


def write(folder, records):
    folder.mkdir(parents=True)
    (folder / "records.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    return folder


def test_equal_folders_agree(tmp_path, capsys, record):
    a = write(tmp_path / "a", [record("x"), record("y")])
    write(tmp_path / "b" / "below", [record("x", fit_seconds=3.0), record("y", mm_distance=0.5 + 1e-9)])
    assert main(["compare", str(a), str(tmp_path / "b")]) == 0
    said = capsys.readouterr().out
    assert "2 cells are in both." in said
    assert "only in" not in said
    assert "median ratio 2.00" in said


def test_what_differs_is_listed_and_the_exit_code_is_1(tmp_path, capsys, record):
    a = write(tmp_path / "a", [record("x"), record("y"), record("z")])
    b = write(
        tmp_path / "b", [record("x", perplexity=101.0), record("y", status="error"), record("z", mm_distance=None)]
    )
    assert main(["compare", str(a), str(b)]) == 1
    said = capsys.readouterr().out
    assert "3 measures differ" in said
    assert "e, gdm at data.n_docs=1, repetition 0: perplexity 100.0 and 101.0" in said


def test_cells_in_one_folder_only_are_named_and_count_unless_told_otherwise(tmp_path, capsys, record):
    a = write(tmp_path / "a", [record("x"), record("alone", repetition=7)])
    b = write(tmp_path / "b", [record("x")])
    assert main(["compare", str(a), str(b)]) == 1
    said = capsys.readouterr().out
    assert f"1 cells are only in {a}" in said
    assert "e, gdm at data.n_docs=1, repetition 7" in said
    assert main(["compare", "--common", str(a), str(b)]) == 0


def test_folders_that_share_no_cell_can_not_be_compared(tmp_path, capsys, record):
    a, b = write(tmp_path / "a", [record("x")]), write(tmp_path / "b", [record("y")])
    assert main(["compare", str(a), str(b)]) == 2
    assert "share no cell" in capsys.readouterr().out


def test_a_folder_without_records_is_one_sentence(tmp_path):
    with pytest.raises(ConfigError, match="holds no records"):
        compare_folders(tmp_path, tmp_path)


def test_the_newest_record_of_a_cell_counts(tmp_path, record):
    folder = write(tmp_path / "a", [record("x", status="error"), record("x")])
    assert read_records(folder)["e/x"]["status"] == "ok"
