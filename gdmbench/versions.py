"""Which code, packages and machine this is."""

import os
import platform
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import gdmbench
from gdmbench.suite import OWN_PACKAGES

MATTER = ("numpy", "scipy", "scikit-learn", "numba", "gensim")  # packages that can change a number


def package_version(package: str) -> str | None:
    """Return the version of an installed package, None if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


@cache
def code_version() -> str:
    """Return the version of this package, with commit and state of the tree when it runs from a clone."""
    here = Path(__file__).resolve().parents[1]
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
    found = {name: package_version(name) for name in MATTER}
    return {"gdmbench": code_version(), "python": platform.python_version(), **found, "cpu": cpu_name()}


@cache
def version_of(target: str) -> dict[str, str]:
    """Return the package and version that a method from elsewhere comes from; nothing for our own and loose files."""
    top = target.partition(".")[0]
    if top in OWN_PACKAGES:
        return {}
    return {name: metadata.version(name) for name in metadata.packages_distributions().get(top, [])}


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
