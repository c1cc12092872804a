"""What tests of several rooms share: the toy experiment, and the one way to make up records."""

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

TOY = Path(__file__).parent / "toy"
ROOT = Path(__file__).parents[1]

# The one list of what waits for the next reference run, as today's configs ask for other cells than the last one has:
# tests whose id begins with one of these. It is empty when that run is committed.
WAITING: tuple[str, ...] = (
    # RefinedGDM chooses its start by the bound.
    "tests/test_reference.py::test_every_cell_of_a_sweep_is_there_at_the_paper_s_size[frontier_",
    # Perplexity has another label, and total variation is a measure of its own.
    "tests/test_reference.py::test_redrawing_gives_the_same_bytes",
)


def pytest_configure(config):
    """Compute in one thread, as two processes share the cores; keep compiled kernels apart from those of users.

    The folder for kernels is named after the code: numba's cache overlooks edits in files that a kernel imports.
    """
    threadpool_limits(1)
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    code = hashlib.sha256()
    for path in sorted(path for package in ("gdmbench", "baselines") for path in (ROOT / package).rglob("*.py")):
        code.update(path.read_bytes())
    kernels = ROOT / ".pytest_cache" / "kernels"
    os.environ["NUMBA_CACHE_DIR"] = str(kernels / code.hexdigest()[:12])
    if not hasattr(config, "workerinput"):  # once, in the process that starts the others
        for old in set(kernels.glob("*")) - {Path(os.environ["NUMBA_CACHE_DIR"])}:
            shutil.rmtree(old, ignore_errors=True)


def pytest_collection_modifyitems(items):
    """Mark and skip what waits for the next reference run."""
    for item in items:
        if item.nodeid.startswith(WAITING):
            item.add_marker(pytest.mark.waits)
            item.add_marker(pytest.mark.skip("waits for the next reference run (WAITING in tests/conftest.py)"))


def pytest_terminal_summary(terminalreporter):
    """Say why tests were skipped, one line for each reason."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} tests skipped: {reason.removeprefix('Skipped: ')}")


@pytest.fixture
def toy_words():
    """The command line's words before any override, with the toy methods' configs."""
    return ["--config-dir", str(TOY / "conf"), "+experiment=toy"]


@pytest.fixture
def blank_figures(monkeypatch):
    """Leave empty files for figures: to draw them takes longer than all the rest of a toy run."""

    def leave(frame, column, path, **_):
        files = [Path(f"{path}.{kind}") for kind in ("pdf", "png")]
        for file in files:
            file.write_bytes(b"")
        return files

    monkeypatch.setattr("gdmbench.exhibits.write.measure_figure", leave)


@pytest.fixture
def toy(tmp_path, monkeypatch, toy_words, capsys, blank_figures):
    """Run the toy experiment in this process: overrides in; exit code, output and records out."""
    from gdmbench.cli import main

    monkeypatch.syspath_prepend(str(TOY))
    monkeypatch.chdir(tmp_path)

    def run(*overrides, folder="out", verb=()):
        code = main([*verb, *toy_words, "root=.", f"folder={folder}", *overrides])
        said = capsys.readouterr()
        path = tmp_path / folder / "records.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return code, said.out + said.err, [json.loads(line) for line in lines]

    return run


class InThisProcess:
    """An executor with no processes of its own, for methods that are trusted: a worker loads every kernel anew."""

    n_workers, compiling = 1, False

    def __init__(self, data_dir):
        self.data_dir = data_dir

    def run(self, cells):
        from gdmbench.execute.cell import run_cell
        from gdmbench.execute.guard import restored

        with threadpool_limits(1):
            for cell in cells:
                with restored():
                    outcome = run_cell(cell, data_dir=self.data_dir)
                yield cell, json.loads(json.dumps(outcome, allow_nan=False))


@pytest.fixture
def in_this_process(monkeypatch):
    """Run cells where the test runs."""
    monkeypatch.setattr("gdmbench.run.make_executor", lambda config: InThisProcess(config.data_dir))
    monkeypatch.setattr("gdmbench.verify.LocalExecutor", lambda _, settings: InThisProcess(settings.data_dir))


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
            [sys.executable, "-m", "gdmbench", *toy_words, "root=.", "folder=out", *overrides],
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
    from gdmbench.records.record import COLUMNS

    same = {column.name for column in COLUMNS if not column.varies}

    def strip(records):
        return sorted(
            json.dumps({name: value for name, value in record.items() if name in same}, sort_keys=True)
            for record in records
        )

    return strip


@pytest.fixture(scope="session")
def made_up_record():
    """Make a record of what is known of it; the other columns are empty, as of a cell that ended well."""
    from gdmbench.plan import FORMAT
    from gdmbench.records.record import COLUMNS

    def make(**known):
        empty = dict.fromkeys(column.name for column in COLUMNS)
        assert known.keys() <= empty.keys(), f"no columns of a record: {known.keys() - empty.keys()}"
        record = empty | {"format": FORMAT, "experiment": "e", "method": "gdm", "repetition": 0, "status": "ok"} | known
        key = "{experiment}-{method}-{value}-{repetition}".format(**record)
        return {**record, "key": record["key"] or key, "extra": record["extra"] or {}}

    return make


@pytest.fixture(scope="session")
def made_up_frame(made_up_record):
    """Make the frame of records of which some columns are known."""
    from gdmbench.records.frame import to_frame

    def make(rows):
        return to_frame(made_up_record(**row) for row in rows)

    return make


@pytest.fixture(scope="session")
def fail():
    """Copy a frame with the rows of a mask failed: no number is left in them."""
    from gdmbench.records.record import NUMBERS

    def marked(frame, mask, status="timeout", error="no end after 60 s"):
        failed = frame.copy()
        failed.loc[mask, list(NUMBERS)] = np.nan
        failed.loc[mask, "status"] = status
        failed.loc[mask, "error"] = error
        return failed

    return marked
