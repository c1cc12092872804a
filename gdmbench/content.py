"""What files hold, as a few digits: a cell's key depends on the content of the files it reads, not on their place."""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

_Target = TypeVar("_Target", bound=Callable[..., Any])


def reads_files(content: Callable[..., str | None]) -> Callable[[_Target], _Target]:
    """Give a function or class that a config may name the attribute `content`, by which a plan knows what it reads.

    Parameters
    ----------
    content : callable
        Takes the arguments `path` and `vocabulary` of the config; returns a digest, or None if these name no files.
    """

    def mark(target: _Target) -> _Target:
        target.content = content  # type: ignore[attr-defined]
        return target

    return mark


def digest_of(files: Iterable[tuple[str, Path]]) -> str:
    """Return sixteen hexadecimal digits for some files, each with the name that counts beside its content."""
    whole = hashlib.sha256()
    for name, file in files:
        state = file.stat()
        whole.update(f"{name}\0{_digest(file.resolve(), state.st_size, state.st_mtime_ns)}\n".encode())
    return whole.hexdigest()[:16]


@cache  # a plan asks at each swept value, and a gigabyte takes seconds
def _digest(file: Path, size: int, changed: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
