"""A process that runs one cell at a time, so that a crash, a hang or a memory overrun becomes that cell's record.

Each worker has a pipe of its own. (A pool with a shared queue, such as pebble's, waits for ever when a worker leaves
with exit code 0 and takes three seconds to stop one that is inside compiled code: both were measured.)
"""

import ctypes
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from gdmbench.plan import Cell

Outcome = dict[str, Any]  # as `run_cell` gives it

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Settings(NamedTuple):
    """What a cell may use: seconds, past which its process is killed; megabytes; the folder of named corpora."""

    time_limit: float
    memory_limit: float
    data_dir: str | None = None


class Worker:
    """A worker process and the cell it is at.

    Parameters
    ----------
    settings : Settings
        For each of its cells.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.cell: Cell | None = None
        self.deadline = float("inf")
        self._start()

    def _start(self) -> None:
        # A fork server has the methods imported already: a new worker in place of a dead one is there in milliseconds.
        context = multiprocessing.get_context("forkserver")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.ready = False

    def submit(self, cell: Cell) -> None:
        """Hand over the next cell; its time starts once the process has imported what it needs."""
        if not self.process.is_alive():
            self._replace()
        if not self.ready:
            self.connection.recv_bytes()
            self.ready = True
        self.cell = cell
        self.deadline = time.monotonic() + self.settings.time_limit
        self.connection.send((cell, self.settings))

    def waits_on(self) -> list[Any]:
        """Return what becomes readable when there is something to collect."""
        return [self.connection, self.process.sentinel]

    def collect(self) -> Outcome | None:
        """Return the outcome of the cell if it has ended, in whatever way, else None."""
        assert self.cell is not None
        try:
            if self.connection.poll():
                outcome: Outcome | None = json.loads(self.connection.recv_bytes())
            elif not self.process.is_alive():
                outcome = self._replace_crashed()
            elif time.monotonic() > self.deadline:
                limit = f"{self.settings.time_limit:g} s of executor.time_limit"
                outcome = {"status": "timeout", "error": f"not done within the {limit}"}
                self._replace()
            else:
                return None
        except (EOFError, OSError, ValueError):
            outcome = self._replace_crashed()
        self.cell = None
        self.deadline = float("inf")
        return outcome

    def _replace_crashed(self) -> Outcome:
        outcome = {"status": "crashed", "error": self._how_it_ended()}
        self._replace()
        return outcome

    def _how_it_ended(self) -> str:
        self.process.join(1)
        code = self.process.exitcode
        if code is None:
            return "its process closed the connection"
        if code >= 0:
            return f"its process left with exit code {code}"
        hint = ", perhaps by the system for want of memory" if -code == signal.SIGKILL else ""
        return f"its process was ended by {signal.Signals(-code).name}{hint}"

    def _replace(self) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        """Kill the process at once, compiled code or not."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def prepare(modules: Iterable[str]) -> None:
    """Set one thread for each worker to come and name the modules it should have imported already."""
    for name in _THREADS:
        os.environ[name] = "1"
    # First `gdmbench.suite`: a user's folder named like a package of the suite must not take its place.
    multiprocessing.set_forkserver_preload(["gdmbench.suite", "gdmbench.execute.cell", *modules])


def _serve(connection: Connection) -> None:
    """Run cells until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if sys.platform == "linux":
        # Die with the parent, even in the middle of compiled code: 1 is PR_SET_PDEATHSIG.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    from threadpoolctl import threadpool_limits

    from gdmbench.execute.cell import run_cell

    with threadpool_limits(1), suppress(EOFError, ConnectionError):
        connection.send_bytes(b"ready")
        while True:
            cell, settings = connection.recv()
            outcome = run_cell(cell, settings.memory_limit, settings.data_dir)
            try:
                text = json.dumps(outcome, allow_nan=False)
            except (TypeError, ValueError) as error:
                text = json.dumps({"status": "error", "error": f"its record_ holds what JSON can't: {error}"})
            connection.send_bytes(text.encode())
