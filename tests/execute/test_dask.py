"""A dask cluster as people have one: scheduler and workers started by hand, some of which die."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gdmbench.execute.dask import mismatches
from gdmbench.versions import versions

DASK = [sys.executable, "-m", "dask"]
TOY = Path(__file__).parents[1] / "toy"


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers on loopback, by the command line."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    environment = {**os.environ, "PYTHONPATH": str(TOY)}

    def start(*words):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([*DASK, *words], cwd=tmp_path, env=environment, start_new_session=True, **quiet)

    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", address.rsplit(":")[-1], "--no-dashboard")
    workers = [start("worker", address, "--nthreads", "1", "--no-dashboard") for _ in range(2)]
    _wait_for_workers(address)
    yield address, scheduler, workers
    for process in [scheduler, *workers]:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
        process.wait()


def _wait_for_workers(address):
    from distributed import Client

    with Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)


def _until(condition, process=None):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        assert process is None or process.poll() is None
        time.sleep(0.05)


def _count(path):
    return path.read_text().count("\n") if path.exists() else 0


def test_a_cluster_started_by_hand(toy, toy_process, cluster, tmp_path, without_times):
    """A run joins it; a killed worker costs at most its cell; without the scheduler a run ends, and goes on later."""
    address, scheduler, workers = cluster
    joined = ["executor=dask", f"executor.address={address}"]

    words = ["+method@methods.gdm=gdm", "repetitions=2"]
    code, said, records = toy(*words, *joined, folder="joined")
    assert code == 0, said
    assert "on 2 workers" in said
    assert "Warning" not in said
    _, _, local = toy(*words, folder="local")
    assert without_times(records) == without_times(local)

    path = tmp_path / "out" / "records.jsonl"
    process = toy_process("methods.nothing.seconds=0.3", "repetitions=5", *joined)
    _until(lambda: _count(path) >= 2, process)
    os.killpg(workers[0].pid, signal.SIGKILL)
    said = process.communicate(timeout=120)[0]
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert len({record["key"] for record in records}) == 15, said
    assert sum(record["status"] != "ok" for record in records) <= 1

    path.unlink()
    words = ["methods.nothing.seconds=0.1", "repetitions=20"]
    process = toy_process(*words, *joined)
    _until(lambda: _count(path) >= 2, process)
    os.killpg(scheduler.pid, signal.SIGKILL)
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 3, said
    assert "The dask scheduler is gone" in said
    assert "Traceback" not in said
    kept = path.read_text()
    code, _, records = toy(*words)
    assert code == 0
    assert len(records) == 60
    assert path.read_text().startswith(kept)


def test_no_scheduler_at_the_address_is_one_sentence(toy, tmp_path):
    code, said, _ = toy("executor=dask", "executor.address=tcp://127.0.0.1:9")
    assert code == 2
    assert "has no dask scheduler that answers" in said
    assert list(tmp_path.iterdir()) == []


def test_a_version_that_differs_is_named_once_for_all_workers():
    here = versions()
    other = {**here, "numpy": "1.0", "cpu": "another"}
    assert mismatches({"tcp://a": here, "tcp://b": {**here, "cpu": "another"}}) == []
    (sentence,) = mismatches({"tcp://a": other, "tcp://b": here, "tcp://c": other})
    assert sentence.startswith(f"Warning: numpy is {here['numpy']} here and 1.0 on tcp://a, tcp://c")
