"""The config files there are: the project's own, the user's, and those that installed packages register.

They are found and listed without Hydra and without importing anything, so that `--help` is quick.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gdmbench.errors import ConfigError, one_line

# A package joins with an entry point of this group whose value is a package folder that holds `method/NAME.yaml`.
GROUP = "gdmbench.conf"

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Source:
    """A folder of configs and whose it is (nothing for the project's own)."""

    folder: Path
    origin: str = ""

    def files(self) -> dict[str, Path]:
        """Return the config files as ``group/name``."""
        return {f"{path.parent.name}/{path.stem}": path for path in sorted(self.folder.glob("*/*.yaml"))}


def config_dir() -> Path:
    """Return the project's folder of configs: the packaged one of a wheel, else the top-level one of a clone."""
    packaged = _PACKAGE / "conf"
    return packaged if packaged.is_dir() else _PACKAGE.parent / "conf"


def sources(extra_dir: Path | None = None) -> tuple[list[Source], list[str]]:
    """Find every folder of configs, importing nothing.

    Parameters
    ----------
    extra_dir : Path, optional
        The user's own folder.

    Returns
    -------
    found : list of Source
        In the order in which they are searched: the project's, the user's, those of packages.
    problems : list of str
        A sentence for each registered folder or file that can't be used.
    """
    found = [Source(config_dir())]
    if extra_dir is not None:
        found.append(Source(extra_dir, str(extra_dir)))
        hidden = _hidden(found)
        if hidden:
            raise ConfigError(f"{extra_dir / hidden[0]}.yaml has the name of a config of gdmbench: give it another.")
    problems = []
    for point in registered(tuple(sys.path)):
        try:
            source = Source(_folder(point.module), _origin(point))
        except (ImportError, ValueError) as error:
            problems.append(f"{_origin(point)} registers the configs '{point.value}', which can't be imported: {error}")
            continue
        found.append(source)
        if not source.files():
            problems.append(f"{_origin(point)} registers the configs '{point.value}', but there is no method/*.yaml")
        problems += [
            f"{name}.yaml of {source.origin} has the name of a config found before it and is left out"
            for name in _hidden(found)
        ]
    return found, problems


@cache
def registered(places: tuple[str, ...]) -> list[EntryPoint]:
    """Return what installed packages register, found once: a run asks for each of its parts.

    Parameters
    ----------
    places : tuple of str
        ``sys.path``, in which they are searched.
    """
    return sorted(entry_points(group=GROUP), key=lambda point: (_origin(point), point.name))


def options(group: str, found: list[Source]) -> dict[str, str]:
    """Return the names of a group's config files, each with the sentence in its first comment and its origin."""
    listed: dict[str, str] = {}
    for path, source in _files_of(group, found):
        problem = read_problem(path)
        listed.setdefault(path.stem, problem or _line(path.read_text("utf-8"), source))
    return listed


def names_in(group: str, found: list[Source]) -> list[str]:
    """Return the names alone, for which no file has to be read."""
    return list(dict.fromkeys(path.stem for path, _ in _files_of(group, found)))


def contents_in(group: str, found: list[Source]) -> dict[str, dict[str, Any]]:
    """Return what each file of a group says, as plain data; files that can't be read say nothing."""
    import yaml

    listed: dict[str, dict[str, Any]] = {}
    for path, _ in _files_of(group, found):
        says = yaml.safe_load(path.read_text("utf-8")) if read_problem(path) is None else None
        listed.setdefault(path.stem, says if isinstance(says, dict) else {})
    return listed


def _files_of(group: str, found: list[Source]) -> Iterator[tuple[Path, Source]]:
    for source in found:
        for path in sorted((source.folder / group).glob("[!_]*.yaml")):  # what others share begins with _
            yield path, source


def _line(config: str, source: Source) -> str:
    comments = [line[1:].strip() for line in config.splitlines() if line.startswith("#")]
    words = [next((comment for comment in comments if not comment.startswith("@")), "")]
    if source.origin:
        words.append(f"(from {source.origin})")
    missing = missing_package(config)
    if missing:
        words.append(f"(can't be imported: there is no package '{missing}')")
    return " ".join(word for word in words if word)


def read_problem(path: Path) -> str | None:
    """Return a sentence with file and line if a config file can't be read, else None."""
    import yaml

    try:
        yaml.safe_load(path.read_text("utf-8"))
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        return f"{path}, line {line}, is not in UTF-8: save the file in that encoding."
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}, line {mark.line + 1}," if mark else f"{path}"
        what = getattr(error, "problem", None) or one_line(error)
        return f"{where} is no valid YAML: {what}."
    return None


def missing_package(config: str) -> str | None:
    """Return the package that a config file's `_target_` needs, if it is not there; nothing is imported."""
    targets = [line.partition(":")[2].strip() for line in config.splitlines() if line.startswith("_target_:")]
    package = targets[0].partition(".")[0] if targets else ""
    try:
        return None if not package or find_spec(package) else package
    except ValueError:  # a module without a specification is there already
        return None


def _hidden(found: list[Source]) -> list[str]:
    """Return the configs of the last source that an earlier one hides: same name, other content."""
    earlier = {name: path for source in reversed(found[:-1]) for name, path in source.files().items()}
    last = found[-1].files()
    return [name for name in last if name in earlier and earlier[name].read_bytes() != last[name].read_bytes()]


def _origin(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.name


def _folder(package: str) -> Path:
    """Return a package's folder without importing it or what it lies in, which may import anything."""
    top, *rest = package.split(".")
    spec = find_spec(top)
    if spec is None:
        raise ModuleNotFoundError(f"there is no package '{top}'")
    for place in spec.submodule_search_locations or ():
        folder = Path(place, *rest)
        if folder.is_dir():
            return folder
    raise ModuleNotFoundError(f"there is no package '{package}'")
