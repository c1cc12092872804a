"""Whatever happens to the records file, what can be read is used and what can't is named."""

import errno
import json
import os
import subprocess
import sys

import pytest

from gdmbench.errors import ConfigError, RunError
from gdmbench.plan import FORMAT
from gdmbench.records.store import Store


@pytest.fixture
def record(made_up_record):
    return lambda key, **more: made_up_record(key=key, **more)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "folder")


def test_what_is_appended_is_read(store, record):
    with store.writing():
        store.append(record("a", perplexity=0.1 + 0.2))
        store.append(record("b"))
    assert store.read() == ({"a": record("a", perplexity=0.1 + 0.2), "b": record("b")}, [])


def test_nothing_is_made_by_reading(store):
    assert store.read() == ({}, [])
    assert not store.folder.exists()


def test_the_newest_record_of_a_key_counts(store, record):
    with store.writing():
        store.append(record("a", status="error"))
        store.append(record("a"))
    assert store.read()[0]["a"]["status"] == "ok"


@pytest.mark.parametrize("damage", ['{"key": "c", "sta', "not json", "[1, 2]", '{"key": 3, "status": "ok"}', "\0\0\0"])
def test_a_damaged_line_is_named_and_the_rest_used(store, damage, record):
    with store.writing():
        store.append(record("a"))
    with store.path.open("a") as file:
        file.write(damage + "\n" + json.dumps(record("b")) + "\n")
    records, damages = store.read()
    assert set(records) == {"a", "b"}
    assert len(damages) == 1
    assert "records.jsonl, line 2" in damages[0]


def test_damaged_lines_are_kept_aside(store, record):
    with store.writing():
        store.append(record("a"))
    with store.path.open("ab") as file:
        file.write(b"not json\n\xff\xfe\n")
    with store.writing() as (records, damages):
        assert set(records) == {"a"}
        assert "Damaged lines are kept in" in damages[-1]
        store.append(record("b"))
    assert store.damaged.read_bytes() == b"not json\n\xff\xfe\n"
    assert store.read() == ({"a": record("a"), "b": record("b")}, [])


def test_a_record_of_a_newer_format_stops_an_older_program_which_touches_nothing(store, record):
    with store.writing():
        store.append(record("a", format=FORMAT + 1))
    with store.path.open("a") as file:
        file.write("not json\n")
    before = store.path.read_bytes()
    for use in (store.read, lambda: store.writing().__enter__()):
        with pytest.raises(ConfigError, match=r"line 1, was written by a newer version .* update gdmbench"):
            use()
    assert store.path.read_bytes() == before
    assert not store.damaged.exists()


@pytest.mark.parametrize("cut", range(1, 30))
def test_a_file_cut_short_loses_at_most_its_last_record(store, cut, record):
    with store.writing():
        store.append(record("a"))
        store.append(record("b", versions={"x": "é"}))  # the last column: cuts go through the letter of two bytes
    whole = store.path.read_bytes()
    store.path.write_bytes(whole[:-cut])
    with store.writing():
        store.append(record("c"))
    records, damages = store.read()
    assert {"a", "c"} <= set(records) <= {"a", "b", "c"}
    assert damages == []


def test_a_second_run_is_told(store):
    with store.writing():
        other = (
            "import sys; from pathlib import Path; from gdmbench.records.store import Store\n"
            "with Store(Path(sys.argv[1])).writing(): pass"
        )
        done = subprocess.run([sys.executable, "-c", other, str(store.folder)], capture_output=True, text=True)
    assert done.returncode != 0
    assert f"Another run (process {os.getpid()}) is writing to {store.folder}" in done.stderr
    with store.writing():
        pass


def test_the_lock_is_refused_in_one_process_too(store):
    with store.writing(), pytest.raises(ConfigError, match="Another run"), Store(store.folder).writing():
        pass


def test_a_full_disk_leaves_no_half_line(store, monkeypatch, record):
    with store.writing():
        store.append(record("a"))
        before = store.path.read_bytes()

        def full(_):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(RunError, match=r"No space left on device.*make room"):
            store.append(record("b"))
        assert store.path.read_bytes() == before
