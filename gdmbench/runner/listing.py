"""The config files there are: names and one line each, read without Hydra so that `--help` is quick."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def config_dir() -> Path:
    """Return the folder of configs: the packaged one of a wheel, else the top-level one of a clone."""
    packaged = _PACKAGE / "conf"
    return packaged if packaged.is_dir() else _PACKAGE.parent / "conf"


def options(group: str, extra_dir: Path | None = None) -> dict[str, str]:
    """Return the names of a group's config files, each with the sentence in its first comment."""
    found = {}
    for root in [config_dir(), *([extra_dir] if extra_dir else [])]:
        for path in sorted((root / group).glob("*.yaml")):
            comments = [line[1:].strip() for line in path.read_text("utf-8").splitlines() if line.startswith("#")]
            found[path.stem] = next((c for c in comments if not c.startswith("@")), "")
    return found


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or all of them when none is near."""
    names = list(known)
    close = get_close_matches(word, names, n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(names)}."
