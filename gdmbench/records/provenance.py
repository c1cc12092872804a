"""The runs that made a results folder: command, code, packages, machine, times."""

import json
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gdmbench.files import atomic_write_text
from gdmbench.versions import MATTER, code_version, cpu_name, package_version

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


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _runs(folder: Path) -> list[dict[str, Any]]:
    try:
        runs: list[dict[str, Any]] = json.loads((folder / _FILE).read_text("utf-8"))["runs"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return runs
