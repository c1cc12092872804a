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
from typing import Any

from gdmbench.runner.plan import Cell

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Worker:
    """A worker process and the cell it is at.

    Parameters
    ----------
    time_limit : float
        Seconds for one cell; past that the process is killed.
    memory_limit : float
        Megabytes that one cell may allocate.
    """

    def __init__(self, time_limit: float, memory_limit: float) -> None:
        self.time_limit = time_limit
        self.memory_limit = memory_limit
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
        self.deadline = time.monotonic() + self.time_limit
        self.connection.send((cell, self.memory_limit))

    def waits_on(self) -> list[Any]:
        """Return what becomes readable when there is something to collect."""
        return [self.connection, self.process.sentinel]

    def collect(self) -> dict[str, Any] | None:
        """Return the record of the cell if it has ended, in whatever way, else None."""
        from gdmbench.runner.cell import blank_record

        assert self.cell is not None
        try:
            if self.connection.poll():
                record: dict[str, Any] | None = json.loads(self.connection.recv_bytes())
            elif not self.process.is_alive():
                record = blank_record(self.cell, "crashed", self._how_it_ended())
                self._replace()
            elif time.monotonic() > self.deadline:
                limit = f"{self.time_limit:g} s of executor.time_limit"
                record = blank_record(self.cell, "timeout", f"not done within the {limit}")
                self._replace()
            else:
                return None
        except (EOFError, OSError, ValueError):
            record = blank_record(self.cell, "crashed", self._how_it_ended())
            self._replace()
        self.cell = None
        self.deadline = float("inf")
        return record

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
    multiprocessing.set_forkserver_preload(["gdmbench.runner.cell", *modules])


def _serve(connection: Connection) -> None:
    """Run cells until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if sys.platform == "linux":
        # Die with the parent, even in the middle of compiled code: 1 is PR_SET_PDEATHSIG.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    from threadpoolctl import threadpool_limits

    from gdmbench.runner.cell import blank_record, run_cell

    with threadpool_limits(1), suppress(EOFError, ConnectionError):
        connection.send_bytes(b"ready")
        while True:
            cell, memory_limit = connection.recv()
            record = run_cell(cell, memory_limit)
            try:
                text = json.dumps(record, allow_nan=False)
            except (TypeError, ValueError) as error:
                text = json.dumps(blank_record(cell, "error", f"its record_ holds what JSON can't: {error}"))
            connection.send_bytes(text.encode())
