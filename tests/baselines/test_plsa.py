"""PLSA: passes against EM by dense arrays, the likelihood against scipy's, the whole against exact mixtures."""

import numpy as np
import pytest
from scipy import sparse, stats
from scipy.special import gammaln

from baselines.plsa import PLSA, step
from gdmbench import minimum_matching_distance, simulate_lda


@pytest.fixture(scope="module")
def counts():
    return simulate_lda(80, (5, 60), n_words=50, n_topics=3, eta=1, random_state=1).train.astype(float)


def both(counts):
    return counts, counts.T.tocsr()


def state(counts, n_topics=4, seed=0):
    """Return topics and, below them, the expected numbers of the documents' tokens by topic."""
    rng = np.random.default_rng(seed)
    topics = rng.dirichlet(np.ones(counts.shape[1]), n_topics)
    return np.vstack([topics.T, rng.dirichlet(np.ones(n_topics), counts.shape[0]) * counts.sum(axis=1)[:, None]])


def likelihood_of(counts, x):
    topics, documents = np.split(x, [counts.shape[1]])
    return stats.poisson.logpmf(counts.toarray(), documents @ topics.T).sum()


def test_a_pass_of_em_is_that_of_dense_arrays_first_of_documents_then_of_topics(counts):
    x = state(counts)
    dense, n_words = counts.toarray(), counts.shape[1]
    topics, documents = x[:n_words], x[n_words:]
    documents = documents * ((dense / (documents @ topics.T)) @ topics)
    topics = topics * ((dense / (documents @ topics.T)).T @ documents)
    topics /= topics.sum(axis=0)
    found, likelihood = step(*both(counts), x, False)
    np.testing.assert_allclose(found[:n_words], topics, rtol=1e-12)
    # The rows of documents sum to their lengths after EM's pass over them, and topics' masses then to the tokens'.
    np.testing.assert_allclose(found[n_words:].sum(), dense.sum(), rtol=1e-12)
    assert likelihood - gammaln(counts.data + 1).sum() == pytest.approx(likelihood_of(counts, x))


def test_newton_steps_raise_the_likelihood_and_end_where_em_does(counts):
    x, newton = state(counts), state(counts)
    for _ in range(20):
        x = newton = step(*both(counts), x, False)[0]
    for _ in range(3000):
        x = step(*both(counts), x, False)[0]
    for _ in range(300):
        newton = step(*both(counts), newton, True)[0]
    # EM nears entries that are 0 like 1 / passes, so Newton's end is a little higher; from here both reach one optimum.
    assert likelihood_of(counts, newton) == pytest.approx(likelihood_of(counts, x), abs=0.5)
    assert likelihood_of(counts, newton) >= likelihood_of(counts, x) - 1e-6


@pytest.mark.parametrize("init", ["geometric", "random"])
def test_the_likelihood_never_falls_and_is_that_of_poisson_counts(counts, init):
    model = PLSA(3, init=init, tol=1e-9, random_state=0).fit(counts)
    assert np.diff(model.log_likelihoods_).min() >= 0
    x = np.vstack([model.components_.T, np.repeat(counts.sum(axis=1)[:, None] / 3, 3, axis=1)])
    for _ in range(3000):  # documents alone
        topics = x[: counts.shape[1]].copy()
        x = step(*both(counts), x, False)[0]
        x[: counts.shape[1]] = topics
    assert model.log_likelihoods_[-1] == pytest.approx(likelihood_of(counts, x), abs=0.01)


def test_exact_mixtures_of_topics_with_anchors_and_pure_documents_are_taken_apart():
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.ones(40), 3)
    topics[:, :3] = np.diag(np.full(3, 0.1))
    topics /= topics.sum(axis=1, keepdims=True)
    proportions = np.concatenate([np.eye(3), rng.dirichlet(np.ones(3), 200)])
    model = PLSA(3, tol=1e-12, random_state=0).fit(1000 * proportions @ topics)
    assert minimum_matching_distance(model.components_, topics) < 1e-4


def test_permuted_words_and_documents_permute_the_topics(counts):
    rng = np.random.default_rng(2)
    words, documents = rng.permutation(counts.shape[1]), rng.permutation(80)
    start = rng.dirichlet(np.ones(counts.shape[1]), 3)
    one = PLSA(3, init=start, tol=1e-4).fit(counts)
    other = PLSA(3, init=start[:, words], tol=1e-4).fit(sparse.csr_array(counts[documents][:, words]))
    np.testing.assert_allclose(other.components_, one.components_[:, words], atol=1e-9)  # sums in another order


def test_a_start_of_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match=r"init must be 'geometric', 'random', topics or an estimator"):
        PLSA(2, init="svd").fit([[1, 0], [0, 1]])
