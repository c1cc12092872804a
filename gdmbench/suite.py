"""Importing what a config names, so that a user's folder of the same name never hides a package of the suite.

`python -m gdmbench` looks for modules in the folder it is run from first. A user may well have a folder `baselines/` or
`experiments/` there, or a file `baselines.py`. The suite's own packages come first here, and the user's modules are
found beside them, as the packages extend their paths. Importing this module is enough to have that in any process.
"""

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

OWN_PACKAGES = ("gdmbench", "baselines", "experiments")
_HOME = Path(__file__).resolve().parents[1]  # a clone, or the site-packages of an installation

# Sentences on packages of the same names that lie where ours should.
strangers: dict[str, str] = {}


def _import_ours(name: str) -> None:
    """Import one of our packages, or note that another has taken its place in an installation."""
    try:
        if getattr(import_module(name), "SUITE", "") == "gdmbench":
            return
    except Exception as error:  # a stranger may fail in any way
        if isinstance(error, ModuleNotFoundError) and error.name == name:
            return  # an installation may lack one
    strangers[name] = (
        f"another package called {name} has been installed over that of gdmbench in {_HOME}: install gdmbench in an "
        "environment without it"
    )


sys.path.insert(0, str(_HOME))
for _name in OWN_PACKAGES[1:]:
    _import_ours(_name)
sys.path.remove(str(_HOME))


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
    except Exception as error:  # a stranger may fail in any way
        theirs = _hidden_module(module) if isinstance(error, ImportError | AttributeError) else None
        if hasattr(theirs, name):
            return getattr(theirs, name)
        stranger = strangers.get(module.partition(".")[0])
        if stranger is not None:
            raise ImportError(stranger) from None
        raise


def _hidden_module(name: str) -> ModuleType | None:
    """Return a user's module that one of our packages hides, such as their `baselines.py`."""
    if name not in OWN_PACKAGES[1:]:
        return None
    alias = f"_users_{name}"
    if alias not in sys.modules:
        hidden = PathFinder.find_spec(name, [entry for entry in sys.path if Path(entry).resolve() != _HOME])
        spec = hidden and hidden.origin and spec_from_file_location(alias, hidden.origin)
        if not spec or not spec.loader:
            return None
        sys.modules[alias] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[alias])
    return sys.modules[alias]
