"""What a `_target_` names: find it, check its arguments before anything runs, call it."""

import inspect
import math
import os
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gdmbench import suite
from gdmbench.errors import ConfigError, nearest, one_line

RESERVED = {"_target_", "label", "quick", "instead"}  # none of them an argument


def locate(target: str, where: str) -> Callable[..., Any]:
    """Import what a dotted name such as ``gdmbench.GDM`` refers to."""
    try:
        found = suite.find(str(target))
    except ModuleNotFoundError as error:
        hint = "install it, or put its folder on PYTHONPATH"
        raise ConfigError(f"{where}._target_={target} can't be imported: {error} ({hint}).") from None
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"{where}._target_={target} can't be imported: {error}.") from None
    except Exception as error:  # somebody else's package may fail in any way
        raise ConfigError(
            f"{where}._target_={target} can't be imported: {type(error).__name__}: {one_line(error)}."
        ) from None
    if not callable(found):
        raise ConfigError(f"{where}._target_={target} is not a class or function.")
    return typing.cast(Callable[..., Any], found)


def arguments(spec: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the arguments of a specification, checked by name and kind against its target's signature.

    Parameters
    ----------
    spec : mapping
        `_target_` and arguments, as in a data or method file.
    where : str
        The config key of the specification, for messages.
    """
    if "_target_" not in spec:
        raise ConfigError(f"{where} has no _target_: name the class or function, for example gdmbench.GDM.")
    target = locate(spec["_target_"], where)
    given = {key: value for key, value in spec.items() if key not in RESERVED}
    for key, value in given.items():
        if not _is_finite(value):
            raise ConfigError(f"{where}.{key}={value} is not a finite number: give one.")
    parameters = parameters_of(target)
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return given
    hints = _hints(target)
    for key, value in given.items():
        if key not in parameters:
            names = [f"{where}.{name}" for name in parameters if name != "random_state"]
            raise ConfigError(f"There is no config key '{where}.{key}': {nearest(f'{where}.{key}', names)}")
        if key in hints and not _fits(value, hints[key]):
            kind = getattr(hints[key], "__name__", None) or str(hints[key])
            raise ConfigError(f"{where}.{key}={value!r} is of the wrong kind: it must be {kind}.")
    for key, parameter in parameters.items():
        optional = parameter.default is not parameter.empty or parameter.kind is parameter.VAR_POSITIONAL
        if not optional and key not in given and key != "random_state":
            raise ConfigError(f"{where}.{key} is needed by {spec['_target_']} and has no value.")
    return given


def build(spec: Mapping[str, Any], where: str, **offered: Any) -> Any:
    """Call the target of a specification.

    Parameters
    ----------
    spec : mapping
        `_target_` and arguments. An argument that is a specification itself is built first.
    where : str
        The config key of the specification, for messages.
    **offered
        Arguments that the target gets if it takes them and the specification does not give them: a `random_state`.
    """
    given = arguments(spec, where)
    target = locate(spec["_target_"], where)
    parameters = parameters_of(target)
    for name, value in given.items():
        if isinstance(value, Mapping) and "_target_" in value:
            given[name] = build(value, f"{where}.{name}", **offered)
    for name, value in offered.items():
        if name in parameters and value is not None:
            given.setdefault(name, value)
    return target(**given)


def identity(spec: Any) -> Any:
    """Return a specification with its targets named by what they are, not by where their code lies.

    A class or function of the suite goes by its own name, so that moving it changes no key and no seed. One from
    elsewhere goes by its package and name.
    """
    if isinstance(spec, Mapping):
        return {key: _name_of(value) if key == "_target_" else identity(value) for key, value in spec.items()}
    if isinstance(spec, list | tuple):
        return [identity(part) for part in spec]
    return spec


def _name_of(target: str) -> str:
    package, _, rest = str(target).partition(".")
    name = rest.rpartition(".")[2] or package
    return name if package in suite.OWN_PACKAGES else f"{package}:{name}"


def parameters_of(target: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a class or function; one that can't tell takes anything."""
    try:
        return inspect.signature(target).parameters
    except ValueError:  # a compiled class: let it judge its arguments itself
        return {"arguments": inspect.Parameter("arguments", inspect.Parameter.VAR_KEYWORD)}


def _hints(target: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(target.__init__ if inspect.isclass(target) else target)
    except (NameError, TypeError):  # annotations that only a type checker can read
        return {}


def _is_finite(value: Any) -> bool:
    """Tell whether neither a value nor what is in it is NaN or infinite, for which records have no form."""
    if isinstance(value, Mapping):
        return all(map(_is_finite, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def _fits(value: Any, hint: Any) -> bool:
    """Tell whether a config value can be of the annotated type; what we can't judge fits."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, option) for option in typing.get_args(hint))
    if origin is typing.Literal:
        return value in typing.get_args(hint)
    if hint is None or hint is type(None):
        return value is None
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint in (bool, str):
        return isinstance(value, hint)
    if origin in (tuple, list, Sequence):
        return isinstance(value, list | tuple)
    if origin is os.PathLike:
        return False  # a config has paths as text
    if inspect.isclass(hint) and getattr(hint, "__module__", "").split(".")[0] in {"numpy", "scipy"}:
        return isinstance(value, list)
    return True
