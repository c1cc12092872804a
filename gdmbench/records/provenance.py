"""Where records come from: the runs that made a results folder, and the records that other code than today's made."""

import json
import platform
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gdmbench.errors import ConfigError, nearest
from gdmbench.files import atomic_write_text
from gdmbench.plan import Plan
from gdmbench.records.store import Records
from gdmbench.versions import MATTER, changes, code_version, cpu_name, package_version

_PACKAGES = (*MATTER, "hydra-core", "pandas", "matplotlib")
_FILE = "provenance.json"


class RunLog:
    """The entry of one run in a folder's `provenance.json`: written when it starts, completed when it ends.

    A run that is killed leaves its entry with an empty end.

    Parameters
    ----------
    folder : Path
    command : list of str
        The words of the command line.
    """

    def __init__(self, folder: Path, command: list[str]) -> None:
        self.folder = folder
        self.before = _runs(folder)
        self.entry: dict[str, Any] = {
            "command": command,
            "code": code_version(),
            "python": platform.python_version(),
            "packages": {name: package_version(name) for name in _PACKAGES},
            "system": platform.platform(),
            "cpu": cpu_name(),
            "start": _now(),
            "end": None,
            "seconds": None,
            "cpu_seconds": None,
            "cells": 0,
        }
        self._write([*self.before, self.entry])

    def end(self, *, seconds: float, cpu_seconds: float, cells: int) -> None:
        """Complete the entry; a run that ran no cell leaves none beside those before it."""
        self.entry.update(end=_now(), seconds=seconds, cpu_seconds=cpu_seconds, cells=cells)
        self._write([*self.before, self.entry] if cells or not self.before else self.before)

    def _write(self, runs: list[dict[str, Any]]) -> None:
        atomic_write_text(self.folder / _FILE, json.dumps({"runs": runs}, indent=2) + "\n")


def sum_up_runs(sweeps: dict[str, Path], folder: Path) -> Path:
    """Write which runs of which sweeps an exhibit rests on, with their times and the total; return the file.

    `seconds` is wall time of the runs, without drawing; `cpu_seconds` that of the cells, over all workers.
    """
    kept = ("command", "code", "start", "seconds", "cpu_seconds", "cells")
    runs: list[dict[str, Any]] = []
    for name, made in sweeps.items():
        runs += [{"sweep": name, **{key: run.get(key) for key in kept}} for run in _runs(made)]
    total = {key: sum(run[key] or 0 for run in runs) for key in ("seconds", "cpu_seconds", "cells")}
    path = folder / _FILE
    atomic_write_text(path, json.dumps({"total": total, "runs": runs}, indent=2) + "\n")
    return path


def to_run_again(rerun: str | None, plan: Plan, records: Records) -> set[str]:
    """Return the keys of the finished cells that `rerun` names."""
    if rerun is None:
        return set()
    if rerun not in ("all", "changed", *plan.labels):
        known = ["all", "changed", *plan.labels]
        raise ConfigError(f"rerun={rerun} names no method of this experiment: {nearest(rerun, known)}")
    if rerun == "changed":
        return {record["key"] for record in _finished(plan, records) if changes(record)}
    return {cell.key for cell in plan if rerun in ("all", cell.method)}


def other_code(plan: Plan, records: Records) -> str:
    """Say which records were made by another version of their method or packages than today's; empty if none was."""
    kinds = Counter((record["method"], tuple(changes(record))) for record in _finished(plan, records))
    words = [f"{count} of {method} ({', '.join(what)})" for (method, what), count in kinds.items() if what]
    total = sum(count for (_, what), count in kinds.items() if what)
    return f"{total} cells were made by other code than today's: {'; '.join(words)}." if words else ""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _runs(folder: Path) -> list[dict[str, Any]]:
    try:
        runs: list[dict[str, Any]] = json.loads((folder / _FILE).read_text("utf-8"))["runs"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return runs


def _finished(plan: Plan, records: Records) -> list[dict[str, Any]]:
    """Return the records of cells that ended well; one that was killed could not say what it was made with."""
    found = [records[cell.key] for cell in plan if cell.key in records]
    return [record for record in found if record["status"] == "ok"]
