"""Weighted k-means part by part: the reduced space, seeds, moves, samples and weights."""

import numpy as np
import pytest
from scipy import sparse

from gdmbench import GDM, VLAD, simulate_lda
from gdmbench.geometry import kmeans
from gdmbench.geometry.counts import check_counts, normalise_rows
from gdmbench.geometry.hartigan import add_up, improve_dense, improve_sparse


def test_reduced_space_keeps_distances_of_few_words_exactly():
    counts = check_counts(np.random.default_rng(0).poisson(2, (30, 6)) + 1)
    points, lengths = normalise_rows(counts)
    center = lengths @ points / lengths.sum()
    coordinates, squares = kmeans.reduce_points(points, lengths, 3, np.random.default_rng(0))
    np.testing.assert_allclose(coordinates, points.toarray() - center)
    np.testing.assert_allclose(squares, (coordinates**2).sum(axis=1), atol=1e-15)


def test_reduced_space_has_the_leading_principal_axes():
    """Its coordinates hold what the singular value decomposition holds of as many axes, to a thousandth."""
    data = simulate_lda(500, 400, n_words=400, n_topics=5, random_state=0)
    points, lengths = normalise_rows(check_counts(data.train))
    center = lengths @ points / lengths.sum()
    coordinates, squares = kmeans.reduce_points(points, lengths, 5, np.random.default_rng(0))
    centred = points.toarray() - center
    values = np.linalg.svd(np.sqrt(lengths)[:, None] * centred, compute_uv=False)
    assert lengths @ (coordinates[:, :4] ** 2).sum(axis=1) >= 0.999 * (values[:4] ** 2).sum()
    np.testing.assert_allclose(squares, (centred**2).sum(axis=1), atol=1e-14)


@pytest.mark.parametrize("n_distinct", [30, 2])
def test_seeds_are_those_of_kmeans_plus_plus(n_distinct):
    """By the definition, in plain steps; with fewer distinct points than seeds, seeds are still different points."""
    rng = np.random.default_rng(1)
    points = rng.normal(size=(n_distinct, 3))[np.arange(30) % n_distinct]
    weights = rng.uniform(1, 5, size=30)
    labels = kmeans.seed_labels(points, weights, 4, np.random.default_rng(2))
    uniforms = np.random.default_rng(2).random(4)
    seeds: list[int] = []
    for number in uniforms:
        far = np.min([((points - points[s]) ** 2).sum(axis=1) for s in seeds], axis=0) if seeds else np.ones(30)
        chances = weights * far
        if chances.max() > 0:
            seeds.append(next(m for m in range(30) if chances[: m + 1].sum() > number * chances.sum()))
        else:
            seeds.append(next(m for m in range(30) if m not in seeds))
    assert len(set(seeds)) == 4
    expected = np.argmin([((points - points[s]) ** 2).sum(axis=1) for s in seeds], axis=0)
    expected[seeds] = range(4)
    np.testing.assert_array_equal(labels, expected)


def objective(points, weights, labels, penalty):
    """The weighted inertia by its definition, and the penalty for each cluster in use."""
    total = 0.0
    for k in set(labels):
        mine, w = points[labels == k], weights[labels == k]
        total += penalty + w @ ((mine - w @ mine / w.sum()) ** 2).sum(axis=1)
    return total


@pytest.mark.parametrize("kind", ["sparse", "dense"])
@pytest.mark.parametrize("penalty", [0.0, 0.01])
@pytest.mark.parametrize("seed", range(5))
def test_moves_end_where_by_brute_force_no_single_move_helps(seed, penalty, kind):
    """Documents of a few words; one cluster is a single document, and with a penalty a fifth one is empty."""
    rng = np.random.default_rng(seed)
    points = rng.poisson(0.4, (80, 15)) + np.eye(80, 15)
    points /= points.sum(axis=1, keepdims=True)
    weights = rng.gamma(0.5, size=80) + 0.01
    labels = np.append(np.arange(4), rng.integers(3, size=76))
    n_clusters = 5 if penalty else 4
    before = objective(points, weights, labels, penalty)
    squares = (points**2).sum(axis=1)
    if kind == "sparse":
        clusters = improve_sparse(sparse.csr_array(points), weights, labels, n_clusters, penalty)
    else:
        clusters = improve_dense(points, squares, weights, labels, n_clusters, penalty)
    least = objective(points, weights, labels, penalty)
    assert least < before
    assert clusters.objective(weights, squares, penalty) == pytest.approx(least, rel=1e-10)
    if not penalty:
        assert set(labels) == {0, 1, 2, 3}
    for m in range(80):
        for k in range(n_clusters):
            moved = labels.copy()
            moved[m] = k
            if penalty or len(set(moved)) == 4:
                assert objective(points, weights, moved, penalty) >= least * (1 - 1e-9)


def test_clusters_are_the_weighted_sums_of_their_points():
    counts = check_counts(simulate_lda(300, (5, 80), n_words=60, n_topics=4, random_state=2).train)
    weights, labels = np.arange(1.0, 301.0), np.random.default_rng(0).integers(7, size=300)
    clusters = add_up(counts, weights, labels, 7)
    onehot = np.eye(7)[labels] * weights[:, None]
    np.testing.assert_allclose(clusters.sums, counts.toarray().T @ onehot)
    np.testing.assert_allclose(clusters.norms, (clusters.sums**2).sum(axis=0))
    np.testing.assert_allclose(clusters.totals, onehot.sum(axis=0))
    np.testing.assert_array_equal(clusters.sizes, np.bincount(labels))


@pytest.mark.parametrize("estimator", [GDM, VLAD])
def test_starts_from_a_sample_end_as_low_as_starts_from_all(estimator, monkeypatch):
    """To a hundredth in the mean over seeds of the mean squared distance, which seeds differ by more than."""
    counts = simulate_lda(1500, 100, n_words=200, n_topics=4, random_state=0).train
    points, lengths = normalise_rows(check_counts(counts))

    def spread(seed):
        labels = estimator(4, random_state=seed).fit(counts).labels_
        return objective(points.toarray(), lengths, labels, 0.0)

    whole = [spread(seed) for seed in range(4)]
    monkeypatch.setattr(kmeans, "_MOST_SPARSE", 400)
    assert np.mean([spread(seed) for seed in range(4)]) == pytest.approx(np.mean(whole), rel=1e-2)


@pytest.mark.parametrize("weighted", [True, False])
def test_a_document_twice_as_long_weighs_as_much_as_two(weighted):
    data = simulate_lda(60, 40, n_words=20, n_topics=3, random_state=0)
    counts = data.train.toarray()
    doubled, repeated = np.vstack([2 * counts[:20], counts[20:]]), np.vstack([counts[:20], counts])
    one, two = (GDM(3, weighted=weighted, random_state=0).fit(x) for x in (doubled, repeated))
    assert (abs(one.inertia_ / two.inertia_ - 1) < 1e-9) == weighted
    assert np.allclose(one.center_, two.center_, atol=1e-14) == weighted
