"""The config files there are: names and one line each, read without Hydra so that `--help` is quick."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from gdmbench.runner.plugins import Source, config_dir, missing_package, sources

__all__ = ["config_dir", "nearest", "options", "options_in"]


def options(group: str, extra_dir: Path | None = None) -> dict[str, str]:
    """Return the names of a group's config files, each with the sentence in its first comment and its origin."""
    return options_in(group, sources(extra_dir)[0])


def options_in(group: str, found: list[Source]) -> dict[str, str]:
    """Return the same of folders that have been found already."""
    listed: dict[str, str] = {}
    for source in found:
        for path in sorted((source.folder / group).glob("*.yaml")):
            listed.setdefault(path.stem, _line(path.read_text("utf-8"), source))
    return listed


def _line(config: str, source: Source) -> str:
    comments = [line[1:].strip() for line in config.splitlines() if line.startswith("#")]
    words = [next((comment for comment in comments if not comment.startswith("@")), "")]
    if source.origin:
        words.append(f"(from {source.origin})")
    missing = missing_package(config)
    if missing:
        words.append(f"(can't be imported: there is no package '{missing}')")
    return " ".join(word for word in words if word)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or all of them when none is near."""
    names = list(known)
    close = get_close_matches(word, names, n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(names)}."
