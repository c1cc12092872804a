"""Writes report.html: the sources of the page, the library that draws, and the data, all in one file.

The data are JSON that nothing runs, the page sets every text of them as text, and its policy lets no script run but
those whose digests it names and no request leave: labels, words and errors come from anyone.
"""

import hashlib
import json
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from gdmbench.exhibits.escape import plain
from gdmbench.exhibits.report.about import CITE, confirmed_data, failures_data, notes_data, runs_data
from gdmbench.exhibits.report.advice import advice_data
from gdmbench.exhibits.report.chosen import chosen_data
from gdmbench.exhibits.report.corpora import topics_data
from gdmbench.exhibits.report.evidence import claims_data, exhibits_data
from gdmbench.exhibits.report.overview import overall_data
from gdmbench.exhibits.report.sources import Source, all_records
from gdmbench.exhibits.report.sweeps import columns_data, methods_data, sweeps_data
from gdmbench.files import atomic_write_text
from gdmbench.versions import code_version

_LIBRARY = ("vendor/d3.min.js", "vendor/plot.umd.min.js")
_SHARED = ("base", "numbers", "marks", "figure")
_PARTS = ("claims", "advice", "chosen", "evidence", "heat", "front", "sweeps", "lines", "tables", "topics", "map")
_SCRIPTS = [f"{name}.js" for name in (*_SHARED, *_PARTS, "about")]  # the last puts the page together
_LICENCES = {"Observable Plot 0.6.17": "vendor/LICENSE-plot.txt", "D3 7.9.2": "vendor/LICENSE-d3.txt"}


def write_report(sources: Sequence[Source], path: str | Path, *, title: str = "") -> Path:
    """Write one page of all sources.

    Parameters
    ----------
    sources : sequence of Source
        As `read_source` and `read_sources` give them.
    path : path
        Where to write.
    title : str
        Heading of the page; by default that of the only source, or of the one that rests on all others.

    Returns
    -------
    Path
        The file written.
    """
    path = Path(path)
    atomic_write_text(path, page_text(report_data(sources, path.parent, title=title)))
    return path


def report_data(sources: Sequence[Source], page_folder: Path, *, title: str = "") -> dict[str, Any]:
    """Gather everything that the page shows, as JSON can hold it."""
    frame = all_records(sources)
    sweeps = sweeps_data(sources, page_folder)
    fine = int((frame["status"] == "ok").sum())
    return {
        "title": plain(title or _title(sources)),
        "made": {"when": datetime.now(UTC).isoformat(timespec="seconds"), "code": code_version()},
        "cells": {"all": len(frame), "fine": fine, "failed": len(frame) - fine},
        "quick": any(source.quick for source in sources),
        "advice": advice_data(sources),
        "chosen": chosen_data(sources),
        "columns": columns_data(),
        "methods": methods_data(frame),
        "sweeps": sweeps,
        "overall": overall_data(sweeps),
        "claims": claims_data(sources),
        "exhibits": exhibits_data(sources, sweeps),
        "topics": topics_data(sources),
        "failures": failures_data(frame),
        "notes": notes_data(sources, frame),
        "runs": runs_data(sources),
        "confirmed": confirmed_data(sources),
        "cite": CITE,
        "licences": {name: _read(file) for name, file in _LICENCES.items()},
    }


def page_text(data: dict[str, Any]) -> str:
    """Put the data into the page."""
    library = ["\n" + _read(name) + "\n" for name in _LIBRARY]
    own = "\n".join(f"// {name}\n{_read(name)}" for name in _SCRIPTS)
    scripts = [*library, f'\n(() => {{\n"use strict";\n{own}\n}})();\n']
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_read("page.html")).render(
        title=data["title"],
        policy=_policy(scripts),
        style=_read("style.css"),
        data=json_text(data),
        scripts=scripts,
    )


def json_text(data: Any) -> str:
    """Write JSON that can't end the element it stands in: in ASCII, with no < in it."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(scripts: Sequence[str]) -> str:
    digests = (b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    # Styles are Plot's own in each figure; pictures are those inside the page and the PNG that is being downloaded.
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _title(sources: Sequence[Source]) -> str:
    if len(sources) == 1:
        return sources[0].title
    widest = max(sources, key=lambda source: len(source.sweeps), default=None)
    return widest.title if widest and len(widest.sweeps) > 1 else "Results"


def _read(name: str) -> str:
    return (files("gdmbench.exhibits.report") / "assets" / name).read_text("utf-8")
