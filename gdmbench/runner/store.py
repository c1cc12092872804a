"""The store: records.jsonl in a results folder, one record a line, appended and flushed to disk as each cell ends."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from gdmbench.files import atomic_path
from gdmbench.runner.errors import ConfigError, RunError


class Store:
    """The records of one results folder.

    Parameters
    ----------
    folder : Path
        Need not exist before something is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "records.jsonl"

    def read(self) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """Return the newest record of each key, and a sentence for each line that could not be read."""
        records: dict[str, dict[str, Any]] = {}
        damages = []
        for number, line in enumerate(self._lines(), start=1):
            record = _parse(line)
            if record is None:
                damages.append(
                    f"{self.path}, line {number}, is damaged: it is left out and its cell counts as not done."
                )
            else:
                records[record["key"]] = record
        return records, damages

    def _lines(self) -> Iterator[bytes]:
        if self.path.exists():
            with self.path.open("rb") as file:
                yield from file

    @contextmanager
    def writing(self) -> Iterator[tuple[dict[str, dict[str, Any]], list[str]]]:
        """Hold the folder for this run alone, read it, and drop the lines that can't be read; a second run is told."""
        import fcntl

        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                lock.seek(0)
                raise ConfigError(
                    f"Another run (process {lock.read().strip() or 'unknown'}) is writing to {self.folder}: "
                    "wait for it, or give this one a folder of its own with folder=PATH."
                ) from None
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            records, damages = self.read()
            if damages or not self._ends_whole():
                self._mend()
            yield records, damages

    def _mend(self) -> None:
        """Drop damaged lines, once they have been named, so that appending starts on a line of its own."""
        with atomic_path(self.path) as aside, aside.open("wb") as file:
            file.writelines(line.rstrip(b"\n") + b"\n" for line in self._lines() if _parse(line) is not None)

    def _ends_whole(self) -> bool:
        if not self.path.exists() or not self.path.stat().st_size:
            return True
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read() == b"\n"

    def append(self, record: dict[str, Any]) -> None:
        """Add a record and return once it is on the disk."""
        line = json.dumps(record, allow_nan=False).encode() + b"\n"
        with self.path.open("ab", buffering=0) as file:  # unbuffered: nothing is left to fail when it closes
            start = file.tell()
            try:
                written = 0
                while written < len(line):
                    written += file.write(line[written:])
                os.fsync(file.fileno())
            except OSError as error:
                with suppress(OSError):
                    os.truncate(self.path, start)  # no half line is left behind; if it is, reading names and drops it
                raise RunError(
                    f"{self.path} can't be written ({error.strerror}): all cells before are kept; "
                    "make room, and the same command goes on."
                ) from None


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("key"), str) and "status" in record else None
