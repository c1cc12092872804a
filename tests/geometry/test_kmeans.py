"""Weighted k-means part by part: the reduced space, seeds, swaps, samples and weights."""

from itertools import product

import numpy as np
import pytest

from gdmbench import GDM, simulate_lda
from gdmbench.geometry import kmeans, restarts
from gdmbench.geometry.counts import check_counts, normalise_rows
from gdmbench.geometry.hartigan import dense_points, sparse_points


def test_reduced_space_keeps_distances_of_few_words_exactly():
    counts = check_counts(np.random.default_rng(0).poisson(2, (30, 6)) + 1)
    points, lengths = normalise_rows(counts)
    center = lengths @ points / lengths.sum()
    rows = sparse_points(points, lengths)
    coordinates, residuals = kmeans.reduce_points(points, rows, center, 3, np.random.default_rng(0))
    np.testing.assert_allclose(coordinates, points.toarray() - center)
    np.testing.assert_array_equal(residuals, 0)


def test_reduced_space_has_the_leading_principal_axes():
    """Its coordinates hold what the singular value decomposition holds of as many axes, to a thousandth."""
    data = simulate_lda(500, 400, n_words=400, n_topics=5, random_state=0)
    points, lengths = normalise_rows(check_counts(data.train))
    center = lengths @ points / lengths.sum()
    rows = sparse_points(points, lengths)
    coordinates, residuals = kmeans.reduce_points(points, rows, center, 5, np.random.default_rng(0))
    centred = points.toarray() - center
    values = np.linalg.svd(np.sqrt(lengths)[:, None] * centred, compute_uv=False)
    assert lengths @ (coordinates[:, :4] ** 2).sum(axis=1) >= 0.999 * (values[:4] ** 2).sum()
    total = (coordinates**2).sum(axis=1) + residuals
    np.testing.assert_allclose(total, (centred**2).sum(axis=1), atol=1e-14)


def test_starts_on_a_sample_of_many_documents(monkeypatch):
    data = simulate_lda(1500, 200, n_words=200, n_topics=4, random_state=0)
    everything = GDM(4, random_state=0).fit(data.train)
    monkeypatch.setattr(restarts, "_MOST_DOCUMENTS", 300)
    sampled = GDM(4, random_state=0).fit(data.train)
    assert sampled.inertia_ == pytest.approx(everything.inertia_, rel=1e-4)


@pytest.mark.parametrize("weighted", [True, False])
def test_a_document_twice_as_long_weighs_as_much_as_two(weighted):
    data = simulate_lda(60, 40, n_words=20, n_topics=3, random_state=0)
    counts = data.train.toarray()
    doubled, repeated = np.vstack([2 * counts[:20], counts[20:]]), np.vstack([counts[:20], counts])
    one, two = (GDM(3, weighted=weighted, random_state=0).fit(x) for x in (doubled, repeated))
    assert (abs(one.inertia_ / two.inertia_ - 1) < 1e-9) == weighted
    assert np.allclose(one.center_, two.center_, atol=1e-14) == weighted


@pytest.mark.parametrize("seed", range(5))
def test_a_swap_puts_one_centroid_on_a_point(seed):
    """By brute force: some centroid replaced by some point gives just these nearest neighbours."""
    rng = np.random.default_rng(seed)
    points, weights = rng.normal(size=(30, 3)), rng.uniform(1, 5, size=30)
    labels = np.arange(30) % 4
    means = np.array([np.average(points[labels == k], axis=0, weights=weights[labels == k]) for k in range(4)])
    sums = (means * np.bincount(labels, weights=weights)[:, None]).T
    swapped = restarts._swap(
        dense_points(points, np.zeros(30), weights), restarts._Run(0.0, labels, sums), rng.random(), rng.integers(4)
    )
    found = []
    for k, point in product(range(4), points):
        centroids = np.vstack([means[:k], point, means[k + 1 :]])
        found.append(np.argmin(((points[:, None] - centroids) ** 2).sum(axis=2), axis=1))
    assert any(np.array_equal(swapped, each) for each in found)


@pytest.mark.parametrize("n_trials", [1, 3])
@pytest.mark.parametrize("n_distinct", [30, 2])
def test_seeds_are_those_of_greedy_kmeans_plus_plus(n_trials, n_distinct):
    """By the definition, in plain steps; with fewer distinct points than seeds, seeds are still different points."""
    rng = np.random.default_rng(n_trials)
    points = rng.normal(size=(n_distinct, 3))[np.arange(30) % n_distinct]
    weights, uniforms = rng.uniform(1, 5, size=30), rng.random((4, n_trials))
    labels = restarts._seed(dense_points(points, np.zeros(30), weights), uniforms)
    seeds: list[int] = []
    for k, numbers in enumerate(uniforms):
        inertias = {}
        for number in numbers if k else numbers[:1]:
            far = np.min([((points - points[s]) ** 2).sum(axis=1) for s in seeds], axis=0) if seeds else np.ones(30)
            chances = weights * far
            if chances.max() > 0:
                seed = next(m for m in range(30) if chances[: m + 1].sum() > number * chances.sum())
            else:
                seed = next(m for m in range(30) if m not in seeds)
            squares = [((points - points[s]) ** 2).sum(axis=1) for s in [*seeds, seed]]
            inertias.setdefault(seed, weights @ np.min(squares, axis=0))
        seeds.append(min(inertias, key=inertias.get))
    assert len(set(seeds)) == 4
    expected = np.argmin([((points - points[s]) ** 2).sum(axis=1) for s in seeds], axis=0)
    expected[seeds] = range(4)
    np.testing.assert_array_equal(labels, expected)


@pytest.mark.parametrize(("n_optima", "n_tries"), [(1, 7), (2, 12), (3, 16), (4, 21)])
def test_tries_end_when_little_is_expected_to_be_unseen(n_optima, n_tries):
    """By Boender and Rinnooy Kan's w (w + 1) / (n (n - 1)); what differs by rounding is one optimum."""
    inertias = [1.0 + 0.01 * (i % n_optima) + 1e-9 * i for i in range(n_tries)]
    assert restarts.has_seen_enough(inertias)
    assert not restarts.has_seen_enough(inertias[:-1])


def test_easy_documents_cost_one_try_for_each_restart_and_hard_ones_all(monkeypatch):
    n_improved = []
    improve = restarts.improve_dense
    monkeypatch.setattr(restarts, "improve_dense", lambda *given: (n_improved.append(1), improve(*given))[1])
    apart = np.kron(np.eye(3), np.ones((20, 5)))
    GDM(3, random_state=0, n_restarts=4).fit(np.random.default_rng(0).poisson(10 * apart))
    assert len(n_improved) == 7  # the least with which the rule is sure of a single optimum
    n_improved.clear()
    hard = simulate_lda(300, 10, n_words=100, n_topics=3, random_state=0)
    GDM(12, random_state=0, n_restarts=4).fit(hard.train)
    assert 20 < len(n_improved) <= 24  # but for swaps that leave a cluster empty


@pytest.mark.parametrize("is_easy", [True, False])
@pytest.mark.parametrize("n_jobs", [2, 5, 30])
def test_tries_in_threads_are_those_of_one_thread_and_draw_as_many_numbers(is_easy, n_jobs):
    """Clusters that are apart end tries among the starts; else swaps follow, some better than all before them."""
    points = np.random.default_rng(0).normal(size=(300, 5)) + 100.0 * is_easy * (np.arange(300) % 3)[:, None]
    rngs = [np.random.default_rng(1), np.random.default_rng(1)]
    given, n_clusters = dense_points(points, np.zeros(300), np.ones(300)), 3 if is_easy else 30
    one, more = (restarts._tries(given, n_clusters, 4, rng, n) for rng, n in zip(rngs, (1, n_jobs), strict=True))
    assert [run.inertia for run in one] == [run.inertia for run in more]
    assert all(np.array_equal(a.labels, b.labels) for a, b in zip(one, more, strict=True))
    assert rngs[0].random() == rngs[1].random()
    inertias = [run.inertia for run in one]
    assert len(inertias) == 7 if is_easy else min(inertias[8:]) < 0.999 * min(inertias[:8])
