"""Malformed files by the thousand: each is either refused with one sentence or read exactly as it says.

What a file says is decided by the plain parsers below, which know nothing of the readers. Each test makes a good file
and spoils it in a few places. The long version tries 150,000 files.
"""

import gzip
import io
import re
import zipfile
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from gdmbench.data.corpus import CorpusError
from gdmbench.data.load import load_corpus

LARGEST = 2**31 - 1
JUNK = (
    b"0|1|2|9|-|+|.|e|:| |  |\t|\r|\n|\n\n|%|x|\0|\x0b|\xff|\xef\xbb\xbf|99999999999|2147483647|2147483648|1.0|nan|1e2"
)
JUNK = JUNK.split(b"|")


def random_matrix(random):
    return np.array([[random.choice([0, 0, 1, 2, 30]) for _ in range(3)] for _ in range(random.randint(1, 4))])


def spoil(random, content, most=4):
    """Replace, insert and delete bytes and lines of a file; sometimes leave it as it is."""
    for _ in range(random.randint(0, most)):
        place = random.randint(0, len(content))
        how = random.choice(["replace", "insert", "delete", "cut", "double line", "drop line"])
        lines = content.split(b"\n")
        line = random.randint(0, len(lines) - 1)
        if how == "replace":
            content = content[:place] + random.choice(JUNK) + content[place + 1 :]
        elif how == "insert":
            content = content[:place] + random.choice(JUNK) + content[place:]
        elif how == "delete":
            content = content[:place] + content[place + random.randint(1, 3) :]
        elif how == "cut":
            content = content[:place]
        elif how == "double line":
            content = b"\n".join([*lines[: line + 1], *lines[line:]])
        else:
            content = b"\n".join(lines[:line] + lines[line + 1 :])
    return content


def spoilt_gzip(random, content):
    """Gzip a file and flip, drop or cut its bytes; sometimes leave it as it is."""
    packed = bytearray(gzip.compress(content, mtime=0))
    for _ in range(random.randint(0, 2)):
        place = random.randint(2, len(packed) - 1)
        how = random.choice(["flip", "drop", "cut"])
        if how == "flip":
            packed[place] ^= 1 << random.randint(0, 7)
        elif how == "drop":
            del packed[place]
        elif place > 10:
            del packed[place:]
    return bytes(packed)


def uci_file(matrix):
    rows, columns = np.nonzero(matrix)
    lines = [f"{i + 1} {j + 1} {matrix[i, j]}" for i, j in zip(rows, columns, strict=True)]
    return "\n".join([*map(str, matrix.shape), str(len(lines)), *lines, ""]).encode()


def matrix_market_file(matrix, field):
    lines = uci_file(matrix).decode().split("\n")
    entries = [line.rsplit(" ", 1)[0] for line in lines[3:]] if field == "pattern" else lines[3:]
    banner = f"%%MatrixMarket matrix coordinate {field} general"
    return "\n".join([banner, "% a note", " ".join(lines[:3]), *entries]).encode()


def ldac_file(matrix):
    return "".join(
        " ".join([str(np.count_nonzero(row)), *(f"{i}:{row[i]}" for i in np.flatnonzero(row))]) + "\n" for row in matrix
    ).encode()


class Malformed(Exception):
    """The file says nothing that makes sense."""


def lines_of(content):
    """Split a file into lines without their ends, blank ones at the end left out."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    lines = [line.removesuffix(b"\r").strip(b" \t") for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def whole(text, largest=LARGEST):
    if not re.fullmatch(rb"[0-9]+", text) or int(text) > largest:
        raise Malformed
    return int(text)


def whole_decimal(text):
    number = re.fullmatch(rb"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text)
    if not number or (number[2] and abs(int(number[2][1:])) > 10_000):
        raise Malformed
    value = Fraction(text.decode())
    if value.denominator != 1 or value > LARGEST:
        raise Malformed
    return int(value)


def from_entries(entries, n_docs, n_words, least):
    """Return {document: {word: count}} of entries numbered from 0, in a checked corpus without empty documents."""
    documents = {}
    for doc, word, count in entries:
        if not (0 <= doc < n_docs and 0 <= word < n_words and count >= least) or word in documents.setdefault(doc, {}):
            raise Malformed
        documents[doc][word] = count
    documents = {doc: {w: c for w, c in words.items() if c} for doc, words in documents.items()}
    if not n_docs or len(documents) != n_docs or not all(documents.values()):
        raise Malformed
    return [documents[doc] for doc in range(n_docs)]


def split_line(line):
    return re.split(rb"[ \t]+", line)


def parse_triples(lines, sizes, number, least, n_fields):
    n_docs, n_words, n_entries = sizes
    if len(lines) != n_entries:
        raise Malformed
    entries = []
    for line in lines:
        fields = split_line(line)
        if len(fields) != n_fields:
            raise Malformed
        count = number(fields[2]) if n_fields == 3 else 1
        entries.append((whole(fields[0]) - 1, whole(fields[1]) - 1, count))
    return from_entries(entries, n_docs, n_words, least)


def parse_uci(content):
    lines = lines_of(content)
    if len(lines) < 4:
        raise Malformed
    sizes = (whole(lines[0]), whole(lines[1]), whole(lines[2], 10**15))
    return parse_triples(lines[3:], sizes, whole, 1, 3)


def parse_matrix_market(content):
    lines = lines_of(content)
    banner = re.fullmatch(
        rb"%%matrixmarket[ \t]+matrix[ \t]+coordinate[ \t]+(integer|real|pattern)[ \t]+general",
        lines[0].lower() if lines else b"",
    )
    raw = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not banner:
        raise Malformed
    first = 1
    while first < len(lines) and raw[first].startswith(b"%"):
        first += 1
    sizes = split_line(lines[first]) if first < len(lines) else []
    if len(sizes) != 3:
        raise Malformed
    sizes = (whole(sizes[0]), whole(sizes[1]), whole(sizes[2], 10**15))
    number = whole_decimal if banner[1] == b"real" else whole
    return parse_triples(lines[first + 1 :], sizes, number, 0, 2 if banner[1] == b"pattern" else 3)


def parse_ldac(content):
    lines = lines_of(content)
    entries = []
    for doc, line in enumerate(lines):
        size, *pairs = split_line(line)
        if whole(size) != len(pairs):
            raise Malformed
        for pair in pairs:
            word, colon, count = pair.partition(b":")
            if not colon or whole(word) >= LARGEST:
                raise Malformed
            entries.append((doc, whole(word), whole(count)))
    return from_entries(entries, len(lines), LARGEST, 1)


def parse_text(content):
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed from None
    documents = []
    for line in text.removesuffix("\n").split("\n"):
        words = [word for word in re.findall(r"(?u)\b\w\w+\b", line.lower()) if not word.isdecimal()]
        if not words:
            raise Malformed
        documents.append({word: words.count(word) for word in words})
    return documents


def loaded(path):
    """Return what the reader makes of a file, as the parsers do; None if it is refused in one sentence."""
    try:
        corpus = load_corpus(path)
    except CorpusError as error:
        if "\n" in str(error) or len(str(error)) > 400:
            raise AssertionError(f"not one sentence: {error}") from error
        return None
    counts = corpus.counts
    assert counts.has_canonical_format
    names = corpus.vocabulary or range(counts.shape[1])
    return [
        {names[counts.indices[i]]: int(counts.data[i]) for i in range(counts.indptr[doc], counts.indptr[doc + 1])}
        for doc in range(counts.shape[0])
    ]


def check(path, content, parse):
    path.write_bytes(content)
    try:
        expected = parse(content)
    except Malformed:
        expected = None
    assert loaded(path) == expected


def uci(random, folder):
    check(folder / "docword.txt", spoil(random, uci_file(random_matrix(random))), parse_uci)


def matrix_market(random, folder):
    field = random.choice(["integer", "real", "pattern"])
    content = matrix_market_file(random_matrix(random), field)
    check(folder / "x.mtx", spoil(random, content), parse_matrix_market)


def ldac(random, folder):
    check(folder / "x.ldac", spoil(random, ldac_file(random_matrix(random))), parse_ldac)


def text(random, folder):
    lines = ["".join(random.choice("aé猫_1 .\r\x85") for _ in range(random.randint(0, 12))) for _ in range(3)]
    check(folder / "x.txt", spoil(random, "\n".join(lines).encode(), most=2), parse_text)


def zipped(random, folder):
    packed = spoilt_gzip(random, uci_file(random_matrix(random)))
    path = folder / "docword.txt.gz"
    try:
        content = gzip.decompress(packed)
    except Exception:  # damaged in any of many ways
        path.write_bytes(packed)
        assert loaded(path) is None
        return
    check(path, packed, lambda _: parse_uci(content))


def npz(random, folder):
    """Spoil the archive, or the arrays inside a sound one."""
    matrix = random_matrix(random)
    form = random.choice(["csr", "csc", "coo"])
    buffer, path = io.BytesIO(), folder / "x.npz"
    sparse.save_npz(buffer, sparse.coo_array(matrix).asformat(form), compressed=random.choice([True, False]))
    if random.choice([True, False]):
        path.write_bytes(spoil(random, buffer.getvalue(), most=2))
        assert loaded(path) in (None, [{int(j): int(row[j]) for j in np.flatnonzero(row)} for row in matrix])
        return
    buffer.seek(0)
    with np.load(buffer) as archive:
        arrays = dict(archive)
    name = random.choice([key for key in arrays if key not in ("format", "_is_array")])
    values = arrays[name].astype(random.choice([np.int8, np.int64, np.float32, np.uint64, np.complex64]))
    place = random.randint(0, max(0, values.size - 1))
    how = random.choice(["keep", "change", "shorten", "lengthen"])
    if how == "change" and values.size:
        values[place] = random.choice([0, 1, 1.5, 3, 100, 2**63 if values.dtype.kind == "u" else -1])
    elif how == "shorten":
        values = values[:place]
    elif how == "lengthen":
        values = np.append(values, values[:1])
    arrays[name] = values
    np.savez(path, **arrays)
    assert loaded(path) in (None, dense_meaning(arrays, form))


def dense_meaning(arrays, form):
    """Return the documents that arrays stand for by the definition of their format, or None if they break it."""
    try:
        if any(arrays[name].dtype.kind not in "iu" for name in arrays.keys() - {"data", "format", "_is_array"}):
            return None
        shape = tuple(int(n) for n in arrays["shape"])
        if len(shape) != 2:
            return None
        matrix = np.zeros(shape, dtype=object)
        data = [complex(x) for x in arrays["data"]]
        if form == "coo":
            places = list(zip(arrays["row"].tolist(), arrays["col"].tolist(), range(len(data)), strict=True))
        else:
            indptr, indices = arrays["indptr"].tolist(), arrays["indices"].tolist()
            majors = range(shape[0] if form == "csr" else shape[1])
            places = [(major, indices[at], at) for major in majors for at in range(indptr[major], indptr[major + 1])]
            places = [(j, i, at) for i, j, at in places] if form == "csc" else places
        if not all(0 <= i < shape[0] and 0 <= j < shape[1] for i, j, _ in places):
            return None
        for i, j, at in places:
            matrix[i, j] += data[at]
    except (IndexError, ValueError):
        return None
    if any(x != int(x.real) for x in matrix.ravel()):
        return None
    return [{j: int(x.real) for j, x in enumerate(row) if x} for row in matrix]


FORMATS = [uci, matrix_market, ldac, text, zipped, npz]


@pytest.mark.parametrize("format", FORMATS)
@given(random=st.randoms())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_spoilt_file_is_refused_or_read_as_it_says(tmp_path, format, random):
    format(random, tmp_path)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("format", FORMATS)
@given(seed=st.integers(0, 2**64))
@settings(max_examples=25_000, deadline=None, suppress_health_check=list(HealthCheck))
def test_many_spoilt_files_are_refused_or_read_as_they_say(tmp_path, format, seed):
    format(Random(seed), tmp_path)


def test_the_archive_that_numpy_would_misread(tmp_path):
    """A header that names a shorter type makes numpy stop before the checksum: the counts would be wrong, silently."""
    path = tmp_path / "x.npz"
    sparse.save_npz(path, sparse.csr_array([[7, 0, 2**20]]), compressed=False)
    content = path.read_bytes()
    at = content.index(b"<i8", content.index(b"data.npy"))
    path.write_bytes(content[:at] + b"<i4" + content[at + 3 :])
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() == "data.npy"
    with pytest.raises(CorpusError, match="damaged"):
        load_corpus(path)
