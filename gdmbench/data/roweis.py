"""Sam Roweis' counts of NIPS volumes 0 to 12: from the MATLAB file that he publishes to the files that we read."""

import gzip
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.download import cache_folder, download
from gdmbench.data.formats.streams import StrPath
from gdmbench.data.named import NIPS12_URL, data_folder, files_of
from gdmbench.errors import one_line
from gdmbench.files import atomic_path, typed_path


def make_nips12(source: StrPath | None = None, data_dir: StrPath | None = None) -> list[Path]:
    """Write `docword.nips12.txt.gz` and `vocab.nips12.txt` from `nips12raw_str602.mat`.

    Parameters
    ----------
    source : path or None
        The MATLAB file; None: it is downloaded.
    data_dir : path or None
        Where to write; None: the folder that GDMBENCH_DATA names, else the user's cache, where the corpus is found too.

    Returns
    -------
    list of Path
    """
    folder = data_folder(data_dir) or cache_folder()
    counts, words = _read(_downloaded() if source is None else typed_path(source))
    written = []
    for file, text in zip(files_of("nips12"), (_docword(counts), "\n".join(words) + "\n"), strict=True):
        content = text.encode()
        if hashlib.sha256(content).hexdigest() != file.sha256:
            raise CorpusError(f"{source or NIPS12_URL} holds another {file.name} than was published: fetch it again.")
        with atomic_path(folder / file.name) as aside:
            aside.write_bytes(gzip.compress(content, mtime=0) if file.name.endswith(".gz") else content)
        written.append(folder / file.name)
    return written


def _downloaded() -> Path:
    try:
        return download(NIPS12_URL, NIPS12_URL.rpartition("/")[2], None)
    except OSError as error:
        raise CorpusError(
            f"{NIPS12_URL} could not be downloaded ({one_line(error)}): fetch it in a browser and give its path, "
            "python -m gdmbench fetch nips12 PATH."
        ) from None


def _read(path: Path) -> tuple[sparse.csr_array, list[str]]:
    """Return the counts, documents as rows, and the words."""
    from scipy.io import loadmat

    try:
        found: dict[str, Any] = loadmat(path, variable_names=["counts", "wl"], squeeze_me=True)
        words = [str(word).strip() for word in found["wl"]]
        counts = sparse.csr_array(found["counts"].T)
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror or error}.") from None
    except Exception as error:  # damaged files raise errors of every kind
        reason = one_line(error) or type(error).__name__
        raise CorpusError(f"{path} is not nips12raw_str602.mat, with its counts and wl: {reason}.") from None
    counts.sort_indices()
    return counts, words


def _docword(counts: sparse.csr_array) -> str:
    """Write counts as UCI's bag of words."""
    rows = np.repeat(np.arange(1, counts.shape[0] + 1), np.diff(counts.indptr))
    entries = zip(rows.tolist(), (counts.indices + 1).tolist(), counts.data.astype(np.int64).tolist(), strict=True)
    lines = [*map(str, (*counts.shape, counts.nnz)), *(f"{row} {word} {count}" for row, word, count in entries)]
    return "\n".join(lines) + "\n"
