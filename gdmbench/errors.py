"""Mistakes and failures that the command line answers with one sentence, and the words for such sentences."""

from collections.abc import Iterable
from difflib import get_close_matches


class ConfigError(Exception):
    """A mistake in what the user asked for: the command line prints the sentence and exits with 2."""


class DataError(ConfigError):
    """A corpus that is not there or can't be read."""


class RunError(Exception):
    """Something that ends a run before its time: the command line prints the sentence and exits with 3."""


def one_line(error: object, limit: int = 400) -> str:
    """Return the text of an error on one line; of a text above a number of letters only the beginning and the end."""
    text = " ".join(str(error).split())
    if len(text) <= limit:
        return text
    return f"{text[: limit * 2 // 3]} … {text[len(text) - limit // 3 :]}"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or all of them when none is near."""
    names = list(known)
    close = [name for name in names if name.lower() == word.lower()]
    close = close or get_close_matches(word, names, n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(names)}."
