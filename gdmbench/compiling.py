"""When numba compiles, and for how long: a first run says so, and does not take it for the speed of its cells."""

import time
from collections.abc import Callable
from typing import Any

from numba.core import event


class Compiling(event.Listener):
    """Adds up the time that this process spends on compiling; what comes from the cache is not compiled.

    Attributes
    ----------
    seconds : float
        Wall time so far.
    tell : callable or None
        Called with True when compiling begins and with False when it ends.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.tell: Callable[[bool], Any] | None = None
        self._depth = 0  # a function is compiled while those that call it are
        self._began = 0.0

    def on_start(self, event: event.Event) -> None:
        """Start the clock with the outermost function."""
        self._depth += 1
        if self._depth == 1:
            self._began = time.perf_counter()
            if self.tell is not None:
                self.tell(True)

    def on_end(self, event: event.Event) -> None:
        """Stop it with the same."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._began
            if self.tell is not None:
                self.tell(False)


compiling = Compiling()
event.register("numba:compile", compiling)
