"""The chosen model of a user's corpus as the page takes it: topics with sizes, words, documents, and groups."""

import json
from collections.abc import Sequence
from pathlib import Path

from gdmbench.exhibits.escape import plain
from gdmbench.exhibits.report.sources import Plain, Source
from gdmbench.exhibits.style import axis_of

_DIGITS = 4  # of a share


def chosen_data(sources: Sequence[Source]) -> list[Plain]:
    """Return what `chosen.json` tells in each folder that has one."""
    return [chosen for source in sources if (chosen := _read(source.folder / "chosen.json")) is not None]


def _read(path: Path) -> Plain | None:
    """Return a file's content in the form that the page expects, None where it has another."""
    try:
        found = json.loads(path.read_text("utf-8"))
        key, _, value = str(found["at"]).partition("=")
        return {
            "label": plain(str(found["label"])),
            "at": f"{plain(axis_of(key).symbol)} = {value}" if key else "",
            "documents": int(found["documents"]),
            "dropped": int(found["dropped"]),
            "topics": [
                {
                    "size": round(float(topic["size"]), _DIGITS),
                    "words": [[str(word), round(float(p), _DIGITS)] for word, p in topic["words"]],
                    "documents": [[str(i), round(float(p), _DIGITS), str(text)] for i, p, text in topic["documents"]],
                }
                for topic in found["topics"]
            ],
            "groups": [
                [str(g), int(n), [round(float(p), _DIGITS) for p in shares]] for g, n, shares in found["groups"]
            ],
        }
    except (OSError, ValueError, KeyError, TypeError):
        return None
