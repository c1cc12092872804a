"""The data that some exhibits need."""

import numpy as np
import pytest

from experiments.simulators import (
    simulate_lda_with_truth,
    simulate_mixtures,
    simulate_nips_like,
    simulate_same_topics,
    simulate_structure,
)
from gdmbench import GDM, simulate_lda


def test_mixtures_are_exact():
    data = simulate_mixtures(200, n_topics=4, equilateral=True, random_state=1)
    assert np.allclose(data.train.toarray(), data.proportions @ data.topics)
    sides = np.linalg.norm(data.topics[:, None] - data.topics[None], axis=2)[~np.eye(4, dtype=bool)]
    assert np.allclose(sides, sides[0])
    assert data.heldout.sum(axis=1).min() == 1000


def test_exact_mixtures_with_a_document_at_every_vertex_give_the_topics():
    data = simulate_mixtures(2000, n_topics=3, alpha=0.01, random_state=2)
    found = GDM(3, random_state=0).fit(data.train).components_
    nearest = np.linalg.norm(found[:, None] - data.topics[None], axis=2).min(axis=1)
    # About one in thirty of these mixtures is not pure: a hundredth of the topics' distances is ample.
    assert nearest.max() < 0.01 * np.linalg.norm(data.topics[0] - data.topics[1])


def test_nips_like_lengths():
    data = simulate_nips_like(random_state=0)
    lengths = data.train.sum(axis=1)
    assert data.train.shape[0] == 1438
    assert data.heldout.shape[0] == 300
    assert lengths.min() >= 39
    assert lengths.max() <= 1403
    # The mean has a standard error of 172/√1438 < 5; cutting moves it by less than 2.
    assert abs(lengths.mean() - 272) < 20
    again = simulate_nips_like(random_state=0)
    assert (again.train != data.train).nnz == 0


@pytest.mark.parametrize(
    ("simulate", "mistake", "sentence"),
    [
        (simulate_mixtures, {"n_docs": -5}, "n_docs must be a whole number of at least 1, not -5"),
        (
            simulate_mixtures,
            {"n_docs": 5, "n_topics": 101, "equilateral": True},
            "n_words=100 is fewer than n_topics=101",
        ),
        (simulate_nips_like, {"n_docs": -5}, "n_docs must be a whole number of at least 1, not -5"),
        (simulate_nips_like, {"alpha": 0.0}, "alpha must be"),
    ],
)
def test_what_is_out_of_range_is_refused_before_anything_is_drawn(simulate, mistake, sentence):
    with pytest.raises(ValueError, match=sentence):
        simulate.check(**mistake)


def test_what_the_simulators_take_passes_their_checks():
    simulate_mixtures.check(5, n_words=9, n_topics=3, alpha=0.1, eta=1.0, equilateral=True)
    simulate_nips_like.check(n_words=9, n_topics=3, alpha=0.1, eta=1.0, n_heldout=0)
    simulate_nips_like.check()


def test_the_truth_comes_with_the_same_documents():
    plain = simulate_lda(50, 20, n_words=5, n_topics=4, random_state=3)
    told = simulate_lda_with_truth(50, 20, n_words=5, n_topics=4, random_state=3)
    assert (told.train != plain.train).nnz == 0
    assert told.record_ == {"true_topics": plain.topics.tolist()}
    assert plain.record_ == {}


def test_the_same_topics_come_in_every_draw():
    first, second = (simulate_same_topics(500, 100, n_words=50, n_topics=3, random_state=seed) for seed in (0, 1))
    assert first.train.shape[0] == 500
    assert (first.train.sum(axis=1) == 100).all()
    shared = sorted(set(first.vocabulary) & set(second.vocabulary))
    assert len(shared) > 40
    one, two = (data.topics[:, [data.vocabulary.index(word) for word in shared]] for data in (first, second))
    # Words that occur in one draw alone are dropped: the others' shares move together.
    np.testing.assert_allclose(one / one.sum(axis=1, keepdims=True), two / two.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("kind", ["neither", "anchors", "pure", "both"])
def test_the_structure_asked_for_is_there_and_no_other(kind):
    data = simulate_structure(500, 200, kind=kind, n_words=200, n_topics=4, random_state=0)
    has_anchors = (np.sort(data.topics, axis=0)[-2] == 0).any()  # a word of one topic alone
    assert has_anchors == (kind in ("anchors", "both"))
    pure = data.proportions.max(axis=1) == 1
    assert pure.sum() == (100 if kind in ("pure", "both") else 0)
    if pure.any():
        # 200 words of one topic are nearer to it than the topics are to each other.
        frequencies = data.train[pure].toarray() / 200
        own = data.topics[data.proportions[pure].argmax(axis=1)]
        assert np.linalg.norm(frequencies - own, axis=1).max() < 0.11
        np.testing.assert_array_equal(data.train.sum(axis=1), 200)
