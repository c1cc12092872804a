"""PLSA: passes against EM by dense arrays, the likelihood against scipy's, the whole against exact mixtures."""

import numpy as np
import pytest
from scipy import sparse, stats

from baselines.plsa import PLSA, em_step
from gdmbench import minimum_matching_distance, simulate_lda


@pytest.fixture(scope="module")
def counts():
    return simulate_lda(80, (5, 60), n_words=50, n_topics=3, eta=1, random_state=1).train.astype(float)


def test_a_step_is_em_of_the_proportions_and_then_of_the_topics(counts):
    rng = np.random.default_rng(0)
    theta, beta = rng.dirichlet(np.ones(4), 80), rng.dirichlet(np.ones(50), 4)
    x = counts.toarray()
    new = theta * ((x / (theta @ beta)) @ beta.T)
    new /= new.sum(axis=1, keepdims=True)
    topics = beta * (new.T @ (x / (new @ beta)))
    topics /= topics.sum(axis=1, keepdims=True)
    found, likelihood = em_step(counts, np.concatenate([beta.T, theta]))
    np.testing.assert_allclose(found, np.concatenate([topics.T, new]), rtol=1e-12)
    assert likelihood == pytest.approx((x * np.log(theta @ beta)).sum())


@pytest.mark.parametrize("init", ["geometric", "random"])
def test_the_likelihood_never_falls_and_is_that_of_poisson_counts(counts, init):
    model = PLSA(3, init=init, tol=1e-9, random_state=0).fit(counts)
    rises = np.diff(model.log_likelihoods_)
    assert rises.min() > -1e-9 * abs(model.log_likelihoods_[0])  # rounding of sums of 2500 terms
    lengths = counts.sum(axis=1)[:, None]
    means = lengths * (model.transform(counts) @ model.components_)
    with np.errstate(divide="ignore"):
        likelihood = stats.poisson.logpmf(counts.toarray(), means).sum()
    # Proportions of the fit end where 100 steps of their own with the same topics end, nearly.
    assert model.log_likelihoods_[-1] == pytest.approx(likelihood, rel=1e-5)


def test_acceleration_ends_as_high_as_a_thousand_plain_passes(counts):
    model = PLSA(3, init=np.random.default_rng(3).dirichlet(np.ones(50), 3), tol=1e-10).fit(counts)
    topics = (model.init + 0.02 * counts.sum(axis=0) / counts.sum()) / 1.02
    x, likelihood = np.concatenate([topics.T, np.full((80, 3), 1 / 3)]), -np.inf
    for _ in range(1000):
        x, likelihood = em_step(counts, x)
    lengths = counts.sum(axis=1)
    constant = stats.poisson.logpmf(counts.toarray(), counts.toarray()).sum()
    highest = (counts.data * np.log(counts.data / np.repeat(lengths, np.diff(counts.indptr)))).sum()
    assert model.log_likelihoods_[-1] - constant >= likelihood - highest - 1e-3 * abs(likelihood - highest)


def test_exact_mixtures_of_topics_with_anchors_and_pure_documents_are_taken_apart():
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.ones(40), 3)
    topics[:, :3] = np.diag(np.full(3, 0.1))
    topics /= topics.sum(axis=1, keepdims=True)
    proportions = np.concatenate([np.eye(3), rng.dirichlet(np.ones(3), 200)])
    model = PLSA(3, tol=1e-12, random_state=0).fit(1000 * proportions @ topics)
    # EM nears zeros like 1 / passes.
    assert minimum_matching_distance(model.components_, topics) < 2e-3


def test_permuted_words_and_documents_permute_the_topics(counts):
    rng = np.random.default_rng(2)
    words, documents = rng.permutation(50), rng.permutation(80)
    start = rng.dirichlet(np.ones(50), 3)
    one = PLSA(3, init=start, tol=1e-4).fit(counts)
    other = PLSA(3, init=start[:, words], tol=1e-4).fit(sparse.csr_array(counts[documents][:, words]))
    np.testing.assert_allclose(other.components_, one.components_[:, words], atol=1e-9)  # sums in another order


def test_a_word_that_no_topic_has_does_no_harm_to_proportions():
    model = PLSA(2, n_starts=1, random_state=0).fit([[3, 1, 0, 0], [0, 1, 3, 0], [4, 0, 0, 0], [0, 0, 4, 0]])
    np.testing.assert_allclose(model.transform([[0, 0, 0, 5], [1, 0, 0, 5]]).sum(axis=1), 1)
    np.testing.assert_allclose(model.transform([[0, 0, 0, 5], [0, 0, 0, 0]]), 0.5)


def test_a_start_of_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match=r"init must be 'geometric', 'random', topics or an estimator"):
        PLSA(2, init="svd").fit([[1, 0], [0, 1]])
