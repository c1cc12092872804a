"""The estimators score documents by themselves, so scikit-learn's searches can choose between them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold

from baselines.gibbs import CollapsedGibbs
from gdmbench import GDM, NonparametricGDM, TunedGDM, perplexity, simulate_lda
from gdmbench.geometry import base

DATA = simulate_lda(150, 60, n_words=40, n_topics=3, n_heldout=30, random_state=0)
ESTIMATORS = [
    GDM(3, random_state=0),
    TunedGDM(3, random_state=0),
    NonparametricGDM(n_topics=3, random_state=0),
    CollapsedGibbs(3, n_sweeps=20, random_state=0),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_score_is_minus_the_logarithm_of_perplexity_by_projection(estimator):
    model = clone(estimator).fit(DATA.train)
    assert model.score(DATA.heldout) == pytest.approx(-np.log(perplexity(DATA.heldout, model.components_)), rel=1e-12)
    assert model.score(DATA.heldout.toarray()) == model.score(DATA.heldout)


def test_score_of_words_that_have_probability_zero_is_finite():
    model = GDM(2, random_state=0).fit([[4, 4, 0], [1, 9, 0], [9, 1, 0]])
    unseen = [[1, 1, 5]]
    assert np.isfinite(model.score(unseen))
    assert model.score(unseen) == pytest.approx(-np.log(perplexity(unseen, model.components_)))
    with pytest.raises(ValueError, match=r"GDM\.score: the documents contain no words"):
        model.score(np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"Negative values in data passed to GDM\.score"):
        model.score(-np.eye(3))


def test_grid_search_over_the_number_of_topics_needs_no_scorer():
    folds = KFold(3)
    search = GridSearchCV(GDM(1, random_state=0), {"n_topics": [1, 2, 3]}, cv=folds).fit(DATA.train)
    expected = []
    for n_topics in (1, 2, 3):
        scores = []
        for train, test in folds.split(DATA.train.toarray()):
            topics = GDM(n_topics, random_state=0).fit(DATA.train[train]).components_
            scores.append(-np.log(perplexity(DATA.train[test], topics)))
        expected.append(np.mean(scores))
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected, rtol=1e-12)
    assert search.best_params_ == {"n_topics": 3}
    assert search.score(DATA.heldout) == pytest.approx(search.best_estimator_.score(DATA.heldout))


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
