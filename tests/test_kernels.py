"""Compiled functions are cached, notice edits wherever they are made, and need no folder that can be written to."""

import subprocess
import sys

import pytest

INNER = """
from gdmbench.kernels import kernel, subkernel
FACTOR = 2.0
@subkernel
def twice(x):
    return 2.0 * x
"""
OUTER = """
from gdmbench.kernels import kernel, subkernel
from toy.inner import FACTOR, twice
@kernel
def on_top(x):
    return between(x)
@subkernel
def between(x):
    return FACTOR * twice(x)
"""
SCRIPT = """
from toy.outer import on_top
print(on_top(1.0), sum(on_top.stats.cache_hits.values()))
"""


@pytest.fixture
def package(tmp_path):
    """A package of two modules; a kernel of one reaches into the other through a function defined below it."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "inner.py").write_text(INNER)
    (folder / "outer.py").write_text(OUTER)
    return folder


def run(package, **environment):
    """Return what the kernel gives for 1, and how often it was found in the cache."""
    clean = {"PYTHONPATH": ":".join([str(package.parent), *sys.path]), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, env=clean | environment, capture_output=True, text=True, check=True)
    value, hits = done.stdout.split()
    return float(value), int(hits)


def test_the_cache_is_used_and_notices_edits_in_other_files(package):
    assert run(package) == (4.0, 0)
    edited = INNER.replace("2.0 * x", "3.0 * x")
    (package / "inner.py").write_text(edited)
    assert run(package) == (6.0, 0)
    (package / "inner.py").write_text(edited.replace("FACTOR = 2.0", "FACTOR = 5.0"))
    assert run(package) == (15.0, 0)
    assert run(package) == (15.0, 1)


def test_kernels_compile_where_no_folder_can_be_written_to(package):
    blocked = package.parent / "a file, not a folder"
    blocked.touch()
    (package / "__pycache__").touch()
    assert run(package, NUMBA_CACHE_DIR=str(blocked), HOME=str(blocked), XDG_CACHE_HOME=str(blocked)) == (4.0, 0)
    assert not list(package.parent.rglob("*.nb?"))
