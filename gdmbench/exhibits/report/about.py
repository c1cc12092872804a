"""What stands at the end of the page: failures, notes on what the records have in common, runs, how to cite."""

import json
import shlex
from collections import Counter
from collections.abc import Sequence

import pandas as pd

from gdmbench import __version__
from gdmbench.exhibits.escape import plain
from gdmbench.exhibits.report.sources import Plain, Source
from gdmbench.exhibits.style import axis_of
from gdmbench.records.frame import value_text

CITE = f"""\
@inproceedings{{yurochkin2016geometric,
  author    = {{Yurochkin, Mikhail and Nguyen, XuanLong}},
  title     = {{Geometric {{D}}irichlet {{M}}eans algorithm for topic inference}},
  booktitle = {{Advances in Neural Information Processing Systems 29}},
  pages     = {{2505--2513}},
  year      = {{2016}}
}}

@software{{gdmbench,
  author  = {{{{The gdmbench developers}}}},
  title   = {{gdmbench: reference implementation and benchmark of Geometric Dirichlet Means}},
  version = {{{__version__}}},
  year    = {{2026}}
}}
"""


def failures_data(frame: pd.DataFrame) -> list[Plain]:
    """List what went wrong: one entry for each method, point, status and sentence."""
    failed = frame[frame["status"] != "ok"]
    found: dict[str, Plain] = {}
    columns = ("experiment", "label", "axis", "value", "status", "error")
    for experiment, label, axis, value, status, error in zip(*(failed[name] for name in columns), strict=True):
        at = f"{plain(axis_of(axis if isinstance(axis, str) else None).symbol)} = {value_text(value)}"
        entry = {
            "experiment": str(experiment),
            "method": plain(str(label)),
            "at": at if value_text(value) else "",
            "status": str(status) if isinstance(status, str) else "without a status",
            "error": error if isinstance(error, str) else "",
        }
        found.setdefault(json.dumps(entry), {**entry, "cells": 0})["cells"] += 1
    return list(found.values())


def notes_data(sources: Sequence[Source], frame: pd.DataFrame) -> list[str]:
    """Say what a reader must know of the records: damage, shrunken experiments, mixed versions, times side by side."""
    notes = [note for source in sources for note in source.notes]
    counts: dict[str, Counter[str]] = {}
    for params, versions in zip(frame["params"], frame["versions"], strict=True):
        for name, version in versions.items() if isinstance(versions, dict) else ():
            what = "processors" if name == "cpu" else f"versions of {name}"
            if name == "source" and isinstance(params, dict):  # each class has files of its own
                what = f"versions of {params.get('_target_')}'s source files"
            if version is not None:
                counts.setdefault(what, Counter())[str(version)] += 1
    for what, found in counts.items():
        if len(found) > 1:
            words = ", ".join(f"{count} by {text}" for text, count in found.most_common())
            notes.append(f"The records were made with {len(found)} {what}: {words}.")
    workers = pd.to_numeric(frame["n_workers"], errors="coerce")
    if (workers > 1).any():
        many, most = int((workers > 1).sum()), int(workers.max())
        notes.append(f"{many} of {len(frame)} cells ran up to {most} at a time: compare their times with care.")
    return notes


def runs_data(sources: Sequence[Source]) -> list[Plain]:
    """Tell of every run of a sweep: command, code, machine, packages, times."""
    found = []
    for source in sources:
        if len(source.frame) or not source.sweeps:
            for run in source.runs:
                command = run.get("command")
                told = {name: run.get(name) for name in ("code", "python", "system", "cpu", "start", "end", "cells")}
                times = {name: _number(run.get(name)) for name in ("seconds", "cpu_seconds")}
                packages = run.get("packages")
                found.append(
                    {
                        "sweep": source.name,
                        "command": shlex.join(map(str, command)) if isinstance(command, list) else str(command or ""),
                        **{name: "" if value is None else str(value) for name, value in told.items()},
                        **times,
                        "packages": {str(k): str(v) for k, v in packages.items()} if isinstance(packages, dict) else {},
                    }
                )
    return found


def confirmed_data(sources: Sequence[Source]) -> list[Plain]:
    """Tell of every outcome of `verify` that lies as confirmed*.json in a results folder or beside results folders."""
    folders = {place for source in sources for place in (source.folder, source.folder.parent)}
    found = []
    for path in sorted(path for folder in folders for path in folder.glob("confirmed*.json")):
        try:
            told = json.loads(path.read_text("utf-8"))
            cpu = told["versions"]["cpu"]
            found.append({"when": str(told["when"]), "cpu": str(cpu), "sentence": str(told["sentence"])})
        except (OSError, ValueError, KeyError, TypeError):  # another file of that name
            continue
    return found


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
