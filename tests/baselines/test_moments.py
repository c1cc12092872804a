"""The method of moments: moments against brute force over tokens, decomposition and whole against the population's."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from baselines.moments import Moments, TensorMoments, decompose
from gdmbench import minimum_matching_distance, simulate_lda

ALPHA, K = 0.3, 3


def test_moments_are_those_of_all_pairs_and_triples_of_different_tokens():
    documents = [[0, 0, 1, 3], [2, 2, 2], [0, 1, 2, 3, 3, 3], [1, 1, 3]]
    counts = sparse.csr_array([np.bincount(each, minlength=4) for each in documents], dtype=float)
    mean, e2, e3 = np.zeros(4), np.zeros((4, 4)), np.zeros((4, 4, 4))
    for tokens in documents:
        n = len(tokens)
        for i in tokens:
            mean[i] += 1 / n / 4
        for i, j in itertools.permutations(tokens, 2):
            e2[i, j] += 1 / (n * (n - 1)) / 4
        for i, j, k in itertools.permutations(tokens, 3):
            e3[i, j, k] += 1 / (n * (n - 1) * (n - 2)) / 4
    m2, m3 = centred(mean, e2, e3, K * ALPHA)
    moments = Moments(counts, K * ALPHA)
    np.testing.assert_allclose(moments.pairs(np.eye(4)), m2, atol=1e-15)
    np.testing.assert_allclose(moments.pairs(np.arange(4.0)), m2 @ np.arange(4), atol=1e-15)
    axes = np.random.default_rng(0).standard_normal((4, 2))
    expected = np.einsum("ijk,ia,jb,kc->abc", m3, axes, axes, axes)
    np.testing.assert_allclose(moments.triples(axes), expected, atol=1e-13)


def centred(mean, e2, e3, a):
    m2 = e2 - a / (a + 1) * np.outer(mean, mean)
    thirds = sum(np.einsum(f"{x}{y},{z}->ijk", e2, mean) for x, y, z in ("ijk", "ikj", "jki"))
    cube = np.einsum("i,j,k->ijk", mean, mean, mean)
    return m2, e3 - a / (a + 2) * thirds + 2 * a**2 / ((a + 1) * (a + 2)) * cube


def population(topics):
    """Return the mean, pairs and triples of words whose proportions have a symmetric Dirichlet distribution."""
    a = K * ALPHA
    second = (ALPHA**2 + ALPHA * np.eye(K)) / (a * (a + 1))
    third = np.empty((K, K, K))
    for i, j, k in itertools.product(range(K), repeat=3):
        third[i, j, k] = ALPHA * (ALPHA + (i == j)) * (ALPHA + (i == k) + (j == k)) / (a * (a + 1) * (a + 2))
    return topics.mean(axis=0), topics.T @ second @ topics, np.einsum("abc,ai,bj,ck->ijk", third, *[topics] * 3)


def test_the_moments_of_the_population_give_the_topics(monkeypatch):
    topics = np.random.default_rng(1).dirichlet(np.full(20, 0.5), K)
    m2, m3 = centred(*population(topics), K * ALPHA)
    monkeypatch.setattr(Moments, "pairs", lambda _, block: m2 @ block)
    monkeypatch.setattr(Moments, "triples", lambda _, axes: np.einsum("ijk,ia,jb,kc->abc", m3, axes, axes, axes))
    anything = simulate_lda(50, 20, n_words=20, n_topics=K, eta=1, random_state=0).train
    assert anything.shape[1] == 20
    model = TensorMoments(K, alpha=ALPHA, random_state=0).fit(anything)
    assert minimum_matching_distance(model.components_, topics) < 1e-9


def test_frequencies_are_taken_as_they_are():
    rng = np.random.default_rng(0)
    frequencies = rng.dirichlet(np.ones(5), 30)
    moments = Moments(sparse.csr_array(frequencies), K * ALPHA, 0.0)
    e2, e3 = (np.einsum(f"di,dj{rest}", *[frequencies] * n) / 30 for n, rest in ((2, "->ij"), (3, ",dk->ijk")))
    m2, m3 = centred(frequencies.mean(axis=0), e2, e3, K * ALPHA)
    np.testing.assert_allclose(moments.pairs(np.eye(5)), m2, atol=1e-15)
    np.testing.assert_allclose(moments.triples(np.eye(5)), m3, atol=1e-15)


def test_a_tensor_of_orthogonal_vectors_is_taken_apart():
    rng = np.random.default_rng(0)
    vectors = np.linalg.qr(rng.standard_normal((5, 5)))[0]
    sizes = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    tensor = np.einsum("k,ka,kb,kc->abc", sizes, *[vectors] * 3)
    found, eigenvalues = decompose(tensor, rng)
    order = np.argsort(-eigenvalues)
    np.testing.assert_allclose(eigenvalues[order], sizes, rtol=1e-9)
    np.testing.assert_allclose(found[order], vectors, atol=1e-9)


def test_more_documents_bring_the_topics_nearer():
    far, near = (
        minimum_matching_distance(TensorMoments(3, alpha=0.1, random_state=0).fit(data.train).components_, data.topics)
        for data in (simulate_lda(n, 50, n_words=60, n_topics=3, random_state=4) for n in (200, 20_000))
    )
    assert near < far / 3  # errors fall like the root of the number of documents


def test_permuted_words_and_documents_permute_the_topics():
    data = simulate_lda(2000, 50, n_words=60, n_topics=3, random_state=4).train
    rng = np.random.default_rng(0)
    words = rng.permutation(data.shape[1])
    other = sparse.csr_array(data[rng.permutation(data.shape[0])][:, words])
    one, two = (TensorMoments(3, random_state=0).fit(each).components_ for each in (data, other))
    assert minimum_matching_distance(two, one[:, words]) < 1e-7  # the power method converges to the same vectors


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ([[1, 1, 0], [0, 1, 1]], "No document has three words, so there are no triples: pass counts of longer"),
        ([[4, 2, 0], [2, 4, 0], [2, 1, 0]], r"The matrix of pairs of words has 1 of the 2 axes that so many topics"),
    ],
)
def test_what_moments_cannot_show_is_told(counts, sentence):
    with pytest.raises(ValueError, match=sentence):
        TensorMoments(2).fit(counts)


def test_triples_that_show_nothing_are_told():
    with pytest.raises(ValueError, match="The triples of words show 0 of n_topics=2 topics"):
        decompose(np.zeros((2, 2, 2)), np.random.default_rng(0))
