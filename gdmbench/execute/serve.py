"""What a worker process does: the jobs it is handed, one after the other, until the runner is gone."""

import faulthandler
import json
import os
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection

import psutil

from gdmbench.compiling import compiling
from gdmbench.execute import Outcome
from gdmbench.execute.cell import look_at_data, run_cell
from gdmbench.execute.check_subjects import try_cell
from gdmbench.execute.guard import restored
from gdmbench.execute.processes import TOKEN, end_all, started_by
from gdmbench.execute.worker import Job, Settings

_GRACE = 60.0  # seconds after the time limit, at which the runner should have ended this process


def serve(descriptor: int, runner: int) -> None:
    """Do jobs until the other end closes.

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
