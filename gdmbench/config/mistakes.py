"""Mistakes in a command or a config, each told in one sentence that names it and the nearest right thing."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import InterpolationToMissingValueError, MissingMandatoryValue, OmegaConfBaseException

from gdmbench.config.schema import Config
from gdmbench.config.sources import Source, contents_in, names_in, read_problem, sources
from gdmbench.config.targets import RESERVED, locate, parameters_of
from gdmbench.errors import ConfigError, nearest


def check_groups(parsed: list[Override], extra_dir: Path | None) -> None:
    """Refuse overrides that name a group or a config file that is not there, or take away what every run needs."""
    found, _ = sources(extra_dir)
    files = {name for source in found for name in source.files()}
    groups = {name.partition("/")[0] for name in files}
    needed = _keys_of_the_schema()
    for override in parsed:
        key = override.key_or_group
        if override.is_delete() and key in needed:
            raise ConfigError(f"'{override.input_line}' takes away what every run needs: ~methods.NAME leaves one out.")
        if key not in groups or override.is_delete():
            if "@" in (override.input_line or "").split("=")[0] and key not in groups:
                raise ConfigError(f"There is no config group '{key}': {nearest(key, sorted(groups))}")
            continue
        choice = override.value()
        for name in choice if isinstance(choice, list) else [choice]:
            if f"{key}/{name}" not in files:
                whole = _whole_of(str(name), found) if key == "experiment" else None
                if whole:
                    raise ConfigError(f"'{name}' is a part of the experiment '{whole}': write +experiment={whole}.")
                raise ConfigError(f"There is no {key} '{name}': {nearest(str(name), names_in(key, found))}")
        if key in {"experiment", "method"} and not override.is_add():
            raise ConfigError(f"'{override.input_line}' needs a plus in front: write +{override.input_line}")


def _whole_of(part: str, found: list[Source]) -> str | None:
    """Return the name of the experiment whose file has a variant of this name among its parts."""
    for whole, file in contents_in("experiment", found).items():
        if any(isinstance(each, dict) and part in each for each in file.get("parts") or ()):
            return whole
    return None


def check_references(config: DictConfig) -> None:
    """Refuse a ${...} that refers to nothing; those of data and methods are looked at where a plan needs them."""
    for key in config:
        if key in ("data", "model", "methods", "parts", "quick", "sweep"):
            continue
        try:
            OmegaConf.to_container(OmegaConf.create([config[key]]), resolve=True)
        except (MissingMandatoryValue, InterpolationToMissingValueError):
            continue  # what is missing has a sentence of its own
        except (OmegaConfBaseException, ArithmeticError, TypeError, ValueError) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise ConfigError(f"{key!s} has a ${{...}} that has no value: {reason}.") from None


def check_keys(config: DictConfig, extra_dir: Path | None) -> None:
    """Refuse keys that the schema lacks, which Hydra lets through as `+typo=1`, and what leaves nothing to run."""
    known = _keys_of_the_schema()
    free = ("data.", "methods.", "quick.")  # checked against the signatures of their targets, or overrides themselves
    for key in _dotted(config):
        if key not in known and not key.startswith(free):
            others = [other for other in _dotted(config) if not other.startswith(key)]
            raise ConfigError(_unknown(key, [*dict.fromkeys([*known, *others]), "experiment"]))
    if OmegaConf.is_missing(config, "name"):
        raise ConfigError(
            f"Which experiment? Add +experiment=NAME; {nearest('', names_in('experiment', sources(extra_dir)[0]))}"
        )
    _check_name("name", config.name)
    for name in config.methods:
        _check_name("methods", str(name))
    if not config.methods and not config.parts:
        raise ConfigError("There is no method to run: add one with +method@methods.gdm=gdm.")
    if config.sweep.axis is not None:
        _check_sweep(config)
    if config.repetitions < 1:
        raise ConfigError(f"repetitions={config.repetitions} leaves nothing to run: it must be at least 1.")


def check_chosen_data(config: DictConfig, parsed: list[Override]) -> None:
    """Refuse data that were chosen by name and do not take what the experiment sets or sweeps."""
    words = {override.key_or_group: override.input_line for override in parsed}
    if "data" not in words or "_target_" not in config.data:
        return
    parameters = parameters_of(locate(config.data._target_, "data"))
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return
    known = {f"data.{key}" for key in {*parameters, *RESERVED}}
    for key in [*(f"data.{key}" for key in config.data), config.sweep.axis or ""]:
        if key.startswith("data.") and key not in known | words.keys():
            raise ConfigError(
                f"{config.name} can't be run with {words['data']}: it sets {key}, which these data do not take. "
                "Choose other data, or another experiment."
            )


def check_swept(config: DictConfig, parsed: list[Override]) -> None:
    """Refuse to set what the experiment sweeps, as its values would replace what was typed."""
    axis = config.sweep.axis
    if axis is None:
        return
    values = config.sweep["values"]
    parts = [{f"{axis}.{key!s}" for key in value} if isinstance(value, DictConfig) else {axis} for value in values]
    swept = set.intersection(*parts)
    for override in parsed:
        if override.key_or_group in swept and not override.is_delete():
            key, _, value = (override.input_line or "").lstrip("+").partition("=")
            instead = f"set sweep.values=[{value}] instead" if key == axis else "set it in sweep.values instead"
            raise ConfigError(f"{key} is swept by {config.name}: {instead}.")


def _check_name(key: str, name: str) -> None:
    if not name or name in (".", "..") or any(sign in name for sign in "/\\\0\n"):
        raise ConfigError(f"{key}={name!r} is no name for a folder: use letters, digits, - and _.")


def _check_sweep(config: DictConfig) -> None:
    known = _dotted(config)
    if config.sweep.axis not in known:
        raise ConfigError(f"sweep.axis: {_unknown(config.sweep.axis, known)}")
    if not config.sweep["values"]:  # the attribute would be the mapping's method
        raise ConfigError("sweep.values is empty: give at least one value, for example sweep.values=[100,1000].")
    if None in config.sweep["values"]:
        raise ConfigError("sweep.values holds null, which is no value: leave it out.")


def sentence_of(error: Exception, parsed: list[Override], compose: Callable[[list[str]], DictConfig]) -> str:
    """Turn Hydra's error into a sentence on the override that caused it.

    `compose` gives the config of the groups alone, whose keys are those that may have been meant.
    """
    cause = error.__cause__ or error
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
    full_key = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("full_key:")), "")
    asked = [f"experiment/{o.value()}" for o in parsed if o.key_or_group == "experiment" and not o.is_delete()]
    if full_key == "experiment" and asked:
        # Hydra names the file, or the last of its defaults.
        file = next((name for name in _quoted(str(error)) if name.startswith("experiment/")), asked[0])
        return f"{file}.yaml must begin with the line '# @package _global_': add it, so that it can set every key."
    typed = [o for o in parsed if o.key_or_group and o.key_or_group in {full_key, *_quoted(str(error))}]
    if not typed:
        typed = [o for o in parsed if full_key and o.key_or_group.startswith(full_key)]
    wrong_kind = ("Invalid value", "Invalid type", *(["not be converted"] if typed else []))
    if (typed or parsed) and any(words in lines[0] for words in wrong_kind):
        return f"'{(typed or parsed)[0].input_line}' has a value of the wrong kind: {lines[0].rstrip('.')}."
    if typed:
        key = typed[0].key_or_group
        groups = [o.input_line for o in parsed if "@" in str(o.input_line) or o.key_or_group in {"experiment", "data"}]
        return _unknown(key, _dotted(compose([str(g) for g in groups])))
    return " ".join(lines)


def broken_file(parsed: list[Override], extra_dir: Path | None) -> str:
    """Say which of the config files that a command asks for can't be read, and where."""
    files = {name: path for source in reversed(sources(extra_dir)[0]) for name, path in source.files().items()}
    asked = [f"{override.key_or_group}/{override.value()}" for override in parsed if not override.is_delete()]
    problems = [problem for path in files.values() if (problem := read_problem(path))]
    first = [problem for name in asked if name in files and (problem := read_problem(files[name]))]
    return (first or problems or ["A config file can't be read."])[0]


def _unknown(key: str, known: list[str]) -> str:
    """Say that there is no such key, and which one may have been meant: one of that name elsewhere, else a sibling."""
    parent, _, last = key.rpartition(".")
    elsewhere = [name for name in known if name.rpartition(".")[2] == last and not name.startswith("methods.")]
    if elsewhere:
        return f"There is no config key '{key}': did you mean '{elsewhere[0]}'?"
    siblings = {name.rpartition(".")[2]: name for name in known if name.rpartition(".")[0] == parent}
    close = get_close_matches(last, siblings, n=1, cutoff=0.6)
    hint = f"did you mean '{siblings[close[0]]}'?" if close else f"there are: {', '.join(siblings.values() or known)}."
    return f"There is no config key '{key}': {hint}"


def _quoted(text: str) -> list[str]:
    return text.split("'")[1::2]


@cache
def _keys_of_the_schema() -> list[str]:
    return _dotted(OmegaConf.structured(Config))


def _dotted(node: DictConfig) -> list[str]:
    """Return the dotted names of all keys of a config; those in `quick` are overrides, not keys."""
    return list(_keys_below(OmegaConf.to_container(node), ""))


def _keys_below(mapping: Any, prefix: str) -> Iterator[str]:
    for name, value in mapping.items():
        yield f"{prefix}{name}"
        if isinstance(value, dict) and f"{prefix}{name}" != "quick":
            yield from _keys_below(value, f"{prefix}{name}.")
