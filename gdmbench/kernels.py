"""Compiling functions: numba's njit with the options that all of them share.

Machine code is cached on disk. Compiled functions let other threads run, and divide by zero as numpy does. Some also
take `fastmath`, which lets the compiler reorder sums, or `forceinline`: each says why where it stands.

Numba's cache notices an edit in a function's own file, but not in the files of the functions that it calls:
CONTRIBUTING.md says how to clear it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from numba import njit

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function when it is first called with arguments of a type, and cache the result on disk."""
    if function is None:
        return partial(kernel, **options)
    try:
        return njit(cache=True, **_OPTIONS, **options)(function)
    except RuntimeError:  # no folder for the cache can be written to, as in some containers: each process compiles
        return njit(**_OPTIONS, **options)(function)
