"""KL DP-means against its definition, by brute force on small corpora."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import rel_entr, softmax
from sklearn.utils.estimator_checks import parametrize_with_checks

from baselines.kl_dp_means import KLDPMeans
from gdmbench import minimum_matching_distance, simulate_lda


@parametrize_with_checks([KLDPMeans(n_topics=2)])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def mean_of(counts, smoothing):
    smoothed = counts.sum(axis=0) + smoothing
    return smoothed / smoothed.sum()


def objective(counts, labels, penalty, smoothing):
    """The objective of the docstring, word for word and dense."""
    total, n_words = 0.0, counts.shape[1]
    for k in np.unique(labels):
        mine = counts[labels == k]
        mean = mean_of(mine, smoothing)
        for document in mine:
            total += document.sum() * rel_entr(document / document.sum(), mean).sum()
        total += n_words * smoothing * rel_entr(np.full(n_words, 1 / n_words), mean).sum() + penalty
    return total


def partitions(n):
    """Every partition of n documents, as labels in order of first use."""
    if n == 0:
        yield []
        return
    for shorter in partitions(n - 1):
        for k in range(max(shorter, default=-1) + 2):
            yield [*shorter, k]


@pytest.mark.parametrize("seed", range(4))
def test_the_result_is_a_fixed_point_of_every_step(seed):
    data = simulate_lda(25, (10, 40), n_words=15, n_topics=3, alpha=0.3, random_state=seed)
    counts = data.train.toarray()
    for penalty in (1.0, 10.0, 30.0, 100.0):
        model = KLDPMeans(penalty, smoothing=0.2).fit(data.train)
        assert model.objective_ == pytest.approx(objective(counts, model.labels_, penalty, 0.2), rel=1e-10)
        for k in range(model.n_topics_):
            np.testing.assert_allclose(model.components_[k], mean_of(counts[model.labels_ == k], 0.2), atol=1e-12)
        costs = rel_entr((counts / counts.sum(axis=1)[:, None])[:, None], model.components_).sum(axis=2)
        costs *= counts.sum(axis=1)[:, None]
        chosen = costs[np.arange(25), model.labels_]
        np.testing.assert_allclose(chosen, costs.min(axis=1), rtol=1e-9)
        for m in range(25):
            alone = objective(counts[[m]], np.zeros(1), penalty, 0.2)
            assert chosen[m] <= alone * (1 + 1e-8)


def test_the_smoothed_mean_minimises_the_cost_of_its_cluster():
    rng = np.random.default_rng(0)
    counts = rng.poisson(2.0, (4, 6)) + 1
    mean = mean_of(counts, 0.5)

    def cost(logits):
        p = softmax(logits)
        documents = sum(d.sum() * rel_entr(d / d.sum(), p).sum() for d in counts)
        return documents + 6 * 0.5 * rel_entr(np.full(6, 1 / 6), p).sum()

    found = minimize(cost, np.zeros(6), tol=1e-12)
    np.testing.assert_allclose(softmax(found.x), mean, atol=1e-5)


def test_few_documents_end_at_the_best_of_all_partitions():
    counts = np.array([[9, 1, 0, 0], [8, 2, 0, 0], [0, 0, 9, 1], [0, 0, 7, 3], [1, 9, 0, 0], [0, 8, 1, 0]])
    for penalty in (1e-6, 1.0, 5.0, 15.0, 60.0, 1e6):
        best = min(objective(counts, np.array(labels), penalty, 0.1) for labels in partitions(6))
        assert KLDPMeans(penalty).fit(counts).objective_ == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.01, 0.1, 1.0])
def test_the_penalty_for_a_wanted_number(alpha):
    data = simulate_lda(500, 1000, n_words=400, n_topics=10, alpha=alpha, random_state=0)
    model = KLDPMeans(n_topics=10).fit(data.train)
    assert model.n_topics_ == 10 == len(model.components_)
    again = KLDPMeans(model.penalty_).fit(data.train)
    np.testing.assert_array_equal(again.components_, model.components_)


def test_nearly_pure_documents_give_the_true_topics():
    """At alpha = .01 few documents mix: means of 50 documents of 1000 words are within about .01 of the truth."""
    data = simulate_lda(500, 1000, n_words=400, n_topics=10, alpha=0.01, random_state=0)
    assert minimum_matching_distance(KLDPMeans(n_topics=10).fit(data.train).components_, data.topics) < 0.03


def test_the_order_of_documents_makes_no_difference():
    data = simulate_lda(100, 50, n_words=40, n_topics=4, alpha=0.1, random_state=0)
    order = np.random.default_rng(0).permutation(100)
    one, other = KLDPMeans(n_topics=4).fit(data.train), KLDPMeans(n_topics=4).fit(data.train[order])
    assert minimum_matching_distance(one.components_, other.components_) < 1e-12


def test_empty_documents_are_left_out():
    data = simulate_lda(30, 20, n_words=10, n_topics=2, random_state=0)
    with_empty = sparse.vstack([sparse.csr_array((1, data.train.shape[1]), dtype=int), data.train])
    model, without = KLDPMeans(n_topics=2).fit(with_empty), KLDPMeans(n_topics=2).fit(data.train)
    np.testing.assert_array_equal(model.components_, without.components_)
    assert model.labels_[0] == -1


def test_equal_documents_are_one_cluster_and_a_wish_for_more_is_answered():
    counts = np.tile([3, 1, 0, 2], (6, 1))
    assert KLDPMeans(5.0).fit(counts).n_topics_ == 1
    with pytest.warns(Warning, match="No penalty was found that gives n_topics=3"):
        model = KLDPMeans(n_topics=3).fit(counts)
    assert np.isfinite(model.components_).all()


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({}, "Pass either penalty"),
        ({"penalty": 1.0, "n_topics": 2}, "Pass either penalty"),
        ({"penalty": -1}, "penalty must be a positive number"),
        ({"penalty": 1.0, "smoothing": 0}, "smoothing must be a positive number"),
        ({"n_topics": 5}, "cannot be found in n_samples=3"),
        ({"n_topics": 1.5}, "n_topics must be a whole number"),
    ],
)
def test_wrong_parameters_are_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        KLDPMeans(**parameters).fit(np.eye(3))
