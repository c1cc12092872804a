"""Importing what a config names, so that a user's folder of the same name never hides a package of the suite.

`python -m gdmbench` looks for modules in the folder it is run from first. A user may well have a folder `baselines/` or
`experiments/` there, or a file `baselines.py`. The suite's own packages come first here, and the user's modules are
found beside them, as the packages extend their paths. Importing this module is enough to have that in any process.
"""

import sys
from contextlib import suppress
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

OWN_PACKAGES = ("gdmbench", "baselines", "experiments")
_HOME = Path(__file__).resolve().parents[1]  # a clone, or the site-packages of an installation

sys.path.insert(0, str(_HOME))
for _name in OWN_PACKAGES:
    with suppress(ModuleNotFoundError):  # an installation may lack one
        import_module(_name)
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
    except (ImportError, AttributeError):
        theirs = _hidden_module(module)
        if theirs is None or not hasattr(theirs, name):
            raise
        return getattr(theirs, name)


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
