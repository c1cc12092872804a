import gzip
import io
import re

import numpy as np
import pytest
import scipy.io
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from gdmbench import GDM, simulate_lda
from gdmbench.data.formats import npz
from gdmbench.data.formats.entries import whole_numbers
from gdmbench.data.load import load_corpus

matrices = st_numpy.arrays(
    np.int64, st.tuples(st.integers(1, 8), st.integers(1, 7)), elements=st.sampled_from([0, 0, 1, 2, 12, 2**31 - 1])
).filter(lambda matrix: matrix.sum(axis=1).all())
many = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def as_uci(matrix, order=None, end="\n"):
    rows, columns = np.nonzero(matrix)
    order = np.arange(len(rows)) if order is None else order
    lines = [f"{rows[i] + 1} {columns[i] + 1} {matrix[rows[i], columns[i]]}" for i in order]
    return end.join([str(matrix.shape[0]), str(matrix.shape[1]), str(len(rows)), *lines, ""])


def as_ldac(matrix):
    return "".join(
        f"{np.count_nonzero(row)} " + " ".join(f"{word}:{row[word]}" for word in np.flatnonzero(row)) + "\n"
        for row in matrix
    )


@given(st.lists(st.sampled_from([" ", ":", "\n", "0", "7", "12", "0" * 20 + "3", str(10**17 - 1), "9" * 30])))
@settings(deadline=None)
def test_the_numbers_of_a_text_are_its_runs_of_digits(parts):
    text = "".join([*parts, "\n"]).encode()
    assert whole_numbers(text).tolist() == [min(int(run), 10**17) for run in re.findall(rb"[0-9]+", text)]


def assert_loaded(path, matrix, **options):
    corpus = load_corpus(path, **options)
    np.testing.assert_array_equal(corpus.counts.toarray(), matrix)
    assert corpus.counts.dtype == np.int64
    assert corpus.counts.indices.dtype == np.int32
    assert corpus.counts.has_canonical_format
    return corpus


@given(matrix=matrices, zipped=st.booleans(), end=st.sampled_from(["\n", "\r\n", " \n", "\t\r\n"]), data=st.data())
@many
def test_uci_files_come_back_as_written_in_whatever_order(write, matrix, zipped, end, data):
    order = data.draw(st.permutations(range(np.count_nonzero(matrix))))
    for text in (as_uci(matrix, end=end), as_uci(matrix, order, end), as_uci(matrix, order).rstrip("\n"),
                 "\ufeff" + as_uci(matrix) + "\n \n"):  # fmt: skip
        assert_loaded(write("docword.x.txt" + ".gz" * zipped, text), matrix)


@given(matrix=matrices, zipped=st.booleans())
@many
def test_ldac_files_come_back_as_written(write, matrix, zipped):
    n_words = matrix.shape[1]
    path = write("x.ldac" + ".gz" * zipped, as_ldac(matrix))
    assert_loaded(path, matrix, vocabulary=[f"w{i}" for i in range(n_words)])
    last = np.flatnonzero(matrix.any(axis=0))[-1]
    assert_loaded(path, matrix[:, : last + 1])


@given(matrix=matrices, dtype=st.sampled_from([np.int32, np.int64, np.float64]))
@many
def test_matrix_market_files_written_by_scipy_come_back(write, matrix, dtype):
    buffer = io.BytesIO()
    scipy.io.mmwrite(buffer, sparse.coo_matrix(matrix.astype(dtype)), comment="made\nby scipy", symmetry="general")
    assert_loaded(write("x.mtx", buffer.getvalue()), matrix)
    assert_loaded(write("x.mtx.gz", buffer.getvalue()), matrix)


@given(
    matrix=matrices, form=st.sampled_from(["csr", "csc", "coo"]), dtype=st.sampled_from([np.uint32, np.int64, float])
)
@many
def test_npz_files_written_by_scipy_come_back(tmp_path, matrix, form, dtype):
    sparse.save_npz(tmp_path / "x.npz", sparse.coo_array(matrix.astype(dtype)).asformat(form))
    assert_loaded(tmp_path / "x.npz", matrix)


@pytest.mark.parametrize(
    ("written", "value"), [("3", 3), ("3.", 3), ("3.000", 3), ("1.2e1", 12), ("1200E-2", 12), ("0.5e+1", 5),
                           ("2.0000000000000000000000000e0", 2), ("1e9", 10**9), ("2147483647.0", 2**31 - 1)]
)  # fmt: skip
def test_whole_numbers_written_as_decimals(write, written, value):
    path = write("x.mtx", f"%%MatrixMarket matrix coordinate real general\n1 2 2\n1 1 {written}\n1 2 1\n")
    assert_loaded(path, [[value, 1]])


NOT_WHOLE = ["0.5", "1.25e1", "1e-1", "1e-400", "1e10", "-1", "nan", "inf", "1e", ".", "e1", "1.2.3", "1e1000000"]


@pytest.mark.parametrize("written", [*NOT_WHOLE, "123456789012345678901.0"])
def test_decimals_that_are_not_whole_numbers_are_refused(write, refused, written):
    path = write("x.mtx", f"%%MatrixMarket matrix coordinate real general\n% note\n1 2 2\n1 1 1\n1 2 {written}\n")
    assert refused(path).startswith("x.mtx, line 5: ")


def test_matrix_market_patterns_count_once_and_stored_zeros_not_at_all(write):
    pattern = write("x.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n2 2\n2 1\n")
    assert_loaded(pattern, [[1, 0], [1, 1]])
    zeros = write("y.mtx", "%%MatrixMarket matrix coordinate integer general\n1 2 2\n1 1 0\n1 2 4\n")
    assert_loaded(zeros, [[0, 4]])


def test_files_longer_than_a_piece(write, counts, monkeypatch):
    monkeypatch.setattr("gdmbench.data.formats.streams.CHUNK_BYTES", 24)
    assert_loaded(write("docword.x.txt", as_uci(counts)), counts)
    assert_loaded(write("x.ldac", as_ldac(counts)), counts)


def test_vocabulary_is_found_beside_a_docword_file(write, counts):
    words = ["a", "b", "c", "d", "e", "ü"]
    write("vocab.x.txt", "\n".join(words) + "\n\n")
    path = write("docword.x.txt.gz", as_uci(counts))
    assert load_corpus(path).vocabulary == words
    other = write("other.txt", "\r\n".join("uvwxyz").encode("latin-1"))
    assert load_corpus(path, vocabulary=other).vocabulary == list("uvwxyz")
    assert load_corpus(path, vocabulary=list("uvwxyz")).vocabulary == list("uvwxyz")


def test_folder_of_text(write):
    texts = {"b.txt": "the cat sat\non the cat", "a.txt": "A Dog", "sub/c.txt.gz": "dog dog ünder", "notes.md": "no"}
    for name, text in texts.items():
        path = write(f"texts/{name}", text)
    corpus = load_corpus(path.parent)
    assert corpus.vocabulary == ["cat", "dog", "on", "sat", "the", "ünder"]
    np.testing.assert_array_equal(corpus.counts.toarray(), [[0, 1, 0, 0, 0, 0], [2, 0, 1, 1, 2, 0], [0, 2, 0, 0, 0, 1]])


def test_file_of_text_has_a_document_on_each_line(write):
    lines = ["One two two", "three one", "größe zwei"]
    vectorizer = CountVectorizer()
    expected = vectorizer.fit_transform(lines).toarray()
    for encoding in ("utf-8", "latin-1", "utf-16"):
        path = write("x.txt", "\n".join(lines).encode(encoding))
        corpus = assert_loaded(path, expected, encoding=encoding)
        assert corpus.vocabulary == list(vectorizer.get_feature_names_out())


def test_documents_without_words_are_refused_or_dropped(write, refused, tmp_path):
    uci = write("docword.x.txt", "5\n2\n3\n1 1 1\n3 2 4\n4 1 1\n")
    assert refused(uci).startswith("docword.x.txt: document 2 has no words (nor have 1 others); set empty=drop")
    assert_loaded(uci, [[1, 0], [0, 4], [1, 0]], empty="drop")
    last = write("docword.x.txt", "2\n2\n1\n1 1 1\n")
    assert refused(last).startswith("docword.x.txt: document 2 has no words;")
    unsorted = write("docword.x.txt", "3\n2\n2\n3 1 1\n1 2 1\n")
    assert refused(unsorted).startswith("docword.x.txt: document 2 has no words;")
    ldac = write("x.ldac", "1 0:1\n0\n1 1:2\n")
    assert refused(ldac).startswith("x.ldac: document 2 has no words;")
    assert_loaded(ldac, [[1, 0], [0, 2]], empty="drop")
    text = write("x.txt", "one two\n\nthree\n")
    assert refused(text).startswith("x.txt, line 2: document 2 has no words;")
    assert_loaded(text, [[1, 0, 1], [0, 1, 0]], empty="drop")
    sparse.save_npz(tmp_path / "x.npz", sparse.csr_array([[1, 0], [0, 0]]))
    assert refused(tmp_path / "x.npz").startswith("x.npz: document 2 has no words;")
    assert_loaded(tmp_path / "x.npz", [[1, 0]], empty="drop")


def test_absurd_numbers_in_a_header_cost_no_memory(write, refused):
    path = write("docword.x.txt", "2000000000\n2000000000\n1\n2000000000 2000000000 1\n")
    assert "document 1 has no words (nor have 1999999998 others)" in refused(path)
    corpus = load_corpus(path, empty="drop")
    assert corpus.counts.shape == (1, 2_000_000_000)
    lying = write("docword.x.txt", "1\n1\n999999999999999\n1 1 1\n")
    assert "ends after 1 of the 999999999999999 entries" in refused(lying)


UCI_HEADER = " does not begin with three lines that give the numbers of documents, words and entries"
UCI_LINE = "is not `document word count`, three whole numbers."
BAD_UCI = {
    "": UCI_HEADER,
    "1\n2\n": UCI_HEADER,
    "x\n2\n1\n1 1 1\n": UCI_HEADER,
    "1\n-2\n1\n1 1 1\n": UCI_HEADER,
    "1\n2\n1.5\n1 1 1\n": UCI_HEADER,
    "1 2 1\n1 1 1\n1\n1\n": UCI_HEADER,
    "99999999999\n2\n1\n1 1 1\n": ": its header gives more than 2147483647 documents or words",
    f"1\n{'9' * 5000}\n1\n1 1 1\n": ": its header gives more than 2147483647 documents or words",
    "1\n2\n1\n2 1 1\n": ", line 4: the document's number must be a whole number from 1 to 1.",
    "1\n2\n2\n1 1 1\n0 1 1\n": ", line 5: the document's number must be a whole number from 1 to 1.",
    "1\n2\n1\n1 3 1\n": ", line 4: the word's number must be a whole number from 1 to 2.",
    "1\n2\n1\n1 0 1\n": ", line 4: the word's number must be a whole number from 1 to 2.",
    "1\n2\n1\n1 1 0\n": ", line 4: the count must be a whole number from 1 to 2147483647.",
    "1\n2\n1\n1 1 9999999999\n": ", line 4: the count must be a whole number from 1 to 2147483647.",
    f"1\n2\n1\n1 1 {2**64 + 1}\n": ", line 4: the count must be a whole number from 1 to 2147483647.",
    "1\n2\n1\n1 1 -1\n": f", line 4: '1 1 -1' {UCI_LINE}",
    "1\n2\n1\n1 1 1.5\n": f", line 4: '1 1 1.5' {UCI_LINE}",
    "1\n2\n1\n1 1 1x\n": f", line 4: '1 1 1x' {UCI_LINE}",
    "1\n2\n1\n1 1 \u0663\n": f", line 4: '1 1 \\\\xd9\\\\xa3' {UCI_LINE}",
    "1\n2\n1\n1 1\n": f", line 4: '1 1' {UCI_LINE}",
    "1\n2\n1\n1 1 1 1\n": f", line 4: '1 1 1 1' {UCI_LINE}",
    "1\n2\n1\n1 1\r1\n": f", line 4: '1 1\\r1' {UCI_LINE}",
    "1\n2\n2\n1 1 1\n\n1 2 1\n": f", line 5: '' {UCI_LINE}",
    "1\n2\n1\n1 1 1\n1 2 1\n": ": there are more lines than the 1 entries of the header.",
    "1\n2\n2\n1 1 1\n": ": the file ends after 1 of the 2 entries",
    "1\n2\n2\n1 1 1\n1 1 2\n": ": a word is listed twice for document 1; give each one count.",
    "3\n2\n4\n3 2 1\n3 1 1\n1 1 1\n3 2 1\n": ": a word is listed twice for document 3; give each one count.",
    "1\n2\n0\n": " has no words in any document",
}


@pytest.mark.parametrize("content", BAD_UCI)
def test_malformed_uci_files_are_refused_with_their_place(write, refused, content):
    assert refused(write("docword.x.txt", content)).removeprefix("docword.x.txt").startswith(BAD_UCI[content])


LDAC_LINE = "is not `number_of_pairs word:count word:count …` in whole numbers."
BAD_LDAC = {
    "": ": the file is empty",
    "2 0:1\n": ", line 1: the line does not have as many word:count pairs as it says.",
    "1 0:1\n1 0:1 1:1\n": ", line 2: the line does not have as many",
    "1 0:1\nx 0:1\n": f", line 2: 'x 0:1' {LDAC_LINE}",
    "1 0:1\n1 0:0\n": ", line 2: the count must be a whole number from 1 to 2147483647.",
    "1 0:1\n1 0:-1\n": f", line 2: '1 0:-1' {LDAC_LINE}",
    "1 0:1\n1 0:1.5\n": f", line 2: '1 0:1.5' {LDAC_LINE}",
    "1 0:1\n1 -1:1\n": f", line 2: '1 -1:1' {LDAC_LINE}",
    "1 0:1\n1 0 1\n": f", line 2: '1 0 1' {LDAC_LINE}",
    "1 0:1\n1 0:\n": f", line 2: '1 0:' {LDAC_LINE}",
    "1 0:1\n1 99999999999:1\n": ", line 2: the word's number must be a whole number from 0 to 2147483646.",
    "1 0:1\n2 1:1 1:1\n": ": a word is listed twice for document 2",
    "1 0:1\n\n1 0:1\n": f", line 2: '' {LDAC_LINE}",
}


@pytest.mark.parametrize("content", BAD_LDAC)
def test_malformed_ldac_files_are_refused_with_their_place(write, refused, content):
    assert refused(write("x.ldac", content)).startswith(f"x.ldac{BAD_LDAC[content]}")


def test_ldac_words_beyond_the_vocabulary_are_refused(write, refused):
    path = write("x.ldac", "1 0:1\n1 2:1\n")
    assert "line 2: the word's number must be a whole number from 0 to 1." in refused(path, vocabulary=["a", "b"])


BANNER = "%%MatrixMarket matrix coordinate integer general\n"
MATRIX_MARKET_HEADER = " does not begin with '%%MatrixMarket matrix coordinate integer general' and a line that gives"
BAD_MATRIX_MARKET = {
    "": MATRIX_MARKET_HEADER,
    "1 1 1\n1 1 1\n": MATRIX_MARKET_HEADER,
    BANNER.replace("coordinate", "array"): MATRIX_MARKET_HEADER,
    BANNER.replace("general", "symmetric") + "1 1 1\n1 1 1\n": MATRIX_MARKET_HEADER,
    BANNER.replace("integer", "complex") + "1 1 1\n1 1 1\n": MATRIX_MARKET_HEADER,
    BANNER: MATRIX_MARKET_HEADER,
    BANNER + "% note\n1 1\n": MATRIX_MARKET_HEADER,
    BANNER + "1 -1 1\n": MATRIX_MARKET_HEADER,
    BANNER + "1 1 1\n1 1 1.0\n": ", line 3: '1 1 1.0' is not `document word count`, three whole numbers.",
    BANNER + "% note\n1 1 1\n1 2 1\n": ", line 4: the word's number must be a whole number from 1 to 1.",
    BANNER + "1 2 2\n1 2 0\n1 2 1\n": ": a word is listed twice for document 1",
}


@pytest.mark.parametrize("content", BAD_MATRIX_MARKET)
def test_malformed_matrix_market_files_are_refused_with_their_place(write, refused, content):
    assert refused(write("x.mtx", content)).startswith(f"x.mtx{BAD_MATRIX_MARKET[content]}")


def test_truncated_and_damaged_gz_files_are_refused(write, refused, counts):
    lines = as_uci(np.tile(counts, (200, 1)))
    whole = gzip.compress(lines.encode())
    path = write("docword.x.txt", whole[: len(whole) // 2])
    assert refused(path).startswith("docword.x.txt is damaged or cut short, so it can't be uncompressed")
    damaged = bytearray(whole)
    damaged[-6] ^= 1
    assert "is damaged or cut short" in refused(write("docword.x.txt", bytes(damaged)))


def test_vocabularies_that_do_not_fit_are_refused(write, refused, counts):
    path = write("docword.x.txt", as_uci(counts))
    short = write("short.txt", "a\nb\n")
    assert refused(path, vocabulary=short).startswith(
        "short.txt, line 3: The vocabulary has 2 words, but docword.x.txt"
    )
    assert refused(path, vocabulary=["a"]).startswith("The vocabulary has 1 words")
    blank = write("blank.txt", "a\n\nc\nd\ne\nf\n")
    assert refused(path, vocabulary=blank).startswith("blank.txt, line 2: there is no word here")
    strange = write("strange.txt", b"a\nb\n\xff\nd\ne\nf\n")
    assert refused(path, vocabulary=strange).startswith("strange.txt, line 3: the byte 0xff is not utf-8 text")
    assert load_corpus(path, vocabulary=strange, encoding="latin-1").vocabulary[2] == "ÿ"
    assert "no text encoding called 'utf-9'" in refused(path, vocabulary=short, encoding="utf-9")
    write("vocab.x.txt", "a\n")
    assert refused(path).startswith("vocab.x.txt, line 2: The vocabulary has 1 words")


def test_text_that_cannot_be_read_is_refused(write, refused, tmp_path):
    assert refused(write("x.txt", b"fine words\nna\xefve\n")).startswith(
        "x.txt, line 2: the byte 0xef is not utf-8 text"
    )
    assert refused(write("x.txt", "")).startswith("x.txt, line 1: there are no words of two or more letters")
    (tmp_path / "folder").mkdir()
    assert "has no files ending in .txt" in refused(tmp_path / "folder")
    assert "leave out vocabulary" in refused(write("y.txt", "some words"), vocabulary=["a"])


def test_npz_files_that_are_no_counts_are_refused(tmp_path, refused):
    path = tmp_path / "x.npz"
    for matrix, words in [
        (sparse.csr_array([[1.5]]), "not all whole numbers"),
        (sparse.csr_array([[np.nan]]), "not all whole numbers"),
        (sparse.csr_array([[1j]]), "not all whole numbers"),
        (sparse.csr_array([[-1]]), "negative or greater"),
        (sparse.csr_array([[2**40]]), "negative or greater"),
        (sparse.dia_array([[1, 0], [0, 1]]), "dia format; save it as csr"),
        (sparse.csr_array((2, 2)), "no words in any document"),
    ]:
        sparse.save_npz(path, matrix)
        assert words in refused(path)
    np.savez(path, counts=np.eye(3))
    assert "not a sparse matrix saved by scipy.sparse.save_npz" in refused(path)
    path.write_bytes(b"no archive")
    assert "not a sparse matrix saved by scipy.sparse.save_npz" in refused(path)


def test_paths_and_formats_that_do_not_exist(write, refused, tmp_path):
    assert "nor a corpus of that name; there are nips, nips12, newsgroups, reuters, 20newsgroups" in refused(
        tmp_path / "nowhere.txt"
    )
    assert "cannot be read: No such file" in refused(tmp_path / "nowhere", format="uci")
    assert "cannot be read: Is a directory" in refused(tmp_path, format="ldac")
    assert "cannot be read: No such file" in refused(tmp_path / "nowhere", format="npz")
    unknown = write("counts.xyz", "1")
    assert "does not tell what it is: give format=uci" in refused(unknown)
    assert "format='xyz' is not known" in refused(unknown, format="xyz")
    assert "neither 'error' nor 'drop'" in refused(unknown, empty="keep")


def test_npz_saved_uncompressed_as_counts_stays_on_disk_and_is_fitted_there(tmp_path, monkeypatch):
    counts = simulate_lda(400, 50, n_words=300, n_topics=3, random_state=0).train
    path = tmp_path / "x.npz"
    sparse.save_npz(path, counts, compressed=False)
    monkeypatch.setattr(npz, "_SMALL", 1000)
    loaded = load_corpus(path).counts
    for array in (loaded.data, loaded.indices):
        base = array
        while not isinstance(base, np.memmap):
            base = base.base
        assert base.filename == path
    assert (loaded != counts).nnz == 0
    expected = GDM(3, random_state=0).fit(counts).components_
    np.testing.assert_array_equal(GDM(3, random_state=0).fit(loaded).components_, expected)
    loaded.data[:] = 9  # of this process alone
    assert (load_corpus(path).counts != counts).nnz == 0


@pytest.mark.parametrize("change", ["twice", "unsorted", "zero", "empty", "int32", "csc"])
def test_npz_saved_in_any_other_way_is_read_as_before(tmp_path, monkeypatch, change):
    monkeypatch.setattr(npz, "_SMALL", 160)  # the shape is smaller, with its header, and the others are not
    matrix = np.array([[1, 2, 0], [0, 3, 4], [5, 0, 6]])
    saved = sparse.csr_matrix(matrix)
    if change == "twice":
        saved = sparse.csr_matrix(([1, 1, 1, 3, 4, 5, 6], [0, 1, 1, 1, 2, 0, 2], [0, 3, 5, 7]), shape=(3, 3))
    elif change == "unsorted":
        saved = sparse.csr_matrix(([2, 1, 3, 4, 5, 6], [1, 0, 1, 2, 0, 2], [0, 2, 4, 6]), shape=(3, 3))
    elif change == "zero":
        saved = sparse.csr_matrix(([1, 2, 0, 3, 4, 5, 6], [0, 1, 2, 1, 2, 0, 2], [0, 3, 5, 7]), shape=(3, 3))
    elif change == "empty":
        saved = sparse.csr_matrix(np.insert(matrix, 1, 0, axis=0))
    elif change == "int32":
        saved = saved.astype(np.int32)
    else:
        saved = saved.tocsc()
    sparse.save_npz(tmp_path / "x.npz", saved, compressed=False)
    loaded = load_corpus(tmp_path / "x.npz", empty="drop").counts
    np.testing.assert_array_equal(loaded.toarray(), matrix)
    assert loaded.dtype == np.int64
    assert loaded.has_canonical_format
