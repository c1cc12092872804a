"""From the words of a command line to a checked config, or one sentence that says what is wrong with them."""

import json
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import InterpolationToMissingValueError, MissingMandatoryValue, OmegaConfBaseException
from yaml import YAMLError

from gdmbench.config.schema import Config, Scale
from gdmbench.config.sources import config_dir, names_in, read_problem, sources
from gdmbench.errors import ConfigError, nearest
from gdmbench.files import typed_path

# Keys whose values are paths or free text: taken as the shell gives them.
_LITERAL = re.compile(r"\+*(data\.path|data\.vocabulary|data_dir|folder|root|name|title|methods\.\w+\.(label|path))")
# Nearly pure documents, distinct topics, small enough for a slow method to fit five times in seconds.
_EASY_CORPUS = ("data.n_docs=300", "data.doc_length=80", "data.n_words=120", "data.n_topics=3", "data.n_heldout=40")

_CHECK_LIMIT = "executor.time_limit=60"  # seconds for one trial: whoever waits for a verdict won't wait for an hour
_CHECK_KEYS = ("seed", "scale", "executor.time_limit", "executor.memory_limit")


def load_config(overrides: list[str], extra_dir: Path | None = None) -> DictConfig:
    """Compose the config of one run and check every key of it.

    Parameters
    ----------
    overrides : list of str
        Hydra overrides as typed, for example ``["+experiment=vary_M", "repetitions=2"]``.
    extra_dir : Path, optional
        A folder of the user's own configs, searched beside the project's.

    Returns
    -------
    DictConfig
        The composed config, interpolations still open: a swept key must reach whatever refers to it.

    Raises
    ------
    ConfigError
        One sentence that names the mistake and the nearest right thing.
    """
    overrides = [_quote_literal(text) for text in overrides]
    parsed = _parse(overrides)
    _check_groups(parsed, extra_dir)
    config = _compose(overrides, parsed, extra_dir)
    if config.scale == Scale.quick:
        _shrink(config, {override.key_or_group for override in parsed})
    _check_references(config)
    _check_keys(config, extra_dir)
    config.folder = str(_results_folder(config))
    return config


def load_check_config(words: list[str], extra_dir: Path | None = None) -> DictConfig:
    """Compose the config of `check`: each method named, at its quick values unless others are typed, on an easy corpus.

    Parameters
    ----------
    words : list of str
        ``method=NAME`` (or ``+method@methods.MINE=NAME``) and overrides of the parameters.
    extra_dir : Path, optional
        The user's own folder of configs.
    """
    overrides = []
    for word in words:
        key, _, name = word.removeprefix("+").partition("=")
        if key == "method":
            known = names_in("method", sources(extra_dir)[0])
            if name not in known:
                raise ConfigError(f"There is no method '{name}': {nearest(name, known)}")
            overrides.append(f"+method@methods.{name}={name}")
        elif key.startswith(("method@", "methods.")) or key in _CHECK_KEYS:
            overrides.append(word)
        else:
            keys = ", ".join(_CHECK_KEYS)
            raise ConfigError(f"check can't use '{word}': it takes method=NAME, methods.NAME.key=value, {keys}.")
    if not any("method@" in word for word in overrides):
        known = names_in("method", sources(extra_dir)[0])
        raise ConfigError(f"Which method? Write check method=NAME; {nearest('', known)}")
    return load_config(["name=check", "scale=quick", _CHECK_LIMIT, *_EASY_CORPUS, *overrides], extra_dir)


def _quote_literal(text: str) -> str:
    """Quote a path or free text for Hydra, which would read spaces, brackets and signs in it as its own language."""
    key, sign, value = text.partition("=")
    plain = value in ("null", "???") or "${" in value or (value[:1] == value[-1:] and value[:1] in ("'", '"'))
    if not sign or not _LITERAL.fullmatch(key) or plain:
        return text
    # In a quoted value only a quote, and backslashes right before one, need a backslash.
    escaped = re.sub(r"(\\*)('|$)", lambda found: found[1] * 2 + ("\\'" if found[2] else ""), value)
    return f"{key}='{escaped}'"


def _parse(overrides: list[str]) -> list[Override]:
    parser = OverridesParser.create()
    parsed = []
    for text in overrides:
        try:
            parsed += parser.parse_overrides([text])
        except HydraException:
            raise ConfigError(
                f"'{text}' is not an override: write key=value, +key=value or ~key, and quote special characters."
            ) from None
    return parsed


def _check_groups(parsed: list[Override], extra_dir: Path | None) -> None:
    found, _ = sources(extra_dir)
    groups = {name.partition("/")[0] for source in found for name in source.files()}
    needed = _dotted(OmegaConf.structured(Config))
    for override in parsed:
        key = override.key_or_group
        if override.is_delete() and key in needed:
            raise ConfigError(f"'{override.input_line}' takes away what every run needs: ~methods.NAME leaves one out.")
        if key not in groups or override.is_delete():
            if "@" in (override.input_line or "").split("=")[0] and key not in groups:
                raise ConfigError(f"There is no config group '{key}': {nearest(key, sorted(groups))}")
            continue
        known = names_in(key, found)
        choice = override.value()
        for name in choice if isinstance(choice, list) else [choice]:
            if str(name) not in known:
                raise ConfigError(f"There is no {key} '{name}': {nearest(str(name), known)}")
        if key in {"experiment", "method"} and not override.is_add():
            raise ConfigError(f"'{override.input_line}' needs a plus in front: write +{override.input_line}")


def _compose(overrides: list[str], parsed: list[Override], extra_dir: Path | None) -> DictConfig:
    ConfigStore.instance().store(name="schema", node=Config)
    register_resolvers()
    folders = [f"file://{source.folder.resolve()}" for source in sources(extra_dir)[0][1:]]
    search = [f"hydra.searchpath={json.dumps(folders, ensure_ascii=False)}"] if folders else []
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(version_base="1.3", config_dir=str(config_dir())):
            return compose("config", overrides=[*search, *overrides])
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(_sentence(error, parsed, extra_dir)) from None
    except (YAMLError, UnicodeDecodeError):
        raise ConfigError(_broken_file(parsed, extra_dir)) from None


def _broken_file(parsed: list[Override], extra_dir: Path | None) -> str:
    """Say which of the config files that a command asks for can't be read, and where."""
    files = {name: path for source in reversed(sources(extra_dir)[0]) for name, path in source.files().items()}
    asked = [f"{override.key_or_group}/{override.value()}" for override in parsed if not override.is_delete()]
    problems = [problem for path in files.values() if (problem := read_problem(path))]
    first = [problem for name in asked if name in files and (problem := read_problem(files[name]))]
    return (first or problems or ["A config file can't be read."])[0]


def register_resolvers() -> None:
    """Make ``${divide:a,b}`` available in configs: the paper sets alpha to 5/K."""
    OmegaConf.register_new_resolver("divide", lambda a, b: a / b, replace=True)


def _sentence(error: Exception, parsed: list[Override], extra_dir: Path | None) -> str:
    """Turn Hydra's message into a sentence about the override it is about."""
    cause = error.__cause__ or error
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
    full_key = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("full_key:")), "")
    if full_key == "experiment" and f"In '{full_key}/" in str(error):
        file = _quoted(str(error))[0]
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
        known = _dotted(_compose([str(g) for g in groups], [], extra_dir)) if typed[0] not in groups else []
        return _unknown(key, known)
    return " ".join(lines)


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


def _dotted(node: Any, prefix: str = "") -> list[str]:
    keys: list[str] = []
    for name in node:
        keys.append(f"{prefix}{name}")
        child = node._get_node(name)
        if isinstance(child, DictConfig) and f"{prefix}{name}" != "quick" and not child._is_none():
            keys += _dotted(child, f"{prefix}{name}.")
    return keys


def _shrink(config: DictConfig, typed: set[str]) -> None:
    """Put the quick values in place, but for keys that the user has typed."""
    plain: Any = OmegaConf.to_container(config)
    shrunk = {"folder": "quick/${name}", **plain["quick"]}
    for name, method in plain["methods"].items():
        shrunk.update({f"methods.{name}.{key}": value for key, value in (method.get("quick") or {}).items()})
    for key, value in shrunk.items():
        above = [key[:end] for end, sign in enumerate(key) if sign == "."]
        if not typed & {key, *above[1:]}:  # a group such as data=NAME, or one of its keys, leaves the rest to be shrunk
            try:
                OmegaConf.update(config, key, value)
            except OmegaConfBaseException as error:
                raise ConfigError(f"quick.{key}={value} can't be set: {str(error).splitlines()[0]}.") from None


def _results_folder(config: DictConfig) -> Path:
    """Return where results go: `folder` below `root`, or where an absolute `folder` says."""
    root, folder = typed_path(config.root), typed_path(config.folder)
    if not folder.is_absolute() and ".." in folder.parts:
        raise ConfigError(f"folder={config.folder} leads out of root={config.root}: give an absolute path for that.")
    return root / folder


def _check_references(config: DictConfig) -> None:
    """Refuse a ${...} that refers to nothing; those of data and methods are looked at where a plan needs them."""
    for key in config:
        if key in ("data", "model", "methods", "quick", "sweep"):
            continue
        try:
            OmegaConf.to_container(OmegaConf.create([config[key]]), resolve=True)
        except (MissingMandatoryValue, InterpolationToMissingValueError):
            continue  # what is missing has a sentence of its own
        except (OmegaConfBaseException, ArithmeticError, TypeError, ValueError) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise ConfigError(f"{key!s} has a ${{...}} that has no value: {reason}.") from None


def _check_name(key: str, name: str) -> None:
    if not name or name in (".", "..") or any(sign in name for sign in "/\\\0\n"):
        raise ConfigError(f"{key}={name!r} is no name for a folder: use letters, digits, - and _.")


def _check_keys(config: DictConfig, extra_dir: Path | None) -> None:
    """Refuse keys the schema does not have: Hydra lets `+typo=1` through."""
    known = _dotted(OmegaConf.structured(Config))
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


def _check_sweep(config: DictConfig) -> None:
    known = _dotted(config)
    if config.sweep.axis not in known:
        raise ConfigError(f"sweep.axis: {_unknown(config.sweep.axis, known)}")
    if not config.sweep["values"]:  # the attribute would be the mapping's method
        raise ConfigError("sweep.values is empty: give at least one value, for example sweep.values=[100,1000].")
    if None in config.sweep["values"]:
        raise ConfigError("sweep.values holds null, which is no value: leave it out.")
