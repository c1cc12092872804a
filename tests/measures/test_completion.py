"""Document completion and left-to-right estimates, against brute force."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import gammaln, softmax

from gdmbench import completion_perplexity, document_completion, left_to_right, simulate_lda
from gdmbench.geometry.counts import read_counts
from gdmbench.geometry.halves import divide_words

TOPICS = np.array([[0.5, 0.3, 0.1, 0.1, 0.0], [0.0, 0.1, 0.2, 0.3, 0.4], [0.2, 0.2, 0.2, 0.2, 0.2]])


def random_counts(n_documents, n_words, seed=0):
    return read_counts(np.random.default_rng(seed).poisson(1.5, (n_documents, n_words)), "X")


def test_halves_add_up_and_the_second_has_the_odd_word():
    counts = random_counts(50, 8)
    first, second = divide_words(counts, seed=3)
    np.testing.assert_array_equal((first + second).toarray(), counts.toarray())
    lengths = counts.sum(axis=1)
    np.testing.assert_array_equal(first.sum(axis=1), lengths // 2)
    assert first.data.min() > 0
    assert (divide_words(counts, seed=4)[0] != first).nnz > 0


def test_every_half_is_as_likely():
    # Of the six pairs of four tokens of different words each has 1/6; 6000 documents, five standard errors.
    first, _ = divide_words(read_counts(np.ones((6000, 4)), "X"), seed=0)
    _, times = np.unique(first.toarray(), axis=0, return_counts=True)
    assert len(times) == 6
    np.testing.assert_allclose(times / 6000, 1 / 6, atol=5 * np.sqrt(5 / 36 / 6000))


def test_halves_depend_on_the_number_of_the_document_and_not_on_blocks():
    counts = random_counts(40, 8)
    whole = divide_words(counts, seed=1)[0].toarray()
    parts = [
        divide_words(counts[start : start + 13], 1, first_document=start)[0].toarray() for start in (0, 13, 26, 39)
    ]
    np.testing.assert_array_equal(np.vstack(parts), whole)


def test_counts_that_are_not_whole_or_very_large_are_divided_too():
    counts = read_counts([[2.5, 0.5, 0.0], [1e12, 3.0, 1e12]], "X")
    first, second = divide_words(counts, seed=0)
    np.testing.assert_allclose((first + second).toarray(), counts.toarray())
    assert first[1].sum() == pytest.approx(1e12, rel=0.01)


def best_proportions(c, topics, alpha):
    """The maximum of the penalised likelihood, by a general optimiser."""

    def loss(free):
        theta = softmax(np.append(free, 0.0))
        return -(c @ np.log(theta @ topics) + alpha * np.log(theta).sum())

    return softmax(np.append(minimize(loss, np.zeros(len(topics) - 1), tol=1e-12).x, 0.0))


@pytest.mark.parametrize("alpha", [0.05, 1.0])
def test_completion_is_the_brute_force(alpha):
    counts, train = random_counts(12, 5), random_counts(30, 5, seed=1)
    found = document_completion(counts, TOPICS, train, alpha=alpha, random_state=5)
    frequencies = (train.sum(axis=0) + 1) / (train.sum() + 5)
    topics = 0.999 * TOPICS + 0.001 * frequencies
    first, second = (half.toarray() for half in divide_words(counts, 5))
    expected = [
        b @ np.log(best_proportions(a, topics, alpha) @ topics) if a.any() else 0.0
        for a, b in zip(first, second, strict=True)
    ]
    # EM ends when proportions move by less than 1e-4.
    np.testing.assert_allclose(found.log_likelihoods, expected, rtol=2e-3)
    np.testing.assert_array_equal(found.n_tokens, second.sum(axis=1) * first.any(axis=1))
    assert found.perplexity == pytest.approx(np.exp(-found.log_likelihoods.sum() / found.n_tokens.sum()))
    assert found.perplexity == completion_perplexity(counts, TOPICS, train, alpha=alpha, random_state=5)


def test_short_documents_are_left_out_and_counted():
    counts = np.array([[1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [3, 2, 1, 0, 0]])
    found = document_completion(counts, TOPICS)
    assert found.n_left_out == 2
    np.testing.assert_array_equal(found.n_tokens, [0, 0, 3])
    np.testing.assert_array_equal(found.log_likelihoods[:2], 0)
    with pytest.raises(ValueError, match="No document has two words or more"):
        document_completion(counts[:2], TOPICS)


def test_a_word_that_was_never_seen_has_a_probability():
    assert np.isfinite(completion_perplexity([[0, 0, 9]], [[0.5, 0.5, 0.0]], [[4, 4, 0]]))


def test_alpha_is_the_best_for_the_training_documents():
    data = simulate_lda(400, 60, n_words=100, n_topics=4, alpha=0.5, random_state=0)
    found = document_completion(data.heldout, data.topics, data.train)
    each = {a: completion_perplexity(data.train, data.topics, data.train, alpha=a) for a in (0.02, 0.1, 0.5, 1.0)}
    assert found.alpha in (0.2, 0.5, 1.0)
    assert each[0.5] < each[0.02]


def test_the_true_topics_are_best_on_average():
    gains = []
    for seed in range(5):
        data = simulate_lda(500, 40, n_words=100, n_topics=4, n_heldout=300, random_state=seed)
        rng = np.random.default_rng(seed)
        truth = completion_perplexity(data.heldout, data.topics, data.train)
        noisy = 0.9 * data.topics + 0.1 * rng.dirichlet(np.full(data.topics.shape[1], 0.1), size=4)
        fewer, more = data.topics[:3], np.vstack([data.topics, rng.dirichlet(np.ones(data.topics.shape[1]), size=4)])
        gains.append([completion_perplexity(data.heldout, other, data.train) / truth for other in (noisy, fewer, more)])
    assert (np.mean(gains, axis=0) > 1).all()


def test_rubbish_is_named():
    with pytest.raises(ValueError, match="X has 5 words but train has 3"):
        completion_perplexity(np.ones((2, 5)), TOPICS, np.ones((2, 3)))
    with pytest.raises(ValueError, match="alpha must be a positive number"):
        completion_perplexity(np.ones((2, 5)), TOPICS, alpha=-1)
    with pytest.raises(ValueError, match="whole numbers"):
        left_to_right([[0.5, 0, 0, 0, 0]], TOPICS, 0.1)


def log_probability(words, topics, alpha):
    """By enumeration of the topics of all words."""
    n_topics = len(topics)
    terms = []
    for labels in product(range(n_topics), repeat=len(words)):
        numbers = np.bincount(labels, minlength=n_topics)
        prior = gammaln(n_topics * alpha) - gammaln(len(words) + n_topics * alpha)
        prior += (gammaln(numbers + alpha) - gammaln(alpha)).sum()
        with np.errstate(divide="ignore"):
            terms.append(prior + np.log([topics[k, w] for k, w in zip(labels, words, strict=True)]).sum())
    return np.logaddexp.reduce(terms)


@pytest.mark.parametrize("alpha", [0.1, 1.0])
def test_many_particles_agree_with_enumeration(alpha):
    words = [0, 0, 3, 4, 1, 4, 2]
    counts = np.bincount(words, minlength=5)[None]
    exact = log_probability(words, TOPICS, alpha)
    # With 20,000 particles the estimates of ten seeds have standard deviations of .003 and .009.
    assert left_to_right(counts, TOPICS, alpha, n_particles=20_000)[0] == pytest.approx(exact, abs=0.03)
    # The mean of the probability itself is right with any number of particles: 4000 draws, five standard errors.
    draws = np.exp(left_to_right(np.repeat(counts, 4000, axis=0), TOPICS, alpha, n_particles=3))
    assert abs(draws.mean() - np.exp(exact)) < 5 * draws.std() / np.sqrt(4000)


def test_one_particle_is_exact_for_one_word_and_near_for_more():
    assert left_to_right([[0, 1, 0, 0, 0]], TOPICS, 0.3)[0] == pytest.approx(np.log(TOPICS[:, 1].mean()))
    words = [0, 0, 3, 4, 1, 4, 2]
    counts = np.bincount(words, minlength=5)[None]
    # An approximation: .1 % off here.
    assert left_to_right(counts, TOPICS, 1.0)[0] == pytest.approx(log_probability(words, TOPICS, 1.0), rel=0.005)


@pytest.mark.parametrize("n_particles", [1, 5])
def test_left_to_right_at_the_edges(n_particles):
    counts = sparse.csr_array(np.array([[0, 0, 0, 0, 0], [2, 1, 0, 0, 3], [0, 0, 0, 0, 1]]))
    found = left_to_right(counts, TOPICS, 0.2, n_particles)
    assert found[0] == 0.0
    np.testing.assert_array_equal(left_to_right(counts, TOPICS, 0.2, n_particles), found)
    without = left_to_right(counts, TOPICS[:1], 0.2, n_particles)
    assert without[2] == -np.inf
