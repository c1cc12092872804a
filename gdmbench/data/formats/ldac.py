"""LDA-C: one document per line, `number_of_pairs word:count word:count …`, words numbered from 0.

scikit-learn's load_svmlight_file would take the number of pairs for a label, but refuses lines whose words do not
ascend, as those of the corpus that comes with LDA-C do not.
"""

import re

import numpy as np

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.entries import LARGEST, Counts, Empty, assemble, check_range, checked_lines, whole_numbers
from gdmbench.data.formats.streams import StrPath, read_lines

_LINES = re.compile(rb"(?:[0-9]++(?: [0-9]++:[0-9]++)*+\n)*+")


def read_ldac(path: StrPath, *, n_words: int | None = None, empty: Empty = "error") -> Counts:
    """Return the counts of an LDA-C file, plain or gzipped.

    Without `n_words` the greatest word number that occurs is that of the last word.
    """
    parts, n_docs = [np.empty((3, 0), np.int32)], 0
    meaning = "`number_of_pairs word:count word:count …` in whole numbers"
    for line, piece in checked_lines(path, read_lines(path), _LINES, meaning):
        numbers = whole_numbers(piece)
        pairs = np.array([text.count(b":") for text in piece.splitlines()], dtype=np.int64)
        heads = np.cumsum(1 + 2 * pairs) - (1 + 2 * pairs)
        short = numbers[heads] != pairs
        if short.any():
            place = f"{path}, line {line + int(short.argmax())}"
            raise CorpusError(f"{place}: the line does not have as many word:count pairs as it says.")
        documents = np.repeat(np.arange(n_docs, n_docs + len(pairs)), pairs)
        words, counts = np.delete(numbers, heads).reshape(-1, 2).T
        most = (LARGEST if n_words is None else n_words) - 1
        check_range(path, documents + 1, "the word's number", words, 0, most)
        check_range(path, documents + 1, "the count", counts, 1, LARGEST)
        parts.append(np.stack([documents, words, counts]).astype(np.int32))
        n_docs += len(pairs)
    if not n_docs:
        raise CorpusError(f"{path}: the file is empty.")
    rows, columns, counts = np.concatenate(parts, axis=1)
    if n_words is None:
        n_words = int(columns.max(initial=-1)) + 1
    return assemble(path, rows, columns, counts.astype(np.int64), (n_docs, n_words), empty=empty)
