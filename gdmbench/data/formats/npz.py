"""Sparse matrices saved by `scipy.sparse.save_npz`: documents as rows, words as columns, counts as entries.

Arrays that are saved uncompressed stay on disk and are read as they are needed. So a matrix saved as canonical CSR with
counts of int64 costs no memory of its own.
"""

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.entries import LARGEST, Counts, Empty, assemble
from gdmbench.data.formats.streams import BOMB_BYTES, BOMB_RATIO, StrPath
from gdmbench.errors import one_line

_MOST = 10**15  # entries
_SMALL = 1 << 16  # arrays of fewer bytes are read at once


def read_npz(path: StrPath, *, empty: Empty = "error") -> Counts:
    """Return the counts of a `.npz` file, on disk where they are saved uncompressed and just as they are wanted."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(file.file_size for file in archive.infolist()) > max(BOMB_BYTES, BOMB_RATIO * os.path.getsize(path)):
                raise ValueError(f"it grows to more than {BOMB_RATIO} times its size when uncompressed")
            # numpy stops reading where an array's header says, before the checksum that guards it is looked at.
            if archive.testzip() is not None:
                raise ValueError("the file is damaged")
        matrix = _as_saved(open_arrays(path))
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror or error}.") from None
    except Exception as error:
        # A damaged archive raises errors of every kind, from zipfile's to zlib's to numpy's.
        reason = one_line(error) or type(error).__name__
        raise CorpusError(f"{path} is not a sparse matrix saved by scipy.sparse.save_npz: {reason}.") from None
    data = matrix.data
    if data.dtype.kind not in "biuf" or not (np.isfinite(data) & (data == np.floor(data))).all():
        raise CorpusError(f"{path}: the entries are not all whole numbers; word counts are.")
    if len(data) and (data.min() < 0 or data.max() > LARGEST):
        raise CorpusError(f"{path}: an entry is negative or greater than {LARGEST}; word counts are neither.")
    if _is_wanted(matrix):
        return Counts(matrix, np.arange(1, matrix.shape[0] + 1), matrix.shape[0])
    rows, columns = matrix.tocoo().coords
    # Entries that are stored twice add up, as they do in scipy.
    return assemble(path, rows, columns, data.astype(np.int64), matrix.shape, empty=empty, repeated="sum")


def read_parts(folder: Path, empty: Empty = "error") -> Counts:
    """Return the counts of all `.npz` files of a folder, one below the other in the order of their names."""
    found = [read_npz(path, empty=empty) for path in sorted(folder.glob("*.npz"))]
    widths = {part.matrix.shape[1] for part in found}
    if len(widths) > 1:
        raise CorpusError(
            f"The parts in {folder} have {min(widths)} to {max(widths)} words: save all over one vocabulary."
        )
    starts = np.cumsum([0, *(part.n_rows for part in found)])
    rows = [part.rows + start for part, start in zip(found, starts, strict=False)]
    matrix = sparse.csr_array(sparse.vstack([part.matrix for part in found], format="csr"))
    return Counts(matrix, np.concatenate(rows), int(starts[-1]))


def open_arrays(path: StrPath) -> dict[str, NDArray[Any]]:
    """Return the arrays of a `.npz` file by name, large ones on disk where they are saved uncompressed."""
    with np.load(path) as arrays:
        return {name: _mapped(path, arrays.zip, name) for name in arrays.files}


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


def _as_saved(arrays: Mapping[str, NDArray[Any]]) -> Any:
    """Return the matrix that arrays stand for, in the format that it was saved in, once it is sure that they fit."""
    form, shape = arrays["format"].item().decode(), tuple(arrays["shape"].tolist())
    for name in {"shape", "indices", "indptr", "row", "col"} & arrays.keys():
        # scipy would cut off decimals, let large numbers overflow and crash on row pointers that descend.
        numbers = arrays[name]
        if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
            raise ValueError(f"its {name} are not whole numbers")
        if len(numbers) and (numbers.min() < 0 or numbers.max() > _MOST):
            raise ValueError(f"its {name} hold a number that is out of range")
        if name == "indptr" and (numbers[1:] < numbers[:-1]).any():
            raise ValueError("its row pointers descend")
    if len(shape) != 2 or max(shape) > LARGEST:
        raise ValueError(f"its shape is {list(shape)}")
    if form == "coo":
        return sparse.coo_array((arrays["data"], (arrays["row"], arrays["col"])), shape=shape)
    if form not in ("csr", "csc"):
        raise ValueError(f"it is in {form} format; save it as csr")
    if arrays["indptr"][-1:].tolist() != [len(arrays["indices"])]:
        raise ValueError("its row pointers do not end where its entries end")
    kind = sparse.csr_array if form == "csr" else sparse.csc_array
    matrix = kind((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
    matrix.check_format(full_check=True)
    return matrix


def _is_wanted(matrix: Any) -> bool:
    """Tell whether a matrix is as counts should be, so that it can stay on disk."""
    return (
        matrix.format == "csr"
        and (matrix.data.dtype, matrix.indices.dtype, matrix.indptr.dtype) == (np.int64, np.int32, np.int32)
        and matrix.has_canonical_format
        and bool(matrix.data.all())
        and bool(np.diff(matrix.indptr).all())
        and matrix.nnz > 0
    )
