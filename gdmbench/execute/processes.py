"""What a worker has started, and ending all of it: nothing that a method starts outlives its cell or its worker.

Most of it lies below the worker in the tree of processes. A daemon has left that tree, but still carries the worker's
token in its environment.
"""

import os
import time
from contextlib import suppress

import psutil

TOKEN = "GDMBENCH_WORKER"  # the environment variable that holds a worker's token
_PATIENCE = 10.0  # seconds for processes that start others faster than they can be ended


def started_by(worker: psutil.Process, token: str) -> list[psutil.Process]:
    """Return the processes below a worker, dead or alive, and all others that carry its token."""
    below = []
    with suppress(psutil.NoSuchProcess):
        below = worker.children(recursive=True)
    carriers = [process for process in psutil.process_iter() if process != worker and _carries(process, token)]
    return list({*below, *carriers})


def end_all(worker: psutil.Process, token: str) -> None:
    """Kill all that a worker has started, and the worker unless it asks for this itself."""
    stop = time.monotonic() + _PATIENCE
    found = started_by(worker, token)
    if worker.pid != os.getpid():
        found.insert(0, worker)
    while found and time.monotonic() < stop:
        for process in found:
            with suppress(psutil.Error):
                process.kill()
        time.sleep(0.002)
        found = [process for process in {*found, *started_by(worker, token)} if _lives(process)]


def _carries(process: psutil.Process, token: str) -> bool:
    try:
        return process.environ().get(TOKEN) == token
    except (psutil.Error, OSError):  # it is gone, or somebody else's
        return False


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
