"""Compiling functions with numba, cached on disk in a way that notices edits in every file they are made of.

`@kernel` is for functions that Python calls, `@subkernel` for those that only kernels call. Kernels that compile
quickly have plain loops rather than numpy's functions and slices, one type for each argument, and arrays for all that
they need room for among their arguments: then numba need not count who uses which array, which takes a sixth of the
time. Its own inlining takes longer than compiling a function apart, and LLVM inlines what is worth it.

Numba would optimise the function of every subkernel, with all that it calls, and turn it into machine code, only to do
so again with every kernel that it is linked into; here this is left to the kernels. Python's collector of cyclic
garbage would search all that is in memory again and again while numba makes many small objects; it waits meanwhile.

Numba's own cache asks whether the file of a function has changed, not whether those of the functions it calls have.
Here these count too, and the numbers that the file imports. Numba has no public way to say so, nor the above, hence the
inner classes of it below. Where no folder for the cache can be written to, kernels are compiled anew in each process.

Processes that start together, as workers and tests do, would all compile the same kernels. Here the first to miss one
in the cache takes a lock, and the others wait for what it compiles. The lock of a process that dies is free; a wait has
an end even if the lock never is. A kernel may be compiled while one that calls it is, never the other way round, so no
two processes wait for each other.
"""

import gc
import hashlib
import linecache
import os
import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import partial
from numbers import Number
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.dispatcher import Dispatcher
from numba.core.typed_passes import NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes

_LONGEST_WAIT = 120.0  # seconds, for a process that compiles a kernel that this one needs
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def kernel(function: Callable[..., Any] | None = None, *, allocates: bool = False) -> Any:
    """Compile a function that Python calls, when it is first called with arguments of a type; cached on disk.

    One that makes arrays itself, rather than work on those it is given, says so by `allocates`: these need numba's
    runtime (`_nrt`), which counts who uses which array.
    """
    if function is None:
        return partial(kernel, allocates=allocates)
    compiled = njit(pipeline_class=_Compiler, **_OPTIONS | {"_nrt": allocates})(function)
    compiled.stamp = _stamp(function)
    with suppress(RuntimeError):  # raised where no folder for the cache can be written to
        compiled._cache = _StampedCache(function, compiled.stamp)
        compiled.compile = partial(_compile_once, compiled._cache, compiled.compile)
    return compiled


def subkernel(
    function: Callable[..., Any] | None = None, *, forceinline: bool = False, fastmath: AbstractSet[str] = frozenset()
) -> Any:
    """Compile a function that only kernels call, along with these. What it raises, if anything, has constant words.

    `forceinline` has LLVM inline it where it would rather not, which takes longer to compile. `fastmath` are liberties
    that LLVM may take: "contract" joins a product and a sum, "reassoc" takes sums in another order, so that they become
    vector instructions. The order is fixed when the function is compiled.
    """
    if function is None:
        return partial(subkernel, forceinline=forceinline, fastmath=fastmath)
    options = {"no_cpython_wrapper": True, "_nrt": False, "forceinline": forceinline, "fastmath": set(fastmath)}
    compiled = njit(pipeline_class=_PartCompiler, **_OPTIONS | options)(function)
    compiled.stamp = _stamp(function)
    return compiled


def _stamp(function: Callable[..., Any]) -> str:
    """Digest of all that the compiled code may depend on: the function's file, and what that has imported."""
    source = linecache.getlines(function.__code__.co_filename, function.__globals__)
    digest = hashlib.sha256("".join(source).encode())
    for name, value in function.__globals__.items():
        if isinstance(value, Dispatcher):
            digest.update(f"{name} {getattr(value, 'stamp', '')}".encode())
        elif isinstance(value, Number):
            digest.update(f"{name} {value!r}".encode())
    return digest.hexdigest()


class _Flags(Flags):
    """Numba's settings for a function, which it compares thousands of times on the way, each time option by option."""

    _HASH = hash(frozenset(Flags.options))

    def __hash__(self) -> int:
        return self._HASH

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and bool(self._values == other._values)


# What numba does for functions defined in others, and for arithmetic on whole arrays: kernels have neither.
_NEEDLESS = (InlineClosureLikes, NopythonRewrites)


class _Compiler(Compiler):
    """Numba's compiler, in less time."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the steps of compiling."""
        steps = PassManager("kernel")
        for numbas in super().define_pipelines():
            steps.passes += [(step, words) for step, words in numbas.passes if step not in _NEEDLESS]
        steps.finalize()
        return [steps]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.flags = _Flags(self.state.flags)

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile a function."""
        is_collecting = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(func)
        finally:
            if is_collecting:
                gc.enable()


class _Part(JITCodeLibrary):
    """Code of a subkernel, to be linked into kernels, which are then optimised as a whole, and never run itself."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout  # all of numba's step that is not optimisation

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """Numba asks for this to tell the code where its Python objects are; there is no code."""
        return _Nowhere


class _Nowhere:
    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        """Take what numba would write into the code."""


class _PartCompiler(_Compiler):
    """The compiler of subkernels."""

    def __init__(self, typingctx: Any, targetctx: Any, library: None, *others: Any) -> None:
        super().__init__(typingctx, targetctx, _Part(targetctx.codegen(), "part"), *others)


class _StampedCache(FunctionCache):
    """Numba's cache of one function, with a stamp of our own in place of that of its file alone, and a lock."""

    def __init__(self, function: Callable[..., Any], stamp: str) -> None:
        super().__init__(function)
        self._cache_file = IndexDataCacheFile(self._cache_path, self._impl.filename_base, stamp)
        self._lock: int | None = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load what is compiled, if need be after other processes; where there is nothing, keep the lock."""
        found = super().load_overload(sig, target_context)
        if found is None and self._lock is None:
            with suppress(ImportError, OSError):  # a courtesy: where locks are impossible, each process compiles
                self._acquire()
                found = super().load_overload(sig, target_context)
        return found

    def _acquire(self) -> None:
        import fcntl

        self._lock = os.open(os.path.join(self._cache_path, f"{self._impl.filename_base}.lock"), os.O_RDWR | os.O_CREAT)
        end = time.monotonic() + _LONGEST_WAIT
        while time.monotonic() < end:
            try:
                return fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.02)

    def release(self) -> None:
        """Let other processes go on."""
        if self._lock is not None:
            import fcntl

            with suppress(OSError):
                fcntl.flock(self._lock, fcntl.LOCK_UN)  # closing leaves it with children that were forked meanwhile
            os.close(self._lock)
            self._lock = None


def _compile_once(cache: _StampedCache, compile_one: Callable[[Any], Any], sig: Any) -> Any:
    """Compile or load a kernel for arguments of some types; in between the cache may hold its lock.

    Threads of one process, which share that lock, come one after the other.
    """
    with global_compiler_lock:
        try:
            return compile_one(sig)
        finally:
            cache.release()
