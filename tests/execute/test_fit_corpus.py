"""A method fitted to a whole corpus: its model and the proportions of every document."""

import csv
import re

import numpy as np
import pytest

from gdmbench import GDM, load_corpus, load_model
from gdmbench.cli import main
from gdmbench.execute.fit_corpus import fit_corpus
from gdmbench.plan import Cell


def test_the_model_and_the_proportions_are_those_of_all_documents(tmp_path):
    data = {"_target_": "gdmbench.data.split.split_corpus", "path": "reuters", "n_heldout": 60, "n_docs": 0.5}
    cell = Cell("e", "gdm", "GDM", None, None, 0, 7, data, {"_target_": "gdmbench.GDM", "n_topics": 4})
    assert [path.name for path in fit_corpus(cell, tmp_path)] == ["model.npz", "proportions.csv", "dropped.csv"]
    corpus = load_corpus("reuters")
    expected = GDM(4, random_state=cell.seeds()[1]).fit(corpus.counts)
    model = load_model(tmp_path / "model.npz")
    np.testing.assert_array_equal(model.components_, expected.components_)
    assert model.vocabulary_ == corpus.vocabulary
    lines = (tmp_path / "proportions.csv").read_text().splitlines()
    assert lines[0] == "document,topic_1,topic_2,topic_3,topic_4"
    table = np.loadtxt(lines[1:], delimiter=",")
    assert table[:, 0].tolist() == list(range(1, 396))
    np.testing.assert_allclose(table[:, 1:], expected.transform(corpus.counts), atol=1e-5)


def test_documents_keep_their_ids_and_those_left_out_are_listed_with_the_reason(tmp_path):
    rows = ['"a, b",red fish red', 'c,""', "d,blue fish blue", "e,green", "f,red fish blue"]
    (tmp_path / "x.csv").write_text("\n".join(["id,text", *rows]))
    data = {"_target_": "gdmbench.data.split.split_corpus", "path": str(tmp_path / "x.csv")}
    data |= {"empty": "drop", "drop_shortest": 1, "min_df": 2, "n_heldout": 1}
    cell = Cell("e", "gdm", "GDM", None, None, 0, 7, data, {"_target_": "gdmbench.GDM", "n_topics": 2})
    _, proportions, dropped = fit_corpus(cell, tmp_path)
    with proportions.open(newline="") as file:
        assert [row["document"] for row in csv.DictReader(file)] == ["a, b", "d", "f"]
    assert dropped.read_text().splitlines() == ["document,why", "c,it has no words", "e,it is one of the 1 shortest"]


@pytest.mark.parametrize("values", ["[2,4]", "[4]"])
def test_the_best_of_a_comparison_is_kept_and_said_to_be_at_the_edge(
    values, tmp_path, capsys, in_this_process, blank_figures
):
    """Of two numbers of topics each is at the edge of those tried; where one alone was tried there is no edge."""
    others = ["~methods.tgdm", "~methods.gibbs", "~methods.vem", "~methods.recover_kl", "~methods.refined_gdm"]
    words = ["+experiment=reuters", f"sweep.values={values}", "repetitions=1", f"root={tmp_path}", *others]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "GDM predicts unseen words best." in said
    kept = re.search(r"The topics of GDM at model\.n_topics=(\d), fitted to all documents:", said)
    assert len(load_model(tmp_path / "reuters" / "model.npz").components_) == int(kept[1])
    assert (re.search(r"try (more|fewer) than|do not tell", said) is not None) == (values == "[2,4]")
