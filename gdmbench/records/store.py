"""The store: records.jsonl in a results folder, one record per line, on the disk as soon as each cell ends."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from gdmbench.errors import ConfigError, RunError
from gdmbench.files import atomic_path
from gdmbench.plan import FORMAT

Records = dict[str, dict[str, Any]]


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
        self.damaged = folder / "records.damaged.jsonl"

    def read(self) -> tuple[Records, list[str]]:
        """Return the newest record of each key, and a sentence for each line that is no record.

        Raises
        ------
        ConfigError
            If a record has a newer format than this program knows.
        """
        records: Records = {}
        damages = []
        for number, line in enumerate(self._lines(), start=1):
            record = _parse(line)
            if record is None:
                damages.append(f"{self.path}, line {number}, is damaged: its cell counts as not done.")
            elif record.get("format", 1) > FORMAT:
                raise ConfigError(
                    f"{self.path}, line {number}, was written by a newer version of gdmbench (record format "
                    f"{record['format']}, this one knows {FORMAT}): update gdmbench, or give folder=PATH."
                )
            else:
                records[record["key"]] = record
        return records, damages

    def _lines(self) -> Iterator[bytes]:
        if self.path.exists():
            with self.path.open("rb") as file:
                yield from file

    @contextmanager
    def writing(self) -> Iterator[tuple[Records, list[str]]]:
        """Hold the folder for this run alone, read it, and move lines that are no records aside."""
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
                self._set_damage_aside()
            if damages:
                damages.append(f"Damaged lines are kept in {self.damaged}.")
            yield records, damages

    def _set_damage_aside(self) -> None:
        """Move damaged lines to a file of their own: nothing is lost, and appending starts on a new line."""
        lines = list(self._lines())
        damaged = [line.rstrip(b"\n") + b"\n" for line in lines if _parse(line) is None]
        if damaged:
            with self.damaged.open("ab") as file:
                file.writelines(damaged)
                file.flush()
                os.fsync(file.fileno())
        with atomic_path(self.path) as aside, aside.open("wb") as file:
            file.writelines(line.rstrip(b"\n") + b"\n" for line in lines if _parse(line) is not None)

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
                    os.truncate(self.path, start)  # no half line is left behind; if it is, reading names it
                raise RunError(
                    f"{self.path} can't be written ({error.strerror}): all cells before are kept; "
                    "make room, and the same command goes on."
                ) from None


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not isinstance(record.get("format", 1), int):
        return None
    named = all(isinstance(record.get(name), str) for name in ("key", "experiment", "method", "status"))
    return record if named and isinstance(record.get("repetition"), int) else None
