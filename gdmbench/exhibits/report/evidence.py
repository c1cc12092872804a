"""Claims as the page takes them: verdicts, every estimate with its limits, and the exhibits that show them."""

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gdmbench.exhibits.escape import plain
from gdmbench.exhibits.report.sources import Source
from gdmbench.records.record import NUMBERS

Plain = dict[str, Any]

_TEXTS = ("id", "claim", "where", "criterion", "verdict", "evidence", "reason", "hangs on", "confirmed")
_DATA = ("numbers", "limits", "confirmed numbers")
_LARGEST_PICTURE = 400_000  # bytes; a larger one stays beside the page
_NOT_OF_EXHIBITS = {*NUMBERS, "topics"}  # pictures that every run leaves, and that the page draws itself


def claims_data(sources: Sequence[Source]) -> list[Plain]:
    """List each claim once, by the smallest exhibit that makes it: that of one figure, not that of the whole paper."""
    best: dict[str, Source] = {}
    for source in sources:
        for ident in source.claims.get("id", ()):
            if ident not in best or len(source.claims) < len(best[ident].claims):
                best[ident] = source
    found = []
    for ident, source in best.items():
        row = source.claims[source.claims["id"] == ident].iloc[0].to_dict()
        found.append({"exhibit": source.name, **_claim({str(name): str(text) for name, text in row.items()})})
    return found


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
    """Tell of every folder with claims: its title, its command, its pictures, and which sweeps of the page it uses."""
    idents = {sweep["name"]: sweep["id"] for sweep in sweeps} | {sweep["folder"]: sweep["id"] for sweep in sweeps}
    found = {}
    for source in sources:
        if len(source.claims):
            names = source.sweeps or [source.name]
            found[source.name] = {
                "title": plain(source.title),
                "command": f"python -m gdmbench +experiment={source.name}",
                "sweeps": list(dict.fromkeys(idents[name] for name in names if name in idents)),
                "pictures": _pictures(source.folder),
            }
    return found


def _pictures(folder: Path) -> list[Plain]:
    found = []
    for path in sorted(folder.glob("*.png")):
        if path.stem not in _NOT_OF_EXHIBITS and path.stat().st_size <= _LARGEST_PICTURE:
            found.append({"name": path.stem, "base64": base64.b64encode(path.read_bytes()).decode()})
    return found
