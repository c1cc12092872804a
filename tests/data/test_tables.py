import gzip
import json
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from gensim.corpora import BleiCorpus, Dictionary, MmCorpus
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats import tables
from gdmbench.data.load import load_corpus

TEXTS = ["red fish, blue fish", 'one "fish"\nand another', "naïve; fish\ttail"]
WORDS = ["and", "another", "blue", "fish", "naïve", "one", "red", "tail"]
COUNTS = [[0, 0, 1, 2, 0, 0, 1, 0], [1, 1, 0, 1, 0, 1, 0, 0], [0, 0, 0, 1, 1, 0, 0, 1]]
FRAME = pd.DataFrame({"id": [1, 2, 3], "Text": TEXTS, "note": ["xx, yy", None, "zz"]})


def assert_read(path, **options):
    corpus = load_corpus(path, **options)
    assert corpus.vocabulary == WORDS
    np.testing.assert_array_equal(corpus.counts.toarray(), COUNTS)


FILES = {
    "comma": ("x.csv", FRAME.to_csv(index=False)),
    "row numbers": ("x.csv", FRAME.to_csv()),
    "semicolon": ("x.csv", FRAME.to_csv(index=False, sep=";")),
    "tab": ("x.tsv", FRAME.to_csv(index=False, sep="\t")),
    "everything quoted": ("x.csv", FRAME.to_csv(index=False, quoting=1)),
    "Windows lines": ("x.csv", FRAME.to_csv(index=False, lineterminator="\r\n")),
    "byte order mark": ("x.csv", "\ufeff" + FRAME.to_csv(index=False)),
    "only the text": ("x.csv", FRAME[["Text"]].rename(columns={"Text": "whatever"}).to_csv(index=False)),
    "abstract": ("x.csv", FRAME.rename(columns={"Text": "Abstract"}).to_csv(index=False)),
    "zipped": ("x.csv.gz", FRAME.to_csv(index=False)),
    "JSON lines": ("x.jsonl", FRAME.to_json(orient="records", lines=True)),
    "JSON lines, blank ones too": ("x.ndjson", FRAME.to_json(orient="records", lines=True).replace("\n", "\n\n")),
    "JSON strings": ("x.jsonl.gz", "\n".join(json.dumps(text) for text in TEXTS)),
}


@pytest.mark.parametrize("case", FILES)
def test_the_text_of_a_table_is_found(write, case):
    assert_read(write(*FILES[case]))


def test_a_column_can_be_chosen(write):
    frame = FRAME.assign(body=FRAME["Text"], Text="nothing much")
    for name, content in [
        ("x.csv", frame.to_csv(index=False)),
        ("x.jsonl", frame.to_json(orient="records", lines=True)),
        ("table", frame.to_csv(index=False)),
    ]:
        options = {"format": "csv"} if name == "table" else {}
        assert_read(write(name, content), text_column="body", **options)


@given(texts=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\0")), min_size=1, max_size=6))
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_csv_and_json_lines_hold_the_same_documents_as_text_in_a_folder(write, tmp_path, texts):
    texts = [f"begin {text}" for text in texts]
    frame = pd.DataFrame({"n": range(len(texts)), "text": texts})
    for number, text in enumerate(texts):
        write(f"{len(texts)}/{number}.txt", text)
    expected = load_corpus(tmp_path / str(len(texts)))
    for path in (
        write("x.csv", frame.to_csv(index=False, lineterminator="\n")),
        write("x.jsonl", frame.to_json(orient="records", lines=True)),
    ):
        corpus = load_corpus(path)
        assert corpus.vocabulary == expected.vocabulary
        np.testing.assert_array_equal(corpus.counts.toarray(), expected.counts.toarray())


def test_documents_longer_than_the_csv_module_likes(write):
    path = write("x.csv", "text\n" + "word " * 100_000 + "\n")
    assert load_corpus(path).counts.toarray().tolist() == [[100_000]]


def test_parquet_needs_its_package(write, refused, monkeypatch):
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    assert refused(write("x.parquet", b"")) == (
        "Reading x.parquet needs the package pyarrow: install it with pip install pyarrow."
    )


def test_parquet_is_read_by_pandas(tmp_path, monkeypatch):
    """Where pyarrow is installed with the real thing, else with what pandas would have given."""
    path = tmp_path / "x.parquet"
    if tables.find_spec("pyarrow"):
        FRAME.to_parquet(path)
    else:
        path.touch()
        monkeypatch.setattr(tables, "find_spec", lambda name: SimpleNamespace())
        monkeypatch.setattr(pd, "read_parquet", lambda file, engine: FRAME.copy())
    assert_read(path)
    assert_read(path, text_column="Text")
    with pytest.raises(CorpusError, match=r"row 2: document 2 has no words"):
        load_corpus(path, text_column="note", empty="error")
    with pytest.raises(CorpusError, match=r"row 1: there is int where the text should be"):
        load_corpus(path, text_column="id")


def test_parquet_that_cannot_be_read_is_refused(write, refused, monkeypatch):
    if not tables.find_spec("pyarrow"):

        def read(file, engine):
            raise RuntimeError("no magic\nbytes")

        monkeypatch.setattr(tables, "find_spec", lambda name: SimpleNamespace())
        monkeypatch.setattr(pd, "read_parquet", read)
    assert refused(write("x.parquet", b"text")).startswith("x.parquet is not a Parquet file that can be read: ")


BAD = {
    "several columns": ("x.csv", "a,b\n1,2\n", "x.csv has the columns a, b: set text_column to the one with the text."),
    "ragged": ("x.csv", 'id,text\n1,"one\nfish"\n2,red, blue\n', "x.csv, line 4: there are 3 fields, but the first"),
    "no rows": ("x.csv", "id,text\n", "x.csv has no rows"),
    "no words": ("x.csv", 'id,text\n1,"a\nb"\n2,red fish\n', "x.csv, line 2: document 1 has no words; set empty=drop"),
    "a null byte": ("x.csv", "text\n\0\n", "x.csv, line "),
    "not JSON": ("x.jsonl", '{"text": "red fish"}\n{"text": \n', "x.jsonl, line 2: this is not JSON"),
    "deep JSON": ("x.jsonl", '{"text": ' + "[" * 1_000_000 + "\n", "x.jsonl, line 1: this is not JSON"),
    "no text": ("x.jsonl", '{"text": "red fish"}\n{"id": 1}\n', "x.jsonl, line 2: there is no 'text' here"),
    "a number": ("x.jsonl", '{"text": 7}\n', "x.jsonl, line 1: there is int where the text should be"),
    "null": ("x.jsonl", '{"text": "red fish"}\n{"text": null}\n', "x.jsonl, line 2: document 2 has no words"),
    "many columns": ("x.jsonl", json.dumps(dict.fromkeys("abcdefghijkl")), "columns a, b, c, d, e, f, g, h, i, j, …:"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_tables_that_cannot_be_read_are_refused_with_their_line(write, refused, case):
    name, content, words = BAD[case]
    assert words in refused(write(name, content))


def test_needless_and_wrong_columns_are_refused(write, refused):
    path = write("x.csv", "id,text\n1,red fish\n")
    assert refused(path, text_column="Text") == (
        "x.csv has no column 'Text', only id, text: set text_column to one of them."
    )
    assert refused(path, vocabulary=["a"]).endswith("leave out vocabulary.")
    assert refused(write("x.txt", "red fish\n"), text_column="a") == (
        "x.txt has no columns to choose from: leave out text_column."
    )


def test_files_that_gensim_writes(tmp_path):
    texts = [["red", "fish", "red"], ["blue", "fish"], ["fish"]]
    dictionary = Dictionary(texts)
    documents = [dictionary.doc2bow(text) for text in texts]
    words = [dictionary[i] for i in range(len(dictionary))]
    expected = [[text.count(word) for word in words] for text in texts]
    MmCorpus.serialize(str(tmp_path / "x.mm"), documents)
    BleiCorpus.serialize(str(tmp_path / "x.lda-c"), documents, dictionary)
    for name in ("x.mm", "x.lda-c"):
        np.testing.assert_array_equal(load_corpus(tmp_path / name).counts.toarray(), expected)
    corpus = load_corpus(tmp_path / "x.lda-c", vocabulary=tmp_path / "x.lda-c.vocab")
    assert corpus.vocabulary == words


def test_a_path_may_begin_with_a_tilde(write, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    write("my corpora/ein [schönes] = Korpus.csv", FRAME.to_csv(index=False))
    assert_read("~/my corpora/ein [schönes] = Korpus.csv")
    write("docword.x.txt", "1\n2\n1\n1 1 1\n")
    write("words", "one\ntwo\n")
    assert load_corpus("~/docword.x.txt", vocabulary="~/words").vocabulary == ["one", "two"]


@pytest.mark.skipif(sys.platform == "win32", reason="the file has no such name there")
def test_a_file_whose_name_says_nothing_lists_every_format(write, refused):
    for content in ("text", gzip.compress(b"text")):
        message = refused(write("x.doc", content))
        assert message.endswith("give format=uci, ldac, matrix_market, npz, text, csv, jsonl or parquet.")
