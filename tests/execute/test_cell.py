"""What a cell makes of a method's topics and proportions."""

import numpy as np
import pytest

from gdmbench import GDM, completion_perplexity
from gdmbench.execute.cell import MethodError, _top_words, own_proportions, rows_on_simplex, run_cell
from gdmbench.execute.guard import mark_memory, peak_memory
from gdmbench.plan import Cell


class Model:
    def __init__(self, components, weights):
        self.components_ = np.asarray(components, dtype=float)
        self.weights = np.asarray(weights, dtype=float)

    def transform(self, X):
        return self.weights


def test_proportions_that_sum_to_one_are_kept():
    model = Model([[1, 0], [0, 4]], [[0.25, 0.75]])
    assert own_proportions(model, np.zeros((1, 2))).tolist() == [[0.25, 0.75]]


def test_weights_of_a_factorisation_give_the_same_word_probabilities():
    rng = np.random.default_rng(0)
    model = Model(rng.random((3, 7)) * [[1], [10], [100]], rng.random((5, 3)))
    proportions = own_proportions(model, np.zeros((5, 7)))
    topics = model.components_ / model.components_.sum(axis=1, keepdims=True)
    expected = model.weights @ model.components_
    np.testing.assert_allclose(proportions @ topics, expected / expected.sum(axis=1, keepdims=True), rtol=1e-12)


def test_no_weight_at_all_is_equal_proportions():
    model = Model(np.eye(2), [[0, 0], [3, 1]])
    assert own_proportions(model, np.zeros((2, 2))).tolist() == [[0.5, 0.5], [0.75, 0.25]]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (None, "has no components_ after fit"),
        ([["a"]], "is not an array of numbers"),
        (np.ones(3), "has shape"),
        (np.ones((2, 4)), "has shape"),
        (np.ones((0, 3)), "has shape"),
        ([[1, 1, 1], [1, np.inf, 1]], "NaN or infinite entries, the first in row 1"),
        ([[1, 1, -1]], "negative entries, the first in row 0"),
        ([[1, 1, 1], [0, 0, 0]], "rows of zeros only, the first is row 1"),
    ],
)
def test_rubbish_is_one_sentence(rows, sentence):
    with pytest.raises(MethodError, match=sentence):
        rows_on_simplex(Model([[1]], [[1]]), rows, (None, 3), "components_")


def test_top_words_come_with_their_probabilities():
    words = _top_words(np.array([[0.2, 0.5, 0.3]]), ["a", "b", "c"])
    assert words == [[["b", 0.5], ["c", 0.3], ["a", 0.2]]]
    assert _top_words(np.array([[1.0]]), None) is None


def test_the_peak_of_memory_is_seen():
    held = mark_memory()
    if held is None:
        pytest.skip("this system does not tell its memory")
    block = np.ones(20_000_000)
    del block
    assert 150 < peak_memory(held) < 400


def test_a_cell_survives_pickling():
    import pickle

    cell = Cell("e", "m", "M", None, None, 0, 7, {"_target_": "a.b"}, {"_target_": "c.D"})
    assert pickle.loads(pickle.dumps(cell)) == cell


def test_a_method_is_told_the_truth_after_all_else():
    params = {"_target_": "experiments.estimators.ExtendedGDM", "n_topics": 2}
    data = {"_target_": "gdmbench.simulate_lda", "n_docs": 60, "doc_length": 40, "n_words": 20, "n_topics": 2}
    outcome = run_cell(Cell("e", "m", "m", None, None, 0, 1, data, params))
    assert outcome["status"] == "ok"
    assert set(outcome["extra"]) == {"extension", "right_extension", "right_mm_distance"}
    assert outcome["extra"]["right_mm_distance"] < outcome["mm_distance"]


def test_the_four_perplexities():
    params = {"_target_": "gdmbench.GDM", "n_topics": 2}
    data = {"_target_": "gdmbench.simulate_lda", "n_docs": 60, "doc_length": 40, "n_words": 20, "n_topics": 2}
    outcome = run_cell(Cell("e", "m", "m", None, None, 0, 1, data, params))
    # GDM's own proportions are the projected ones.
    assert outcome["perplexity_projected"] == outcome["perplexity"]
    assert outcome["perplexity_projected_nonzero"] == outcome["perplexity_nonzero"]


def test_a_real_corpus_is_completed_document_by_document():
    params = {"_target_": "gdmbench.GDM", "n_topics": 3, "random_state": 0}
    data = {"_target_": "gdmbench.data.split.split_corpus", "path": "reuters", "n_heldout": 30}
    cell = Cell("e", "m", "m", None, None, 0, 1, data, params)
    outcome = run_cell(cell)
    corpus = cell.make_data(None)
    topics = GDM(3, random_state=0).fit(corpus.train).components_
    assert outcome["completion"] == completion_perplexity(corpus.heldout, topics, corpus.train)
    of_documents = outcome["extra"]["completion"]
    mean = sum(of_documents["log_likelihoods"]) / sum(of_documents["tokens"])
    assert outcome["completion"] == pytest.approx(np.exp(-mean), rel=1e-5)  # four digits of each are kept


def test_leading_topics_are_compared_with_the_labels_of_held_out_documents(tmp_path):
    rows = [
        f"{'sun moon star' if m % 2 else 'cat dog fur'} word{m % 5},{'sky' if m % 2 else 'pets'}" for m in range(60)
    ]
    (tmp_path / "texts.csv").write_text("text,label\n" + "\n".join(rows))
    params = {"_target_": "gdmbench.GDM", "n_topics": 2, "random_state": 0}
    data = {"_target_": "gdmbench.data.split.split_corpus", "path": str(tmp_path / "texts.csv"), "n_heldout": 20}
    cell = Cell("e", "m", "m", None, None, 0, 1, data, params)
    assert run_cell(cell)["label_agreement"] == 1
    (tmp_path / "texts.csv").write_text("text\n" + "\n".join(row.partition(",")[0] for row in rows))
    assert "label_agreement" not in run_cell(cell)
