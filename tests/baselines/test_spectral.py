"""The spectral baselines: exact mixtures give the topics back, permutations permute, failures are told."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from baselines._simplex import leading_axes, nonnegative_weights, pairs_with, successive_projection
from baselines.anchor_free import AnchorFree, enlarge
from baselines.moments import TensorMoments
from baselines.plsa import PLSA
from baselines.pp_spa import DenoisedSPA, neighbours
from baselines.recover_kl import RecoverKL, cooccurrence
from baselines.rectified import RectifiedAnchors, rectify
from baselines.spoc import SPOC
from baselines.topic_score import TopicSCORE
from gdmbench import minimum_matching_distance, simulate_lda

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


def scattered(n_words=60, seed=0):
    """Return three topics without anchor words: each word is in two topics at least, most of all in one of them."""
    rng = np.random.default_rng(seed)
    shares = np.array([[0.9, 0.1, 0], [0.1, 0.9, 0], [0.9, 0, 0.1], [0.1, 0, 0.9], [0, 0.9, 0.1], [0, 0.1, 0.9]])
    rows = np.concatenate([shares, rng.dirichlet(np.ones(3), n_words - 6)])
    topics = (rng.uniform(0.2, 1, n_words)[:, None] * rows).T
    return topics / topics.sum(axis=1, keepdims=True)


def test_the_largest_volume_is_that_of_topics_that_are_scattered_enough():
    topics = scattered()
    second = np.cov(np.random.default_rng(1).dirichlet(np.full(3, 0.4), 5000).T) + 0.1
    axes, values = leading_axes(lambda block: topics.T @ second @ topics @ block, 60, 3, "It")
    b = axes * np.sqrt(values)
    np.testing.assert_allclose(sorted((b @ enlarge(b, 20)).T.tolist()), sorted(topics.tolist()), atol=1e-7)


def test_anchor_free_recovers_words_that_are_not_among_the_frequent_ones():
    topics = scattered(200)
    proportions = np.random.default_rng(2).dirichlet(np.full(3, 0.4), 400)
    counts = np.round(1e9 * proportions @ topics)  # so long that pairs of a token with itself weigh 1e-9
    for most_words in (1000, 100):
        model = AnchorFree(3, most_words=most_words).fit(counts)
        assert minimum_matching_distance(model.components_, topics) < 1e-6


def test_linear_programs_without_solution_are_told():
    columns_sum_to_zero = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    with pytest.raises(
        ValueError, match="linear programs of AnchorFree have no solution for n_topics=2: ask for fewer"
    ):
        enlarge(columns_sum_to_zero, 3)


def test_pairs_are_those_of_recover_kl():
    counts = simulate_lda(60, (2, 30), n_words=30, n_topics=2, random_state=0).train.astype(float)
    some = np.array([2, 5, 11])
    np.testing.assert_allclose(pairs_with(counts, some, np.eye(3)), cooccurrence(counts)[:, some], atol=1e-16)


def test_rectification_leaves_what_a_topic_model_can_have_and_makes_the_rest_one():
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.ones(30), 3)
    proportions = rng.dirichlet(np.ones(3), 100)
    exact = topics.T @ proportions.T @ proportions @ topics / 100
    same, n_rounds = rectify(exact, 3, 100)
    np.testing.assert_allclose(same, exact, atol=1e-12)
    assert n_rounds == 1
    noisy = exact + 1e-4 * rng.standard_normal((30, 30))
    found, _ = rectify(0.5 * (noisy + noisy.T), 3, 1000)
    values = np.linalg.eigvalsh(found)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    assert np.abs(values[:-3]).max() < 1e-3 * values[-3]  # of rank three, nearly
    assert np.linalg.norm(found - exact) < np.linalg.norm(noisy - exact)


def test_rectified_anchors_are_those_of_exact_co_occurrence():
    frequencies, topics = mixtures(pure=0)
    model = RectifiedAnchors(N_TOPICS).fit(1e9 * frequencies)
    assert sorted(model.anchors_.tolist()) == [0, 1, 2, 3]
    assert minimum_matching_distance(model.components_, topics) < 1e-5  # the square root of the wanted gap is 1e-3
    few = RectifiedAnchors(N_TOPICS, most_words=10).fit(1e9 * frequencies)
    assert minimum_matching_distance(few.components_, topics) < 1e-5


def test_rectification_helps_where_documents_are_few_and_short():
    data = simulate_lda(1000, 50, n_words=200, n_topics=5, anchors=True, random_state=0)
    plain, rectified = RecoverKL(5).fit(data.train), RectifiedAnchors(5).fit(data.train)
    distances = [minimum_matching_distance(each.components_, data.topics) for each in (plain, rectified)]
    assert distances[1] < distances[0]


FIELD = [AnchorFree, DenoisedSPA, PLSA, RectifiedAnchors, SPOC, TensorMoments, TopicSCORE]


@given(
    st.sampled_from(FIELD),
    st.integers(0, 10**6),
    st.integers(1, 6),
    st.integers(1, 20),
    st.integers(1, 30),
    st.sampled_from([0.1, 0.5, 3]),
)
@settings(max_examples=300, deadline=None)
def test_odd_corpora_give_topics_or_one_sentence(method, seed, n_topics, n_documents, n_words, mean):
    """Few or equal documents, words that never occur, fewer words than topics."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(mean, (n_documents, n_words))[rng.integers(n_documents, size=n_documents)]
    seeded = {"random_state": 0} if "random_state" in method(2).get_params() else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            topics = method(n_topics, **seeded).fit(counts).components_
        except ValueError as error:
            sentence = str(error)
            assert sentence.endswith(".")
            assert "\n" not in sentence
            return
    assert topics.shape == (n_topics, n_words)
    assert topics.min() >= 0
    np.testing.assert_allclose(topics.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("model", "tolerance"),
    [(AnchorFree(N_TOPICS), 1e-6), (RectifiedAnchors(N_TOPICS), 1e-5)],
    ids=["volume", "rectified"],
)
def test_permuted_words_and_documents_permute_what_cooccurrence_tells(model, tolerance):
    frequencies, _ = mixtures(anchors=True, pure=1, seed=5)
    rng = np.random.default_rng(0)
    words = rng.permutation(N_WORDS)
    one = model.fit(frequencies).components_
    other = model.fit(frequencies[rng.permutation(len(frequencies))][:, words]).components_
    assert minimum_matching_distance(other, one[:, words]) < tolerance
