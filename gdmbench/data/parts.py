"""A corpus on disk that is read block by block: a folder of sparse matrices, or one large one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.npz import open_arrays
from gdmbench.data.formats.streams import StrPath, read_vocabulary
from gdmbench.errors import one_line
from gdmbench.files import typed_path

_MOST_ROWS = 25_000  # documents of a block


class CorpusParts:
    """Documents in `.npz` files of `scipy.sparse.save_npz`, read anew whenever one iterates over them.

    `VLAD`, `RefinedGDM`, `project`, `transform` and `completion_perplexity` take it instead of a matrix. No more
    than one file, or 25,000 documents of a file that was saved uncompressed, is in memory at a time.

    Parameters
    ----------
    path : path
        A folder with such files, which are read in the order of their names, or a single file. A file `vocab.txt` in
        the folder has the words of the columns, one on each line.

    Attributes
    ----------
    files : list of Path
        The files, as they were when the object was made.
    vocabulary : list of str or None
        The words.

    Examples
    --------
    >>> import tempfile
    >>> from scipy import sparse
    >>> from gdmbench import VLAD, CorpusParts, simulate_lda
    >>> data = simulate_lda(400, 100, n_words=50, n_topics=3, random_state=0)
    >>> folder = tempfile.mkdtemp()
    >>> for number in range(4):
    ...     sparse.save_npz(f"{folder}/part-{number}.npz", data.train[100 * number : 100 * (number + 1)])
    >>> VLAD(3, random_state=0).fit(CorpusParts(folder)).components_.shape
    (3, 50)
    """

    def __init__(self, path: StrPath) -> None:
        place = typed_path(path)
        self.files = sorted(place.glob("*.npz")) if place.is_dir() else [place]
        if not self.files:
            raise CorpusError(f"{place} has no .npz files: save each part there by scipy.sparse.save_npz.")
        words = place / "vocab.txt"
        self.vocabulary = read_vocabulary(words) if words.is_file() else None

    def __iter__(self) -> Iterator[sparse.csr_array]:
        """Yield blocks of documents."""
        for file in self.files:
            yield from _blocks_of(file)


def _blocks_of(file: Path) -> Iterator[sparse.csr_array]:
    """Yield the rows of a matrix, some at a time."""
    try:
        arrays = open_arrays(file)
        shape = tuple(arrays["shape"].tolist())
        if arrays["format"].item() != b"csr" or len(shape) != 2:
            raise ValueError("it is not a matrix in csr format")
        for first in range(0, max(shape[0], 1), _MOST_ROWS):
            yield _rows(arrays, shape, first, min(first + _MOST_ROWS, shape[0]))
    except CorpusError:
        raise
    except OSError as error:
        raise CorpusError(f"{file} cannot be read: {error.strerror or error}.") from None
    except GeneratorExit:
        raise
    except Exception as error:  # a damaged archive raises errors of every kind
        reason = one_line(error) or type(error).__name__
        raise CorpusError(f"{file} is not a sparse matrix saved by scipy.sparse.save_npz: {reason}.") from None


def _rows(arrays: Mapping[str, Any], shape: tuple[int, int], first: int, last: int) -> sparse.csr_array:
    """Return some rows, copied from the disk."""
    indptr = np.array(arrays["indptr"][first : last + 1])
    if len(indptr) != last - first + 1 or (np.diff(indptr) < 0).any():
        raise ValueError("its row pointers are damaged")
    here = slice(int(indptr[0]), int(indptr[-1]))
    entries = np.array(arrays["data"][here]), np.array(arrays["indices"][here]), indptr - indptr[0]
    return sparse.csr_array(entries, shape=(last - first, shape[1]))
