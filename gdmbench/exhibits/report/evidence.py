"""Claims as the page takes them: verdicts, every estimate with its limits, and the exhibits that show them."""

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from gdmbench.exhibits.escape import plain
from gdmbench.exhibits.report.sources import Plain, Source
from gdmbench.records.record import NUMBERS

_JUDGED = ("id", "claim", "where", "criterion", "verdict", "evidence", "reason")
_CHANGES = ("holds if", "explanation", "other readings", "tried")
_TEXTS = (*_JUDGED, *_CHANGES, "differences", "confirmed", "confirmed evidence")
_DATA = ("numbers", "limits", "confirmed numbers")
_LARGEST_PICTURE = 600_000  # bytes; a larger one stays beside the page
_NOT_OF_EXHIBITS = {*NUMBERS, "topics"}  # pictures that every run leaves, and that the page draws itself


def claims_data(sources: Sequence[Source]) -> list[Plain]:
    """List each claim once, however many folders make it.

    The words are those of the folder that rests on most sweeps, as only the whole paper knows what a claim depends on;
    the exhibit is the one that rests on fewest, the claim's own figure. Where a folder judged otherwise, that is said.
    """
    makers: dict[str, list[Source]] = {}
    for source in sources:
        for ident in source.claims.get("id", ()):
            makers.setdefault(ident, []).append(source)
    found = []
    for ident, mine in makers.items():
        mine.sort(key=lambda source: (len(source.sweeps), len(source.claims)))
        rows = [_row(source.claims, ident) for source in mine]
        claim = _claim(rows[-1])
        for source, row in zip(mine, rows, strict=True):
            if row.get("verdict") != rows[-1].get("verdict"):
                claim["others"][f"judged otherwise in {plain(source.name)}"] = plain(row.get("verdict", ""))
        found.append({"exhibit": mine[0].name, **claim})
    return found


def _row(claims: pd.DataFrame, ident: str) -> dict[str, str]:
    first = claims[claims["id"] == ident].iloc[0]
    return {str(name): str(text) for name, text in first.items()}


def _claim(row: dict[str, str]) -> Plain:
    """Take one row of `claims.csv` apart; other columns of text are shown under their own names."""
    texts = {name.replace(" ", "_"): plain(row.get(name, "")) for name in _TEXTS}
    others = {name: plain(text) for name, text in row.items() if name not in (*_TEXTS, *_DATA) and text}
    return {**texts, "others": others, "estimates": _estimates(row)}


def _estimates(row: dict[str, str]) -> list[Plain]:
    numbers, limits, confirmed = (_mapping(row.get(name, "")) for name in _DATA)
    found = []
    for name in numbers:
        judged = dict(zip(("least", "most", "outcome"), _some(3, limits.get(name)), strict=True))
        again = {"confirmed": _estimate(confirmed[name])} if name in confirmed else {}
        found.append({"name": plain(str(name)), **_estimate(numbers[name]), **judged, **again})
    return found


def _estimate(entry: Any) -> Plain:
    return dict(zip(("value", "low", "high", "n", "missing"), _some(5, entry), strict=True))


def _some(n: int, entry: Any) -> list[Any]:
    """Take so many entries of a list; what is lacking is None."""
    return [*entry, *[None] * n][:n] if isinstance(entry, list) else [None] * n


def _mapping(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def exhibits_data(sources: Sequence[Source], sweeps: Sequence[Plain]) -> Plain:
    """Tell of every folder with claims or pictures: title, command, pictures, and which sweeps of the page it uses."""
    idents = {sweep["name"]: sweep["id"] for sweep in sweeps} | {sweep["folder"]: sweep["id"] for sweep in sweeps}
    found = {}
    for source in sources:
        pictures = _pictures(source.folder)
        if len(source.claims) or pictures:
            names = source.sweeps or [source.name]
            found[source.name] = {
                "title": plain(source.title),
                "command": f"python -m gdmbench +experiment={source.name}",
                "sweeps": list(dict.fromkeys(idents[name] for name in names if name in idents)),
                "pictures": pictures,
            }
    return found


def _pictures(folder: Path) -> list[Plain]:
    found = []
    for path in sorted(folder.glob("*.png")):
        if path.stem not in _NOT_OF_EXHIBITS and path.stat().st_size <= _LARGEST_PICTURE:
            found.append({"name": path.stem, "base64": base64.b64encode(path.read_bytes()).decode()})
    return found
