"""Which code, packages and machine made a result."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import gdmbench

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
    """Describe a run that starts now."""
    return {
        "command": command,
        "code": code_version(),
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "system": platform.platform(),
        "cpu": cpu_name(),
        "start": now(),
        "end": None,
    }
