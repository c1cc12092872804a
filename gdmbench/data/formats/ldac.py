"""LDA-C: one document per line, `number_of_pairs word:count word:count …`, words numbered from 0."""

import numpy as np
from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats import scan
from gdmbench.data.formats.entries import Empty, assemble, refuse
from gdmbench.data.formats.streams import StrPath, read_lines


def read_ldac(path: StrPath, *, n_words: int | None = None, empty: Empty = "error") -> sparse.csr_array:
    """Return the counts of an LDA-C file, plain or gzipped.

    Without `n_words` the greatest word number that occurs is that of the last word.
    """
    state = scan.new_state(0)
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for piece in read_lines(path):
        first = int(state[scan.LINE])
        sizes = np.empty(piece.count(b"\n"), dtype=np.int32)
        words = np.empty(piece.count(b":"), dtype=np.int32)
        counts = np.empty(len(words), dtype=np.int64)
        text = np.frombuffer(piece, dtype=np.uint8)
        limit = scan.LARGEST if n_words is None else n_words
        n_docs, filled = scan.scan_documents(text, limit, sizes, words, counts, state)
        if state[scan.ERROR]:
            refuse(path, state, piece, first)
        parts.append((sizes[:n_docs], words[:filled], counts[:filled]))
    if not parts:
        raise CorpusError(f"{path}, line 1: the file is empty.")
    sizes, words, counts = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    rows = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    if n_words is None:
        n_words = int(words.max(initial=-1)) + 1
    return assemble(
        path,
        (rows, words, counts),
        (len(sizes), n_words),
        lambda _, document: document + 1,
        unsorted=bool(state[scan.UNSORTED]),
        empty=empty,
    )
