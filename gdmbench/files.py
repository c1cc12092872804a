"""Paths as people type them, and files of which nobody ever sees half: written aside, then renamed over the old one."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def typed_path(text: str | os.PathLike[str]) -> Path:
    """Return a path with ~ at its beginning replaced; a user's home that is not known stays as it was typed."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary sibling of ``path`` to write to; rename it to ``path`` if the block succeeds.

    The folder is made if it is missing. The sibling keeps the suffix, since writers such as matplotlib
    choose the format by it. When the block raises, the sibling is removed and ``path`` stays as it was.

    Examples
    --------
    >>> with atomic_path("figure.pdf") as aside:  # doctest: +SKIP
    ...     figure.savefig(aside)
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = target.with_name(f".{target.stem}.{secrets.token_hex(4)}{target.suffix}")
    try:
        yield aside
        _flush_to_disk(aside)
        os.replace(aside, target)
    finally:
        aside.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary folder beside ``path`` to fill; rename it to ``path`` if the block succeeds.

    When the block raises, the temporary folder is removed.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    aside.mkdir()
    try:
        yield aside
        for file in aside.iterdir():
            _flush_to_disk(file)
        os.replace(aside, target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def atomic_write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write ``text`` to ``path`` as UTF-8 with Unix line ends: the whole of it or nothing."""
    with atomic_path(path) as aside:
        aside.write_text(text, encoding="utf-8", newline="\n")


def _flush_to_disk(path: Path) -> None:
    # Without this a power cut soon after the rename can leave the new name with empty contents.
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
