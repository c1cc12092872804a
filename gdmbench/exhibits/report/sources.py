"""What a report is made of: results folders with their records, claims and runs."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from gdmbench.errors import ConfigError
from gdmbench.records.frame import to_frame
from gdmbench.records.store import Store

Plain = dict[str, Any]  # what goes into the page: anything that JSON can hold

_SIGNS = ("records.jsonl", "claims.csv", "provenance.json")  # any of these makes a folder one of results


@dataclass(frozen=True, eq=False)
class Source:
    """One results folder.

    Attributes
    ----------
    folder : Path
    name : str
        Of the experiment.
    title : str
    frame : DataFrame
        Its records, as `gdmbench.records.frame.to_frame` gives them; none in the folder of a compound experiment.
    claims : DataFrame
        What `claims.csv` holds, every cell a string; empty if there is none.
    runs : list of dict
        The entries of `provenance.json`, oldest first.
    notes : list of str
        What a reader must know of the folder.
    rate : bool
        Whether the theoretical rate is drawn.
    quick : bool
        Whether the run was shrunken.
    """

    folder: Path
    name: str
    title: str
    frame: pd.DataFrame
    claims: pd.DataFrame
    runs: list[dict[str, Any]]
    notes: list[str] = field(default_factory=list)
    rate: bool = False
    quick: bool = False

    @property
    def sweeps(self) -> list[str]:
        """Names of the sweeps that the folder's exhibit rests on."""
        return list(dict.fromkeys(str(run["sweep"]) for run in self.runs if run.get("sweep")))


def read_sources(folders: Iterable[str | Path]) -> list[Source]:
    """Read results folders and all such folders below them, in the order in which they were run.

    Raises
    ------
    ConfigError
        If one of them holds no results.
    """
    found: dict[Path, None] = {}
    for folder in map(Path, folders):
        below = {path.parent for sign in _SIGNS for path in folder.rglob(sign)}
        if not below:
            raise ConfigError(f"{folder} holds no records.jsonl and no claims.csv: name a results folder.")
        found.update(dict.fromkeys(sorted(below)))
    return sorted(map(read_source, found), key=_start)


def read_source(folder: Path, frame: pd.DataFrame | None = None) -> Source:
    """Read one results folder.

    Parameters
    ----------
    folder : Path
    frame : DataFrame, optional
        Its records where they are known already; else they are read. Of these, only what the last run or redraw drew
        counts: a folder may also hold records of other settings.
    """
    config = _read_yaml(folder / "config.yaml")
    notes: list[str] = []
    if frame is None:
        records, notes = Store(folder).read()
        drawn = _drawn_keys(folder / "records.csv")
        shown = [record for key, record in records.items() if not drawn or key in drawn]
        if len(shown) < len(records):
            notes.append(f"{folder}: {len(records) - len(shown)} records of other settings are not shown.")
        frame = to_frame(shown)
    if config.get("scale") == "quick":
        notes.append(f"{config.get('name', folder.name)} was shrunken (scale=quick): its sizes prove nothing.")
    name = str(config.get("name") or folder.name)
    sweep = config.get("sweep")
    return Source(
        folder,
        name,
        str(config.get("title") or _readable(name)),
        frame,
        _read_csv(folder / "claims.csv"),
        _read_runs(folder / "provenance.json"),
        notes,
        bool(isinstance(sweep, dict) and sweep.get("rate")),
        config.get("scale") == "quick",
    )


def all_records(sources: Sequence[Source]) -> pd.DataFrame:
    """Return the records of all sources in one frame."""
    frames = [source.frame for source in sources if len(source.frame)]
    return pd.concat(frames, ignore_index=True) if frames else to_frame([])


def _start(source: Source) -> tuple[str, bool, str]:
    """Exhibits come after the sweeps that began when they did."""
    return (min((str(run.get("start")) for run in source.runs), default="~"), source.frame.empty, source.name)


def _readable(name: str) -> str:
    words = re.sub(r"_(?=\w\w|\d)", " ", name)
    return words[:1].upper() + words[1:]


def _drawn_keys(path: Path) -> set[str]:
    table = _read_csv(path)
    return set(table["key"]) if "key" in table else set()


def _read_csv(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError):  # pandas' own errors are ValueErrors
        return pd.DataFrame()


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        content = yaml.load(path.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, ValueError, yaml.YAMLError):
        return {}
    return content if isinstance(content, dict) else {}


def _read_runs(path: Path) -> list[dict[str, Any]]:
    try:
        runs = json.loads(path.read_text("utf-8"))["runs"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [run for run in runs if isinstance(run, dict)] if isinstance(runs, list) else []
