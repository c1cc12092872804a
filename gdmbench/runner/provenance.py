"""Which code, packages and machine made a result."""

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import gdmbench
from gdmbench.files import atomic_write_text

_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "gensim", "hydra-core", "pandas", "matplotlib")
_MATTER = ("numpy", "scipy", "scikit-learn", "numba", "gensim")  # those that can change a number


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


@cache
def code_version() -> str:
    """Return the version of this package, with commit and state of the tree when it runs from a clone."""
    here = Path(__file__).resolve().parents[2]
    if not (here / ".git").exists():
        return gdmbench.__version__
    try:
        commit = _git(here, "rev-parse", "--short=12", "HEAD")
        dirty = ".dirty" if _git(here, "status", "--porcelain", "--untracked-files=no") else ""
    except (OSError, subprocess.SubprocessError):
        return gdmbench.__version__
    return f"{gdmbench.__version__}+g{commit}{dirty}"


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=10, check=True)
    return done.stdout.strip()


@cache
def versions() -> dict[str, Any]:
    """Return what a record says of its making: code, Python, the packages that can change a number, the CPU."""
    found = {name: _version(name) for name in _MATTER}
    return {"gdmbench": code_version(), "python": platform.python_version(), **found, "cpu": cpu_name()}


@cache
def version_of(target: str) -> dict[str, str]:
    """Return the package and version that a method from elsewhere comes from; nothing for our own and loose files."""
    top = target.partition(".")[0]
    names = (
        metadata.packages_distributions().get(top, []) if top not in ("gdmbench", "baselines", "experiments") else []
    )
    return {name: metadata.version(name) for name in names}


@cache
def cpu_name() -> str:
    """Return the processor's name and the number of cores."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), name)
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores"


def now() -> str:
    """Return the time in UTC as ISO text."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def provenance(command: list[str]) -> dict[str, Any]:
    """Describe a run that starts now; what is None is filled in when it ends."""
    return {
        "command": command,
        "code": code_version(),
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "system": platform.platform(),
        "cpu": cpu_name(),
        "start": now(),
        "end": None,
        "seconds": None,
        "cpu_seconds": None,
        "cells": 0,
    }


def _runs(folder: Path) -> list[dict[str, Any]]:
    try:
        runs: list[dict[str, Any]] = json.loads((folder / "provenance.json").read_text("utf-8"))["runs"]
    except (OSError, ValueError, KeyError):
        return []
    return runs


def add_run(folder: Path, story: dict[str, Any]) -> None:
    """Add a run to the list of those that made a folder, unless it ran nothing."""
    runs = _runs(folder)
    if story["cells"] or not runs:
        atomic_write_text(folder / "provenance.json", json.dumps({"runs": [*runs, story]}, indent=2) + "\n")


def sum_up_runs(sweeps: dict[str, Path], folder: Path) -> Path:
    """Write which runs of which sweeps an exhibit rests on, with their times and the total; return the file.

    `seconds` is wall time of the runs, without drawing; `cpu_seconds` that of the cells, over all workers.
    """
    kept = ("command", "code", "start", "seconds", "cpu_seconds", "cells")
    runs: list[dict[str, Any]] = []
    for name, made in sweeps.items():
        runs += [{"sweep": name, **{key: run.get(key) for key in kept}} for run in _runs(made)]
    total = {key: sum(run[key] or 0 for run in runs) for key in ("seconds", "cpu_seconds", "cells")}
    path = folder / "provenance.json"
    atomic_write_text(path, json.dumps({"total": total, "runs": runs}, indent=2) + "\n")
    return path
