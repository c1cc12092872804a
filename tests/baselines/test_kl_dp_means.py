"""KL DP-means: costs and smoothing by direct formulas, every step by brute force, tiny corpora by all partitions."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import rel_entr, softmax
from sklearn.exceptions import ConvergenceWarning

from baselines import kl_dp_means
from baselines.kl_dp_means import KLDPMeans
from gdmbench import minimum_matching_distance, simulate_lda


def divergence(counts, mean):
    """N KL(w || mean) of one document, by the definition."""
    return counts.sum() * rel_entr(counts / counts.sum(), mean).sum()


def smoothed_mean(counts, smoothing):
    total = np.atleast_2d(counts).sum(axis=0) + smoothing
    return total / total.sum()


def smoothing_cost(mean, smoothing):
    """What the added tokens cost: those of a document with `smoothing` tokens of every word."""
    return divergence(np.full(len(mean), smoothing), mean)


def objective(counts, labels, penalty, smoothing):
    """The sum of costs and penalties, with every mean at its best."""
    value = 0.0
    for cluster in np.unique(labels):
        members = counts[labels == cluster]
        mean = smoothed_mean(members, smoothing)
        value += penalty + smoothing_cost(mean, smoothing) + sum(divergence(row, mean) for row in members)
    return value


def partitions(n):
    """Every division of n documents into clusters, as labels."""

    def extend(labels):
        if len(labels) == n:
            yield np.array(labels)
            return
        for label in range(max(labels) + 2):
            yield from extend([*labels, label])

    yield from extend([0])


def corpora(max_docs=9, max_count=6):
    """Small matrices without empty documents."""
    rows = st.lists(st.integers(0, max_count), min_size=4, max_size=4).filter(any)
    return st.lists(rows, min_size=2, max_size=max_docs).map(lambda rows: np.array(rows, float))


@given(counts=corpora(), penalty=st.floats(0.05, 30), smoothing=st.floats(0.01, 2))
@settings(max_examples=60, deadline=None)
def test_result_is_a_fixed_point_with_the_objective_it_reports(counts, penalty, smoothing):
    model = KLDPMeans(penalty, smoothing=smoothing).fit(counts)
    labels, means = model.labels_, model.components_
    assert sorted(set(labels)) == list(range(model.n_topics_))
    assert model.objective_ == pytest.approx(objective(counts, labels, penalty, smoothing), rel=1e-9, abs=1e-9)
    for k, mean in enumerate(means):
        np.testing.assert_allclose(mean, smoothed_mean(counts[labels == k], smoothing), rtol=1e-12)
    for row, label in zip(counts, labels, strict=True):
        own = smoothed_mean(row, smoothing)
        alone = divergence(row, own) + smoothing_cost(own, smoothing) + penalty
        costs = np.array([divergence(row, mean) for mean in means])
        if np.count_nonzero(labels == label) == 1:
            costs[label] = alone
        assert costs[label] <= min(costs.min(), alone) + 1e-9


def test_smoothed_mean_is_the_best_mean():
    members = np.array([[3.0, 0, 1, 0], [5, 1, 0, 0]])
    expected = smoothed_mean(members, 0.3)

    def cost(logits):
        mean = softmax(logits)
        return smoothing_cost(mean, 0.3) + sum(divergence(row, mean) for row in members)

    found = softmax(minimize(cost, np.zeros(4), tol=1e-12).x)
    np.testing.assert_allclose(found, expected, atol=1e-5)


@given(counts=corpora(max_docs=6), penalty=st.floats(0.05, 20))
@settings(max_examples=40, deadline=None)
def test_lies_between_the_best_of_all_partitions_and_the_start(counts, penalty):
    model = KLDPMeans(penalty).fit(counts)
    best = min(objective(counts, labels, penalty, 0.1) for labels in partitions(len(counts)))
    assert model.objective_ >= best - 1e-9
    documents = kl_dp_means._Documents(sparse.csr_array(counts), 0.1)
    seeds, _ = kl_dp_means._seed_farthest_first(documents, penalty, len(counts))
    assert model.objective_ <= objective(counts, seeds, penalty, 0.1) + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_finds_the_best_of_all_partitions_where_clusters_are_plain(seed):
    rng = np.random.default_rng(seed)
    kinds = np.array([[0.7, 0.1, 0.1, 0.05, 0.05], [0.05, 0.05, 0.1, 0.1, 0.7], [0.02, 0.9, 0.04, 0.02, 0.02]])
    counts = np.array([rng.multinomial(60, kinds[m % 3]) for m in range(8)], float)
    model = KLDPMeans(15.0).fit(counts)
    scores = {tuple(labels): objective(counts, labels, 15.0, 0.1) for labels in partitions(8)}
    assert model.objective_ == pytest.approx(min(scores.values()), rel=1e-9)
    assert model.n_topics_ == 3
    assert len(set(zip(model.labels_, np.arange(8) % 3, strict=True))) == 3


def test_every_pass_lowers_the_objective(monkeypatch):
    data = simulate_lda(300, 200, n_words=100, n_topics=6, alpha=0.5, random_state=0)
    seen = []
    original = kl_dp_means._Documents.objective

    def watched(self, *arguments):
        seen.append(original(self, *arguments))
        return seen[-1]

    monkeypatch.setattr(kl_dp_means._Documents, "objective", watched)
    model = KLDPMeans(250.0).fit(data.train)
    assert len(seen) > 3
    assert (np.diff(seen[:-1]) < 0).all()
    assert model.objective_ == min(seen) == seen[-2]


@pytest.mark.parametrize("alpha", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("n_topics", [1, 2, 8, 20])
def test_wanted_number_of_clusters_is_found_and_its_penalty_gives_it_again(alpha, n_topics):
    data = simulate_lda(300, 500, n_words=200, n_topics=8, alpha=alpha, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model = KLDPMeans(n_topics=n_topics).fit(data.train)
    assert model.n_topics_ == n_topics
    again = KLDPMeans(penalty=model.penalty_).fit(data.train)
    np.testing.assert_array_equal(again.components_, model.components_)
    np.testing.assert_array_equal(again.labels_, model.labels_)


def test_pure_documents_are_sorted_by_their_topics():
    data = simulate_lda(400, 300, n_topics=6, alpha=1e-4, random_state=2)
    model = KLDPMeans(n_topics=6).fit(data.train)
    pairs = set(zip(model.labels_, data.proportions.argmax(axis=1), strict=True))
    assert len(pairs) == 6


def test_number_that_no_penalty_gives_is_told():
    counts = np.array([[4, 0, 1]] * 5 + [[0, 5, 0]] * 5)
    with pytest.warns(ConvergenceWarning, match="gives n_topics=4; the nearest gives 2 topics"):
        model = KLDPMeans(n_topics=4).fit(counts)
    assert model.n_topics_ == 2


def test_larger_penalty_means_no_more_clusters_from_many_to_one():
    data = simulate_lda(200, 300, n_words=100, n_topics=5, random_state=0)
    numbers = [KLDPMeans(penalty).fit(data.train).n_topics_ for penalty in (1e-3, 1.0, 100.0, 1e4)]
    assert numbers[-1] == 1
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 100


def test_the_order_of_documents_makes_no_difference():
    counts = simulate_lda(100, 50, n_words=40, n_topics=4, random_state=0).train
    order = np.random.default_rng(0).permutation(100)
    one, other = KLDPMeans(n_topics=4).fit(counts), KLDPMeans(n_topics=4).fit(counts[order])
    assert minimum_matching_distance(one.components_, other.components_) < 1e-12


def test_length_is_weight():
    # A document twice as long costs twice as much: doubling all counts, smoothing and the penalty changes nothing.
    counts = simulate_lda(80, (20, 200), n_words=60, random_state=4).train
    one = KLDPMeans(25.0, smoothing=0.1).fit(counts)
    two = KLDPMeans(50.0, smoothing=0.2).fit(2 * counts)
    np.testing.assert_array_equal(one.labels_, two.labels_)
    assert two.objective_ == pytest.approx(2 * one.objective_, rel=1e-12)


GOOD = np.array([[1, 2, 0], [0, 1, 3], [2, 2, 2]])


@pytest.mark.parametrize(
    ("options", "counts", "message"),
    [
        ({}, GOOD, "Pass either penalty, .* not penalty=None and n_topics=None"),
        ({"penalty": 1.0, "n_topics": 2}, GOOD, "Pass either penalty, .* not penalty=1.0 and n_topics=2"),
        ({"penalty": 0}, GOOD, "penalty must be a positive number, not 0"),
        ({"penalty": float("nan")}, GOOD, "penalty must be a positive number, not nan"),
        ({"penalty": 1, "smoothing": 0.0}, GOOD, "smoothing must be a positive number, not 0.0"),
        ({"n_topics": 0}, GOOD, "n_topics must be a whole number of at least 1, not 0"),
        ({"n_topics": 4}, GOOD, "4 topics cannot be found in n_samples=3"),
        ({"penalty": 1}, 0 * GOOD, "No clusters can be found in n_samples=3 documents, all empty"),
        ({"penalty": 1}, -GOOD, "Negative values in data"),
    ],
)
def test_rubbish_gets_one_clear_sentence(options, counts, message):
    with pytest.raises(ValueError, match=message):
        KLDPMeans(**options).fit(counts)
