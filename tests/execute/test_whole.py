"""A method fitted to a whole corpus: its model and the proportions of every document."""

import numpy as np

from gdmbench import GDM, load_corpus, load_model
from gdmbench.execute.whole import fit_whole
from gdmbench.plan import Cell


def test_the_model_and_the_proportions_are_those_of_all_documents(tmp_path):
    data = {"_target_": "gdmbench.data.split_corpus", "path": "reuters", "n_heldout": 60, "n_docs": 0.5}
    cell = Cell("e", "gdm", "GDM", None, None, 0, 7, data, {"_target_": "gdmbench.GDM", "n_topics": 4})
    assert [path.name for path in fit_whole(cell, tmp_path)] == ["model.npz", "proportions.csv"]
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
