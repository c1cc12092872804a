"""Sparse matrices saved by `scipy.sparse.save_npz`: documents as rows, words as columns, counts as entries.

Arrays that are saved uncompressed stay on disk and are read as they are needed. So a matrix saved as canonical CSR with
counts of int64 costs no memory of its own.
"""

import os
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.entries import LARGEST, Empty, assemble
from gdmbench.data.formats.streams import BOMB_BYTES, BOMB_RATIO, StrPath
from gdmbench.errors import one_line

# The types of counts as they are wanted. Arrays of fewer bytes than this are read at once.
_WANTED = {"data": np.int64, "indices": np.int32, "indptr": np.int32}
_SMALL = 1 << 16


def read_npz(path: StrPath, *, empty: Empty = "error") -> sparse.csr_array:
    """Return the counts of a `.npz` file, on disk where they are saved uncompressed and just as they are wanted.

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
            given = {name: _mapped(path, arrays.zip, name) for name in arrays.files}
        counts = _as_saved(given)
        if counts is not None:
            return counts
        shape, rows, columns, data = _entries(given)
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
    # Entries that are stored twice add up, as they do in scipy.
    return assemble(path, rows, columns, data.astype(np.int64), shape, empty=empty, repeated="sum")


def _mapped(path: StrPath, archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Return an array of an archive, where it lies uncompressed as a mapping of its place in the file."""
    info = archive.getinfo(f"{name}.npy")
    with archive.open(info) as member:
        if info.compress_type != zipfile.ZIP_STORED or info.file_size < _SMALL:
            return np.lib.format.read_array(member, allow_pickle=False)
        version = np.lib.format.read_magic(member)
        read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        shape, _, dtype = read_header[version](member)
        header = member.tell()
    if len(shape) != 1 or dtype.hasobject or header + shape[0] * dtype.itemsize != info.file_size:
        raise ValueError(f"its {name} are not a list of numbers")
    with open(path, "rb") as file:
        file.seek(info.header_offset + 26)  # the lengths of the name and of what else stands before the data
        name_length, extra_length = np.frombuffer(file.read(4), "<u2").tolist()
    offset = info.header_offset + 30 + name_length + extra_length + header
    # Copied on writing, so that whoever writes to the counts changes neither the file nor other readers' counts.
    return np.memmap(path, dtype, "c", offset, shape)


def _as_saved(arrays: Mapping[str, NDArray[Any]]) -> sparse.csr_array | None:
    """Return a matrix that is saved just as counts are wanted, without a copy; None for any other."""
    if arrays["format"].item() != b"csr" or any(arrays[name].dtype != kind for name, kind in _WANTED.items()):
        return None
    data, indices, indptr = (np.asarray(arrays[name]) for name in _WANTED)
    if any(array.ndim != 1 for array in (data, indices, indptr)) or not len(data) == len(indices) > 0:
        return None
    n_docs, n_words = _whole(arrays, "shape").tolist()
    if len(indptr) != n_docs + 1 or indptr[0] != 0 or indptr[-1] != len(data) or (np.diff(indptr) <= 0).any():
        return None
    if data.min() <= 0 or data.max() > LARGEST or indices.min() < 0 or indices.max() >= n_words:
        return None
    counts = sparse.csr_array((data, indices, indptr), shape=(n_docs, n_words))
    return counts if counts.has_canonical_format else None


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
