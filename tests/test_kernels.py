"""Compiled functions are cached, once for all processes, notice edits anywhere, and need no folder to write to."""

import fcntl
import importlib
import multiprocessing
import pkgutil
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher

import baselines
import gdmbench
from gdmbench.execute.worker import prepare

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
say.send((on_top(1.0), sum(on_top.stats.cache_hits.values())))
"""
HOLD = """
import fcntl, time
file = open("{}")
fcntl.flock(file, fcntl.LOCK_EX)
say.send("held")
time.sleep(600)
"""
STAMPS = """
import linecache, sys
def stamps():
    linecache.clearcache()
    for name in [name for name in sys.modules if name.partition(".")[0] in ("gdmbench", "baselines")]:
        del sys.modules[name]
    from baselines import _recover_kernels as recover, _vem_kernels as vem
    return recover._recover.stamp, vem.infer_documents.stamp
print(*stamps())
for file in ("gdmbench/geometry/rows.py", "gdmbench/geometry/polytope.py"):
    with open(file, "a") as edited:
        edited.write("# edited\\n")
    print(*stamps())
import numpy, gdmbench.geometry.restarts as module
out = numpy.empty((2, 2))
module.try_seed(numpy.array([[1.0, 3.0]]), numpy.ones(2), 0, numpy.full(2, 9.0), *out)
print(*out[0])
print(module.__file__)
"""
THREADS = """
import fcntl, time
from concurrent.futures import ThreadPoolExecutor
from toy.outer import on_top
# Unlocking takes long, so that threads meet there if they can.
def slowly(*arguments, flock=fcntl.flock):
    time.sleep(0.1)
    return flock(*arguments)
fcntl.flock = slowly
with ThreadPoolExecutor(4) as threads:
    say.send(list(threads.map(on_top, [1.0] * 4)))
"""
MISTAKE = """
import contextlib, numba
from toy.outer import on_top
with contextlib.suppress(numba.TypingError):
    on_top("a word")
"""


@pytest.fixture
def package(tmp_path):
    """A package of two modules; a kernel of one reaches into the other through a function defined below it."""
    return make_package(tmp_path / "toy")


def make_package(folder):
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "inner.py").write_text(INNER)
    (folder / "outer.py").write_text(OUTER)
    return folder


class Script:
    """A script in a process of its own, which finds the packages of a folder first; it says things by `say.send`.

    Like a worker it comes from the fork server, which has numba imported already.
    """

    def __init__(self, script, folder):
        prepare([])  # the fork server, if this test is the first to need it
        context = multiprocessing.get_context("forkserver")
        self.heard, theirs = context.Pipe(duplex=False)
        # Bytecode of before an edit would count as current within the same second.
        script = f"import sys; sys.path.insert(0, {str(folder)!r}); sys.dont_write_bytecode = True\n{script}"
        self.process = context.Process(target=exec, args=(script, {"say": theirs}), daemon=True)
        self.process.start()
        theirs.close()

    def hear(self, seconds=60.0):
        assert self.heard.poll(seconds)
        return self.heard.recv()


def run(package):
    """Return what the kernel gives for 1, and how often it was found in the cache."""
    return Script(SCRIPT, package.parent).hear()


def run_alone(script, folder, environment):
    """Return what a script prints in a process with an environment of its own."""
    path = ":".join([str(folder), *sys.path])
    clean = {"PYTHONPATH": path, "PATH": "", "PYTHONDONTWRITEBYTECODE": "1", **environment}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, env=clean, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout


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
    environment = {"NUMBA_CACHE_DIR": str(blocked), "HOME": str(blocked), "XDG_CACHE_HOME": str(blocked)}
    assert run_alone(SCRIPT.replace("say.send", "print"), package.parent, environment) == "(4.0, 0)\n"
    assert not list(package.parent.rglob("*.nb?"))


@pytest.fixture(scope="module")
def place_of_lock(tmp_path_factory):
    """Where in a package the lock of the kernel is, by numba's name for its cache."""
    package = make_package(tmp_path_factory.mktemp("compiled") / "toy")
    run(package)
    (index,) = package.rglob("*.nbi")
    return index.relative_to(package).with_suffix(".lock")


@pytest.fixture
def lock(package, place_of_lock):
    """The lock of the kernel, which nobody has compiled yet."""
    path = package / place_of_lock
    path.parent.mkdir()
    path.touch()
    return path


def test_one_process_compiles_and_the_others_take_what_it_made(package, lock):
    script = SCRIPT.replace("say.send(", "say.send('ready'); say.send(")
    with open(lock) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        processes = [Script(script, package.parent) for _ in range(2)]
        for process in processes:
            assert process.hear() == "ready"
        time.sleep(1.0)  # all of them miss the kernel in the cache and come to the lock
        assert not list(package.rglob("*.nb?"))
    assert sorted(process.hear() for process in processes) == [(4.0, 0), (4.0, 1)]


def test_threads_may_be_the_first_to_call_a_kernel(package):
    assert Script(THREADS, package.parent).hear() == [4.0] * 4


def test_a_lock_is_free_when_its_process_is_killed(package, lock):
    holding = Script(HOLD.format(lock), package.parent)
    assert holding.hear() == "held"
    waiting = Script(SCRIPT, package.parent)
    assert not waiting.heard.poll(3.0)
    holding.process.kill()
    assert waiting.hear() == (4.0, 0)


def test_a_kernel_that_cannot_be_compiled_leaves_its_lock_free(package, lock):
    mistaken = MISTAKE + HOLD.format(lock).replace("LOCK_EX", "LOCK_EX | fcntl.LOCK_NB").replace("600", "0")
    assert Script(mistaken, package.parent).hear() == "held"


def test_kernels_compile_where_nothing_can_be_locked(package, lock):
    lock.unlink()
    lock.mkdir()
    assert run(package) == (4.0, 0)
    assert run(package) == (4.0, 1)


def test_every_kernel_of_the_suite_is_one_of_ours():
    """Numba's own `njit(cache=True)` would overlook edits in other files."""
    for package in (gdmbench, baselines):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if ".adapters" in found.name or found.name.endswith("__main__"):
                continue
            for name, value in vars(importlib.import_module(found.name)).items():
                assert not isinstance(value, Dispatcher) or hasattr(value, "stamp"), f"{found.name}.{name}"


def test_kernels_of_the_suite_notice_edits_and_need_no_folder(tmp_path):
    """On a copy of the suite: an edit in one file changes the stamps of kernels in others; a kernel runs uncached."""
    for package in (gdmbench, baselines):
        source = Path(package.__file__).parent
        shutil.copytree(source, tmp_path / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [*tmp_path.rglob("*")]:
        if folder.is_dir():
            (folder / "__pycache__").touch()
    blocked = tmp_path / "a file, not a folder"
    blocked.touch()
    environment = {"NUMBA_CACHE_DIR": str(blocked), "HOME": str(blocked), "XDG_CACHE_HOME": str(blocked)}
    before, rows_edited, polytope_edited, distances, file = run_alone(STAMPS, tmp_path, environment).splitlines()
    recover, vem = zip(before.split(), rows_edited.split(), polytope_edited.split(), strict=True)
    assert len(set(recover)) == 3
    assert vem[0] != vem[1] == vem[2]
    assert Path(file).is_relative_to(tmp_path)
    assert distances == "0.0 4.0"
    assert not list(tmp_path.rglob("*.nb?"))
