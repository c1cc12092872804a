"""Which code, packages and machine this is."""

import ast
import hashlib
import io
import os
import platform
import re
import subprocess
import tokenize
from functools import cache
from importlib import metadata
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Any

import gdmbench
from gdmbench import suite

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
def versions_of(target: str) -> dict[str, str]:
    """Return a digest of the code that a method is made of, and the package from elsewhere that it comes from."""
    package = _package_of(target)
    if set(package) & set(MATTER):  # whose version says it all, and whose many files would take seconds to read
        return package
    try:
        source = {"source": _source_digest(suite.find(target).__module__)}
    except (ImportError, AttributeError, TypeError, OSError, ValueError):  # compiled code has no source
        source = {}
    return {**source, **package}


def _source_digest(module: str) -> str:
    """Digest the code of a module, and of all that it imports from its own package and from this one."""
    ours = {module.partition(".")[0], *suite.OWN_PACKAGES}
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found or (file := _source_file(name)) is None:
            continue
        found[name] = file.read_bytes()
        imports = _imports(found[name], name if file.stem == "__init__" else name.rpartition(".")[0])
        waiting += [each for each in imports if each.partition(".")[0] in ours and each not in suite.OWN_PACKAGES]
    if not found:
        raise OSError(f"{module} has no source")
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(name.encode() + b"\0" + _code(found[name]) + b"\0")
    return digest.hexdigest()[:12]


@cache
def _code(source: bytes) -> bytes:
    """Return what of a file can change a number: all but comments, docstrings and empty lines."""
    words = [
        node.body[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node, clean=False) is not None
    ]
    left_out = {number for node in words for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    comments = {
        token.start[0]: token.start[1]
        for token in tokenize.tokenize(io.BytesIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    lines = enumerate(source.decode().splitlines(), start=1)
    kept = (line[: comments.get(number)].rstrip() for number, line in lines if number not in left_out)
    return "\n".join(line for line in kept if line).encode()


@cache
def _imports(source: bytes, package: str) -> list[str]:
    """Return the names that a file imports, wherever in it; of `from a import b` both a and a.b: b may be a module."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
            if base == "gdmbench":  # whose public names lie in modules of its own
                names += [gdmbench.HOMES[alias.name] for alias in node.names if alias.name in gdmbench.HOMES]
    return names


def _source_file(name: str) -> Path | None:
    """Return the file of a module, None if there is no such module or it is compiled; it is not imported."""
    try:
        spec = find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


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
    return {name: metadata.version(name) for name in _distributions(top)}


@cache
def _distributions(top: str) -> list[str]:
    """Return what installed packages bring a module or a folder of this name.

    `importlib.metadata.packages_distributions` would tell for all names, and make a path of every file that is
    installed: 0.18 CPU seconds in each worker, against 0.02.
    """
    inside = re.compile(rf"^{re.escape(top)}(/|\.py,|\.[^/,]*\.(so|pyd),)", flags=re.MULTILINE)
    found = {
        distribution.metadata["Name"]
        for distribution in metadata.distributions()
        if top in (distribution.read_text("top_level.txt") or "").split()
        or inside.search(distribution.read_text("RECORD") or "")
    }
    return sorted(found)


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
