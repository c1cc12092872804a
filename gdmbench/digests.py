"""What files hold, as a few digits: the same content has the same digest wherever it lies."""

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from gdmbench.files import atomic_write_text

_CHUNK = 1 << 20


def digest_of(files: Iterable[tuple[str, Path]]) -> str:
    """Return sixteen hexadecimal digits for some files, each with the name that counts beside its content.

    A file that has the size and the time of change it had before is not read again.
    """
    whole = hashlib.sha256()
    known = _Known()
    for name, file in files:
        whole.update(f"{name}\0{known.digest(file)}\n".encode())
    known.save()
    return whole.hexdigest()[:16]


class _Known:
    """Digests of files that were read before, in the user's cache folder."""

    def __init__(self) -> None:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        self.path = Path(base) / "gdmbench" / "digests.json"
        self.changed = False
        try:
            found = json.loads(self.path.read_text("utf-8"))
            self.digests: dict[str, str] = found if isinstance(found, dict) else {}
        except (OSError, ValueError):
            self.digests = {}

    def digest(self, file: Path) -> str:
        state = file.stat()
        key = f"{file.resolve()}|{state.st_size}|{state.st_mtime_ns}|{state.st_ino}"
        if key not in self.digests:
            reader = hashlib.sha256()
            with file.open("rb") as stream:
                while chunk := stream.read(_CHUNK):
                    reader.update(chunk)
            self.digests[key] = reader.hexdigest()
            self.changed = True
        return self.digests[key]

    def save(self) -> None:
        if not self.changed:
            return
        try:
            atomic_write_text(self.path, json.dumps(self.digests))
        except OSError:  # a home that can't be written: the files are read again next time
            return
