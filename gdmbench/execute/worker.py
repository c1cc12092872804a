"""A process that does one job at a time, so that a crash, a hang or a memory overrun becomes that job's outcome.

Each worker has a pipe of its own. (A pool with a shared queue, such as pebble's, waits for ever when a worker leaves
with exit code 0 and takes three seconds to stop one that is inside compiled code: both were measured.)
"""

import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Literal, NamedTuple

from gdmbench.errors import RunError
from gdmbench.execute import Outcome
from gdmbench.execute.family import allow_children, end_descendants, go_on_in_a_child, has_children
from gdmbench.plan import Cell

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Settings(NamedTuple):
    """What a job may use: seconds, past which its process is killed; megabytes; the folder of named corpora."""

    time_limit: float
    memory_limit: float
    data_dir: str | None = None


class Job(NamedTuple):
    """What to do with a cell: run it, look at its data alone, or try its method on one subject of `check`."""

    kind: Literal["run", "look", "try"]
    cell: Cell
    subject: str = ""


class Worker:
    """A worker process and the job it is at.

    Parameters
    ----------
    settings : Settings
        For each of its jobs.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.job: Job | None = None
        self.deadline = float("inf")
        self.compiling = False  # whether the job is held up by compiling at the moment
        self._start()

    def _start(self) -> None:
        # A fork server has the methods imported already: a new worker in place of a dead one is there in milliseconds.
        allow_children()
        context = multiprocessing.get_context("forkserver")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.ready = False

    def submit(self, job: Job) -> None:
        """Hand over the next job; its time starts once the process has imported what it needs."""
        if not self.process.is_alive():
            self._replace()
        if not self.ready:
            try:
                self.connection.recv_bytes()
            except (EOFError, OSError):
                raise RunError(f"No worker process can be started: {self._how_it_ended()}.") from None
            self.ready = True
        self.job = job
        self.deadline = time.monotonic() + self.settings.time_limit
        self.connection.send((job, self.settings))

    def waits_on(self) -> list[Any]:
        """Return what becomes readable when there is something to collect."""
        return [self.connection, self.process.sentinel]

    def collect(self) -> Outcome | None:
        """Return the outcome of the job if it has ended, in whatever way, else None."""
        assert self.job is not None
        try:
            if self.connection.poll():
                outcome = self._receive()
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
        if outcome is not None:
            self.job = None
            self.deadline = float("inf")
            self.compiling = False
        return outcome

    def do(self, job: Job) -> Outcome:
        """Do one job and wait for its outcome."""
        self.submit(job)
        while (outcome := self.collect()) is None:
            wait(self.waits_on(), timeout=0.1)
        return outcome

    def _receive(self) -> Outcome | None:
        message = json.loads(self.connection.recv_bytes())
        if "compiling" in message:
            self.compiling = message["compiling"]
            return None
        if message["spent"]:
            self._replace()
        outcome: Outcome = message["outcome"]
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
        hint = ", perhaps by the system because memory ran out" if -code == signal.SIGKILL else ""
        return f"its process was ended by {signal.Signals(-code).name}{hint}"

    def _replace(self) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        """End the process at once, compiled code or not, and all that it has started."""
        self.process.terminate()
        self.process.join(20)
        self.process.kill()  # for the case that something has stopped the process that waits for SIGTERM
        self.process.join()
        self.connection.close()


def prepare(modules: Iterable[str]) -> None:
    """Set one thread for each worker to come and name the modules it should have imported already."""
    for name in _THREADS:
        os.environ[name] = "1"
    # First `gdmbench.suite`: a user's folder named like a package of the suite must not take its place.
    multiprocessing.set_forkserver_preload(
        ["gdmbench.suite", "gdmbench.execute.cell", *modules, "gdmbench.execute.ready"]
    )


def _serve(connection: Connection) -> None:
    """Do jobs until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    go_on_in_a_child()  # this process waits for the child and ends whatever its jobs leave running
    allow_children()
    from threadpoolctl import threadpool_limits

    from gdmbench.compiling import compiling
    from gdmbench.execute.guard import restored

    here = os.getpid()

    def tell(now: bool) -> None:
        if os.getpid() == here:  # a process that a method has forked has no say here
            connection.send_bytes(json.dumps({"compiling": now}).encode())

    compiling.tell = tell
    try:
        with threadpool_limits(1), suppress(EOFError, OSError):
            connection.send_bytes(b"ready")
            threads = threading.active_count()
            while True:
                job, settings = connection.recv()
                with restored():
                    outcome = _do(job, settings)
                if os.getpid() != here:  # the method has forked, and this is not the process that was asked
                    os._exit(0)
                # Whoever comes next must neither share the machine with what a method left running, nor find
                # multiprocessing or joblib in the belief that it still runs: that takes a new process.
                spent = has_children() or threading.active_count() > threads
                if spent:
                    end_descendants()
                connection.send_bytes(_as_json(outcome, spent))
    finally:
        if os.getpid() == here:
            end_descendants()  # or multiprocessing would wait for them


def _do(job: Job, settings: Settings) -> Outcome:
    from gdmbench.execute.cell import look_at_data, run_cell

    if job.kind == "run":
        return run_cell(job.cell, settings.memory_limit, settings.data_dir)
    if job.kind == "look":
        return look_at_data(job.cell, settings.memory_limit, settings.data_dir)
    from gdmbench.execute.trials import try_cell

    return try_cell(job.cell, job.subject, settings.memory_limit)


def _as_json(outcome: Outcome, spent: bool) -> bytes:
    try:
        text = json.dumps({"outcome": outcome, "spent": spent}, allow_nan=False)
    except (TypeError, ValueError) as error:
        text = json.dumps(
            {"outcome": {"status": "error", "error": f"its record_ holds what JSON can't: {error}"}, "spent": spent}
        )
    return text.encode()
