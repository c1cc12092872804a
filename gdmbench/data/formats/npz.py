"""Sparse matrices saved by `scipy.sparse.save_npz`: documents as rows, words as columns, counts as entries."""

import zipfile
from typing import Any

from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.entries import Empty, as_counts
from gdmbench.data.formats.streams import StrPath


def read_npz(path: StrPath, *, empty: Empty = "error") -> sparse.csr_array:
    """Return the counts of a `.npz` file."""
    try:
        with zipfile.ZipFile(path) as archive:
            # numpy stops reading where an array's header says, before the checksum that guards it is looked at.
            if archive.testzip() is not None:
                raise ValueError("the file is damaged")
        matrix: Any = sparse.load_npz(path)
        if matrix.format not in ("csr", "csc", "coo"):
            raise ValueError(f"it is in {matrix.format} format; save it as csr")
        if matrix.format != "coo":
            matrix.check_format(full_check=True)
        counts = sparse.csr_array(matrix)
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror or error}.") from None
    except Exception as error:
        # A damaged archive raises errors of every kind, from zipfile's to zlib's to numpy's.
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CorpusError(f"{path} is not a sparse matrix saved by scipy.sparse.save_npz: {reason}.") from None
    return as_counts(counts, str(path), empty)
