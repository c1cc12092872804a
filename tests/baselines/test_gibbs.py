"""Collapsed Gibbs, the estimator: results against the package lda, chains, averaging, proportions, bad input."""

import itertools

import lda
import numpy as np
import pytest
from scipy.special import gammaln
from sklearn.base import clone

from baselines.gibbs import CollapsedGibbs
from gdmbench import GDM, TunedGDM, minimum_matching_distance, simulate_lda


def test_likelihood_and_accuracy_agree_with_the_package_lda():
    # Two samplers of one posterior: their means over 8 seeds differ by no more than 4 standard errors.
    data = simulate_lda(200, 100, n_words=150, n_topics=3, random_state=5)
    ours, theirs = [], []
    for seed in range(8):
        model = CollapsedGibbs(3, n_sweeps=100, burn_in=99, random_state=seed).fit(data.train)
        other = lda.LDA(3, n_iter=100, alpha=0.1, eta=0.1, random_state=seed, refresh=1000).fit(data.train)
        ours.append((model.log_likelihoods_[0, -1], minimum_matching_distance(model.components_, data.topics)))
        theirs.append((other.loglikelihood(), minimum_matching_distance(other.topic_word_, data.topics)))
    difference = np.mean(ours, axis=0) - np.mean(theirs, axis=0)
    error = np.sqrt((np.var(ours, axis=0, ddof=1) + np.var(theirs, axis=0, ddof=1)) / 8)
    assert (np.abs(difference) < 4 * error).all()


def test_accuracy_with_the_papers_defaults():
    distances = []
    for seed in range(2):
        data = simulate_lda(1000, 1000, random_state=seed)
        model = CollapsedGibbs(5, n_sweeps=60, n_chains=2, random_state=seed).fit(data.train)
        distances.append(minimum_matching_distance(model.components_, data.topics))
    assert np.mean(distances) < 0.0028  # what 100 sweeps of other samplers give


def test_averaging_is_the_mean_of_the_topics_after_burn_in():
    data = simulate_lda(60, 40, n_words=50, n_topics=3, random_state=1)
    one_sweep = [
        CollapsedGibbs(3, n_sweeps=n, burn_in=n - 1, random_state=3).fit(data.train).components_ for n in (6, 7, 8)
    ]
    averaged = CollapsedGibbs(3, n_sweeps=8, burn_in=5, random_state=3).fit(data.train)
    np.testing.assert_allclose(averaged.components_, np.mean(one_sweep, axis=0), rtol=1e-12)
    np.testing.assert_allclose(averaged.components_.sum(axis=1), 1, rtol=1e-12)


def test_chain_with_the_highest_likelihood_runs_on_and_the_others_end():
    data = simulate_lda(300, 50, n_words=200, n_topics=5, random_state=2)
    model = CollapsedGibbs(5, n_sweeps=30, burn_in=20, n_chains=4, random_state=0).fit(data.train)
    scores = model.log_likelihoods_[:, 10:20].mean(axis=1)
    assert len(set(scores)) == 4
    assert model.best_chain_ == scores.argmax()
    assert model.record_ == {"log_likelihoods": scores.tolist(), "best_chain": model.best_chain_}
    running = np.isfinite(model.log_likelihoods_[:, 20:]).all(axis=1)
    assert running.tolist() == [chain == model.best_chain_ for chain in range(4)]


def test_kept_chain_is_what_it_would_be_alone():
    data = simulate_lda(300, 50, n_words=200, n_topics=5, random_state=2)
    seed = next(
        seed
        for seed in range(20)
        if CollapsedGibbs(5, n_sweeps=30, n_chains=3, random_state=seed).fit(data.train).best_chain_ == 0
    )
    many, alone = (CollapsedGibbs(5, n_sweeps=30, n_chains=n, random_state=seed).fit(data.train) for n in (3, 1))
    np.testing.assert_array_equal(many.log_likelihoods_[0], alone.log_likelihoods_[0])
    np.testing.assert_array_equal(many.components_, alone.components_)


def test_given_topics_are_where_a_chain_starts():
    data = simulate_lda(500, 60, n_words=400, n_topics=8, random_state=4)
    true = CollapsedGibbs(8, n_sweeps=3, init=data.topics, random_state=0).fit(data.train)
    blind = CollapsedGibbs(8, n_sweeps=3, random_state=0).fit(data.train)
    long = CollapsedGibbs(8, n_sweeps=300, init=data.topics, random_state=1).fit(data.train)
    assert blind.log_likelihoods_[0, -1] < true.log_likelihoods_[0, -1]
    # After three sweeps it is within the spread of the long chain: 6 standard deviations of it.
    level = long.log_likelihoods_[0, 100:]
    assert abs(true.log_likelihoods_[0, -1] - level.mean()) < 6 * level.std()
    order = [np.linalg.norm(true.components_ - topic, axis=1).argmin() for topic in data.topics]
    assert order == list(range(8))


def test_chain_from_the_true_topics_stays_there():
    # From anywhere, sweeps end up within .0065 (mean of 10 seeds .0051, standard deviation .0004) of the truth; a chain
    # with two topics merged is .06 or more away.
    data = simulate_lda(5000, 50, random_state=0)
    model = CollapsedGibbs(5, n_sweeps=50, init=data.topics, random_state=0).fit(data.train)
    distances = np.linalg.norm(model.components_ - data.topics, axis=1)  # in their order: no labels changed places
    assert distances.max() < 0.0065
    # One sweep is enough to be near: the noise of a single draw, not of 25 averaged, comes on top.
    once = CollapsedGibbs(5, n_sweeps=1, init=data.topics, random_state=0).fit(data.train)
    assert minimum_matching_distance(once.components_, data.topics) < 0.01
    level = model.log_likelihoods_[0, 25:]
    assert abs(model.log_likelihoods_[0, 0] - level.mean()) < 6 * level.std()


def test_estimator_and_its_topics_are_the_same_start():
    data = simulate_lda(200, 60, n_words=100, random_state=1)
    estimator = TunedGDM(5, random_state=3)
    options = {"n_sweeps": 10, "n_chains": 2, "random_state": 4}
    model = CollapsedGibbs(5, init=estimator, **options).fit(data.train)
    other = CollapsedGibbs(5, init=clone(estimator).fit(data.train).components_, **options).fit(data.train)
    np.testing.assert_array_equal(model.components_, other.components_)
    np.testing.assert_array_equal(model.transform(data.heldout), other.transform(data.heldout))
    assert not hasattr(estimator, "components_")


def test_estimator_without_a_seed_gets_one():
    data = simulate_lda(60, 40, n_words=80, random_state=1)
    one, two = (
        CollapsedGibbs(3, n_sweeps=4, init=GDM(3, n_restarts=1), random_state=5).fit(data.train) for _ in range(2)
    )
    np.testing.assert_array_equal(one.components_, two.components_)


def test_proportions_are_posterior_means():
    rng = np.random.default_rng(0)
    model = CollapsedGibbs(3, alpha=0.4, n_sweeps=5, n_transform_sweeps=400_000, random_state=0)
    model.fit(rng.integers(0, 3, size=(5, 4)))
    model.components_ = rng.dirichlet(np.full(4, 0.5), size=3)
    document = np.array([[2, 0, 3, 1]])
    words = np.repeat(np.arange(4), document[0])
    expected, mass = np.zeros(3), 0.0
    for labels in itertools.product(range(3), repeat=6):
        numbers = np.bincount(labels, minlength=3)
        weight = np.exp(gammaln(numbers + 0.4).sum()) * model.components_[list(labels), words].prod()
        expected += weight * (numbers + 0.4) / (6 + 1.2)
        mass += weight
    # 200 000 dependent sweeps: a standard deviation below 0.5 each and an autocorrelation time below 40 sweeps make
    # a standard error below 0.007; measured it is 0.001.
    np.testing.assert_allclose(model.transform(document)[0], expected / mass, atol=0.006)


def test_same_seed_same_bits():
    data = simulate_lda(100, (5, 60), n_words=100, n_topics=6, random_state=0)
    options = {"n_sweeps": 20, "n_chains": 2}
    one, two = (CollapsedGibbs(6, random_state=11, **options).fit(data.train) for _ in range(2))
    other = CollapsedGibbs(6, random_state=12, **options).fit(data.train)
    np.testing.assert_array_equal(one.components_, two.components_)
    np.testing.assert_array_equal(one.log_likelihoods_, two.log_likelihoods_)
    np.testing.assert_array_equal(one.transform(data.heldout), two.transform(data.heldout))
    assert (one.components_ != other.components_).any()
    unseeded = CollapsedGibbs(6, **options).fit(data.train)
    np.testing.assert_array_equal(unseeded.transform(data.heldout), unseeded.transform(data.heldout))


def test_progress_is_told_of_every_sweep():
    seen = []
    model = CollapsedGibbs(2, n_sweeps=3, n_chains=2, progress=lambda *what: seen.append(what), random_state=0).fit(
        np.ones((3, 4))
    )
    best = model.best_chain_
    assert [what[:2] for what in seen] == [(0, 1), (1, 1), (best, 2), (best, 3)]
    assert all(value == model.log_likelihoods_[chain, n - 1] for chain, n, value in seen)


GOOD = np.array([[1, 2, 0], [0, 1, 3], [2, 2, 2]])


@pytest.mark.parametrize(
    ("options", "counts", "message"),
    [
        ({}, GOOD + 0.5, "document 0 has a count of 1.5; pass raw word counts"),
        ({}, GOOD * 1e9, "at most 2147483647 of them, but X has 1.3e"),
        ({}, -GOOD, "Negative values in data"),
        ({}, GOOD * np.nan, "NaN"),
        ({}, np.zeros((3, 3)), "n_samples=0 non-empty documents"),
        ({"n_topics": 0}, GOOD, "n_topics must be a whole number of at least 1, not 0"),
        ({"n_topics": 4}, GOOD, "4 topics cannot be found in n_samples=3"),
        ({"alpha": 0}, GOOD, "alpha must be a positive number, not 0"),
        ({"eta": float("inf")}, GOOD, "eta must be a positive number, not inf"),
        ({"eta": "auto"}, GOOD, "eta must be a positive number, not 'auto'"),
        ({"n_sweeps": 0}, GOOD, "n_sweeps must be a whole number of at least 1, not 0"),
        ({"n_chains": 1.5}, GOOD, "n_chains must be a whole number of at least 1, not 1.5"),
        ({"burn_in": 10}, GOOD, "burn_in=10 leaves none of n_sweeps=10 sweeps"),
        ({"burn_in": 0, "n_chains": 2}, GOOD, "Which of n_chains=2 chains to keep shows in the burn-in"),
        ({"init": "kmeans"}, GOOD, "init must be 'random', topics or an estimator that finds topics, not 'kmeans'"),
        ({"init": np.ones((2, 2))}, GOOD, r"init has topics of shape \(2, 2\), but n_topics=2 topics over 3 words"),
        ({"init": GDM(3)}, GOOD, r"init has topics of shape \(3, 3\), but n_topics=2 topics over 3 words"),
        ({"init": -np.ones((2, 3))}, GOOD, "init must be topics"),
    ],
)
def test_rubbish_gets_one_clear_sentence(options, counts, message):
    with pytest.raises(ValueError, match=message):
        CollapsedGibbs(**{"n_topics": 2, "n_sweeps": 10, **options}).fit(counts)


def test_fractions_are_refused_by_transform_too():
    model = CollapsedGibbs(2, n_sweeps=5, random_state=0).fit(GOOD)
    with pytest.raises(ValueError, match=r"CollapsedGibbs.transform labels every token.* count of 0.5;"):
        model.transform(GOOD / 2)
