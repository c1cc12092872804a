"""What a `_target_` names: find it, check its arguments before anything runs, call it."""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from gdmbench.runner.errors import ConfigError
from gdmbench.runner.listing import nearest

RESERVED = {"_target_", "label", "quick"}
# Methods read these from the data config; a real corpus has no use for them itself.
_MODEL_SETTINGS = {"n_topics", "alpha", "eta"}


def locate(target: str, where: str) -> Callable[..., Any]:
    """Import what a dotted name such as ``gdmbench.GDM`` refers to."""
    module, _, name = str(target).rpartition(".")
    try:
        found = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        hint = "install it, or put its folder on PYTHONPATH"
        raise ConfigError(f"{where}._target_={target} can't be imported: {error} ({hint}).") from None
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"{where}._target_={target} can't be imported: {error}.") from None
    except Exception as error:  # somebody else's package may fail in any way
        sentence = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise ConfigError(f"{where}._target_={target} can't be imported: {sentence}.") from None
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
    parameters = parameters_of(target)
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return given
    if where == "data":
        given = {k: v for k, v in given.items() if k in parameters or k not in _MODEL_SETTINGS}
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


def build(spec: Mapping[str, Any], where: str, random_state: int) -> Any:
    """Call the target of a specification, with `random_state` where it takes one and none is given."""
    given = arguments(spec, where)
    target = locate(spec["_target_"], where)
    if "random_state" in parameters_of(target):
        given.setdefault("random_state", random_state)
    return target(**given)


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
    if origin in (tuple, list):
        return isinstance(value, list | tuple)
    if inspect.isclass(hint) and getattr(hint, "__module__", "").split(".")[0] in {"numpy", "scipy"}:
        return isinstance(value, list)
    return True
