"""Write the pages that follow from the code: `python docs/make_pages.py`.

config.md comes from the schema, the config files and the docstrings, the rivals in reference.md from the method files,
columns.md from the columns of a record, commands.md from the command line, house.svg from the imports; tables and
counts of the reference run, in the README and other pages, from what it left (`make_tables.py`, `make_second_run.py`).
A test fails when a page is not what this would write.
"""

import dataclasses
import importlib
import inspect
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from omegaconf import MISSING

from gdmbench import cli
from gdmbench.config import schema
from gdmbench.config.sources import config_dir
from gdmbench.records.record import COLUMNS

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

import make_second_run  # noqa: E402 (scripts beside this one)
import make_tables  # noqa: E402
from make_house import house_picture  # noqa: E402

INTRODUCTION = """\
# Every config key

*This page is written by `python docs/make_pages.py` from the schema, the files in `conf/` and the docstrings.*

A key is set on the command line as `key=value` (`+key=value` where no config file has it, `~key` to remove it), and
`--cfg` prints the config that comes of it. The value `null` means none. A key that does not exist is refused with the
nearest one that does.
"""

COLUMNS_INTRODUCTION = """\
# Columns of a record

*This page is written by `python docs/make_pages.py` from `gdmbench/records/record.py`.*

A record has an identity (which cell it is and how it ended), measures (of the topics that were found), costs (what
that took) and details. What does not vary is the same to the last bit on one machine, whatever the executor; on another
kind of machine the last digits of measures may differ. A measure that is not a finite number is empty.
"""

COMMANDS_PAGE = """\
# Every command

*This page is written by `python docs/make_pages.py` from `gdmbench/cli.py`.*

    {usage}

Without a verb the experiment runs, or what is missing of it. `python -m gdmbench` alone, like `--help`, also lists the
experiments, methods, data and executors there are.

## Verbs

{verbs}
## Options

{options}
## Exit codes

| code | meaning |
| --- | --- |
| 0 | all is fine |
| 1 | some cells failed, a check failed, or a comparison or `verify` found differences |
| 2 | a mistake in the command, so that nothing was written; or folders that share no cell to compare |
| 3 | the run could not go on |
| 130 | Ctrl-C |
| 141 | whoever read the output, such as `head`, stopped reading |
"""

GROUPS = {
    "data": """\
## Data

`data=NAME` chooses a file of `conf/data/`; `data.KEY=VALUE` changes a value of it. What methods are told of the topics
(`model.n_topics`, `model.alpha`, `model.eta`) follows the data where these are simulated; for a real corpus its file
sets them.
""",
    "method": """\
## Methods

`+method@methods.NAME=FILE` adds a file of `conf/method/` under a name of your choice, so that one method can take part
twice with different values; `~methods.NAME` leaves one out; `methods.NAME.KEY=VALUE` changes a value. Every method file
may also have `label` (what tables and figures call it) and `quick` (the values that `scale=quick` puts in, which an
experiment's own `quick` overrides). How the values were found is told in [methods.md](methods.md).
""",
    "executor": """\
## Executors

`executor=NAME` chooses a file of `conf/executor/`, which sets some of the `executor.*` keys above.
""",
}


def config_page() -> str:
    """Return the text of config.md."""
    parts = [INTRODUCTION, "## An experiment and how to run it\n", _table(_schema_rows(schema.Config))]
    for group, text in GROUPS.items():
        parts.append(text)
        for path in sorted((config_dir() / group).glob("*.yaml")):
            parts.append(_file_section(path))
    return "\n".join(parts)


def columns_page() -> str:
    """Return the text of columns.md."""
    rows = [[f"`{c.name}`", c.kind, c.meaning, c.unit, "yes" if c.varies else ""] for c in COLUMNS]
    return "\n".join([COLUMNS_INTRODUCTION, _table(rows, ["column", "kind", "meaning", "unit", "varies"])])


def commands_page() -> str:
    """Return the text of commands.md."""
    parser = cli._parser()
    verbs = [["none", "run the experiment that `+experiment=NAME` names"]]
    verbs += [[f"`{verb}`", re.sub(r": (\w+ \S.*)$", r": `\1`", text)] for verb, text in cli._VERBS.items()]
    options = []
    for action in parser._actions:
        names = ", ".join(action.option_strings)
        if action.metavar:
            names = f"{names} {action.metavar}".strip()
        options.append([f"`{names}`", action.help or ""])
    return COMMANDS_PAGE.format(
        usage=parser.usage,
        verbs=_table(verbs, ["verb", "what it does"]),
        options=_table(options, ["option", "meaning"]),
    )


def with_rivals(text: str) -> str:
    """Return the reference with the class of every method file that is one of ours, by the name of the file."""
    files = sorted((config_dir() / "method").glob("*.yaml"))
    targets = dict.fromkeys(yaml.safe_load(path.read_text("utf-8"))["_target_"] for path in files)
    names = [name for name in targets if name.startswith("baselines.") and "adapters" not in name]
    listed = "```{eval-rst}\n.. autosummary::\n   :toctree: api\n   :nosignatures:\n\n"
    listed += "".join(f"   {name}\n" for name in names) + "```"
    return make_tables.fill(text, "rivals", listed)


def with_assumptions(text: str) -> str:
    """Return the page of the field with what each method assumes, as the first comment of its file has it."""
    rows = []
    for path in sorted((config_dir() / "method").glob("*.yaml")):
        what, found, assumed = path.read_text("utf-8").splitlines()[0].removeprefix("# ").partition("; assumes ")
        if found:
            rows.append([f"`{path.stem}`", what, assumed])
    return make_tables.fill(text, "assumptions", _table(rows, ["method file", "what it does", "what it assumes"]))


def _with_tables(name: str, fill: Callable[[str], str]) -> str:
    return fill((FOLDER / name).read_text("utf-8"))


PAGES: dict[str, Callable[[], str]] = {
    "config.md": config_page,
    "columns.md": columns_page,
    "commands.md": commands_page,
    "house.svg": house_picture,
    "the_field.md": partial(_with_tables, "the_field.md", with_assumptions),
    "reference.md": partial(_with_tables, "reference.md", with_rivals),
    **{name: partial(_with_tables, name, fill) for name, fill in make_tables.PAGES.items()},
    "second_run.md": partial(_with_tables, "second_run.md", make_second_run.second_run_page),
}


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
        rows.append([f"`{prefix}{field.name}`", kind, _default(field, f"{prefix}{field.name}"), meaning or ""])
    return rows


def _default(field: dataclasses.Field[Any], key: str) -> str:
    value = field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default
    if value is MISSING:
        chosen = yaml.safe_load((config_dir() / "config.yaml").read_text("utf-8"))
        return _code(chosen[key]) if key in chosen else "set by the experiment or executor file"
    return _code(value)


def _file_section(path: Path) -> str:
    text = path.read_text("utf-8")
    title = next(line[1:].strip() for line in text.splitlines() if line.startswith("#") and "@package" not in line)
    config = yaml.safe_load(text)
    model = config.pop("model", {})
    config = config.pop("data", config)  # a corpus sets the model too
    target, quick, _ = (config.pop(key, None) for key in ("_target_", "quick", "label"))
    meanings = _schema_meanings(schema.ExecutorConfig) if target is None else _docstring_meanings(target)
    meanings |= dict(re.findall(r"^ *(\w+): .*?  # (.+)$", text, flags=re.MULTILINE))
    lines = [f"### {path.parent.name}={path.stem}\n", f"{title}."]
    if target:
        lines.append(f"Target: `{target}`.")
    if quick:
        lines.append(f"At `scale=quick`: {', '.join(f'`{key}={value}`' for key, value in quick.items())}.")
    rows = _value_rows(config, meanings)
    rows += [[f"`model.{key}`", _code(value), _schema_meanings(schema.Model)[key]] for key, value in model.items()]
    return "\n".join([*lines, "", _table(rows, ["key", "default", "meaning"])])


def _value_rows(config: dict[str, Any], meanings: dict[str, str], prefix: str = "") -> list[list[str]]:
    """Return key, value and meaning; a value that is a specification itself gives one row for each of its keys."""
    rows: list[list[str]] = []
    for key, value in config.items():
        if isinstance(value, dict) and "_target_" in value:
            target = value.pop("_target_")
            rows.append([f"`{prefix}{key}._target_`", _code(target), meanings.get(key, "")])
            rows += _value_rows(value, _docstring_meanings(target), f"{prefix}{key}.")
        else:
            rows.append([f"`{prefix}{key}`", _code(value), meanings.get(key, "")])
    return rows


def _schema_meanings(cls: type) -> dict[str, str]:
    return {row[0].strip("`"): row[3] for row in _schema_rows(cls)}


def _docstring_meanings(target: str) -> dict[str, str]:
    """Return what the docstring of one of our own targets says of each parameter."""
    from numpydoc.docscrape import NumpyDocString  # brings all of Sphinx along, which no other page needs

    module, _, name = target.rpartition(".")
    if module.split(".")[0] not in {"gdmbench", "baselines", "experiments"}:
        return {}  # another project's words, which change with its versions: comments in the file say what matters
    found = getattr(importlib.import_module(module), name)
    meanings: dict[str, str] = {}
    for parameter in NumpyDocString(inspect.getdoc(found) or "")["Parameters"]:
        meaning = " ".join(" ".join(parameter.desc).split())
        there: dict[str, str] = {}
        if meaning.startswith(("See", "As for")):
            for other in re.findall(r"`(?:gdmbench\.)?(\w+)`", meaning):
                there |= _docstring_meanings(f"{found.__module__}.{other}")
        name = parameter.name or parameter.type
        for each in there if name.startswith("**") else name.split(", "):
            meanings[each] = there.get(each, meaning)
    return meanings


def _code(value: Any) -> str:
    text = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{text}`" if text else "empty"


def _table(rows: list[list[str]], head: list[str] | None = None) -> str:
    return make_tables.table(rows, head or ["key", "kind", "default", "meaning"])


if __name__ == "__main__":
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")
