"""Checks of numbers that users pass: one sentence that names the parameter and says what it must be."""

import math
from numbers import Integral, Real
from typing import Any


def check_whole(name: str, value: Any, least: int = 1) -> None:
    """Refuse what is not a whole number of at least `least`; True and False are no numbers here.

    Examples
    --------
    >>> check_whole("n_topics", 5)
    >>> check_whole("n_topics", True)
    Traceback (most recent call last):
        ...
    ValueError: n_topics must be a whole number of at least 1, not True.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}.")


def check_positive(name: str, value: Any) -> None:
    """Refuse what is not a finite number above 0; True and False are no numbers here.

    Examples
    --------
    >>> check_positive("alpha", 0.1)
    >>> check_positive("alpha", 0)
    Traceback (most recent call last):
        ...
    ValueError: alpha must be a positive number, not 0.
    """
    if not is_number(value) or value <= 0:
        raise ValueError(f"{name} must be a positive number, not {value!r}.")


def check_at_least(name: str, value: Any, least: float) -> None:
    """Refuse what is not a finite number of at least `least`; True and False are no numbers here."""
    if not is_number(value) or value < least:
        raise ValueError(f"{name} must be a number of at least {least:g}, not {value!r}.")


def is_number(value: Any) -> bool:
    """Tell whether a value is a finite real number; True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
