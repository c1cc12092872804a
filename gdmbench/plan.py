"""The plan: an experiment's cells, each a piece of plain data that knows its key and its seeds."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import MissingMandatoryValue, OmegaConfBaseException

from gdmbench.config.targets import arguments, build, identity, locate
from gdmbench.errors import ConfigError

# Goes up when the same specification would no longer give the same record, or when records get other columns. It is a
# part of every key, so that all cells run again.
FORMAT = 2

_PLACES = ("path", "vocabulary", "data_dir")  # arguments of data that say where files lie


def canonical(thing: Any) -> str:
    """Return the one JSON text of plain data, whatever the order of its keys."""
    return json.dumps(thing, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, eq=False)
class Cell:
    """One data specification, one method specification, one repetition."""

    experiment: str
    method: str
    label: str
    axis: str | None
    value: Any
    repetition: int
    seed: int
    data: dict[str, Any]
    params: dict[str, Any]
    content: str | None = None  # a digest of the files that the data come from
    params_content: str | None = None  # the same of a method that reads files

    @cached_property
    def key(self) -> str:
        """Sixteen hexadecimal digits that depend on what the cell computes and on the record format alone."""
        text = canonical([FORMAT, self.seed, self._documents(), self._method(), self.repetition])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def seeds(self) -> tuple[int, int]:
        """Return the seeds of the data and of the method: the same for every method at a point."""
        text = canonical([self.seed, self._documents(), self.repetition])
        entropy = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        data, method = np.random.SeedSequence(entropy).generate_state(2)
        return int(data), int(method)

    def _documents(self) -> Any:
        """What the documents depend on: the arguments of the data, and the content of files in place of their paths."""
        return _by_content(self.data, self.content)

    def _method(self) -> Any:
        """What the method depends on, likewise."""
        return _by_content(self.params, self.params_content)

    def make_data(self, data_dir: str | None = None) -> Any:
        """Make the training and held-out documents; named corpora are looked for in `data_dir`."""
        return build(self.data, "data", random_state=self.seeds()[0], data_dir=data_dir)

    def make_method(self) -> Any:
        """Make the method, not yet fitted; it gets a seed if it takes one and its specification sets none."""
        return build(self.params, f"methods.{self.method}", random_state=self.seeds()[1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True)
class Plan:
    """The cells of an experiment, made one at a time so that a hundred thousand cost nothing to hold."""

    points: list[Cell]  # one for each swept value and method, repetition 0
    repetitions: int

    def __len__(self) -> int:
        return len(self.points) * self.repetitions

    def __iter__(self) -> Iterator[Cell]:
        # Repetitions outermost: a run that is stopped early has something to show everywhere.
        for repetition in range(self.repetitions):
            for point in self.points:
                yield replace(point, repetition=repetition)

    @property
    def labels(self) -> dict[str, str]:
        """What each method is called."""
        return {point.method: point.label for point in self.points}


def make_plan(config: DictConfig) -> Plan:
    """Resolve the config at each swept value and check every specification in it.

    Parameters
    ----------
    config : DictConfig
        As `load_config` gives it.

    Returns
    -------
    Plan
    """
    axis = config.sweep.axis
    config = config.copy()  # in which the swept key gets one value after the other
    _points_at(config, None)  # a mistake in a key that is swept over should not pass for right
    # Not config.sweep.values, which is the mapping's method.
    values: Any = OmegaConf.to_container(config.sweep["values"]) if axis is not None else [None]
    points = [point for value in values for point in _points_at(config, value)]
    seen: dict[str, Cell] = {}
    for point in points:
        twin = seen.setdefault(point.key, point)
        if twin is not point:
            raise ConfigError(
                f"methods.{point.method} at {axis}={point.value} is the same cell as methods.{twin.method} at "
                f"{axis}={twin.value}: remove one of them."
            )
    return Plan(points, config.repetitions)


def _points_at(config: DictConfig, value: Any) -> list[Cell]:
    """Set the swept key to a value; return the cells of repetition 0 there, one for each method."""
    axis = config.sweep.axis
    # A copy takes a third of the time. Only a mapping needs one: it joins the settings that are there, and none of
    # them may be left at the next value.
    at_value = config.copy() if isinstance(value, dict) else config
    try:
        if value is not None:
            OmegaConf.update(at_value, axis, value)
        data: Any = OmegaConf.to_container(at_value.data, resolve=True, throw_on_missing=True)
        methods: Any = OmegaConf.to_container(at_value.methods, resolve=True, throw_on_missing=True)
    except MissingMandatoryValue as error:
        key = error.full_key
        raise ConfigError(f"{key} has no value: give it one on the command line, {key}=VALUE.") from None
    except OmegaConfBaseException as error:
        raise ConfigError(f"The config can't be resolved: {str(error).splitlines()[0]}.") from None
    data_spec = _specification(data, "data")
    _check_data(data_spec)
    content = content_of(data_spec, "data")
    points = []
    for name, spec in methods.items():
        if not isinstance(spec, dict):
            raise ConfigError(f"methods.{name} is not a method: write +method@methods.{name}=NAME.")
        params = _specification(spec, f"methods.{name}")
        _check_topics(params, f"methods.{name}")
        points.append(
            Cell(
                experiment=config.name,
                method=name,
                label=str(spec.get("label") or name),
                axis=axis,
                value=value,
                repetition=0,
                seed=config.seed,
                data=data_spec,
                params=params,
                content=content,
                params_content=content_of(params, f"methods.{name}"),
            )
        )
    return points


def _specification(spec: Mapping[str, Any], where: str) -> dict[str, Any]:
    return {"_target_": spec.get("_target_"), **arguments(spec, where)}


def _check_data(spec: Mapping[str, Any]) -> None:
    """Refuse arguments of data that are out of range before a cell runs into them.

    A function that makes data may have a function `check`, which takes the same arguments, draws nothing and raises a
    ValueError that begins with the name of the argument.
    """
    check = getattr(locate(spec["_target_"], "data"), "check", None)
    if check is not None:
        try:
            check(**{key: value for key, value in spec.items() if key != "_target_"})
        except ValueError as error:
            raise ConfigError(f"data.{error}") from None


def _check_topics(params: Mapping[str, Any], where: str) -> None:
    """Refuse a number of topics that no method could find."""
    number = params.get("n_topics")
    if isinstance(number, int | float) and (number < 1 or number != int(number)):
        raise ConfigError(f"{where}.n_topics must be a whole number of at least 1, not {number}.")


def _by_content(spec: Mapping[str, Any], content: str | None) -> Any:
    """Return what a specification stands for: of files their content counts, not their place."""
    if content is None:
        return identity(spec)
    return {**{key: value for key, value in identity(spec).items() if key not in _PLACES}, "content": content}


def content_of(spec: Mapping[str, Any], where: str) -> str | None:
    """Return the digest of the files that a target reads.

    A class or function that reads files has a function `content(path, vocabulary)`, a static method of a class, which
    gives a digest of the files that these two arguments name, or None where they name none.
    """
    content = getattr(locate(spec["_target_"], where), "content", None)
    if content is None or spec.get("path") is None:
        return None
    digest: str | None = content(spec["path"], spec.get("vocabulary"))
    return digest
