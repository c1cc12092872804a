"""Sparse matrices saved by `scipy.sparse.save_npz`: documents as rows, words as columns, counts as entries."""

import os
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.entries import Empty, first_gap, no_words
from gdmbench.data.formats.scan import LARGEST
from gdmbench.data.formats.streams import BOMB_BYTES, BOMB_RATIO, StrPath
from gdmbench.errors import one_line


def read_npz(path: StrPath, *, empty: Empty = "error") -> sparse.csr_array:
    """Return the counts of a `.npz` file.

    The arrays are checked here and not left to scipy, which crashes on row pointers that descend, cuts the decimals
    off indices, and makes room for as many rows as the file says.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(file.file_size for file in archive.infolist()) > max(BOMB_BYTES, BOMB_RATIO * os.path.getsize(path)):
                raise ValueError(f"it grows to more than {BOMB_RATIO} times its size when uncompressed")
            # numpy stops reading where an array's header says, before the checksum that guards it is looked at.
            if archive.testzip() is not None:
                raise ValueError("the file is damaged")
        with np.load(path) as arrays:
            shape, rows, columns, data = _entries(arrays)
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror or error}.") from None
    except Exception as error:
        # A damaged archive raises errors of every kind, from zipfile's to zlib's to numpy's.
        reason = one_line(error) or type(error).__name__
        raise CorpusError(f"{path} is not a sparse matrix saved by scipy.sparse.save_npz: {reason}.") from None
    if data.dtype.kind not in "biuf" or not (np.isfinite(data) & (data == np.floor(data))).all():
        raise CorpusError(f"{path}: the entries are not all whole numbers; word counts are.")
    if len(data) and (data.min() < 0 or data.max() > LARGEST):
        raise CorpusError(f"{path}: an entry is negative or greater than {LARGEST}; word counts are neither.")
    found = data > 0
    if not found.any():
        raise CorpusError(f"{path} has no words in any document: there is nothing to read.")
    present, documents = np.unique(rows[found], return_inverse=True)
    if len(present) < shape[0] and empty == "error":
        raise no_words(str(path), first_gap(present) + 1, shape[0] - len(present))
    # Entries that are stored twice add up, as they do in scipy.
    return sparse.coo_array(
        (data[found].astype(np.int64), (documents.astype(np.int32), columns[found].astype(np.int32))),
        shape=(len(present), shape[1]),
    ).tocsr()


def _entries(arrays: Mapping[str, NDArray[Any]]) -> tuple[tuple[int, int], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the shape, rows, columns and values of a saved matrix, once it is sure that they fit together."""
    form = arrays["format"].item().decode()
    shape, data = _whole(arrays, "shape").tolist(), arrays["data"]
    if len(shape) != 2 or not all(0 <= size <= LARGEST for size in shape):
        raise ValueError(f"its shape is {shape}")
    if form == "coo":
        rows, columns = _whole(arrays, "row"), _whole(arrays, "col")
    elif form in ("csr", "csc"):
        ends, minor = _whole(arrays, "indptr"), _whole(arrays, "indices")
        n_major = shape[form == "csc"]
        if len(ends) != n_major + 1 or ends[0] != 0 or ends[-1] != len(minor) or (ends[1:] < ends[:-1]).any():
            raise ValueError("its row pointers are wrong")
        major = np.repeat(np.arange(n_major), (ends[1:] - ends[:-1]).astype(np.int64))
        rows, columns = (major, minor) if form == "csr" else (minor, major)
    else:
        raise ValueError(f"it is in {form} format; save it as csr")
    if not (data.shape == rows.shape == columns.shape):
        raise ValueError("its arrays differ in length")
    for indices, size in ((rows, shape[0]), (columns, shape[1])):
        if len(indices) and (indices.min() < 0 or indices.max() >= size):
            raise ValueError("an index is out of range")
    return (shape[0], shape[1]), rows, columns, data


def _whole(arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    """Return an array of indices, which must be a list of whole numbers."""
    array = arrays[name]
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"its {name} are not whole numbers")
    return array
