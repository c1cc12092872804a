"""What the files of a corpus hold, as a few digits: the same content has the same digest wherever it lies."""

import hashlib
import json
import os
from pathlib import Path

from gdmbench.data.formats.streams import StrPath
from gdmbench.data.named import NAMES
from gdmbench.files import atomic_write_text

_CHUNK = 1 << 20


def content_digest(path: StrPath, vocabulary: StrPath | None = None) -> str | None:
    """Return a digest of the content of a corpus' files.

    A file that has the size and the time of change it had before is not read again.

    Parameters
    ----------
    path : path or name
        As for `gdmbench.load_corpus`. A corpus known by name has one content only, which its own check makes sure of.
    vocabulary : path, optional
        The file with the words. One beside the corpus that belongs to it by its name counts too.

    Returns
    -------
    str or None
        Sixteen hexadecimal digits; None for a corpus known by name and where there is no such file.
    """
    place = Path(path).expanduser()
    if str(path) in NAMES or not place.exists():
        return None
    files = sorted(file for file in place.rglob("*") if file.is_file()) if place.is_dir() else [place]
    beside = place.with_name("vocab." + place.name.removeprefix("docword.").removesuffix(".gz"))
    words = Path(vocabulary).expanduser() if vocabulary else beside if place.name.startswith("docword.") else None
    if words is not None and words.is_file():
        files.append(words)
    whole = hashlib.sha256()
    known = _Known()
    for file in files:
        name = str(file.relative_to(place)) if place.is_dir() and file != words else ""
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
