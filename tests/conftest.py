"""What tests of several rooms share: the toy experiment, and the one way to make up records."""

import gc
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
from itertools import chain

# README's command installs packages without bytecode, as most of it would be of modules that nobody imports. Whoever
# imports one first must leave it, also where the environment says otherwise, or hundreds of processes compile anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
gc.set_threshold(50_000, 20, 20)  # to look for garbage as often as Python would takes 7 % of the time of all tests
# Processes that import the same in the same order would also compile the same at the same time: each begins elsewhere.
if "PYTEST_XDIST_WORKER" in os.environ:
    large = [["sklearn.utils.estimator_checks"], ["pandas", "matplotlib.pyplot"], ["numba", "gensim.models", "hydra"]]
    first = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw")) % len(large)
    for name in chain.from_iterable(large[first:] + large[:first]):
        importlib.import_module(name)

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

# What is ours is imported where it is used: the process that starts the others needs none of it, and they wait for it.

TOY = Path(__file__).parent / "toy"


def pytest_configure():
    """Compute in one thread, here and in processes to come: these are more than the cores, and threads would wait."""
    threadpool_limits(1)
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")


def pytest_collection_finish():
    """Let the collector of garbage leave alone all that was imported: it would search it again and again."""
    gc.collect()
    gc.freeze()


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
    monkeypatch.setattr("gdmbench.run.make_executor", lambda config, _: InThisProcess(config.data_dir))


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


def pytest_xdist_auto_num_workers() -> int:
    """Run half as many processes again as there are cores: many tests wait, for a limit, a kill or a connection."""
    return 3 * (os.cpu_count() or 1) // 2


# Files of tests that mostly wait, and of those that compute longest.
_WAITING = ("execute", "test_run.py", "test_suite.py", "test_kernels.py", "test_cli.py", "test_sources.py")
_COMPUTING = ("test_every_experiment.py", "test_reference.py", "test_exhibits.py")


def pytest_collection_modifyitems(config, items):
    """Begin with the tests that take long: every other process with those that wait, the others with the rest.

    So both cores are busy from the start, and no process is left with a long test when the others have ended. Each
    process is given an equal part of the list, in order, and takes tests from others once its own are done.
    """
    n_processes = getattr(config, "workerinput", {}).get("workercount", 1)
    if n_processes < 2:
        return
    shares = [[] for _ in range(n_processes)]
    rest, counts = [], [0, 0]
    for item in items:
        kind = next((kind for kind, names in enumerate((_WAITING, _COMPUTING)) if {*names} & {*item.path.parts}), None)
        if kind is None:
            rest.append(item)
        else:
            mine = shares[kind::2]
            mine[counts[kind] % len(mine)].append(item)
            counts[kind] += 1
    for number, share in enumerate(shares):
        room = max(len(items) * (number + 1) // n_processes - len(items) * number // n_processes - len(share), 0)
        share += rest[:room]
        del rest[:room]
    items[:] = [item for share in [*shares, rest] for item in share]
