"""Importing what a config names, so that a user's folder of the same name never hides a package of the suite.

`python -m gdmbench` looks for modules in the folder it is run from first. A user may well have a folder `baselines/` or
`experiments/` there, or a file `baselines.py`. The suite's own packages come first here, and the user's modules are
found beside them. Importing this module is enough to have that in any process.
"""

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import gdmbench

OWN_PACKAGES = ("gdmbench", "baselines", "experiments")
_HOME = str(Path(__file__).resolve().parents[1])  # a clone, or the site-packages of an installation


def find(target: str) -> Any:
    """Return what a dotted name such as ``baselines.gibbs.CollapsedGibbs`` refers to.

    Raises
    ------
    ImportError, AttributeError, ValueError
        If there is no such module, or no such name in it.
    """
    module, _, name = target.rpartition(".")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError):
        theirs = _hidden_module(module)
        if theirs is None or not hasattr(theirs, name):
            raise
        return getattr(theirs, name)


def module_of(target: str) -> str:
    """Return the module that a dotted name lies in; for a public name of gdmbench, the one behind it.

    Examples
    --------
    >>> module_of("baselines.gibbs.CollapsedGibbs"), module_of("gdmbench.GDM")
    ('baselines.gibbs', 'gdmbench.geometry.gdm')
    """
    module, _, name = target.rpartition(".")
    return gdmbench.HOMES.get(name, module) if module == "gdmbench" else module


def _hidden_module(name: str) -> ModuleType | None:
    """Return a user's module that one of our packages hides, such as their `baselines.py`."""
    if name not in OWN_PACKAGES[1:]:
        return None
    alias = f"_users_{name}"
    if alias in sys.modules:
        return sys.modules[alias]
    spec = next((spec for spec in _specs(name) if _place(spec) != _HOME), None)
    if spec is None or spec.origin is None:
        return None
    mine = spec_from_file_location(alias, spec.origin)
    if mine is None or mine.loader is None:
        return None
    module = sys.modules[alias] = module_from_spec(mine)
    mine.loader.exec_module(module)
    return module


def _specs(name: str) -> list[Any]:
    found = (PathFinder.find_spec(name, [entry or "."]) for entry in sys.path)
    return [spec for spec in found if spec is not None]


def _place(spec: Any) -> str:
    """The folder that a package or module lies in."""
    inside = next(iter(spec.submodule_search_locations or ()), None) or spec.origin
    return str(Path(inside).resolve().parent)


def _put_first(name: str) -> None:
    """Make the suite's package the one of its name, with the folders of others searched after its own."""
    spec = PathFinder.find_spec(name, [_HOME])
    if spec is None or spec.loader is None:  # an installation without it
        return
    package = sys.modules.get(name)
    if package is None or _place(package.__spec__) != _HOME:
        package = module_from_spec(spec)
        sys.modules[name] = package
        spec.loader.exec_module(package)
    for other in _specs(name):
        for folder in other.submodule_search_locations or ():
            if str(Path(folder).resolve()) not in {str(Path(place).resolve()) for place in package.__path__}:
                package.__path__.append(folder)


for _name in OWN_PACKAGES[1:]:
    _put_first(_name)
