import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parent / "toy"


@pytest.fixture
def toy_words():
    """The command line's words before any override, with the toy methods' configs."""
    return ["--config-dir", str(TOY / "conf"), "+experiment=toy"]


@pytest.fixture
def toy(tmp_path, monkeypatch, toy_words, capsys):
    """Run the toy experiment in this process: overrides in; exit code, output and records out."""
    from gdmbench.runner.cli import main

    monkeypatch.syspath_prepend(str(TOY))
    monkeypatch.chdir(tmp_path)

    def run(*overrides, folder="out"):
        code = main([*toy_words, f"folder={folder}", *overrides])
        said = capsys.readouterr()
        path = tmp_path / folder / "records.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return code, said.out + said.err, [json.loads(line) for line in lines]

    return run


@pytest.fixture
def toy_process(tmp_path, toy_words):
    """Start the toy experiment as a process of its own, in a group of its own."""

    def start(*overrides, limit_file_size=None):
        def prepare():
            # Whoever runs the tests in the background may have Ctrl-C ignored, which children inherit.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            if limit_file_size:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit_file_size, limit_file_size))

        environment = {**os.environ, "PYTHONPATH": str(TOY)}
        return subprocess.Popen(
            [sys.executable, "-m", "gdmbench", *toy_words, "folder=out", *overrides],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=prepare,
        )

    return start


@pytest.fixture
def without_times():
    """Strip a list of records of what may differ between two runs, and sort it."""
    # Versions tell of the code, which may be edited between two runs of a test, not of what was computed.
    times = {"fit_seconds", "fit_cpu_seconds", "peak_mb", "cell_seconds", "cell_cpu_seconds", "n_workers", "versions"}

    def strip(records):
        return sorted(
            json.dumps({name: value for name, value in record.items() if name not in times}, sort_keys=True)
            for record in records
        )

    return strip
