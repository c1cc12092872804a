"""Which code, packages and machine this is."""

import hashlib
import os
import platform
import subprocess
import sys
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import gdmbench
from gdmbench import suite

MATTER = ("numpy", "scipy", "scikit-learn", "numba", "gensim")  # packages that can change a number
_HOME = Path(__file__).resolve().parents[1]
_COMPUTING = (  # what makes and measures every cell, whatever its method
    "gdmbench/data",
    "gdmbench/execute/cell.py",
    "gdmbench/geometry",
    "gdmbench/kernels.py",
    "gdmbench/measures",
    "experiments/simulators.py",
)


def package_version(package: str) -> str | None:
    """Return the version of an installed package, None if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


@cache
def code_version() -> str:
    """Return the version of this package, with commit and state of the tree when it runs from a clone."""
    if not (_HOME / ".git").exists():
        return gdmbench.__version__
    try:
        commit = _git("rev-parse", "--short=12", "HEAD")
        dirty = ".dirty" if _git("status", "--porcelain", "--untracked-files=no") else ""
    except (OSError, subprocess.SubprocessError):
        return gdmbench.__version__
    return f"{gdmbench.__version__}+g{commit}{dirty}"


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(_HOME), *words], capture_output=True, text=True, timeout=10, check=True)
    return done.stdout.strip()


@cache
def versions() -> dict[str, Any]:
    """Return what a record says of its making: code, Python, the packages that can change a number, the CPU."""
    found = {name: package_version(name) for name in MATTER}
    return {"gdmbench": code_version(), "python": platform.python_version(), **found, "cpu": cpu_name()}


@cache
def versions_of(target: str) -> dict[str, str]:
    """Return a digest of the code that computes a method's records, and the package from elsewhere that it comes from.

    The code is that of the suite's data, geometry and measures, and the package of the method. What is installed among
    Python's other packages is known by its version.
    """
    try:
        return {"source": _digest(_code_of(target)), **_package_of(target)}
    except (ImportError, AttributeError, KeyError, OSError, TypeError, ValueError):  # it is no longer where it was
        return _package_of(target)


def _code_of(target: str) -> list[Path]:
    """Return the files and folders of code that computes a method's records."""
    places = [_HOME / place for place in _COMPUTING]
    module = sys.modules[suite.find(target).__module__]
    top = sys.modules[module.__name__.partition(".")[0]]
    if top.__name__ == "gdmbench":
        return places
    places.append(_HOME / "baselines")  # of which others may be made
    if top.__name__ == "experiments":  # most of which draws
        return [*places, Path(str(module.__file__))]
    theirs = [Path(place) for place in getattr(top, "__path__", None) or [str(top.__file__)]]
    installed = {"site-packages", "dist-packages"}
    return places + [place for place in theirs if place not in places and not installed & {*place.parts}]


def _digest(places: list[Path]) -> str:
    digest = hashlib.sha256()
    for place in places:
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(f"{file.relative_to(place.parent)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def changes(record: dict[str, Any]) -> list[str]:
    """Name what a record was made with that is another today: the method's code, versions of packages."""
    made_with = record.get("versions") or {}
    today = {**versions(), **versions_of(record["params"]["_target_"])}
    names = [name for name in ("source", *MATTER, *_package_of(record["params"]["_target_"])) if name in today]
    return [
        "its source files" if name == "source" else f"{name} {made_with.get(name)}"
        for name in names
        if made_with.get(name) != today[name]
    ]


def _package_of(target: str) -> dict[str, str]:
    top = target.partition(".")[0]
    if top in suite.OWN_PACKAGES:
        return {}
    return {name: metadata.version(name) for name in sorted({*_distributions().get(top, ())})}


_distributions = cache(metadata.packages_distributions)


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
