"""Two results folders side by side."""

import json

import pytest

from gdmbench.exhibits.compare import compare_text, differences


def record(key, **more):
    plain = {"experiment": "e", "method": "gdm", "value": 1, "repetition": 0, "status": "ok", "fit_seconds": 1.0}
    return {"key": key, **plain, "mm_distance": 0.5, "perplexity": 100.0, **more}


def write(folder, records):
    folder.mkdir(parents=True)
    (folder / "records.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    return folder


def test_equal_folders_agree(tmp_path):
    a = write(tmp_path / "a", [record("x"), record("y")])
    write(tmp_path / "b" / "below", [record("x", fit_seconds=3.0), record("y", mm_distance=0.5 + 1e-9)])
    text, agree = compare_text(a, tmp_path / "b")
    assert agree
    assert "2 cells are in both; 0 only in" in text
    assert "median ratio 2.00" in text


def test_what_differs_is_listed(tmp_path):
    a = write(tmp_path / "a", [record("x"), record("y"), record("z"), record("alone")])
    b = write(
        tmp_path / "b", [record("x", perplexity=101.0), record("y", status="error"), record("z", mm_distance=None)]
    )
    text, agree = compare_text(a, b)
    assert not agree
    assert "3 cells are in both; 1 only in" in text
    table = differences({"x": record("x")}, {"x": record("x", perplexity=101.0)})
    assert table[["measure", "a", "b"]].to_numpy().tolist() == [["perplexity", 100.0, 101.0]]
    assert "3 measures differ" in text


def test_a_folder_without_records_is_one_sentence(tmp_path):
    with pytest.raises(ValueError, match="holds no records"):
        compare_text(tmp_path, tmp_path)
