"""What every cell finds as the one before it found it: folder, streams, environment, locale, warnings, random state."""

import locale
import os
import random
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import numpy as np

_STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}


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
