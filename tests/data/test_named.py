import gzip
import hashlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import lda.datasets
import numpy as np
import pytest

from gdmbench.data import named
from gdmbench.data.corpus import CorpusError
from gdmbench.data.download import download
from gdmbench.data.load import load_corpus
from gdmbench.data.named import CorpusFile

DOCWORD = b"2\n3\n3\n1 1 2\n1 3 1\n2 2 5\n"
VOCAB = b"red\ngreen\nblue\n"
COUNTS = [[2, 0, 1], [0, 5, 0]]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache folder of our own, no data directory, and nothing between us and our own server."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.delenv("GDMBENCH_DATA", raising=False)
    return tmp_path / "cache" / "gdmbench"


@pytest.fixture
def server():
    """A web server that can break off, and that knows which files were asked for."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            content = server.files.get(self.path)
            server.requests.append(self.path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: server.breaks_after.pop(0) if server.breaks_after else None])

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.requests, server.breaks_after = {}, [], []
    server.url = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def toy(monkeypatch, server):
    """A named corpus that our server has."""
    server.files = {"/docword.toy.txt.gz": gzip.compress(DOCWORD), "/vocab.toy.txt": VOCAB}
    files = (
        CorpusFile("docword.toy.txt.gz", sha256(DOCWORD), server.url + "docword.toy.txt.gz"),
        CorpusFile("vocab.toy.txt", sha256(VOCAB), server.url + "vocab.toy.txt"),
    )
    monkeypatch.setitem(named._FILES, "nips", files)


def test_reuters_needs_no_files_and_is_what_its_package_loads():
    corpus = load_corpus("reuters")
    np.testing.assert_array_equal(corpus.counts.toarray(), lda.datasets.load_reuters())
    assert tuple(corpus.vocabulary) == lda.datasets.load_reuters_vocab()
    assert corpus.counts.dtype == np.int64


def test_named_corpus_is_taken_from_the_data_directory_zipped_or_not(write, toy, server, monkeypatch):
    zipped = write("zipped/docword.toy.txt.gz", DOCWORD).parent
    write("zipped/vocab.toy.txt", VOCAB)
    plain = write("plain/docword.toy.txt", DOCWORD).parent
    write("plain/vocab.toy.txt", VOCAB)
    for folder in (zipped, plain):
        corpus = load_corpus("nips", data_dir=folder)
        np.testing.assert_array_equal(corpus.counts.toarray(), COUNTS)
        assert corpus.vocabulary == ["red", "green", "blue"]
    monkeypatch.setenv("GDMBENCH_DATA", str(plain))
    np.testing.assert_array_equal(load_corpus("nips").counts.toarray(), COUNTS)
    assert not server.requests


def test_wrong_file_in_the_data_directory_is_refused(write, toy):
    folder = write("docword.toy.txt", DOCWORD.replace(b"5", b"6")).parent
    write("vocab.toy.txt", VOCAB)
    with pytest.raises(CorpusError, match="is not the file it should be"):
        load_corpus("nips", data_dir=folder)


def test_named_corpus_is_downloaded_once(toy, server, cache):
    for _ in range(2):
        corpus = load_corpus("nips")
        np.testing.assert_array_equal(corpus.counts.toarray(), COUNTS)
    assert server.requests == ["/docword.toy.txt.gz", "/vocab.toy.txt"]
    assert {"docword.toy.txt.gz", "vocab.toy.txt"} == {path.name for path in cache.iterdir()}


def test_download_that_breaks_off_leaves_nothing_and_the_next_one_begins_anew(server, cache):
    content = np.random.default_rng(0).bytes(300_000)
    server.files["/file"] = content
    server.breaks_after = [100_000]
    with pytest.raises(OSError, match=r"^the connection to 127\.0\.0\.1:\d+ failed$"):
        download(server.url + "file", "file", sha256(content))
    assert not list(cache.iterdir())
    assert download(server.url + "file", "file", sha256(content)).read_bytes() == content


@pytest.mark.parametrize(
    "content", [b"not what was wanted", gzip.compress(b"content")[:-9]], ids=["wrong", "cut short"]
)
def test_wrong_download_is_refused_and_not_kept(server, cache, content):
    server.files["/file"] = content
    with pytest.raises(CorpusError, match="is not file as it was published: get the file elsewhere"):
        download(server.url + "file", "file", sha256(b"content"))
    assert not list(cache.iterdir())


def test_what_counts_is_the_uncompressed_content(server, cache):
    for level in (1, 9):
        server.files["/file.gz"] = gzip.compress(b"content" * 99, level)
        path = download(server.url + "file.gz", f"file{level}.gz", sha256(b"content" * 99))
        assert gzip.decompress(path.read_bytes()) == b"content" * 99


def test_simultaneous_downloads_are_all_right(server, cache):
    content = np.random.default_rng(0).bytes(100_000)
    server.files["/file"] = content
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(download(server.url + "file", "file", sha256(content))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.read_bytes() for path in results] == [content] * 4
    assert [path.name for path in cache.iterdir()] == ["file"]


def test_cache_that_cannot_be_written_is_named(server, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    server.files["/file"] = b"content"
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        download(server.url + "file", "file", sha256(b"content"))


def test_corpus_that_cannot_be_downloaded_is_asked_for_in_one_sentence(toy, server, tmp_path):
    server.files.clear()
    with pytest.raises(CorpusError) as error:
        load_corpus("nips")
    message = str(error.value)
    assert re.match(r"The corpus nips could not be downloaded \(127\.0\.0\.1:\d+ answers 404 Not Found\): put", message)
    assert "put docword.toy.txt.gz and vocab.toy.txt" in message
    assert message.endswith("into a folder and name it in data_dir or GDMBENCH_DATA.")
    with pytest.raises(CorpusError, match=f"into the folder {tmp_path}"):
        load_corpus("nips", data_dir=tmp_path)


def test_unreachable_server(monkeypatch):
    files = tuple(
        CorpusFile(file.name, file.sha256, f"http://127.0.0.1:1/{file.name}") for file in named._FILES["nips"]
    )
    monkeypatch.setitem(named._FILES, "nips", files)
    with pytest.raises(CorpusError, match=r"put docword\.nips\.txt\.gz and vocab\.nips\.txt") as error:
        load_corpus("nips")
    assert "(the connection to 127.0.0.1:1 failed)" in str(error.value)


def test_corpus_that_has_to_be_made_says_where_it_comes_from_and_where_to_put_it(tmp_path):
    with pytest.raises(CorpusError) as error:
        load_corpus("nips12")
    assert str(error.value) == (
        "The corpus nips12 cannot be downloaded as it is: python -m gdmbench fetch nips12 makes it of "
        "https://cs.nyu.edu/~roweis/data/nips12raw_str602.mat. Or put docword.nips12.txt.gz and vocab.nips12.txt into "
        "a folder and name it in data_dir or GDMBENCH_DATA."
    )
    with pytest.raises(CorpusError, match=f"into the folder {tmp_path}"):
        load_corpus("nips12", data_dir=tmp_path)


def test_newsgroups_come_through_scikit_learn(monkeypatch, tmp_path):
    calls = []

    def fetch(**options):
        calls.append(options)
        files = [f"/home/20news/{name}" for name in ("sci.med/1", "sci.med/2", "rec.autos/1")]
        return SimpleNamespace(data=["good morning", "", "good night"], filenames=files)

    monkeypatch.setattr("sklearn.datasets.fetch_20newsgroups", fetch)
    (tmp_path / "20news-bydate_py3.pkz").touch()
    corpus = load_corpus("20newsgroups", data_dir=tmp_path)
    assert corpus.vocabulary == ["good", "morning", "night"]
    np.testing.assert_array_equal(corpus.counts.toarray(), [[1, 1, 0], [1, 0, 1]])
    assert corpus.ids.tolist() == ["sci.med/1", "rec.autos/1"]
    assert corpus.labels.tolist() == ["sci.med", "rec.autos"]
    assert corpus.dropped == [("sci.med/2", "it has no words")]
    assert calls[0]["data_home"] == tmp_path
    assert calls[0]["subset"] == "all"


def test_newsgroups_that_cannot_be_fetched_are_asked_for_in_one_sentence(monkeypatch):
    def fetch(**options):
        raise OSError("no route\nto host")

    monkeypatch.setattr("sklearn.datasets.fetch_20newsgroups", fetch)
    with pytest.raises(CorpusError, match=r"put its cache file 20news-bydate_py3\.pkz into a folder") as error:
        load_corpus("20newsgroups")
    assert "\n" not in str(error.value)


def test_missing_data_directory_and_needless_arguments_are_refused(monkeypatch, tmp_path):
    for name in ("nips", "nips12", "20newsgroups"):
        with pytest.raises(CorpusError, match=f"{tmp_path}/nowhere, given by data_dir, does not exist"):
            load_corpus(name, data_dir=tmp_path / "nowhere")
    monkeypatch.setenv("GDMBENCH_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(CorpusError, match="given by GDMBENCH_DATA, does not exist"):
        load_corpus("nips12")
    with pytest.raises(CorpusError, match="leave out format and vocabulary"):
        load_corpus("reuters", format="ldac")
