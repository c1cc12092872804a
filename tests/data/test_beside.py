"""The groups of documents in a file beside their counts."""

import gzip
import hashlib

import numpy as np
import pytest

from gdmbench.data import named
from gdmbench.data.content import content_digest
from gdmbench.data.corpus import CorpusError
from gdmbench.data.load import load_corpus
from gdmbench.data.named import CorpusFile
from gdmbench.data.split import split_corpus

DOCWORD = "4\n3\n4\n1 1 2\n1 3 1\n3 2 5\n4 2 7\n"  # document 2 has no words
LABELS = "old\nnone\nnew\nvery new\n"


@pytest.mark.parametrize("name", ["docword.toy.txt", "docword.toy.txt.gz"])
def test_line_n_has_the_group_of_document_n(write, name):
    path = write(name, DOCWORD)
    assert load_corpus(path, empty="drop").labels is None
    write("labels.toy.txt", LABELS)
    corpus = load_corpus(path, empty="drop")
    assert corpus.ids.tolist() == [1, 3, 4]
    assert corpus.labels.tolist() == ["old", "new", "very new"]


def test_preprocessing_and_division_keep_each_document_s_group(write):
    counts = np.random.default_rng(0).poisson(1, size=(40, 6))
    counts[:, 0] = np.arange(1, 41)  # which tells the documents apart
    entries = [f"{m + 1} {w + 1} {counts[m, w]}" for m, w in zip(*counts.nonzero(), strict=True)]
    path = write("docword.toy.txt", "\n".join(["40", "6", str(len(entries)), *entries]) + "\n")
    write("labels.toy.txt", "".join(f"group {m + 1}\n" for m in range(40)))
    split = split_corpus(str(path), n_heldout=10, drop_shortest=3, random_state=0)
    for documents, labels in ((split.train, split.labels), (split.heldout, split.heldout_labels)):
        assert labels.tolist() == [f"group {row[0]}" for row in documents.toarray()]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a\n\nb\nc\n", "labels.toy.txt, line 2: there is no group here; give the group of a document on every line."),
        ("a\nb\nc\n", "labels.toy.txt, line 4: The file has the groups of 3 documents, but there are 4; give one line"),
        ("a\n" * 5, "labels.toy.txt, line 5: The file has the groups of 5 documents, but there are 4; give one line"),
        ("", "labels.toy.txt, line 1: there is no group here"),
    ],
)
def test_labels_that_do_not_fit_are_refused(write, refused, content, sentence):
    path = write("docword.toy.txt", DOCWORD)
    write("labels.toy.txt", content)
    assert refused(path, empty="drop").startswith(sentence)


def test_labels_count_as_content(write):
    path = write("docword.toy.txt", DOCWORD)
    digests = {content_digest(path)}
    for labels in (LABELS, LABELS.upper()):
        write("labels.toy.txt", labels)
        digests.add(content_digest(path))
    assert len(digests) == 3


def test_a_corpus_known_by_name_has_the_labels_that_belong_to_it(write, monkeypatch, tmp_path):
    write("docword.newsgroups.txt.gz", "2\n3\n2\n1 1 2\n2 3 1\n")
    write("vocab.newsgroups.txt", "a\nb\nc\n")
    files = tuple(CorpusFile(file.name, _sha256(tmp_path / file.name)) for file in named.files_of("newsgroups"))
    monkeypatch.setitem(named._FILES, "newsgroups", files)
    assert load_corpus("newsgroups", data_dir=tmp_path).labels is None
    labels = write("labels.newsgroups.txt", "old\nnew\n")
    with pytest.raises(CorpusError, match=r"labels\.newsgroups\.txt is not the file it should be"):
        load_corpus("newsgroups", data_dir=tmp_path)
    monkeypatch.setitem(named._LABELS, "newsgroups", CorpusFile(labels.name, _sha256(labels)))
    assert load_corpus("newsgroups", data_dir=tmp_path).labels.tolist() == ["old", "new"]


def test_the_newsgroups_have_twenty_groups(data_folder):
    corpus = load_corpus("newsgroups", data_dir=data_folder)
    assert len(set(corpus.labels)) == 20
    assert len(corpus.labels) == 18_774


def _sha256(path):
    content = path.read_bytes()
    return hashlib.sha256(gzip.decompress(content) if path.suffix == ".gz" else content).hexdigest()
