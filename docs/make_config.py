"""Write docs/config.md from the schema, the config files and the docstrings: `python docs/make_config.py`.

A test fails when the page is not what this would write.
"""

import dataclasses
import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import yaml
from omegaconf import MISSING

from gdmbench.runner import schema
from gdmbench.runner.plugins import config_dir

PAGE = Path(__file__).with_name("config.md")

INTRODUCTION = """\
# Every config key

*This page is written by `python docs/make_config.py` from the schema, the files in `conf/` and the docstrings.*

A key is set on the command line as `key=value` (`+key=value` where no config file has it, `~key` to remove it), and
`--cfg` prints the config that comes of it. The value `null` means none. A key that does not exist is refused with the
nearest one that does.
"""

GROUPS = {
    "data": """\
## Data

`data=NAME` chooses a file of `conf/data/`; `data.KEY=VALUE` changes a value of it. `n_topics`, `alpha` and `eta` are
there for the methods to refer to, even where the documents are not simulated.
""",
    "method": """\
## Methods

`+method@methods.NAME=FILE` adds a file of `conf/method/` under a name of your choice, so that one method can take part
twice with different values; `~methods.NAME` leaves one out; `methods.NAME.KEY=VALUE` changes a value. Every method file
may also have `label` (what tables and figures call it) and `quick` (the values that `scale=quick` puts in).
How the values were found is told in [methods.md](methods.md).
""",
    "executor": """\
## Executors

`executor=NAME` chooses a file of `conf/executor/`, which sets some of the `executor.*` keys above.
""",
}


def page() -> str:
    """Return the text of the page."""
    parts = [INTRODUCTION, "## An experiment and how to run it\n", _table(_schema_rows(schema.Config))]
    for group, text in GROUPS.items():
        parts.append(text)
        for path in sorted((config_dir() / group).glob("*.yaml")):
            parts.append(_file_section(path))
    return "\n".join(parts)


def _schema_rows(cls: type, prefix: str = "") -> list[list[str]]:
    """Return key, kind, default and the comment behind the field in the source."""
    source = inspect.getsource(cls)
    rows = []
    for field in dataclasses.fields(cls):
        inner = getattr(schema, str(getattr(field.type, "__name__", "")), None)
        if dataclasses.is_dataclass(inner):
            rows += _schema_rows(inner, f"{prefix}{field.name}.")
            continue
        line = re.search(rf"^    {field.name}: (.+?)(?: = .+?)?(?:  # (.+))?$", source, flags=re.MULTILINE)
        kind, meaning = line.groups() if line else ("", "")
        rows.append([f"`{prefix}{field.name}`", kind, _default(field), meaning or ""])
    return rows


def _default(field: dataclasses.Field[Any]) -> str:
    value = field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default
    if value is MISSING:
        return "set by the experiment or executor file"
    return _code(getattr(value, "name", value))


def _file_section(path: Path) -> str:
    text = path.read_text("utf-8")
    title = next(line[1:].strip() for line in text.splitlines() if line.startswith("#"))
    config = yaml.safe_load(text)
    target, quick, _ = (config.pop(key, None) for key in ("_target_", "quick", "label"))
    meanings = _schema_meanings() if target is None else _docstring_meanings(target)
    if path.parent.name == "data":
        meanings = {**dict.fromkeys(("n_topics", "alpha", "eta"), "For the methods to refer to."), **meanings}
    meanings |= dict(re.findall(r"^(\w+): .*?  # (.+)$", text, flags=re.MULTILINE))
    lines = [f"### {path.parent.name}={path.stem}\n", f"{title}."]
    if target:
        lines.append(f"Target: `{target}`.")
    if quick:
        lines.append(f"At `scale=quick`: {', '.join(f'`{key}={value}`' for key, value in quick.items())}.")
    rows = [[f"`{key}`", _code(value), meanings.get(key, "")] for key, value in config.items()]
    return "\n".join([*lines, "", _table(rows, ["key", "default", "meaning"])])


def _schema_meanings() -> dict[str, str]:
    return {row[0].strip("`"): row[3] for row in _schema_rows(schema.ExecutorConfig)}


def _docstring_meanings(target: str) -> dict[str, str]:
    """Return what the docstring of one of our own targets says of each parameter."""
    module, _, name = target.rpartition(".")
    if module.split(".")[0] not in {"gdmbench", "baselines", "experiments"}:
        return {}  # another project's words, which change with its versions: comments in the file say what matters
    found = getattr(importlib.import_module(module), name)
    docstring = inspect.getdoc(found) or ""
    section = re.search(r"Parameters\n-+\n(.*?)(?:\n\n\w+\n-+\n|\Z)", docstring, flags=re.DOTALL)
    meanings: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", section[1] if section else ""):
        head, _, body = entry.partition("\n")
        meaning = " ".join(body.split())
        elsewhere = re.match(r"(?:See|As for) `(?:gdmbench\.)?(\w+)`", meaning)
        there = _docstring_meanings(f"{found.__module__}.{elsewhere[1]}") if elsewhere else {}
        for parameter in head.partition(" : ")[0].split(", "):
            meanings[parameter] = there.get(parameter, meaning)
    return meanings


def _code(value: Any) -> str:
    text = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{text}`" if text else "empty"


def _table(rows: list[list[str]], head: list[str] | None = None) -> str:
    lines = [head or ["key", "kind", "default", "meaning"], ["---"] * len(rows[0]), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
