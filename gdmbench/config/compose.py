"""From the words of a command line to a checked config."""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException
from yaml import YAMLError

from gdmbench.config.mistakes import (
    broken_file,
    check_chosen_data,
    check_groups,
    check_keys,
    check_references,
    check_swept,
    sentence_of,
)
from gdmbench.config.schema import Config, Scale
from gdmbench.config.sources import config_dir, names_in, sources
from gdmbench.errors import ConfigError, nearest, one_line
from gdmbench.files import typed_path

# Keys whose values are paths or free text: taken as the shell gives them.
_LITERAL = re.compile(r"\+*(data\.path|data\.vocabulary|data_dir|folder|root|name|title|methods\.\w+\.(label|path))")
# Nearly pure documents, distinct topics, small enough for a slow method to fit five times in seconds.
_EASY_CORPUS = ("data.n_docs=300", "data.doc_length=80", "data.n_words=120", "data.n_topics=3", "data.n_heldout=40")

_CHECK_LIMIT = "executor.time_limit=60"  # seconds for one trial: whoever waits for a verdict won't wait for an hour
_CHECK_KEYS = ("seed", "scale", "executor.time_limit", "executor.memory_limit")


def load_config(overrides: list[str], extra_dir: Path | None = None, part_of: Sequence[str] = ()) -> DictConfig:
    """Compose the config of one run and check every key of it.

    Parameters
    ----------
    overrides : list of str
        Hydra overrides as typed, for example ``["+experiment=vary_M", "repetitions=2"]``.
    extra_dir : Path, optional
        A folder of the user's own configs, searched beside the project's.
    part_of : sequence of str
        The words by which an experiment names this part of it, before those that were typed.

    Returns
    -------
    DictConfig
        The composed config, interpolations still open: a swept key must reach whatever refers to it.

    Raises
    ------
    ConfigError
        One sentence that names the mistake and the nearest right thing.
    """
    typed = _parse([_quote_literal(text) for text in overrides])
    words = [_quote_literal(text) for text in [*part_of, *overrides]]
    parsed = _parse(words)
    check_groups(parsed, extra_dir)
    config = _compose(words, parsed, extra_dir)
    if config.scale == Scale.quick:
        _shrink(config, {override.key_or_group for override in typed})
    check_chosen_data(config, parsed)
    check_references(config)
    check_keys(config, extra_dir)
    check_swept(config, parsed)
    config.folder = str(_results_folder(config))
    config.title = config.title  # which may name sizes of the data: it goes into files that stand alone
    return config


def saved_config(folder: Path) -> DictConfig:
    """Return the config that a run has left in its results folder."""
    _register()
    path = folder / "config.yaml"
    try:
        config = OmegaConf.merge(OmegaConf.structured(Config), OmegaConf.load(path))
    except (OSError, ValueError, YAMLError, OmegaConfBaseException) as error:
        raise ConfigError(f"{path} can't be read: {one_line(error)}.") from None
    assert isinstance(config, DictConfig)
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


def _compose(overrides: list[str], parsed: list[Override], extra_dir: Path | None) -> DictConfig:
    _register()
    folders = [f"file://{source.folder.resolve()}" for source in sources(extra_dir)[0][1:]]
    search = [f"hydra.searchpath={json.dumps(folders, ensure_ascii=False)}"] if folders else []
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(version_base="1.3", config_dir=str(config_dir())):
            return compose("config", overrides=[*search, *overrides])
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(sentence_of(error, parsed, lambda groups: _compose(groups, [], extra_dir))) from None
    except (YAMLError, UnicodeDecodeError):
        raise ConfigError(broken_file(parsed, extra_dir)) from None


@cache
def _register() -> None:
    """Make known the schema, and ``${divide:a,b}`` in configs: the paper sets alpha to 5/K."""
    ConfigStore.instance().store(name="schema", node=Config)
    OmegaConf.register_new_resolver("divide", lambda a, b: a / b, replace=True)


def _shrink(config: DictConfig, typed: set[str]) -> None:
    """Put the quick values in place, but for keys that the user has typed; an experiment's override its methods'."""
    plain: Any = OmegaConf.to_container(config)
    shrunk = {"folder": "quick/${name}"}
    for name, method in plain["methods"].items():
        shrunk.update({f"methods.{name}.{key}": value for key, value in (method.get("quick") or {}).items()})
    shrunk.update(plain["quick"])
    for key, value in shrunk.items():
        above = [key[:end] for end, sign in enumerate(key) if sign == "."]
        if not typed & {key, *above[1:]}:  # a group such as data=NAME, or one of its keys, leaves the rest to be shrunk
            try:
                OmegaConf.update(config, key, value)
            except (ConfigAttributeError, ConfigKeyError):
                group = key.partition(".")[0]
                raise ConfigError(
                    f"{config.name} can't be run at scale=quick with this {group}: it shrinks {key}, which is not "
                    f"there. Choose other {group}, or another experiment."
                ) from None
            except OmegaConfBaseException as error:
                raise ConfigError(f"quick.{key}={value} can't be set: {str(error).splitlines()[0]}.") from None


def _results_folder(config: DictConfig) -> Path:
    """Return where results go: `folder` below `root`, or where an absolute `folder` says."""
    root, folder = typed_path(config.root), typed_path(config.folder)
    if not folder.is_absolute() and ".." in folder.parts:
        raise ConfigError(f"folder={config.folder} leads out of root={config.root}: give an absolute path for that.")
    return root / folder
