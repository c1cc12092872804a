"""Files that were made to fill the memory, or that claim to be larger than they are, cost little and one sentence."""

import gzip
import io
import tracemalloc
import zlib

import numpy as np
import pytest
from scipy import sparse

from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.formats import npz, streams
from gdmbench.data.load import load_corpus
from gdmbench.data.split import split_corpus


@pytest.fixture
def small_bombs(monkeypatch):
    """Let what is called a bomb be a thousandth of the real size, for speed."""
    for module in (streams, npz):
        monkeypatch.setattr(module, "BOMB_BYTES", 1 << 20)


def bomb(path, head, pattern, n_bytes):
    """Write a gzipped file of a head and then a pattern again and again."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = pattern * ((1 << 20) // len(pattern))
    with path.open("wb") as file:
        file.write(squeeze.compress(head))
        for _ in range(n_bytes // len(block) + 1):
            file.write(squeeze.compress(block))
        file.write(squeeze.flush())
    return path


def peak_of(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_gzip_bomb_costs_a_bounded_amount_of_memory(tmp_path, refused):
    path = bomb(tmp_path / "docword.x.txt.gz", b"1\n1\n999999999\n", b"1 1 1\n", 1 << 28)
    messages = []
    assert peak_of(lambda: messages.append(refused(path))) < 1 << 29
    assert messages == [
        "docword.x.txt.gz grows to more than 100 times its size when uncompressed, as no corpus does: uncompress it "
        "first if it is one all the same."
    ]


BOMBS = {
    "docword.x.txt.gz": (b"1\n1\n999999999\n", b"1 1 1\n"),
    "docword.y.txt.gz": (b"1\n1\n999999999\n", b"\n"),
    "docword.z.txt.gz": (b"", b"1"),
    "x.ldac.gz": (b"", b"1 0:1\n"),
    "y.ldac.gz": (b"1", b" 0:1"),
    "x.mtx.gz": (b"%%MatrixMarket matrix coordinate integer general\n1 1 999999999\n", b"1 1 1\n"),
    "x.txt.gz": (b"", b"word "),
    "y.txt.gz": (b"", b"word\n"),
    "x.csv.gz": (b"text\n", b"word\n"),
    "y.csv.gz": (b'text\n"', b"word "),
    "x.jsonl.gz": (b"", b'"word"\n'),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_of_every_format_are_refused(tmp_path, refused, small_bombs, name):
    path = bomb(tmp_path / name, *BOMBS[name], 1 << 24)
    messages = []
    assert peak_of(lambda: messages.append(refused(path))) < 1 << 26
    assert messages[0].startswith(f"{name} grows to more than 100 times its size")


def test_bombs_of_words_and_of_arrays_are_refused(tmp_path, write, refused, small_bombs):
    path = write("docword.x.txt", "1\n1\n1\n1 1 1\n")
    words = bomb(tmp_path / "words.gz", b"", b"word\n", 1 << 24)
    assert refused(path, vocabulary=words).startswith("words.gz grows to more than 100 times its size")
    counts = sparse.csr_array(([1], [0], [0, 1]), shape=(1, 1))
    np.savez_compressed(
        tmp_path / "x.npz",
        data=np.ones(1 << 22),
        indices=np.zeros(1 << 22, int),
        indptr=counts.indptr,
        shape=(1, 1),
        format=b"csr",
    )
    assert "it grows to more than 100 times its size when uncompressed" in refused(tmp_path / "x.npz")


def test_files_that_shrink_as_corpora_do_are_no_bombs(tmp_path, small_bombs):
    rng = np.random.default_rng(0)
    matrix = sparse.random_array((3000, 500), density=0.2, rng=rng, data_sampler=lambda size: rng.integers(1, 9, size))
    counts = sparse.csr_array(matrix).astype(np.int64)
    lines = [f"{row + 1} {column + 1} {count}" for row, column, count in zip(*sparse.find(counts), strict=True)]
    text = "\n".join([str(counts.shape[0]), str(counts.shape[1]), str(counts.nnz), *lines])
    assert len(text) > streams.BOMB_BYTES
    (tmp_path / "docword.x.txt.gz").write_bytes(gzip.compress(text.encode(), 9))
    assert (load_corpus(tmp_path / "docword.x.txt.gz").counts != counts).nnz == 0
    sparse.save_npz(tmp_path / "x.npz", counts)
    assert (load_corpus(tmp_path / "x.npz").counts != counts).nnz == 0


def test_an_endless_line_is_refused(write, refused, monkeypatch):
    monkeypatch.setattr(streams, "LONGEST_LINE", 1 << 21)
    assert refused(write("docword.x.txt", b"1" * (1 << 23))).startswith("docword.x.txt has a line of more than")


def test_absurd_numbers_of_documents_and_words_cost_a_sentence_or_nothing(write, refused):
    path = write("docword.x.txt", "1000000000000\n1\n1\n1 1 1\n")
    assert refused(path) == (
        "docword.x.txt: its header gives more than 2147483647 documents or words; fetch the file again."
    )
    sparse_file = write("docword.x.txt", "2000000000\n2000000000\n3\n5 7 2\n9 7 1\n2000000000 2000000000 1\n")
    wide = write("x.ldac", "1 2000000000:2\n2 7:1 9:1\n1 7:3\n")

    def split():
        dropped = split_corpus(str(sparse_file), n_heldout=1, empty="drop", drop_shortest=1, random_state=0)
        return dropped.train.shape, split_corpus(str(wide), n_heldout=1, random_state=0).train.shape

    assert split() == ((1, 2), (2, 3))  # and all that is imported and compiled for it is there
    assert peak_of(split) < 1 << 22


def test_a_word_of_20000_letters_is_refused(write, refused):
    word = "ab" * 10_000
    for path in (write("x.txt", f"red fish\n{word}\n"), write("x.csv", f"text\n{word}\n")):
        assert refused(path) == (
            "The word 'abababababababababababababababababababab…' has 20000 letters, more than the 1000 a word may "
            "have: leave it out of the text or the vocabulary."
        )
    path = write("docword.x.txt", "1\n1\n1\n1 1 1\n")
    assert "has 20000 letters" in refused(path, vocabulary=[word])
    assert "has 20000 letters" in refused(path, vocabulary=write("words", word))


def test_memory_that_ends_is_told_in_one_sentence(write, refused, monkeypatch):
    def read(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr("gdmbench.data.load.read_texts", read)
    assert refused(write("x.txt", "text")) == "x.txt needs more memory than there is: give fewer documents."


def test_a_damaged_matrix_makes_no_corpus():
    counts = sparse.csr_array(np.eye(3, dtype=int))
    counts.indices[1] = 99
    with pytest.raises(CorpusError, match="is damaged"):
        Corpus(counts)


def test_a_bomb_in_a_stream_of_members(tmp_path, refused, small_bombs):
    """A gzip file may have many members, each small."""
    member = gzip.compress(b"1 1 1\n" * 100_000)
    file = io.BytesIO(gzip.compress(b"1\n1\n999999999\n"))
    path = tmp_path / "docword.x.txt.gz"
    path.write_bytes(file.getvalue() + member * 20)
    assert "grows to more than 100 times its size" in refused(path)
