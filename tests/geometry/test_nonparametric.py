"""nGDM: the optimum of penalised weighted k-means under single moves, and the penalty for a wanted number of topics."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from gdmbench import GDM, NonparametricGDM, load_corpus, minimum_matching_distance, simulate_lda


def penalised(points, weights, labels, penalty):
    total = penalty * len(np.unique(labels))
    for k in np.unique(labels):
        mine, w = points[labels == k], weights[labels == k]
        total += (w * ((mine - np.average(mine, axis=0, weights=w)) ** 2).sum(axis=1)).sum()
    return total


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_no_document_lowers_the_objective_by_moving_or_by_opening_a_cluster(weighted, seed):
    data = simulate_lda(30, (20, 60), n_words=20, n_topics=3, random_state=seed)
    points = data.train.toarray() / data.train.sum(axis=1)[:, None]
    weights = data.train.sum(axis=1).astype(float) if weighted else np.ones(30)
    spread = penalised(points, weights, np.zeros(30, dtype=int), 0.0)
    for penalty in spread * np.array([0.02, 0.1, 0.5]):
        model = NonparametricGDM(penalty, weighted=weighted, random_state=seed).fit(data.train)
        objective = penalised(points, weights, model.labels_, penalty)
        assert model.inertia_ + penalty * model.n_topics_ == pytest.approx(objective, rel=1e-9)
        for m in range(30):
            for k in range(model.n_topics_ + 1):
                moved = model.labels_.copy()
                moved[m] = k
                assert penalised(points, weights, moved, penalty) >= objective * (1 - 1e-9)


def test_a_large_penalty_gives_one_topic_and_a_tiny_one_a_topic_for_each_document():
    data = simulate_lda(20, 50, n_words=30, n_topics=3, random_state=0)
    one = NonparametricGDM(1e9).fit(data.train)
    assert one.n_topics_ == 1
    np.testing.assert_allclose(one.components_[0], one.center_, atol=1e-12)
    assert NonparametricGDM(1e-9).fit(data.train).n_topics_ == len(np.unique(data.train.toarray() / 50, axis=0))


@pytest.mark.parametrize("n_topics", [1, 3, 8])
def test_the_penalty_for_a_wanted_number(n_topics):
    data = simulate_lda(600, 500, n_words=200, n_topics=8, alpha=0.05, random_state=0)
    model = NonparametricGDM(n_topics=n_topics, random_state=0).fit(data.train)
    assert model.n_topics_ == n_topics == len(model.components_) == len(model.extensions_)
    again = NonparametricGDM(model.penalty_, random_state=0).fit(data.train)
    assert again.n_topics_ == n_topics
    np.testing.assert_array_equal(again.components_, model.components_)


def test_true_topics_are_found_without_their_number():
    """Eight nearly pure topics of long documents stand apart: one penalty finds them; MM about .01 here."""
    data = simulate_lda(600, 500, n_words=200, n_topics=8, alpha=0.02, random_state=1)
    model = NonparametricGDM(n_topics=8, random_state=0).fit(data.train)
    assert minimum_matching_distance(model.components_, data.topics) < 0.03


@pytest.mark.parametrize(("n_topics", "alpha"), [(4, 0.1), (7, 0.3), (10, 0.05)])
def test_by_itself_it_prices_topics_so_that_their_number_is_found(n_topics, alpha):
    data = simulate_lda(500, 400, n_words=300, n_topics=n_topics, alpha=alpha, random_state=1)
    model = NonparametricGDM(random_state=0).fit(data.train)
    assert model.n_topics_ == n_topics
    # What stands is the least of inertia plus penalties, as DP-means has it, among the numbers around it.
    inertias = np.array([GDM(k, random_state=0).fit(data.train).inertia_ for k in range(1, n_topics + 4)])
    assert model.penalty_ == pytest.approx(0.25 * (inertias[0] - inertias[1]), rel=1e-6)
    assert model.inertia_ == pytest.approx(inertias[n_topics - 1], rel=1e-6)
    objectives = inertias + model.penalty_ * np.arange(1, n_topics + 4)
    assert objectives.argmin() + 1 == n_topics


def test_by_itself_it_finds_a_useful_number_in_real_text():
    """79 chapters of Python's reference and the Reuters stories; the costliest document as penalty found 3 and 2."""
    from pydoc_data.topics import topics as chapters

    vectorizer = CountVectorizer(stop_words="english", min_df=3, token_pattern="[a-z]{3,}")
    for counts in (vectorizer.fit_transform(chapters.values()), load_corpus("reuters").counts):
        assert 5 <= NonparametricGDM(random_state=0).fit(counts).n_topics_ <= 20


def test_by_itself_it_stops_at_the_number_of_documents():
    assert NonparametricGDM(random_state=0).fit(np.eye(4)).n_topics_ == 4


def test_documents_all_alike_are_one_topic():
    model = NonparametricGDM(random_state=0).fit(np.tile([3, 1, 2], (20, 1)))
    assert model.n_topics_ == 1


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"penalty": 1.0, "n_topics": 2}, "Pass penalty, the price of a topic, or n_topics"),
        ({"penalty": 0}, "penalty must be a positive number"),
        ({"penalty": np.nan}, "penalty must be a positive number"),
        ({"n_topics": 5}, "cannot be found in n_samples=3"),
        ({"n_topics": 0}, "n_topics must be a whole number"),
    ],
)
def test_wrong_parameters_are_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        NonparametricGDM(**parameters).fit(np.eye(3))
