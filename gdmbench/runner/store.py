"""The store: records.jsonl in a results folder, one record a line, appended and flushed to disk as each cell ends."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gdmbench.files import atomic_write_text
from gdmbench.runner.errors import ConfigError


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
    def writing(self) -> Iterator[list[str]]:
        """Hold the folder for this run alone (a second run is told so) and give the damages found and removed."""
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
            damages = self.read()[1]
            self._mend()
            yield damages

    def _mend(self) -> None:
        """Drop damaged lines, once they have been named, so that appending starts on a line of its own."""
        good = [line if line.endswith(b"\n") else line + b"\n" for line in self._lines() if _parse(line) is not None]
        if b"".join(good) != b"".join(self._lines()):
            atomic_write_text(self.path, b"".join(good).decode())

    def append(self, record: dict[str, Any]) -> None:
        """Add a record and return once it is on the disk."""
        line = json.dumps(record, allow_nan=False).encode() + b"\n"
        with self.path.open("ab") as file:
            start = file.tell()
            try:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                os.truncate(self.path, start)  # a full disk leaves no half line behind
                raise


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("key"), str) and "status" in record else None
