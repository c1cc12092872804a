"""A process that does one job at a time, so that a crash, a hang or a memory overrun becomes that job's outcome.

`Worker` is the runner's end of its pipe, `serve` the end in the process itself. Each worker has a pipe of its own. (A
pool with a shared queue, such as pebble's, waits for ever when a worker leaves with exit code 0 and takes three seconds
to stop one that is inside compiled code: both were measured.)
"""

import faulthandler
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Literal, NamedTuple

import psutil

from gdmbench.compiling import compiling
from gdmbench.errors import RunError
from gdmbench.execute import Outcome
from gdmbench.execute.cell import look_at_data, run_cell
from gdmbench.execute.check_subjects import try_cell
from gdmbench.execute.guard import restored
from gdmbench.execute.processes import TOKEN, end_all, started_by
from gdmbench.plan import Cell

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_BEGIN = (
    "import sys; descriptor, runner, *sys.path = sys.argv[1:]; "
    "from gdmbench.execute.worker import serve; serve(int(descriptor), int(runner))"
)
_GRACE = 60.0  # seconds after the time limit, at which the runner should have ended a process


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
        self.ready = False
        self.token = secrets.token_hex(8)
        self.connection, theirs = Pipe()
        # Not by multiprocessing, which lets no daemonic process have children, and dask's workers are daemonic. In a
        # session of its own, as Ctrl-C is the runner's to handle.
        self.process = subprocess.Popen(
            [sys.executable, "-c", _BEGIN, str(theirs.fileno()), str(os.getpid()), *sys.path],
            env={**os.environ, **dict.fromkeys(_THREADS, "1"), TOKEN: self.token},
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        self.handle = psutil.Process(self.process.pid)
        theirs.close()

    def submit(self, job: Job) -> None:
        """Hand over the next job; its time starts once the process has imported what it needs."""
        if self.process.poll() is not None:
            self._replace()
        self.job = job
        if self.ready:
            self.deadline = time.monotonic() + self.settings.time_limit
        with suppress(OSError):  # of a process that has just died, as will be noticed
            self.connection.send((job, self.settings))

    def collect(self) -> Outcome | None:
        """Return the outcome of the job if it has ended, in whatever way, else None."""
        try:
            if self.connection.poll():
                outcome = self._receive()
            elif self.process.poll() is not None:
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
            wait([self.connection], timeout=0.1)
        return outcome

    def _receive(self) -> Outcome | None:
        message = json.loads(self.connection.recv_bytes())
        if "ready" in message:
            self.ready = True
            self.deadline = time.monotonic() + self.settings.time_limit
            return None
        if "compiling" in message:
            self.compiling = message["compiling"]
            return None
        if message["spent"]:
            self._replace()
        outcome: Outcome = message["outcome"]
        return outcome

    def _replace_crashed(self) -> Outcome:
        if not self.ready:
            raise RunError(f"No worker process can be started: {self._how_it_ended()}.")
        outcome = {"status": "crashed", "error": self._how_it_ended()}
        self._replace()
        return outcome

    def _how_it_ended(self) -> str:
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
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
        end_all(self.handle, self.token)
        self.process.wait()
        self.connection.close()


def serve(descriptor: int, runner: int) -> None:
    """Do jobs, one after the other, until the runner closes its end or is gone.

    Parameters
    ----------
    descriptor : int
        The open file on which jobs come and outcomes go.
    runner : int
        The process that hands out the jobs.
    """
    os.set_inheritable(descriptor, False)  # what a method starts must not keep it open
    connection = Connection(descriptor)
    me, token = psutil.Process(), os.environ[TOKEN]
    threading.Thread(target=_end_with, args=(runner, me, token), daemon=True).start()

    def tell(now: bool) -> None:
        if os.getpid() == me.pid:  # a process that a method has forked has no say here
            connection.send_bytes(json.dumps({"compiling": now}).encode())

    compiling.tell = tell
    try:
        with suppress(EOFError, OSError):
            connection.send_bytes(b'{"ready": true}')
            threads = threading.active_count()
            while True:
                job, settings = connection.recv()
                with restored():
                    outcome = _do(job, settings)
                if os.getpid() != me.pid:  # the method has forked, and this is not the process that was asked
                    os._exit(0)
                # Whoever comes next must neither share the machine with what a method left running, nor find
                # multiprocessing or joblib in the belief that it still runs: that takes a new process.
                spent = bool(started_by(me, token)) or threading.active_count() > threads
                connection.send_bytes(_as_json(outcome, spent))
    finally:
        if os.getpid() == me.pid:
            end_all(me, token)  # or multiprocessing would wait for them


def _end_with(runner: int, me: psutil.Process, token: str) -> None:
    """Wait until the runner is gone, however it ended; then end this process and all that it has started."""
    while os.getppid() == runner:
        time.sleep(0.5)
    end_all(me, token)
    os._exit(1)


def _do(job: Job, settings: Settings) -> Outcome:
    # For a runner that is gone and compiled code that lets no other thread of this process notice.
    faulthandler.dump_traceback_later(min(settings.time_limit + _GRACE, threading.TIMEOUT_MAX), exit=True)
    try:
        if job.kind == "run":
            return run_cell(job.cell, settings.memory_limit, settings.data_dir)
        if job.kind == "look":
            return look_at_data(job.cell, settings.memory_limit, settings.data_dir)
        return try_cell(job.cell, job.subject, settings.memory_limit)
    finally:
        faulthandler.cancel_dump_traceback_later()


def _as_json(outcome: Outcome, spent: bool) -> bytes:
    try:
        text = json.dumps({"outcome": outcome, "spent": spent}, allow_nan=False)
    except (TypeError, ValueError) as error:
        text = json.dumps(
            {"outcome": {"status": "error", "error": f"its record_ holds what JSON can't: {error}"}, "spent": spent}
        )
    return text.encode()
