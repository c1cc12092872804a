"""Files beside a file of counts: the words of its columns and the groups of its documents."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.entries import Counts
from gdmbench.data.formats.streams import StrPath, read_text


def vocabulary_beside(path: Path) -> Path | None:
    """Return `vocab.NAME.txt` beside `docword.NAME.txt`, or `vocab.txt` in a folder of parts, where it exists."""
    if path.is_dir() and any(path.glob("*.npz")):
        return path / "vocab.txt" if (path / "vocab.txt").is_file() else None
    return _beside(path, "vocab")


def labels_beside(path: Path) -> Path | None:
    """Return `labels.NAME.txt` beside `docword.NAME.txt`, where it exists."""
    return _beside(path, "labels")


def _beside(path: Path, what: str) -> Path | None:
    if not path.name.startswith("docword."):
        return None
    beside = path.with_name(f"{what}.{path.name.removeprefix('docword.').removesuffix('.gz')}")
    return beside if beside.is_file() else None


def read_labels(path: StrPath, counts: Counts, encoding: str = "utf-8", sha256: str | None = None) -> NDArray[Any]:
    """Return the group of each document that has words, from a file whose line n has the group of document n."""
    labels = [line.strip() for line in read_text(path, encoding, sha256).rstrip().split("\n")]
    if "" in labels:
        number = labels.index("") + 1
        raise CorpusError(f"{path}, line {number}: there is no group here; give the group of a document on every line.")
    if len(labels) != counts.n_rows:
        raise CorpusError(
            f"{path}, line {min(len(labels), counts.n_rows) + 1}: The file has the groups of {len(labels)} documents, "
            f"but there are {counts.n_rows}; give one line for each."
        )
    return np.array(labels, dtype=object)[counts.rows - 1]
