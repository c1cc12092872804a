"""Matrix Market coordinate files: documents as rows, words as columns, counts as entries."""

import itertools
import re

from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.entries import Empty, header_number, quote, read_triples
from gdmbench.data.formats.streams import StrPath, read_lines

_BANNER = re.compile(rb"%%matrixmarket[ \t]+matrix[ \t]+coordinate[ \t]+(integer|real|pattern)[ \t]+general")


def read_matrix_market(path: StrPath, *, empty: Empty = "error") -> sparse.csr_array:
    """Return the counts of a Matrix Market file, plain or gzipped."""
    pieces = read_lines(path)
    banner, _, rest = next(pieces, b"").partition(b"\n")
    form = _BANNER.fullmatch(banner.removesuffix(b"\r").strip(b" \t").lower())
    if form is None:
        raise CorpusError(
            f"{path}, line 1: {quote(banner)} is not the header of a sparse matrix of counts; "
            "'%%MatrixMarket matrix coordinate integer general' is."
        )
    line, position = 2, 0
    while rest.startswith(b"%", position):
        position = rest.index(b"\n", position) + 1
        line += 1
    sizes, _, rest = rest[position:].partition(b"\n")
    numbers = re.split(rb"[ \t]+", sizes.removesuffix(b"\r").strip(b" \t"))
    if len(numbers) != 3:
        raise CorpusError(
            f"{path}, line {line}: {quote(sizes)} does not give the numbers of documents, words and entries."
        )
    return read_triples(
        path,
        itertools.chain([rest], pieces),
        line,
        (header_number(path, line, numbers[0], "documents"), header_number(path, line, numbers[1], "words")),
        header_number(path, line, numbers[2], "entries", largest=10**15),
        n_fields=2 if form[1] == b"pattern" else 3,
        decimals=form[1] == b"real",
        least=0,
        empty=empty,
    )
