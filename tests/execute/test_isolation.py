"""What a method does to its process, and the processes that it starts, end with its cell."""

import os
import signal
import time

import psutil
import pytest

ONE = ["sweep.values=[45]", "repetitions=1", "~methods.nothing"]


def _extra(records, method):
    (record,) = [record for record in records if record["method"] == method]
    return record["extra"]


def _alive(pids):
    return [pid for pid in pids if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE]


def _until_dead(pids):
    end = time.monotonic() + 30
    while _alive(pids):
        assert time.monotonic() < end, [psutil.Process(pid).cmdline() for pid in _alive(pids)]
        time.sleep(0.05)


def test_a_cell_finds_its_process_as_if_it_were_the_first(toy):
    code, said, records = toy(*ONE, "+method@methods.witness=witness", "executor=serial")
    assert code == 0, said
    undisturbed = _extra(records, "witness")
    words = ["+method@methods.vandal=vandal", "+method@methods.witness=witness"]
    code, said, records = toy(*ONE, *words, "executor=serial", folder="disturbed")
    assert code == 0, said
    found = _extra(records, "witness")
    assert found["process"] == _extra(records, "vandal")["process"]  # else nothing is shown
    assert undisturbed | {"process": None} == found | {"process": None}


@pytest.mark.parametrize("executor", ["local", "dask"])
def test_a_method_may_start_processes_and_what_it_leaves_behind_dies_with_its_cell(toy, tmp_path, executor):
    words = ["+method@methods.begetter=begetter", f"methods.begetter.pids={tmp_path}/pids"]
    words += ["+method@methods.witness=witness", f"executor={executor}", "executor.n_workers=1"]
    code, said, records = toy(*ONE, *words)
    assert code == 0, said
    assert [record["method"] for record in records] == ["begetter", "witness"]
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 3
    assert _alive(pids) == []


@pytest.mark.parametrize(
    ("then", "limit", "status", "sentence"),
    [
        ("exit", 100, "crashed", "its process left with exit code 7"),
        ("raise", 100, "crashed", "its process left with exit code 8"),
        ("hang", 10, "timeout", "10 s of executor.time_limit"),
    ],
)
def test_it_also_dies_with_a_cell_that_ends_badly(toy, tmp_path, then, limit, status, sentence):
    words = ["+method@methods.begetter=begetter", f"methods.begetter.pids={tmp_path}/pids"]
    code, _, records = toy(*ONE, *words, f"methods.begetter.then={then}", f"executor.time_limit={limit}")
    assert code == 1
    assert [record["status"] for record in records] == [status]
    assert sentence in records[0]["error"]
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 3
    assert _alive(pids) == []


def test_a_daemon_alone_dies_with_its_cell(toy, tmp_path):
    words = ["+method@methods.daemon=begetter", "methods.daemon._target_=toy_methods.Daemon"]
    code, said, _ = toy(*ONE, *words, f"methods.daemon.pids={tmp_path}/pids")
    assert code == 0, said
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 2  # of the warm-up too
    assert _alive(pids) == []


def test_a_run_leaves_the_environment_of_its_process_as_it_was(toy):
    before = dict(os.environ)
    code, said, records = toy(*ONE, "+method@methods.witness=witness")
    assert code == 0, said
    assert _extra(records, "witness")["environment"]["OMP_NUM_THREADS"] == "1"
    assert dict(os.environ) == before


def test_all_of_it_dies_with_the_main_process(toy_process, tmp_path):
    words = ["+method@methods.begetter=begetter", f"methods.begetter.pids={tmp_path}/pids"]
    process = toy_process(*ONE, *words, "methods.begetter.then=hang")
    pids = tmp_path / "pids"
    while not (pids.exists() and pids.read_text().count("\n") == 3):
        assert process.poll() is None
        time.sleep(0.05)
    family = [child.pid for child in psutil.Process(process.pid).children(recursive=True)]
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    _until_dead([*family, *(int(line) for line in pids.read_text().split())])
