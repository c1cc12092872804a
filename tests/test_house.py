"""The arrows between the rooms of the house: which may import which, and what each needs from outside."""

import ast
import sys
from pathlib import Path

import pytest

import gdmbench

ROOT = Path(__file__).parents[1]
FLOOR = {
    "compiling",
    "content",
    "errors",
    "files",
    "kernels",
    "parameters",
    "suite",
    "versions",
}  # small modules that every room stands on
ARRAYS = {"numpy", "scipy"}
EVERYTHING = {"config", "plan", "execute", "records", "exhibits", "data", "measures", "geometry", "model"}
# room: rooms that it may import, packages that it may import
ALLOWED = {
    "floor": (set(), {"numba"}),
    "geometry": (set(), ARRAYS | {"sklearn", "numba", "joblib", "threadpoolctl", "dask"}),
    "data": (set(), ARRAYS | {"numba", "sklearn", "pooch", "pandas"}),
    "measures": ({"geometry"}, ARRAYS),
    "model": ({"geometry"}, ARRAYS | {"sklearn"}),
    "config": (set(), {"hydra", "omegaconf", "yaml"}),
    "plan": ({"config"}, {"numpy", "omegaconf"}),
    "execute": ({"plan", "data", "measures", "model"}, ARRAYS | {"distributed", "psutil"}),
    "records": ({"plan"}, {"numpy", "pandas"}),
    "exhibits": ({"records"}, ARRAYS | {"pandas", "matplotlib", "jinja2", "yaml"}),
    "run": (EVERYTHING, {"omegaconf", "pandas"}),
    "verify": ({"config", "plan", "execute", "records"}, {"omegaconf", "scipy"}),
    "cli": (EVERYTHING | {"run", "verify"}, {"omegaconf"}),
    "top": (EVERYTHING | {"cli"}, set()),
    "baselines": ({"geometry"}, ARRAYS | {"numba", "sklearn", "gensim", "lda", "tomotopy"}),
    "experiments": ({"exhibits", "records"}, ARRAYS | {"pandas", "matplotlib"}),
    "experiments' own methods and data": ({"geometry", "data", "measures", "baselines"}, ARRAYS | {"sklearn"}),
}
OWN = {
    "experiments/estimators.py",
    "experiments/in_blocks.py",
    "experiments/redrawn.py",
    "experiments/simulators.py",
    "experiments/with_left_to_right.py",
}


def room_of(path):
    """The room of a source file, by its place below the root."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if str(path.relative_to(ROOT)) in OWN:
        return "experiments' own methods and data"
    if parts[0] != "gdmbench":
        return parts[0]
    if parts[1] in FLOOR:
        return "floor"
    return "top" if parts[1] in ("__init__", "__main__") else parts[1]


def imports_of(path):
    """The dotted names that a file imports, wherever in it; `from a import b` counts as a.b."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def target_of(name):
    """The room, or else the package, that a dotted name lies in; nothing for Python's own."""
    top, *rest = name.split(".")
    if top == "gdmbench":
        if not rest or rest[0] in FLOOR:
            return "floor"
        if rest[0] in gdmbench.__all__:  # a public name of gdmbench itself
            return gdmbench.HOMES[rest[0]].split(".")[1]
        return rest[0] if rest[0] in ALLOWED else "floor"
    return None if top in sys.stdlib_module_names else top


FILES = sorted(path for package in ("gdmbench", "baselines", "experiments") for path in (ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_every_arrow_is_in_the_table(path):
    room = room_of(path)
    rooms, packages = ALLOWED[room]
    allowed = rooms | packages | {room, "floor"}
    if room.startswith("experiments"):
        allowed.add("experiments")
    strangers = {name for name in imports_of(path) if target_of(name) not in {None, *allowed}}
    assert strangers == set(), f"the room '{room}' may not import these"


def test_the_exhibits_of_experiments_leave_methods_and_data_to_the_two_modules_for_them():
    for path in (ROOT / "experiments").glob("*.py"):
        if str(path.relative_to(ROOT)) not in OWN:
            assert not {name for name in imports_of(path) if name.split(".")[1:2] in (["estimators"], ["simulators"])}


def test_a_worker_imports_neither_config_discovery_nor_scikit_learn():
    """The latter takes longer than all the rest, and many a method does without."""
    import subprocess

    code = "import sys, gdmbench.execute.cell; print(list(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(ast.literal_eval(done.stdout))
    assert "gdmbench.execute.cell" in loaded
    assert {"gdmbench.config.sources", "gdmbench.config.compose", "hydra", "sklearn"} & loaded == set()
