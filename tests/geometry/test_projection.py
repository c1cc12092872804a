"""Projection is exact: optimality conditions, an independent solver, and everything that may be wrong with input."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import nnls

from gdmbench import project, simulate_lda
from gdmbench.geometry import blocks
from gdmbench.geometry.polytope import minimise_on_simplex, start_weights
from gdmbench.geometry.projection import squared_distances

KINDS = ("random", "repeated", "mixtures", "collinear", "correlated", "nearly_repeated", "corners", "nearly_mixtures")


def make_topics(rng, kind, n_topics, n_words):
    topics = rng.dirichlet(np.full(n_words, rng.choice([0.05, 0.3, 1.0, 10.0])), n_topics)
    few = max(1, n_topics // 2)
    if kind == "repeated":
        topics = topics[rng.integers(0, few, n_topics)]
    elif kind == "mixtures":  # affinely dependent, not extreme
        topics[few:] = rng.dirichlet(np.ones(few), n_topics - few) @ topics[:few]
    elif kind == "collinear":
        share = rng.random((n_topics, 1))
        topics = share * topics[0] + (1 - share) * topics[-1]
    elif kind == "correlated":
        topics = topics[0] + 10.0 ** -rng.integers(1, 5) * (topics - topics[0])
    elif kind == "nearly_repeated":
        topics = topics[rng.integers(0, few, n_topics)] + 10.0 ** -rng.uniform(3, 16) * rng.random(topics.shape)
    elif kind == "corners":
        topics = np.eye(n_words)[rng.integers(0, n_words, n_topics)]
    elif kind == "nearly_mixtures":
        topics[few:] = rng.dirichlet(np.ones(few), n_topics - few) @ topics[:few]
        topics = topics + 10.0 ** -rng.uniform(3, 16) * rng.random(topics.shape)
    return topics / topics.sum(axis=1, keepdims=True)


def make_documents(rng, topics):
    """Far away, at a vertex, inside, near the boundary, at the mean, at a corner of the simplex."""
    n_topics, n_words = topics.shape
    mixture = rng.dirichlet(np.full(n_topics, 0.3), 3) @ topics
    return np.vstack(
        [
            rng.multinomial(30, rng.dirichlet(np.full(n_words, 0.3)), 3),
            topics[rng.integers(n_topics)],
            mixture,
            np.maximum(mixture + 1e-3 * rng.normal(size=mixture.shape), 1e-12),
            topics.mean(axis=0),
            np.eye(n_words)[rng.integers(n_words)],
        ]
    )


def relative_kkt_residual(documents, topics, thetas):
    """How far the weighted mean of the gradient is above its least entry, against the sizes of what it is made of."""
    points = documents / documents.sum(axis=1, keepdims=True)
    center = topics.mean(axis=0)
    edges, offsets = topics - center, points - center
    gradients = (thetas @ edges - offsets) @ edges.T
    size = np.linalg.norm(edges, axis=1).max()
    scale = size * np.maximum(size, np.linalg.norm(offsets, axis=1))
    gap = np.sum(thetas * gradients, axis=1) - gradients.min(axis=1)
    return np.divide(gap, scale, out=np.zeros_like(gap), where=scale > 0).max(), size


@settings(max_examples=600, deadline=None, derandomize=True)
@given(st.sampled_from(KINDS), st.integers(1, 14), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_optimality_conditions_hold_on_any_polytope(kind, n_topics, n_words, seed):
    rng = np.random.default_rng(seed)
    topics = make_topics(rng, kind, n_topics, n_words)
    documents = make_documents(rng, topics)
    thetas = project(documents, topics)
    assert thetas.min() >= 0
    np.testing.assert_allclose(thetas.sum(axis=1), 1, atol=1e-14 * n_topics)
    residual, size = relative_kkt_residual(documents, topics, thetas)
    # Below this size the topics differ by little more than the rounding of their own entries.
    assert residual <= 1e-10 or size < 1e-5


@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_nnls(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    for n_topics in (1, 2, 5, 12, 30):
        topics = make_topics(rng, kind, n_topics, 25)
        documents = make_documents(rng, topics)
        points = documents / documents.sum(axis=1, keepdims=True)
        ours = project(documents, topics)
        heavy = 1e4  # weight of the row that asks for a sum of one; the sum is then off by about 1 / heavy^2
        system = np.vstack([topics.T, np.full(n_topics, heavy)])
        for point, theta in zip(points, ours, strict=True):
            theirs = nnls(system, np.append(point, heavy))[0]
            theirs /= theirs.sum()
            distance = np.sum((theta @ topics - point) ** 2)
            assert distance <= np.sum((theirs @ topics - point) ** 2) + 1e-14
            # The projection itself is unique though the weights may not be.
            np.testing.assert_allclose(theta @ topics, theirs @ topics, atol=2e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_optimality_conditions_hold_with_many_topics(kind):
    """Of more than 50 topics, the search starts at one of them but for documents well inside."""
    rng = np.random.default_rng(20 + KINDS.index(kind))
    topics = make_topics(rng, kind, 90, 120)
    inside = rng.dirichlet(np.full(90, 50.0), 2) @ topics
    documents = np.vstack([make_documents(rng, topics), inside])
    thetas = project(documents, topics)
    assert thetas.min() >= 0
    np.testing.assert_allclose(thetas.sum(axis=1), 1, atol=1e-12)
    residual, size = relative_kkt_residual(documents, topics, thetas)
    assert residual <= 1e-10 or size < 1e-5
    np.testing.assert_allclose(thetas[-2:] @ topics, inside, atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_squared_distances_are_those_of_the_projections(kind):
    rng = np.random.default_rng(10 + KINDS.index(kind))
    topics = make_topics(rng, kind, 6, 20)
    documents = make_documents(rng, topics)
    points = documents / documents.sum(axis=1, keepdims=True)
    expected = np.sum((project(documents, topics) @ topics - points) ** 2, axis=1)
    np.testing.assert_allclose(squared_distances(documents, topics), expected, atol=1e-14)


def least_squared_distances(points, vertices):
    """By brute force: on every face, the nearest point of its affine hull, where its weights are not negative."""
    least = np.full(len(points), np.inf)
    for size in range(1, len(vertices) + 1):
        for face in combinations(range(len(vertices)), size):
            base, edges = vertices[face[0]], vertices[list(face[1:])] - vertices[face[0]]
            weights = np.linalg.lstsq(edges.T, (points - base).T, rcond=None)[0].T
            inside = (weights >= -1e-12).all(axis=1) & (weights.sum(axis=1) <= 1 + 1e-12)
            distances = ((base + weights @ edges - points) ** 2).sum(axis=1)
            least = np.where(inside, np.minimum(least, distances), least)
    return least


@pytest.mark.parametrize("n_vertices", [1, 2, 5, 8])
@pytest.mark.parametrize("dependent", [False, True])
def test_minima_are_those_of_the_best_face_wherever_the_search_starts(n_vertices, dependent):
    rng = np.random.default_rng(n_vertices)
    vertices = rng.normal(size=(n_vertices, 40))
    if dependent:
        vertices[-1] = vertices[: max(1, n_vertices // 2)].mean(axis=0)
    points = 0.5 * rng.normal(size=(100, 40)) + rng.dirichlet(np.full(n_vertices, 0.3), 100) @ vertices
    expected = least_squared_distances(points, vertices)
    gram, linears = vertices @ vertices.T, points @ vertices.T
    corner = np.eye(n_vertices)[rng.integers(n_vertices, size=100)]
    anywhere = rng.dirichlet(np.ones(n_vertices), 100)
    for weights in (start_weights(gram, linears), corner, anywhere, anywhere.copy()):
        minima = minimise_on_simplex(gram, linears, weights)
        np.testing.assert_allclose(minima + (points**2).sum(axis=1), expected, atol=1e-11)
        np.testing.assert_allclose(((weights @ vertices - points) ** 2).sum(axis=1), expected, atol=1e-11)


def test_correlated_topics_beat_dropping_negative_weights():
    """Projecting onto the hull and dropping negative weights, again and again, is not exact with correlated topics."""
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.ones(12), 10) @ rng.dirichlet(np.full(40, 0.3), 12)
    documents = rng.multinomial(200, rng.dirichlet(np.full(10, 0.1), 300) @ topics)
    points = documents / documents.sum(axis=1, keepdims=True)
    worse = 0
    for point, exact in zip(points, squared_distances(documents, topics), strict=True):
        face = np.arange(len(topics))
        while True:
            edges = (topics[face[1:]] - topics[face[0]]).T
            weights = np.linalg.lstsq(edges, point - topics[face[0]], rcond=None)[0]
            weights = np.concatenate([[1 - weights.sum()], weights])
            if weights.min() >= 0:
                break
            face = face[weights > 0]
        recursive = np.sum((weights @ topics[face] - point) ** 2)
        assert exact <= recursive * (1 + 1e-9)
        worse += recursive > exact * (1 + 1e-6)
    assert worse > 30


def test_vertices_and_interior_points_are_recovered():
    rng = np.random.default_rng(3)
    topics = rng.dirichlet(np.full(50, 0.1), 7)
    np.testing.assert_allclose(project(topics, topics), np.eye(7), atol=1e-12)
    thetas = rng.dirichlet(np.ones(7), 20)
    np.testing.assert_allclose(project(thetas @ topics, topics), thetas, atol=1e-11)
    np.testing.assert_allclose(squared_distances(thetas @ topics, topics), 0, atol=1e-16)


def test_lengths_do_not_matter():
    rng = np.random.default_rng(4)
    topics = rng.dirichlet(np.ones(9), 4)
    documents = rng.integers(0, 5, (10, 9)) + 1
    np.testing.assert_allclose(project(7 * documents, topics), project(documents, topics), atol=1e-14)


def test_empty_documents():
    topics = np.eye(4)[:3]
    documents = sparse.csr_array([[0, 0, 0, 0], [0, 2, 0, 0]])
    np.testing.assert_array_equal(project(documents, topics)[0], [1 / 3, 1 / 3, 1 / 3])
    assert squared_distances(documents, topics)[0] == 0
    assert project(sparse.csr_array((0, 4)), topics).shape == (0, 3)


def test_every_matrix_format_gives_the_same():
    rng = np.random.default_rng(5)
    topics = rng.dirichlet(np.ones(8), 3)
    dense = rng.integers(0, 3, (12, 8))
    dense[:, 0] += 1
    expected = project(dense, topics)
    duplicated = sparse.coo_array((np.ones(dense.sum()), np.repeat(np.argwhere(dense), dense[dense > 0], axis=0).T))
    unsorted = sparse.csr_array(dense[:, ::-1])
    unsorted.indices = 7 - unsorted.indices
    unsorted.has_sorted_indices = False
    for same in (
        dense.astype(float),
        dense.astype(np.int8),
        dense.tolist(),
        np.asfortranarray(dense),
        sparse.csr_array(dense),
        sparse.csr_matrix(dense),
        sparse.csc_array(dense),
        sparse.lil_array(dense),
        duplicated,
        unsorted,
    ):
        np.testing.assert_array_equal(project(same, topics), expected)


def test_input_is_left_alone():
    documents = sparse.csr_array(np.array([[1.0, 2.0], [3.0, 0.0]]))
    before = documents.copy()
    project(documents, np.eye(2))
    assert (documents != before).nnz == 0


@pytest.mark.parametrize(
    ("documents", "topics", "message"),
    [
        ([[1, 2, 3]], np.eye(2), "X has 3 words but topics have 2"),
        ([[1, -2]], np.eye(2), "document 0 has a word count below 0"),
        ([[1, np.nan]], np.eye(2), "NaN"),
        ([[1, 2]], [[np.nan, 1]], "topics must be a matrix of finite numbers"),
        ([1, 2], np.eye(2), "Expected 2D array"),
        ([[1, 2]], np.empty((0, 2)), "topics is empty: pass at least one topic"),
    ],
)
def test_bad_input_is_refused(documents, topics, message):
    with pytest.raises(ValueError, match=message):
        project(np.asarray(documents, dtype=float), np.asarray(topics, dtype=float))


def test_threads_change_no_bit(monkeypatch):
    """In blocks of seven documents, the last one shorter; one block of all of them differs by rounding alone."""
    data = simulate_lda(100, 30, n_words=40, n_topics=4, random_state=0)
    whole = project(data.train, data.topics)
    monkeypatch.setattr(blocks, "BLOCK", 7)
    one, three = (project(data.train, data.topics, n_jobs=n_jobs) for n_jobs in (1, 3))
    np.testing.assert_array_equal(one, three)
    np.testing.assert_allclose(one, whole, atol=1e-12)
    with pytest.raises(ValueError, match="n_jobs"):
        project(data.train, data.topics, n_jobs=0)
