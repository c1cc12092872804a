"""How far a run is: one line that is rewritten on a terminal, a plain line now and then elsewhere."""

import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from gdmbench.plan import Cell

_EVERY = 15.0  # seconds between plain lines


def in_words(seconds: float) -> str:
    """Return a duration as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class Progress:
    """Counts cells and guesses the time left from the cells of the same kind that have ended.

    Parameters
    ----------
    left : Counter
        How many cells of each kind (method and swept value) are to run.
    n_workers : int
        How many run at a time.
    known : dict, optional
        Seconds of cells that earlier runs did, by kind.
    stream : file, optional
        Where to write; standard error by default.
    """

    def __init__(
        self,
        left: Counter[Any],
        n_workers: int,
        known: dict[Any, list[float]] | None = None,
        stream: TextIO | None = None,
    ) -> None:
        self.left = left
        self.total = left.total()
        self.n_workers = n_workers
        self.seconds: dict[Any, list[float]] = defaultdict(list, known or {})
        self.done = 0
        self.failed = 0
        self.stream = stream or sys.stderr
        self.terminal = self.stream.isatty()
        self._shown = time.monotonic() - _EVERY + 2.0 if not self.terminal else 0.0
        self._said_compiling = False

    def ended(self, kind: Any, seconds: float | None, ok: bool) -> None:
        """Count a cell that has ended."""
        self.left[kind] -= 1
        self.done += 1
        self.failed += not ok
        if seconds is not None:
            self.seconds[kind].append(seconds)

    def remaining(self) -> tuple[float, bool] | None:
        """Return the guessed seconds left, and whether cells of a kind never seen make it a lower bound."""
        seen = [second for seconds in self.seconds.values() for second in seconds]
        if not seen:
            return None
        typical = sum(seen) / len(seen)
        total, lower_bound = 0.0, False
        for kind, count in self.left.items():
            if count > 0:
                own = self.seconds.get(kind)
                total += count * (sum(own) / len(own) if own else typical)
                lower_bound |= not own
        return total / self.n_workers, lower_bound

    def line(self, width: int | None = None, compiling: bool = False) -> str:
        """Return the state in one line, in fewer words where the full ones are wider than a terminal."""
        guess = self.remaining()
        to_go = ""
        if guess is not None and self.done < self.total:
            to_go = f", {'at least' if guess[1] else 'about'} {in_words(guess[0])} to go"
        once = ", compiling, once" if compiling else ""
        counts = f"{self.done}/{self.total} cells done, {self.failed} failed"
        lines = [
            f"{counts}, {self.total - self.done} left{to_go}{once}",
            f"{self.done}/{self.total}, {self.failed} failed{once or to_go}",
            f"{self.done}/{self.total}{once or to_go}",
        ]
        if width is None:
            return lines[0]
        return next((line for line in lines if len(line) <= width), lines[-1][: max(width, 0)])

    def show(self, compiling: bool = False) -> None:
        """Show the state, if it is time to; say once that compiling is what takes the time."""
        now = time.monotonic()
        if compiling and not self.terminal and not self._said_compiling:
            self._said_compiling = True
            self.stream.write("Compiling, once: later runs start without it.\n")
            self.stream.flush()
        if now - self._shown < (0.2 if self.terminal else _EVERY):
            return
        self._shown = now
        # The last column stays free, as some terminals begin a new line once it is written to.
        line = self.line(_columns(self.stream) - 1, compiling) if self.terminal else self.line()
        self.stream.write(f"\r\x1b[2K{line}" if self.terminal else f"{line}\n")
        self.stream.flush()

    def close(self) -> None:
        """Leave the terminal's line clean."""
        if self.terminal:
            self.stream.write("\r\x1b[2K")
            self.stream.flush()


def _columns(terminal: TextIO) -> int:
    """Return how wide a terminal is at the moment; one that does not tell is taken for 80 columns."""
    try:
        return os.get_terminal_size(terminal.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def progress_of(
    plan: Iterable[Cell], done: set[str], records: Mapping[str, Mapping[str, Any]], n_workers: int
) -> Progress:
    """Return the progress of a run that is to begin: the cells of a plan but those done, with the times of records."""
    left = Counter(kind_of(cell) for cell in plan if cell.key not in done)
    known: dict[Any, list[float]] = defaultdict(list)
    for record in records.values():
        if (seconds := seconds_of(record)) is not None:
            known[kind_of(record)].append(seconds)
    return Progress(left, n_workers, known)


def kind_of(cell: Cell | Mapping[str, Any]) -> tuple[str, str]:
    """Return what cells that take about the same time have in common, of a cell or its record."""
    method, value = (cell.method, cell.value) if isinstance(cell, Cell) else (cell["method"], cell["value"])
    return method, json.dumps(value)


def seconds_of(record: Mapping[str, Any]) -> float | None:
    """Return how long a cell would take again: without compiling, which is done once. None of one that was killed."""
    seconds: float | None = record.get("cell_seconds")
    return None if seconds is None else seconds - (record.get("compile_seconds") or 0.0)
