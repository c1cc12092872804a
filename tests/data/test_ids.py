"""What a file calls its documents stays with them, whatever is left out."""

import json

import numpy as np
import pytest
from scipy import sparse

from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.load import load_corpus
from gdmbench.data.preprocess import preprocess
from gdmbench.data.split import split_corpus

TEXTS = ["red fish", "", "blue fish swim", "old fish swim"]
NAMES = ["r1", "none", "b7", "o2"]
GROUPS = ["new", "old", "new", "old"]
LEFT_OUT = [("none", "it has no words")]


def as_csv(columns=("id", "label", "text")):
    rows = zip(NAMES, GROUPS, TEXTS, strict=True)
    return "\n".join([",".join(columns), *(",".join(row) for row in rows)]) + "\n"


def as_json():
    rows = zip(NAMES, GROUPS, TEXTS, strict=True)
    return "".join(json.dumps({"doc_id": i, "category": g, "text": t}) + "\n" for i, g, t in rows)


@pytest.mark.parametrize(("name", "content"), [("x.csv", as_csv()), ("x.jsonl", as_json())])
def test_a_table_names_its_documents_and_their_groups(write, name, content):
    corpus = load_corpus(write(name, content), empty="drop")
    assert corpus.ids.tolist() == ["r1", "b7", "o2"]
    assert corpus.labels.tolist() == ["new", "new", "old"]
    assert corpus.openings.tolist() == ["red fish", "blue fish swim", "old fish swim"]
    assert corpus.dropped == LEFT_OUT


def test_columns_of_other_names_are_chosen_or_refused(write):
    path = write("x.csv", as_csv(("no", "when", "text")))
    assert load_corpus(path, empty="drop").ids.tolist() == [1, 3, 4]  # rows, where nothing else names them
    assert load_corpus(path, empty="drop").labels is None
    corpus = load_corpus(path, empty="drop", id_column="no", label_column="when")
    assert corpus.ids.tolist() == ["r1", "b7", "o2"]
    assert corpus.labels.tolist() == ["new", "new", "old"]
    with pytest.raises(CorpusError, match="has no column 'nr': set id_column to one of its columns"):
        load_corpus(path, id_column="nr")
    with pytest.raises(CorpusError, match="no columns to choose from: leave out label_column"):
        load_corpus(write("x.txt", "red fish\n"), label_column="when")


def test_a_row_without_an_id_goes_by_its_number(write):
    assert load_corpus(write("x.csv", "id,text\na,red fish\n,blue fish\n")).ids.tolist() == ["a", 2]


def test_lines_and_files_name_their_documents(write, tmp_path):
    lines = load_corpus(write("x.txt", "\n".join(TEXTS) + "\n"), empty="drop")
    assert (lines.ids.tolist(), lines.dropped) == ([1, 3, 4], [("2", "it has no words")])
    assert lines.labels is None
    for name, group, text in zip(NAMES, GROUPS, TEXTS, strict=True):
        write(f"folder/{group}/{name}.txt", text)
    folder = load_corpus(tmp_path / "folder", empty="drop")
    assert folder.ids.tolist() == ["new/b7.txt", "new/r1.txt", "old/o2.txt"]
    assert folder.labels.tolist() == ["new", "new", "old"]
    assert folder.dropped == [("old/none.txt", "it has no words")]


COUNTS = sparse.csr_array(np.array([[2, 1], [0, 0], [0, 3], [0, 0], [0, 0], [1, 1], [0, 0]]))


def test_rows_of_counts_keep_their_numbers(write, tmp_path):
    sparse.save_npz(tmp_path / "x.npz", COUNTS)
    entries = "".join(f"{i + 1} {j + 1} {n}\n" for (i, j), n in np.ndenumerate(COUNTS.toarray()) if n)
    lines = [
        " ".join([str((row > 0).sum()), *(f"{j}:{n}" for j, n in enumerate(row) if n)]) for row in COUNTS.toarray()
    ]
    for path in (tmp_path / "x.npz", write("docword.x.txt", f"7\n2\n5\n{entries}"), write("x.ldac", "\n".join(lines))):
        corpus = load_corpus(path, empty="drop")
        assert corpus.ids.tolist() == [1, 3, 6]
        assert [row for row, _ in corpus.dropped] == ["2", "4", "5", "7"]


def test_rows_that_a_header_claims_are_not_named_one_by_one(write):
    corpus = load_corpus(write("docword.x.txt", "2000000000\n1\n2\n3 1 1\n5 1 1\n"), empty="drop")
    assert corpus.ids.tolist() == [3, 5]
    assert [row for row, _ in corpus.dropped] == ["1 to 2", "4 to 4", "6 to 2000000000"]


def test_preprocessing_says_of_each_document_why_it_is_gone():
    counts = sparse.csr_array(np.array([[3, 0, 0], [0, 1, 0], [2, 1, 0], [0, 2, 2], [4, 0, 1]]))
    corpus = Corpus(counts, ids=np.array(list("abcde")), dropped=[("x", "it has no words")])
    kept = preprocess(corpus, drop_shortest=1, min_df=3, min_length=3)
    assert kept.ids.tolist() == ["a", "e"]
    assert kept.dropped == [
        ("x", "it has no words"),
        ("b", "it is one of the 1 shortest"),
        ("c", "fewer than min_length=3 of its words are kept"),
        ("d", "none of its words is kept"),
    ]


def test_a_division_keeps_the_ids_of_its_training_documents(write):
    path = write("x.csv", as_csv())
    split = split_corpus(str(path), empty="drop", n_heldout=1, random_state=0)
    whole = load_corpus(path, empty="drop")
    for row, name in enumerate(split.ids):
        place = whole.ids.tolist().index(name)
        assert split.train[[row]].sum() == whole.counts[[place]].sum()
        assert split.openings[row] == whole.openings[place]
    assert split.dropped == LEFT_OUT
