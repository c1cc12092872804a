import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial.distance import pdist

from gdmbench.data.draw import draw_counts
from gdmbench.data.simulate import insert_anchors, simulate_lda


def assert_same(a, b):
    for name in ("train", "heldout"):
        np.testing.assert_array_equal(getattr(a, name).toarray(), getattr(b, name).toarray())
    for name in ("topics", "proportions", "heldout_proportions"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


def random_documents(seed, n_docs=7, n_topics=3, n_words=11):
    rng = np.random.default_rng(seed)
    topics = rng.dirichlet(np.full(n_words, 0.3), size=n_topics)
    proportions = rng.dirichlet(np.full(n_topics, 0.5), size=n_docs)
    return rng.integers(0, 40, size=n_docs), proportions, topics


@given(seed=st.integers(0, 2**32))
@settings(deadline=None)
def test_tokens_invert_the_cumulative_distribution(seed):
    lengths, proportions, topics = random_documents(seed)
    topics[0, [0, 4, 10]] = 0
    topics /= topics.sum(axis=1, keepdims=True)
    counts = draw_counts(lengths, proportions, topics, np.random.default_rng(seed))

    rng = np.random.default_rng(seed)
    topic_counts = rng.multinomial(lengths, proportions)
    cumulative = np.cumsum(topics, axis=1)
    cumulative /= cumulative[:, -1:]
    expected = np.zeros(counts.shape, dtype=int)
    for doc, of_topics in enumerate(topic_counts):
        for topic, n_tokens in enumerate(of_topics):
            words = np.searchsorted(cumulative[topic], rng.random(n_tokens), side="right")
            expected[doc] += np.bincount(words, minlength=counts.shape[1])
    np.testing.assert_array_equal(counts.toarray(), expected)
    assert counts.dtype == np.int64
    assert counts.indices.dtype == np.int32
    assert counts.has_canonical_format
    assert (counts.data > 0).all()


def test_blocks_of_documents_change_nothing(monkeypatch):
    case = random_documents(0, n_docs=30)
    whole = draw_counts(*case, np.random.default_rng(1))
    monkeypatch.setattr("gdmbench.data.draw.BLOCK_ENTRIES", 20)
    blocked = draw_counts(*case, np.random.default_rng(1))
    np.testing.assert_array_equal(blocked.toarray(), whole.toarray())


def test_documents_have_the_mean_and_covariance_of_a_multinomial_distribution():
    n_docs, length = 40_000, 12
    topics = np.array([[0.5, 0.3, 0.2, 0.0], [0.0, 0.1, 0.1, 0.8]])
    proportions = np.tile([0.4, 0.6], (n_docs, 1))
    counts = draw_counts(np.full(n_docs, length), proportions, topics, np.random.default_rng(0)).toarray()
    p = np.array([0.4, 0.6]) @ topics
    covariance = length * (np.diag(p) - np.outer(p, p))
    # Standard errors over 40,000 documents: sqrt(3 / n) = .009 for a mean, about 3 sqrt(2 / n) = .02 for a covariance.
    np.testing.assert_allclose(counts.mean(axis=0), length * p, atol=5 * 0.009)
    np.testing.assert_allclose(np.cov(counts.T), covariance, atol=5 * 0.021)


def test_pooled_words_pass_a_chi_squared_test():
    rng = np.random.default_rng(3)
    topics = rng.dirichlet(np.full(400, 1.0), size=3)
    proportions = np.tile([0.2, 0.3, 0.5], (1000, 1))
    counts = draw_counts(np.full(1000, 1000), proportions, topics, rng).sum(axis=0)
    assert stats.chisquare(counts, 1e6 * proportions[0] @ topics).pvalue > 1e-3


def test_same_seed_gives_the_same_bits_however_it_is_given():
    first = simulate_lda(50, (5, 60), random_state=7)
    assert_same(first, simulate_lda(50, (5, 60), random_state=7))
    assert_same(first, simulate_lda(50, (5, 60), random_state=np.random.SeedSequence(7)))
    assert_same(first, simulate_lda(50, (5, 60), random_state=np.random.default_rng(7)))
    other = simulate_lda(50, (5, 60), random_state=8)
    assert other.train.shape != first.train.shape or (other.train != first.train).nnz


def test_shapes_and_simplices():
    data = simulate_lda(60, 40, n_words=80, n_topics=4, n_heldout=9, random_state=0)
    n_words = data.train.shape[1]
    assert data.train.shape == (60, n_words)
    assert data.heldout.shape == (9, n_words)
    assert data.topics.shape == (4, n_words)
    assert data.vocabulary is None
    for rows, n_rows in [(data.topics, 4), (data.proportions, 60), (data.heldout_proportions, 9)]:
        assert len(rows) == n_rows
        assert (rows >= 0).all()
        np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-12)
    assert (data.train.sum(axis=1) == 40).all()
    assert (data.heldout.sum(axis=1) == 40).all()


def test_words_that_never_occur_are_dropped_before_heldout_documents_are_drawn():
    # One topic: the held-out documents are plain draws from it, and 20,000 tokens tell it from the full one.
    data = simulate_lda(1, 100, n_words=300, n_topics=1, n_heldout=200, random_state=1)
    assert data.train.shape[1] < 60
    assert (data.train.sum(axis=0) > 0).all()
    observed = data.heldout.sum(axis=0)
    assert stats.chisquare(observed, observed.sum() * data.topics[0]).pvalue > 1e-3


def test_document_lengths_uniform_on_a_range_include_both_ends():
    data = simulate_lda(400, [3, 6], n_heldout=400, random_state=0)
    for counts in (data.train, data.heldout):
        lengths = counts.sum(axis=1)
        assert set(lengths) == {3, 4, 5, 6}
        assert stats.chisquare(np.bincount(lengths)[3:]).pvalue > 1e-3


def test_given_document_lengths_are_kept_and_heldout_ones_chosen_among_them():
    lengths = np.array([5, 1, 70, 31])
    data = simulate_lda(4, lengths, n_words=30, n_heldout=50, random_state=0)
    np.testing.assert_array_equal(data.train.sum(axis=1), lengths)
    assert set(data.heldout.sum(axis=1)) == {1, 5, 31, 70}


def test_no_heldout_documents():
    data = simulate_lda(5, 20, n_heldout=0, random_state=0)
    assert data.heldout.shape == (0, data.train.shape[1])


def test_tiny_parameters_give_proper_distributions():
    data = simulate_lda(50, 20, alpha=1e-3, eta=1e-3, random_state=0)
    np.testing.assert_allclose(data.topics.sum(axis=1), 1)
    np.testing.assert_allclose(data.proportions.sum(axis=1), 1)


@given(seed=st.integers(0, 2**32), n_topics=st.integers(1, 6))
def test_anchors_are_the_most_probable_words_and_belong_to_one_topic(seed, n_topics):
    topics = np.random.default_rng(seed).dirichlet(np.full(40, 0.5), size=n_topics)
    anchored = insert_anchors(topics)
    best = topics.argmax(axis=1)
    np.testing.assert_allclose(anchored.sum(axis=1), 1)
    if len(set(best)) == n_topics:
        expected = topics.copy()
        for topic, word in enumerate(best):
            for other in range(n_topics):
                if other != topic:
                    expected[other, word] = 0
        np.testing.assert_allclose(anchored, expected / expected.sum(axis=1, keepdims=True))
    owned = (anchored > 0) & ((anchored > 0).sum(axis=0) == 1)
    assert owned.any(axis=1).all()


def test_shared_most_probable_word_is_the_anchor_of_the_first_topic():
    anchored = insert_anchors(np.array([[0.6, 0.3, 0.1], [0.5, 0.1, 0.4]]))
    np.testing.assert_allclose(anchored, [[2 / 3, 1 / 3, 0], [0, 0.2, 0.8]], atol=1e-15)


def test_simulated_anchors_occur_only_with_their_topic():
    data = simulate_lda(300, 200, n_words=100, anchors=True, random_state=0)
    owned = ((data.topics > 0).sum(axis=0) == 1) & (data.topics > 0)
    assert owned.any(axis=1).all()
    for topic in range(5):
        without = data.proportions[:, topic] == 0
        assert data.train[without][:, owned[topic]].sum() == 0


@pytest.mark.parametrize(("n_topics", "n_words"), [(2, 50), (5, 1200), (6, 100), (1, 20)])
def test_equilateral_topics_have_equal_distances_also_after_words_are_dropped(n_topics, n_words):
    data = simulate_lda(300, 60, n_topics=n_topics, n_words=n_words, equilateral=True, n_heldout=5, random_state=2)
    assert data.train.shape[1] < n_words
    assert (data.train.sum(axis=0) > 0).all()
    assert (data.train.sum(axis=1) == 60).all()
    np.testing.assert_allclose(data.topics.sum(axis=1), 1, atol=1e-12)
    if n_topics > 1:
        distances = pdist(data.topics)
        assert distances.min() > 0.01
        np.testing.assert_allclose(distances, distances[0], rtol=1e-12)


def test_memory_goes_with_the_nonzeros():
    simulate_lda(10, 5, random_state=0)
    tracemalloc.start()
    data = simulate_lda(5000, 50, n_words=100_000, random_state=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    dense = 5000 * data.train.shape[1] * 8
    assert peak < 40e6 < dense / 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n_docs": 0}, "n_docs"),
        ({"n_docs": 2.5}, "n_docs"),
        ({"n_topics": 0}, "n_topics"),
        ({"n_words": True}, "n_words"),
        ({"n_heldout": -1}, "n_heldout"),
        ({"alpha": 0}, "alpha"),
        ({"eta": float("nan")}, "eta"),
        ({"doc_length": 0}, "doc_length"),
        ({"doc_length": (10, 5)}, "smaller length first"),
        ({"doc_length": (1.5, 5)}, "whole number"),
        ({"doc_length": [1, 2, 3]}, "3 lengths for n_docs=10"),
        ({"doc_length": "long"}, "whole number"),
        ({"anchors": True, "equilateral": True}, "choose one"),
        ({"anchors": True, "n_words": 3}, "word of its own"),
        ({"n_docs": 1, "doc_length": 3, "equilateral": True}, "Too few tokens"),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words) as error:
        simulate_lda(**{"n_docs": 10, "doc_length": 10, "random_state": 0} | arguments)
    assert "\n" not in str(error.value)
