"""The process that cells run in: what a cell may change in it is put back, its memory is measured and limited."""

import ctypes
import locale
import os
import random
import resource
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

_STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}
_STATUS = Path("/proc/self/status")
_MEGA = 1e6


@contextmanager
def restored() -> Iterator[None]:
    """Put back what the block may change of its process, whatever becomes of the block.

    That is the working directory, the standard streams, the environment, the locale, numpy's error state, the filters
    of warnings, the global random states of `random` and numpy, and a pending alarm.
    """
    with ExitStack() as after:
        after.callback(signal.alarm, 0)
        after.callback(random.setstate, random.getstate())
        after.callback(np.random.set_state, np.random.get_state())  # noqa: NPY002
        after.enter_context(np.errstate())
        after.enter_context(warnings.catch_warnings())
        after.callback(locale.setlocale, locale.LC_ALL, locale.setlocale(locale.LC_ALL))
        after.callback(_set_environment, dict(os.environ))
        for number, (name, mode) in enumerate(_STREAMS.items()):
            with suppress(OSError):  # one that is closed already has nothing to keep
                after.callback(_set_stream, name, mode, number, getattr(sys, name), os.dup(number))
        with suppress(OSError):  # the folder may be gone
            after.callback(_set_folder, os.open(".", os.O_RDONLY))
        yield


def seed_global_random_states(seed: int) -> None:
    """Seed `random` and numpy's global state, for code that draws from them: not every method takes `random_state`."""
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002


def mark_memory() -> float | None:
    """Start a new high-water mark and return what is held now, in megabytes; None where the system can't tell."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # glibc's alone; what earlier cells freed would hide a peak
            ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return None
    return _status_mb("VmRSS")


def peak_memory(held: float | None) -> float | None:
    """Return the most that was held since `mark_memory`, in megabytes above what was held then."""
    peak = _status_mb("VmHWM")
    return None if held is None or peak is None else max(0.0, peak - held)


def limit_memory(megabytes: float) -> None:
    """Let this process allocate so much more than it holds now; past that allocation raises MemoryError.

    Only Linux counts all private memory under this limit; elsewhere it does nothing.
    """
    if sys.platform != "linux":
        return
    held = _status_mb("VmData") or 0.0
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (int((held + megabytes) * _MEGA), hard))


def _set_environment(variables: dict[str, str]) -> None:
    if dict(os.environ) != variables:
        os.environ.clear()
        os.environ.update(variables)


def _set_stream(name: str, mode: str, number: int, stream: Any, copy: int) -> None:
    os.dup2(copy, number)
    os.close(copy)
    if getattr(stream, "closed", False):
        stream = open(number, mode, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    setattr(sys, name, stream)


def _set_folder(folder: int) -> None:
    os.fchdir(folder)
    os.close(folder)


def _status_mb(field: str) -> float | None:
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    kilobytes = next((line.split()[1] for line in lines if line.startswith(field + ":")), None)
    return None if kilobytes is None else int(kilobytes) * 1024 / _MEGA
