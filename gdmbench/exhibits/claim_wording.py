"""What the words of a claim mean: which mean is meant, and by what factor things that are alike may differ.

Claims are judged under one reading, the default. Others show whether the verdict depends on it: `read_as` sets one for
whatever is judged inside it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

Average = Literal["geometric", "arithmetic", "median"]


@dataclass(frozen=True)
class Reading:
    """One way to read the words of claims.

    Attributes
    ----------
    average : {"geometric", "arithmetic", "median"}
        What stands for the repetitions at one swept value.
    limit : float or None
        The factor within which things are "almost identical", "comparable" or "similar", in place of the factor that
        each claim has for its own word.
    """

    average: Average = "geometric"
    limit: float | None = None


READINGS = {
    **{f"limit {limit:g}": Reading(limit=limit) for limit in (1.1, 1.25, 1.5, 2.0)},
    "arithmetic means": Reading(average="arithmetic"),
    "medians": Reading(average="median"),
}

_DEFAULT = Reading()
_current: ContextVar[Reading] = ContextVar("reading", default=_DEFAULT)


@contextmanager
def read_as(reading: Reading) -> Iterator[None]:
    """Read the words of claims in this way inside the context."""
    token = _current.set(reading)
    try:
        yield
    finally:
        _current.reset(token)


def average() -> Average:
    """Return the mean that is meant."""
    return _current.get().average


def limit_of(own: float) -> float:
    """Return the factor for a word whose own factor is this."""
    other = _current.get().limit
    return own if other is None else other
