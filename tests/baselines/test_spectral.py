"""The spectral baselines: exact mixtures give the topics back, permutations permute, failures are told."""

import numpy as np
import pytest
from scipy import sparse

from baselines._simplex import leading_axes, nonnegative_weights, successive_projection
from baselines.pp_spa import DenoisedSPA, neighbours
from baselines.spoc import SPOC
from baselines.topic_score import TopicSCORE
from gdmbench import minimum_matching_distance

N_WORDS, N_TOPICS = 40, 4


def mixtures(n_words=N_WORDS, n_topics=N_TOPICS, anchors=True, pure=1, seed=0, n_documents=300):
    """Return the frequencies of documents that are exact mixtures, so many of each topic pure, and their topics."""
    rng = np.random.default_rng(seed)
    topics = rng.dirichlet(np.full(n_words, 0.5), n_topics) + 1e-4
    if anchors:
        topics[:, :n_topics] = 0.1 * np.eye(n_topics)
    topics /= topics.sum(axis=1, keepdims=True)
    proportions = rng.dirichlet(np.full(n_topics, 0.5), n_documents)
    pure_ones = rng.choice(n_documents, pure * n_topics, replace=False)
    proportions[pure_ones] = np.tile(np.eye(n_topics), (pure, 1))
    return proportions @ topics, topics


# What each asks of its documents, and how near exact mixtures come to the topics. 1e-7: the root of double precision,
# as singular vectors are found through a squared matrix.
EXACT = {
    "topic_score": (TopicSCORE(N_TOPICS), {"anchors": True, "pure": 0}, 1e-7),
    "spoc": (SPOC(N_TOPICS), {"anchors": False, "pure": 1}, 1e-7),
    # Averaging moves corners inwards unless neighbours are very near: here the pure documents themselves.
    "pp_spa": (DenoisedSPA(N_TOPICS, radius=1e-3), {"anchors": False, "pure": 10}, 1e-7),
}
DRAWS_NOTHING = ["topic_score", "spoc", "pp_spa"]  # of Topic-SCORE few words are their own centres
EVERY = [pytest.param(*each, id=name) for name, each in EXACT.items()]


@pytest.mark.parametrize(("model", "structure", "tolerance"), EVERY)
@pytest.mark.parametrize("seed", range(3))
def test_exact_mixtures_give_the_topics_back(model, structure, tolerance, seed):
    frequencies, topics = mixtures(**structure, seed=seed)
    model.fit(frequencies)
    assert minimum_matching_distance(model.components_, topics) < tolerance


@pytest.mark.parametrize("name", DRAWS_NOTHING)
def test_permuted_words_and_documents_permute_the_topics(name):
    model, structure, tolerance = EXACT[name]
    frequencies, _ = mixtures(**structure, seed=5)
    rng = np.random.default_rng(0)
    words = rng.permutation(N_WORDS)
    one = model.fit(frequencies).components_
    other = model.fit(frequencies[rng.permutation(len(frequencies))][:, words]).components_
    assert minimum_matching_distance(other, one[:, words]) < tolerance


@pytest.mark.parametrize(("model", "structure", "tolerance"), EVERY)
def test_fewer_topics_in_the_documents_than_asked_for_is_told(model, structure, tolerance):
    frequencies, _ = mixtures(n_topics=2, **structure)
    with pytest.raises(
        ValueError, match=r"of the [34] axes that so many topics need, with n_features=40: ask for fewer"
    ):
        model.fit(frequencies)


def test_topic_score_finds_anchors_among_centres_of_clusters():
    # 600 words in 40 clusters: the centre of an anchor's cluster holds other words, so it lies inside of the corner.
    frequencies, topics = mixtures(n_words=600, pure=0)
    model = TopicSCORE(N_TOPICS, random_state=0).fit(frequencies)
    assert minimum_matching_distance(model.components_, topics) < 0.2 * minimum_matching_distance(
        np.tile(frequencies.mean(axis=0), (N_TOPICS, 1)), topics
    )


def test_words_that_never_occur_have_probability_zero():
    frequencies, _ = mixtures(pure=10)
    frequencies[:, 7] = 0
    for model, _, _ in EXACT.values():
        model.fit(sparse.csr_array(frequencies))
        assert np.isfinite(model.components_).all()
        np.testing.assert_array_equal(model.components_[:, 7], 0)


def test_spoc_names_the_pure_documents():
    frequencies, _ = mixtures(anchors=False)
    frequencies[5] = 0
    model = SPOC(N_TOPICS).fit(frequencies)
    np.testing.assert_allclose(frequencies[model.documents_], model.components_, atol=1e-7)


def test_averaging_leaves_out_a_document_far_from_all_others():
    frequencies, topics = mixtures(anchors=False, pure=20, n_documents=500)
    outlier = np.vstack([frequencies, np.eye(N_WORDS)[:1]])
    model = DenoisedSPA(N_TOPICS, radius=0.1).fit(outlier)
    assert model.record_["n_left_out"] >= 1
    distance = minimum_matching_distance(model.components_, topics)
    assert distance < 0.2 * minimum_matching_distance(SPOC(N_TOPICS).fit(outlier).components_, topics)


def test_no_document_with_neighbours_is_told():
    with pytest.raises(ValueError, match=r"Only 0 documents have neighbours enough .* a larger radius than 1e-09"):
        DenoisedSPA(3, radius=1e-9).fit(np.random.default_rng(0).dirichlet(np.ones(10), 50))


def test_neighbours_are_those_of_brute_force():
    points = np.random.default_rng(0).standard_normal((60, 3))
    near = np.linalg.norm(points[:, None] - points, axis=2) <= 0.7
    means, numbers = neighbours(points, 0.7)
    np.testing.assert_array_equal(numbers, near.sum(axis=1))
    np.testing.assert_allclose(means, near @ points / near.sum(axis=1, keepdims=True), rtol=1e-12)


def test_leading_axes_are_those_of_a_dense_solver():
    rng = np.random.default_rng(0)
    root = rng.standard_normal((80, 10))
    axes, values = leading_axes(lambda block: root @ (root.T @ block), 80, 6, "It")
    all_values, vectors = np.linalg.eigh(root @ root.T)
    np.testing.assert_allclose(values, all_values[::-1][:6], rtol=1e-10)
    np.testing.assert_allclose(np.abs(np.sum(axes * vectors[:, ::-1][:, :6], axis=0)), 1, rtol=1e-10)


def test_successive_projection_finds_the_corners_of_a_simplex():
    rng = np.random.default_rng(0)
    corners = rng.standard_normal((5, 8))
    points = np.concatenate([rng.dirichlet(np.ones(5), 100) @ corners, corners])
    assert sorted(successive_projection(points, 5)) == [100, 101, 102, 103, 104]
    with pytest.raises(ValueError, match=r"Only 5 of the corners of n_topics=6 topics exist"):
        successive_projection(points, 6)


def test_nonnegative_weights_fulfil_the_conditions_of_a_minimum():
    rng = np.random.default_rng(0)
    rows, basis = rng.standard_normal((20, 9)), rng.standard_normal((4, 9))
    weights = nonnegative_weights(rows, basis)
    gradient = (weights @ basis - rows) @ basis.T
    assert weights.min() >= 0
    assert gradient.min() > -1e-12
    np.testing.assert_allclose(weights * gradient, 0, atol=1e-12)
