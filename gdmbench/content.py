"""What files hold, as a few digits: a cell's key depends on the content of the files it reads, not on their place."""

import hashlib
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path


def digest_of(files: Iterable[tuple[str, Path]]) -> str:
    """Return sixteen hexadecimal digits for some files, each with the name that counts beside its content."""
    whole = hashlib.sha256()
    for name, file in files:
        state = file.stat()
        digest = _digest(file.resolve(), state.st_size, state.st_mtime_ns)
        whole.update(os.fsencode(name) + f"\0{digest}\n".encode())  # a name may hold bytes that are no text
    return whole.hexdigest()[:16]


@cache  # a plan asks at each swept value, and a gigabyte takes seconds
def _digest(file: Path, size: int, changed: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
