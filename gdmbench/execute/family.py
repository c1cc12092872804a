"""Processes that die together: whatever a worker's methods start does not outlive the cell or the worker.

A worker is two processes. One works. Its parent does nothing but wait, so nothing a method does can take it along, and
once the work has ended, in whatever way, it ends all that the work left running. On Linux no process can escape: one
that loses its parent, however far below, becomes a child of the next ancestor that asked for orphans. Elsewhere only
the working process itself is ended.
"""

import ctypes
import multiprocessing
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from typing import NoReturn

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_PATIENCE = 10.0  # seconds for processes that start others faster than they can be ended


def allow_children() -> None:
    """Let this process have children: multiprocessing forbids them to daemonic ones, which workers are, dask's too."""
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]


def go_on_in_a_child() -> None:
    """Return in a new child of this process; the process itself never returns, but waits for the end of the child.

    It then ends everything below it, and itself in the way the child ended. SIGTERM, or the end of the process that
    started this one, end the child before its time.
    """
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    heard = (signal.SIGCHLD, signal.SIGTERM)
    for number in heard:
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(wake)  # each signal writes its number there
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    here = os.getpid()
    child = os.fork()
    if child:
        _stay_behind(child, woken)
    signal.set_wakeup_fd(-1)
    for number in heard:
        signal.signal(number, signal.SIG_DFL)
    os.close(woken)
    os.close(wake)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    if os.getppid() != here:  # it died before we asked to die with it
        os._exit(1)


def has_children() -> bool:
    """Tell whether this process has children, dead or alive; on Linux also those whose own parents are gone."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def end_descendants() -> None:
    """Kill all processes below this one, and those they start meanwhile."""
    stop = time.monotonic() + _PATIENCE
    while (below := _descendants(os.getpid())) and time.monotonic() < stop:
        for pid in below:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.001)


def _stay_behind(child: int, woken: int) -> NoReturn:
    """Wait for the end of the child, or for a reason to end it."""
    status: int | None = None
    parent = multiprocessing.parent_process()
    watched = [woken] if parent is None else [woken, parent.sentinel]
    while status is None:
        ready = wait(watched)
        if ready != [woken] or signal.SIGTERM in os.read(woken, 4096):
            break
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                status = ended[1] if ended[0] == child else status
    if status is None:
        os.kill(child, signal.SIGKILL)
    end_descendants()
    _end_like(1 if status is None else os.waitstatus_to_exitcode(status))


def _end_like(code: int) -> NoReturn:
    if code >= 0:
        os._exit(code)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the child has left its own
    with suppress(OSError):  # of SIGKILL, which is as it should be
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    os._exit(1)


def _descendants(ancestor: int) -> list[int]:
    """Return the living processes below one, as far as the system tells."""
    children: dict[int, list[int]] = {}
    dead: set[int] = set()
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            # pid (name) state parent ...: a name may hold spaces and brackets
            state, parent = entry.read_text(errors="replace").rpartition(")")[2].split()[:2]
        except (OSError, ValueError):  # it is gone
            continue
        children.setdefault(int(parent), []).append(int(entry.parent.name))
        if state in ("Z", "X"):
            dead.add(int(entry.parent.name))
    found: list[int] = []
    ahead = [ancestor]
    while ahead:
        below = children.get(ahead.pop(), [])
        found += below
        ahead += below  # also of the dead: a process with several threads has its children until the last one ends
    return [pid for pid in found if pid not in dead]


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value)
