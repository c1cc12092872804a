"""CoSAC: exact on symmetric simplices, each step against brute force, the number found on simulated corpora."""

from itertools import permutations

import numpy as np
import pytest
from scipy import sparse

from baselines.cosac import CoSAC
from gdmbench import minimum_matching_distance, simulate_lda


def symmetric_mixtures(topics, *recipes):
    """All documents whose proportions are a permutation of a recipe, each once."""
    proportions = {order for recipe in recipes for order in permutations(recipe)}
    return np.array(sorted(proportions)) @ topics


@pytest.mark.parametrize("n_topics", [2, 3, 4, 5])
@pytest.mark.parametrize("weighted", [True, False])
def test_topics_of_a_regular_simplex_are_found_exactly(n_topics, weighted):
    # Topics on words of their own are equally far apart, and the permutations leave no direction preferred; so cones
    # rest on the directions of the topics, and the pure documents tell how far out these are.
    rng = np.random.default_rng(n_topics)
    shared = rng.dirichlet(np.ones(6))
    topics = np.hstack([0.6 * np.eye(n_topics), np.tile(0.4 * shared, (n_topics, 1))])
    rest = 0.1 / max(n_topics - 1, 1)
    recipes = [[1.0] + [0.0] * (n_topics - 1), [0.9] + [rest] * (n_topics - 1)]
    documents = symmetric_mixtures(topics, *recipes)
    # Documents nearer to the centre than these start no cone, but must not disturb either.
    documents = np.vstack([documents, symmetric_mixtures(topics, [0.7] + [0.3 / (n_topics - 1)] * (n_topics - 1))])
    model = CoSAC(weighted=weighted, radius=0.0).fit(1000 * documents)
    assert model.n_topics_ == n_topics
    assert minimum_matching_distance(model.components_, topics) < 1e-12


@pytest.mark.parametrize(("n_topics", "alpha", "doc_length"), [(3, 0.1, 500), (5, 0.1, 1000), (15, 0.1, 3000)])
def test_the_number_of_separated_topics_is_found(n_topics, alpha, doc_length):
    for seed in range(2):
        data = simulate_lda(1000, doc_length, n_topics=n_topics, alpha=alpha, random_state=seed)
        model = CoSAC().fit(data.train)
        assert model.n_topics_ == n_topics
        # Topics are about .09 apart, and the centre is about .06 from each.
        assert minimum_matching_distance(model.components_, data.topics) < 0.02


def test_error_falls_as_documents_are_added():
    errors = []
    for n_docs in (100, 10_000):
        data = simulate_lda(n_docs, 1000, n_words=200, n_topics=4, equilateral=True, random_state=3)
        errors.append(minimum_matching_distance(CoSAC().fit(data.train).components_, data.topics))
    assert errors[1] < errors[0]


def brute_force(points, weights, omega, min_share, radius, n_rounds):
    """The algorithm on dense vectors, step by step."""
    center = np.average(points, axis=0, weights=weights)
    rays = points - center
    norms = np.linalg.norm(rays, axis=1)
    radius = np.median(norms) if radius is None else radius
    active, found = set(range(len(points))), []
    while any(norms[m] > radius for m in active):
        seed = max(active, key=lambda m: norms[m])
        t, cone = rays[seed], {seed}
        for _ in range(50):
            inside = {m for m in active if norms[m] and 1 - rays[m] @ t / norms[m] / np.linalg.norm(t) < omega}
            if not inside or inside == cone:
                break
            cone = inside
            t = np.average(rays[sorted(cone)], axis=0, weights=weights[sorted(cone)])
        if len(cone) > min_share * len(points):
            found.append(t / np.linalg.norm(t))
        active -= cone | {seed}
    directions = np.array(found)
    labels = (rays @ directions.T).argmax(axis=1)
    for _ in range(n_rounds):
        used = np.unique(labels)
        directions = np.array([(weights[labels == k, None] * rays[labels == k]).sum(axis=0) for k in used])
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        labels = (rays @ directions.T).argmax(axis=1)
    topics = []
    for k in np.unique(labels):
        topic = np.maximum(center + directions[k] * (rays[labels == k] @ directions[k]).max(), 0)
        topics.append(topic / topic.sum())
    return np.array(topics)


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize(
    "options",
    [{}, {"omega": 0.3}, {"min_share": 0.05}, {"radius": 0.05}, {"n_rounds": 0}, {"omega": 0.9, "n_rounds": 3}],
)
def test_sparse_steps_are_those_of_brute_force(options, weighted):
    rng = np.random.default_rng(5)
    lengths = rng.integers(20, 300, 60)
    topics = rng.dirichlet(np.full(30, 0.2), 4)
    proportions = rng.dirichlet(np.full(4, 0.3), 60)
    counts = np.array([rng.multinomial(n, p @ topics) for n, p in zip(lengths, proportions, strict=True)])
    model = CoSAC(weighted=weighted, **options).fit(sparse.csr_array(counts))
    settings = {"omega": 0.6, "min_share": 0.001, "radius": None, "n_rounds": 10} | options
    expected = brute_force(counts / lengths[:, None], lengths if weighted else np.ones(60), **settings)
    np.testing.assert_allclose(model.components_, expected, atol=1e-12)
    again = CoSAC(weighted=weighted, **options).fit(counts)
    np.testing.assert_array_equal(model.components_, again.components_)


def test_nothing_to_tell_topics_by_gives_the_centre():
    model = CoSAC().fit(np.tile([1, 2, 3], (10, 1)))
    np.testing.assert_allclose(model.components_, [[1 / 6, 2 / 6, 3 / 6]])
    data = simulate_lda(50, 100, n_words=40, random_state=0)
    none = CoSAC(min_share=0.99).fit(data.train)
    np.testing.assert_allclose(none.components_, [none.center_])
    assert set(none.labels_) == {0}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"omega": 0}, "omega must be a number between 0 and 1, not 0"),
        ({"omega": "wide"}, "omega must be a number between 0 and 1"),
        ({"min_share": 1.0}, "min_share must be a number of at least 0 and below 1"),
        ({"radius": -1}, "radius must be a number of at least 0"),
        ({"n_rounds": 1.5}, "n_rounds must be a whole number of at least 0"),
    ],
)
def test_wrong_parameters_are_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        CoSAC(**options).fit(np.eye(3))


def test_no_words_no_topics():
    with pytest.raises(ValueError, match="documents that are all empty"):
        CoSAC().fit(np.zeros((3, 4)))
