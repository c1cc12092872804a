"""The estimators score documents by themselves, so scikit-learn's searches can choose between them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from baselines.gibbs import CollapsedGibbs
from gdmbench import GDM, VLAD, NonparametricGDM, RefinedGDM, TunedGDM, simulate_lda
from gdmbench.geometry import base
from gdmbench.geometry.counts import read_counts
from gdmbench.geometry.halves import divide_words

DATA = simulate_lda(150, 60, n_words=40, n_topics=3, n_heldout=30, random_state=0)
ESTIMATORS = [
    GDM(3, random_state=0),
    TunedGDM(3, random_state=0),
    NonparametricGDM(n_topics=3, random_state=0),
    CollapsedGibbs(3, n_sweeps=20, random_state=0),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_score_is_the_mean_logarithm_of_the_words_that_transform_has_not_seen(estimator):
    model = clone(estimator).fit(DATA.train)
    first, second = (half.toarray() for half in divide_words(read_counts(DATA.heldout, "X"), seed=0))
    frequencies = (DATA.train.sum(axis=0) + 1) / (DATA.train.sum() + DATA.train.shape[1])
    probabilities = model.transform(first) @ (0.999 * model.components_ + 0.001 * frequencies)
    expected = (second * np.log(probabilities)).sum() / second.sum()
    assert model.score(DATA.heldout) == pytest.approx(expected, rel=1e-10)
    assert model.score(DATA.heldout.toarray()) == model.score(DATA.heldout)


def test_score_of_unseen_words_is_finite_and_mistakes_are_named():
    model = GDM(2, random_state=0).fit([[4, 4, 0], [1, 9, 0], [9, 1, 0]])
    assert np.isfinite(model.score([[1, 1, 5]]))
    assert model.score([[1, 1, 5], [0, 0, 1], [0, 0, 0]]) == model.score([[1, 1, 5]])  # nothing to divide
    with pytest.raises(ValueError, match=r"GDM\.score: no document has two words or more"):
        model.score(np.eye(3))
    with pytest.raises(ValueError, match=r"Negative values in data passed to GDM\.score"):
        model.score(-np.eye(3))


@pytest.mark.parametrize("method", [GDM, TunedGDM, VLAD, RefinedGDM])
@pytest.mark.parametrize("seed", [101, 102])
def test_grid_search_finds_the_number_of_topics(method, seed):
    # 5 topics are true. In a study on seeds 0 to 3 every method took 5, but for GDM once 8.
    data = simulate_lda(1000, 50, n_words=300, n_topics=5, random_state=seed)
    search = GridSearchCV(method(1, random_state=0), {"n_topics": [2, 3, 5, 8, 16, 40]}, cv=3).fit(data.train)
    assert search.best_params_["n_topics"] in (5, 8)


def test_fit_transform_projects_once_and_no_step_reads_the_counts_twice(monkeypatch):
    calls = []
    for name in ("nearest_weights", "check_counts"):
        original = getattr(base, name)
        monkeypatch.setattr(
            base, name, lambda *args, name=name, original=original: calls.append(name) or original(*args)
        )
    expected = GDM(3, random_state=0).fit(DATA.train).transform(DATA.train)
    assert calls == ["check_counts", "check_counts", "nearest_weights"]
    calls.clear()
    np.testing.assert_array_equal(GDM(3, random_state=0).fit_transform(DATA.train), expected)
    assert calls == ["check_counts", "check_counts", "nearest_weights"]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_output_can_be_a_frame_with_named_columns(estimator):
    name = type(estimator).__name__.lower()
    frame = pd.DataFrame(DATA.heldout.toarray(), columns=[f"word{i}" for i in range(DATA.heldout.shape[1])])
    model = clone(estimator).set_output(transform="pandas")
    proportions = model.fit_transform(frame)
    assert list(proportions.columns) == [f"{name}0", f"{name}1", f"{name}2"] == list(model.get_feature_names_out())
    assert list(model.feature_names_in_) == list(frame.columns)
    assert np.isfinite(model.score(frame))
