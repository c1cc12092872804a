"""Runs as a user makes them: whole, interrupted, killed, resumed."""

import json
import os
import random
import signal
import time

import pytest


def test_numbers_do_not_hang_on_the_executor(toy, without_times):
    words = ["+method@methods.gdm=gdm", "+method@methods.tgdm=tgdm", "repetitions=2"]
    code, _, reference = toy(*words, "executor.n_workers=3", folder="reference")
    assert code == 0
    assert len(reference) == 18
    for executor in ("executor=serial", "executor=dask"):
        code, _, records = toy(*words, executor, folder=executor)
        assert code == 0, executor
        assert without_times(records) == without_times(reference), executor


def test_a_second_run_only_redraws(toy, in_this_process):
    code, said, records = toy()
    assert code == 0
    assert len(records) == 12
    code, said, again = toy()
    assert code == 0
    assert again == records
    assert "12 of 12 cells are fine" in said
    code, said, more = toy("repetitions=5")
    assert code == 0
    assert more[:12] == records
    assert {record["repetition"] for record in more[12:]} == {4}


def test_a_run_leaves_what_the_design_says(toy_process, tmp_path):
    process = toy_process()
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 0, said
    left = {path.name for path in (tmp_path / "out").iterdir()} - {".lock"}
    figures = {f"{name}.{kind}" for name in ("mm_distance", "perplexity", "fit_seconds") for kind in ("pdf", "png")}
    tables = {"records.jsonl", "records.csv", "summary.csv", "summary.md", "summary.tex"}
    assert left == {"config.yaml", "provenance.json", "report.html"} | figures | tables
    runs = json.loads((tmp_path / "out" / "provenance.json").read_text())["runs"]
    assert len(runs) == 1
    assert runs[0]["cells"] == 12
    assert set(runs[0]["packages"]) >= {"numpy", "scipy", "numba"}


def test_the_plan_runs_nothing(toy, tmp_path, in_this_process):
    code, said, records = toy(verb=["plan"])
    assert code == 0
    assert records == []
    assert "12 cells, 0 done, 12 to run" in said
    assert "data.n_docs: 50, 60, 70" in said
    assert list(tmp_path.iterdir()) == []
    toy("repetitions=1")
    assert "12 cells, 3 done, 9 to run" in toy(verb=["plan"])[1]


def test_damage_is_named_and_its_cells_run_again(toy, tmp_path, in_this_process):
    toy("repetitions=1")
    path = tmp_path / "out" / "records.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + lines[1][:50] + "\n" + lines[2])
    code, said, records = toy("repetitions=1")
    assert code == 0
    assert "records.jsonl, line 2, is damaged" in said
    assert len(records) == 3
    assert "damaged" not in toy("repetitions=1")[1]


@pytest.mark.parametrize("verb", [(), ("redraw",)])
def test_a_quick_run_says_last_that_its_sizes_prove_nothing(toy, in_this_process, verb):
    toy("scale=quick", "repetitions=1")
    _, said, _ = toy("scale=quick", "repetitions=1", verb=verb)
    assert said.splitlines()[-1].startswith("This was scale=quick, a look at sizes that prove nothing")
    assert "prove nothing" not in toy("repetitions=1")[1]


def test_a_read_only_folder_is_one_sentence(toy, tmp_path):
    (tmp_path / "file").write_text("in the way")
    code, said, _ = toy(folder="file")
    assert code == 3
    assert len(said.splitlines()) == 1
    assert "file" in said


def test_a_disk_that_takes_no_more_is_one_sentence_and_the_run_resumes(toy, toy_process, tmp_path):
    # The kernel refuses to let any file grow past 5000 bytes: four records or so.
    process = toy_process(limit_file_size=5000)
    said = process.communicate(timeout=60)[0]
    assert process.returncode == 3
    assert "records.jsonl can't be written (File too large)" in said
    assert "Traceback" not in said
    kept = (tmp_path / "out" / "records.jsonl").read_text()
    assert kept.endswith("\n")
    assert 1 <= kept.count("\n") < 12
    code, _, records = toy()
    assert code == 0
    assert len(records) == 12
    assert (tmp_path / "out" / "records.jsonl").read_text().startswith(kept)


def test_ctrl_c_waits_for_no_cell_and_says_how_to_go_on(toy_process, tmp_path):
    # Two quick cells end, then both workers are in cells of ten minutes.
    process = toy_process("executor.n_workers=2", "+method@methods.slow=nothing", "methods.slow.seconds=600")
    path = tmp_path / "out" / "records.jsonl"
    while not (path.exists() and path.read_text().count("\n") >= 2):
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[0]
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=[pytest.mark.long, pytest.mark.timeout(3600)])])
def test_kills_lose_nothing(toy, toy_process, tmp_path, without_times, kills):
    words = ["methods.nothing.seconds=0.05", "repetitions=20"]
    code, _, undisturbed = toy(*words, folder="undisturbed")
    assert code == 0
    assert len(undisturbed) == 60
    path = tmp_path / "out" / "records.jsonl"
    moments = random.Random(2016)
    finished: list[str] = []
    for _ in range(kills):
        process = toy_process(*words)
        try:
            process.wait(moments.uniform(0.5, 6.0))
        except Exception:
            os.killpg(process.pid, moments.choice([signal.SIGKILL, signal.SIGTERM]))
        process.communicate()
        whole = [
            line
            for line in (path.read_text() if path.exists() else "").splitlines(keepends=True)
            if line.endswith("\n")
        ]
        assert whole[: len(finished)] == finished
        finished = whole
        if process.returncode == 0:
            path.unlink()  # done: start over, so that every kill finds work
            finished = []
    code, _, records = toy(*words)
    assert code == 0
    assert len({record["key"] for record in records}) == len(records) == 60
    assert without_times(records) == without_times(undisturbed)
