"""A method fitted to a whole corpus: its model and the proportions of every document."""

import csv
import json
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
    assert [path.name for path in fit_corpus(cell, tmp_path)] == [
        "model.npz",
        "proportions.csv",
        "chosen.json",
        "dropped.csv",
    ]
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
    _, proportions, _, dropped = fit_corpus(cell, tmp_path)
    with proportions.open(newline="") as file:
        assert [row["document"] for row in csv.DictReader(file)] == ["a, b", "d", "f"]
    assert dropped.read_text().splitlines() == ["document,why", "c,it has no words", "e,it is one of the 1 shortest"]


def test_what_the_page_is_told_follows_from_the_proportions(tmp_path):
    """Sizes and shares of groups are those of words, so that the sizes are the mean of the groups by their words."""
    lines = [f"{i},{'ab'[i % 2]},{'red fish ' * (i + 1)}{'blue sky ' * (9 - i)}" for i in range(10)]
    (tmp_path / "x.csv").write_text("\n".join(["id,group,text", *lines]))
    data = {"_target_": "gdmbench.data.split.split_corpus", "path": str(tmp_path / "x.csv")}
    cell = Cell("e", "vlad", "VLAD", "k", 2, 0, 7, data, {"_target_": "gdmbench.GDM", "n_topics": 2})
    _, proportions, chosen, _ = fit_corpus(cell, tmp_path)
    told = json.loads(chosen.read_text())
    shares = np.loadtxt(proportions, delimiter=",", skiprows=1)[:, 1:]  # every document has twenty words
    np.testing.assert_allclose([topic["size"] for topic in told["topics"]], shares.mean(axis=0), atol=1e-5)
    assert {name: count for name, count, _ in told["groups"]} == {"a": 5, "b": 5}
    np.testing.assert_allclose(np.mean([each for _, _, each in told["groups"]], axis=0), shares.mean(axis=0), atol=1e-5)
    for k, topic in enumerate(told["topics"]):
        assert topic["documents"][0][0] == str(shares[:, k].argmax())
        assert topic["documents"][0][2].startswith("red fish")


ALONE = ["~methods.tgdm", "~methods.gibbs", "~methods.vem", "~methods.recover_kl", "~methods.refined_gdm"]


def test_the_training_texts_give_the_proportions_again(tmp_path):
    """Also those of Gibbs sampling, whose own inference a file of topics can't hold."""
    from pydoc_data.topics import topics as chapters

    texts = list(chapters.values())
    (tmp_path / "x.jsonl").write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in chapters.items()))
    data = {"_target_": "gdmbench.data.split.split_corpus", "path": str(tmp_path / "x.jsonl")}
    data |= {"stop_words": "english", "min_df": 3}
    for target, more in [
        ("gdmbench.RefinedGDM", {"alpha": None}),
        ("gdmbench.VLAD", {}),
        ("baselines.gibbs.CollapsedGibbs", {"n_sweeps": 10, "alpha": 0.5}),
    ]:
        fit_corpus(Cell("e", "m", "M", None, None, 0, 7, data, {"_target_": target, "n_topics": 4, **more}), tmp_path)
        model = load_model(tmp_path / "model.npz")
        with (tmp_path / "proportions.csv").open(newline="") as file:
            rows = list(csv.reader(file))[1:]
        assert [row[0] for row in rows] == list(chapters)
        # Six digits are written.
        found = model.transform(model.count(texts))
        np.testing.assert_allclose(found, [[float(p) for p in row[1:]] for row in rows], rtol=1e-5, atol=1e-12)


def test_the_model_of_another_corpus_is_kept_and_told(tmp_path, capsys, in_this_process, blank_figures):
    texts = ["red fish swim", "blue fish swim", "old dog ran", "new dog ran"] * 3
    folder, saying = tmp_path / "corpus", []
    for name in ("first", "second", "second"):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + f"\n{name} one\n")
        words = ["+experiment=corpus", f"data.path={tmp_path}/{name}.txt", "sweep.values=[2]", "repetitions=1"]
        assert main([*words, f"root={tmp_path}", *ALONE]) == 0
        said = capsys.readouterr().out
        saying.append(f"{folder} has the model of {tmp_path}/first.txt, which is kept as model_first.npz, " in said)
        assert name in load_model(folder / "model.npz").vocabulary_
    assert saying == [False, True, False]
    assert "first" in load_model(folder / "model_first.npz").vocabulary_
    assert (folder / "proportions_first.csv").exists()


@pytest.mark.parametrize("values", ["[2,4]", "[4]"])
def test_the_best_of_a_comparison_is_kept_and_said_to_be_at_the_edge(
    values, tmp_path, capsys, in_this_process, blank_figures
):
    """Of two numbers of topics each is at the edge of those tried; where one alone was tried there is no edge."""
    words = ["+experiment=reuters", f"sweep.values={values}", "repetitions=1", f"root={tmp_path}", *ALONE]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "GDM predicts unseen words best." in said
    kept = re.search(r"The topics of GDM at model\.n_topics=(\d), fitted to all documents:", said)
    assert len(load_model(tmp_path / "reuters" / "model.npz").components_) == int(kept[1])
    assert (re.search(r"try (more|fewer) than|do not tell", said) is not None) == (values == "[2,4]")
