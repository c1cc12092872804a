"""UCI bag-of-words: the numbers of documents, words and entries on three lines, then `document word count` from 1."""

import itertools

from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.entries import Empty, header_number, read_triples
from gdmbench.data.formats.streams import StrPath, read_lines


def read_uci(path: StrPath, *, empty: Empty = "error", sha256: str | None = None) -> sparse.csr_array:
    """Return the counts of a docword file, plain or gzipped."""
    pieces = read_lines(path, sha256)
    head = next(pieces, b"").split(b"\n", 3)
    head[:3] = [line.removesuffix(b"\r") for line in head[:3]]
    if len(head) < 4:
        raise CorpusError(f"{path}, line {len(head)}: the header should have three lines, but the file ends here.")
    n_docs = header_number(path, 1, head[0], "documents")
    n_words = header_number(path, 2, head[1], "words")
    n_entries = header_number(path, 3, head[2], "entries", largest=10**15)
    return read_triples(path, itertools.chain([head[3]], pieces), 3, (n_docs, n_words), n_entries, empty=empty)
