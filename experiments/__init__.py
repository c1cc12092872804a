"""One module for each exhibit, the paper's and ours: its panels and its claims; beside them what they share."""

from importlib import import_module
from pathlib import Path
from pkgutil import extend_path
from types import ModuleType

SUITE = "gdmbench"  # by which `gdmbench.suite` knows this package from another of its name
__path__ = extend_path(__path__, __name__)  # a user may have a folder of the same name


def exhibits(pattern: str = "*") -> list[ModuleType]:
    """Import the exhibits in this folder, in their order: modules that have claims and whose names fit a pattern."""
    names = sorted(path.stem for path in Path(__file__).parent.glob(f"{pattern}.py") if path.stem != "__init__")
    modules = [import_module(f"{__name__}.{name}") for name in names]
    return [module for module in modules if hasattr(module, "CLAIMS")]
