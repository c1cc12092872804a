"""The corpus nips12 from a file of the form in which it is published."""

import gzip
import hashlib
import re

import numpy as np
import pytest
from scipy import sparse
from scipy.io import savemat

from gdmbench import load_corpus
from gdmbench.cli import main
from gdmbench.config.experiment import load_experiment
from gdmbench.data import named, roweis
from gdmbench.data.corpus import CorpusError
from gdmbench.data.named import CorpusFile, is_at_hand
from gdmbench.data.roweis import make_nips12
from gdmbench.errors import DataError
from gdmbench.plan import make_plan
from gdmbench.run import _take_stand_ins

COUNTS = np.array([[2, 0, 1], [0, 5, 0]])
WORDS = ["red", "old", "fish"]
DOCWORD = b"2\n3\n3\n1 1 2\n1 3 1\n2 2 5\n"
VOCAB = b"red\nold\nfish\n"


def save(path, counts=COUNTS, words=WORDS):
    """Save as MATLAB does: words down, documents across, words in a column of cells, and more beside them."""
    cells = np.array(words, dtype=object).reshape(-1, 1)
    savemat(path, {"counts": sparse.csc_matrix(counts.T.astype(float)), "wl": cells, "anames": cells})
    return path


@pytest.fixture(autouse=True)
def toy(tmp_path, monkeypatch):
    """A corpus of two documents goes for nips12; no data directory, and a cache of our own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("GDMBENCH_DATA", raising=False)
    files = [("docword.nips12.txt.gz", DOCWORD), ("vocab.nips12.txt", VOCAB)]
    files = tuple(CorpusFile(name, hashlib.sha256(content).hexdigest()) for name, content in files)
    monkeypatch.setitem(named._FILES, "nips12", files)


@pytest.mark.parametrize("place", ["cache", "data_dir", "environment"])
def test_the_corpus_is_made_where_it_is_found_again(tmp_path, monkeypatch, place):
    mat = save(tmp_path / "nips12raw_str602.mat")
    folder = tmp_path / "cache" / "gdmbench"
    if place != "cache":
        folder = tmp_path / "data"
        folder.mkdir()
    if place == "environment":
        monkeypatch.setenv("GDMBENCH_DATA", str(folder))
    data_dir = folder if place == "data_dir" else None
    assert not is_at_hand("nips12", data_dir)
    docword, vocab = make_nips12(mat, data_dir)
    assert (docword.parent, vocab.parent) == (folder, folder)
    assert (gzip.decompress(docword.read_bytes()), vocab.read_bytes()) == (DOCWORD, VOCAB)
    assert is_at_hand("nips12", data_dir)
    corpus = load_corpus("nips12", data_dir=data_dir)
    assert corpus.vocabulary == WORDS
    np.testing.assert_array_equal(corpus.counts.toarray(), COUNTS)


def test_the_command_makes_it(tmp_path, capsys):
    assert main(["fetch", "nips12", str(save(tmp_path / "x.mat"))]) == 0
    assert "docword.nips12.txt.gz" in capsys.readouterr().out
    for words in ([], ["nips"], ["nips12", "a", "b"]):
        assert main(["fetch", *words]) == 2
        assert capsys.readouterr().err.startswith("gdmbench: fetch makes the corpus nips12: python -m gdmbench fetch")


def test_other_files_are_refused_in_one_sentence_and_leave_nothing(tmp_path):
    text = tmp_path / "text.mat"
    text.write_text("not MATLAB, but a text that is long enough for the header of a file of MATLAB. " * 9)
    other = save(tmp_path / "other.mat", COUNTS + 1)
    savemat(tmp_path / "lacking.mat", {"counts": COUNTS})
    for path, sentence in [
        (text, "is not nips12raw_str602.mat, with its counts and wl: "),
        (tmp_path / "lacking.mat", "is not nips12raw_str602.mat, with its counts and wl: 'wl'."),
        (tmp_path / "nowhere.mat", "cannot be read: "),
        (other, "holds another docword.nips12.txt.gz than was published: fetch it again."),
    ]:
        with pytest.raises(CorpusError, match=re.escape(sentence)) as error:
            make_nips12(path)
        assert "\n" not in str(error.value)
    assert not (tmp_path / "cache").exists()


def test_a_download_that_fails_names_the_address_and_the_command(monkeypatch):
    monkeypatch.setattr(roweis, "NIPS12_URL", "http://127.0.0.1:1/nips12raw_str602.mat")
    with pytest.raises(CorpusError, match=r"could not be downloaded \(.*\): fetch it in a browser and give its path, "):
        make_nips12()


def test_without_it_the_corpus_that_downloads_itself_is_taken_and_told(tmp_path, capsys):
    """In a plan of Table 1, where nips may be downloaded; in a run offline, the sentence ends it."""
    assert main(["plan", "+experiment=table_1", f"root={tmp_path}"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("The corpus nips12 is not here, so nips is taken instead: python -m gdmbench fetch nips12")
    assert said.count("taken instead") == 1
    make_nips12(save(tmp_path / "x.mat"))
    assert main(["plan", "+experiment=table_1", f"root={tmp_path}"]) == 0
    assert "taken instead" not in capsys.readouterr().out


def test_a_stand_in_changes_the_documents_and_the_titles_alone(tmp_path):
    keys = []
    for file in (None, save(tmp_path / "x.mat")):
        if file is not None:
            make_nips12(file)
        experiment = load_experiment(["+experiment=nips"])
        _take_stand_ins(experiment)
        cell = make_plan(experiment.config).points[0]
        keys.append(cell.key)
        assert cell.data["path"] == ("nips" if file is None else "nips12")
        assert ("[on the corpus nips]" in experiment.config.title) == (file is None)
        assert "instead" not in cell.data
    assert keys[0] != keys[1]


def test_a_run_without_any_of_its_corpora_ends_with_the_sentence_alone(tmp_path, capsys, monkeypatch):
    def look(plan, settings):
        raise DataError("The corpus nips could not be downloaded: put it into a folder.")

    monkeypatch.setattr("gdmbench.run._check_corpora", look)
    assert main(["+experiment=table_1", "scale=quick", f"root={tmp_path}"]) == 2
    said = capsys.readouterr()
    assert said.err.splitlines()[-1] == "gdmbench: The corpus nips could not be downloaded: put it into a folder."
    assert "no records" not in said.out
    assert not list(tmp_path.rglob("claims.md"))
