"""Nobody is let in: what dask opens listens on this machine alone, and TLS keeps strangers out of a real cluster."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from gdmbench.execute.dask import DaskExecutor
from gdmbench.execute.worker import Settings

ROOT = Path(__file__).parents[2]
TOY = ROOT / "tests" / "toy"


def listening(process):
    """The addresses on which a process and its children listen."""
    found = []
    for each in [process, *process.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):  # what it started for a moment, such as to ask for its version
            found += [c.laddr for c in each.net_connections("tcp") if c.status == psutil.CONN_LISTEN]
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def start(tmp_path):
    """Start dask commands in the background; they are ended with the test."""
    running = []

    def run(words, environment=None):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "PYTHONPATH": str(TOY), **(environment or {})}
        command = [sys.executable, "-m", "dask", *words]
        running.append(subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True, **quiet))
        return psutil.Process(running[-1].pid)

    yield run
    for process in running:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_the_commands_of_the_page_on_clusters_listen_on_loopback_alone(start):
    commands = re.findall(
        r"^dask ((?:scheduler|worker) .*?)(?: &)?$", (ROOT / "docs" / "cluster.md").read_text(), flags=re.MULTILINE
    )
    assert [command.split()[0] for command in commands] == ["scheduler", "worker", "worker"]
    ports = {"8786": str(free_port()), "8787": str(free_port())}
    for command in commands:
        words = [re.sub(r"878[67]", lambda found: ports[found[0]], word) for word in shlex.split(command)]
        process = start(words)
        wait_until(lambda process=process: len(listening(process)) >= 2)
        time.sleep(1)  # whatever else it may open
        assert {address.ip for address in listening(process)} == {"127.0.0.1"}


def test_a_cluster_of_our_own_listens_on_loopback_alone():
    executor = DaskExecutor(None, 1, Settings(60.0, 1000.0))
    try:
        assert {address.ip for address in listening(psutil.Process())} == {"127.0.0.1"}
    finally:
        executor.client.close()
        executor.cluster.close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made with openssl, which is not there")
def test_a_cluster_with_tls_takes_only_those_with_a_certificate(start, tmp_path, toy, toy_words):
    words = shlex.split("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem")
    subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True)
    certificate, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    files = ["--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key]
    address = f"tls://127.0.0.1:{free_port()}"
    port = address.rpartition(":")[2]
    loopback = ["--host", "127.0.0.1", "--no-dashboard"]
    scheduler = ["scheduler", "--protocol", "tls", "--port", port, "--host", "tls://127.0.0.1", "--no-dashboard"]
    worker = ["worker", address, "--protocol", "tls", "--nthreads", "1", "--no-nanny", *loopback]
    for process in [start([*command, *files]) for command in (scheduler, worker)]:
        wait_until(lambda process=process: listening(process))
    small = ["repetitions=1", "sweep.values=[50]", "executor=dask", f"executor.address={address}"]
    code, said, _ = toy(*small)
    assert code == 2
    assert "has no dask scheduler that answers" in said
    assert "Traceback" not in said

    secrets = {"CA_FILE": certificate, "CLIENT__CERT": certificate, "CLIENT__KEY": key}
    known = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": file for name, file in secrets.items()}
    done = subprocess.run(
        [sys.executable, "-m", "gdmbench", *toy_words, "root=.", "folder=out", *small],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(TOY), **known},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (record,) = [json.loads(line) for line in (tmp_path / "out" / "records.jsonl").read_text().splitlines()]
    assert record["status"] == "ok"
