"""The compiled parts against something slow and independent of them."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from gdmbench import GDM, simulate_lda
from gdmbench.geometry import kmeans
from gdmbench.geometry.brent import GOLDEN, next_point, record, start_search
from gdmbench.geometry.counts import check_counts, normalise_rows
from gdmbench.geometry.polytope import minimise_on_simplex
from gdmbench.geometry.reduction import reduce_points
from gdmbench.geometry.warm import warm_minima


@pytest.mark.parametrize("n_vertices", [1, 2, 5, 10, 11, 25])  # points are grouped by face up to ten vertices
@pytest.mark.parametrize("dependent", [False, True])
def test_warm_minima_are_cold_ones_wherever_they_start(n_vertices, dependent):
    rng = np.random.default_rng(n_vertices)
    vertices = rng.normal(size=(n_vertices, 40))
    if dependent:
        vertices[-1] = vertices[: max(1, n_vertices // 2)].mean(axis=0)
    points = 0.5 * rng.normal(size=(200, 40)) + rng.dirichlet(np.full(n_vertices, 0.3), 200) @ vertices
    gram, linears = vertices @ vertices.T, points @ vertices.T
    thetas, minima = minimise_on_simplex(gram, linears)
    np.testing.assert_allclose(minima, np.einsum("mk,mk->m", thetas, thetas @ gram - 2 * linears), atol=1e-12)
    somewhere = (rng.random(thetas.shape) < 0.5).astype(np.uint8)
    somewhere[:, 0] = 1
    for active in (np.ones_like(somewhere), somewhere, (thetas > 0).astype(np.uint8)):
        np.testing.assert_allclose(warm_minima(gram, linears, active), minima, rtol=1e-10, atol=1e-10)
        if not dependent:
            np.testing.assert_array_equal(active, thetas > 0)


FUNCTIONS = {
    "parabola": lambda x, c: (x - c) ** 2,
    "steep then flat": lambda x, c: np.exp(-5 * x) + 5 * np.exp(-5 * c) * x,
    "kink": lambda x, c: abs(x - c),
    "quartic": lambda x, c: (x - c) ** 4,
    "constant": lambda x, c: 0 * x,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("center", [-0.3, 0.0, 0.02, 0.2, 0.5, 0.87, 0.99, 1.0, 1.4])
@pytest.mark.parametrize("first", [GOLDEN, 0.05, 0.9])
def test_brent_finds_the_minimum_in_few_steps(name, center, first):
    def function(x):
        return FUNCTIONS[name](x, center)

    tolerance = 1e-3
    values = {x: function(x) for x in (0.0, 1.0, first)}
    state = start_search(0.0, 1.0, first, values[0.0], values[1.0], values[first])
    x = next_point(state, tolerance)
    while not np.isnan(x):
        assert 0 < x < 1
        values[x] = function(x)
        record(state, x, values[x])
        x = next_point(state, tolerance)
        assert len(values) < 40
    theirs = minimize_scalar(function, bounds=(0, 1), method="bounded", options={"xatol": tolerance})
    found = min(values, key=values.__getitem__)
    slack = 3 * tolerance if name == "kink" else 1e-5  # elsewhere the function is flat where it is least
    assert values[found] <= min(theirs.fun, values[0.0], values[1.0]) + slack
    if name in ("parabola", "kink"):
        assert found == pytest.approx(min(max(center, 0), 1), abs=3 * tolerance)


def test_reduced_space_keeps_distances_of_few_words_exactly():
    counts = check_counts(np.random.default_rng(0).poisson(2, (30, 6)) + 1)
    points, lengths = normalise_rows(counts)
    center = lengths @ points / lengths.sum()
    reduced = reduce_points(points, lengths, center, 3, np.random.default_rng(0))
    np.testing.assert_allclose(reduced.coordinates, points.toarray() - center)
    np.testing.assert_array_equal(reduced.residuals, 0)


def test_reduced_space_has_the_leading_principal_axes():
    """Its coordinates hold what the singular value decomposition holds of as many axes, to a thousandth."""
    data = simulate_lda(500, 400, n_words=400, n_topics=5, random_state=0)
    points, lengths = normalise_rows(check_counts(data.train))
    center = lengths @ points / lengths.sum()
    reduced = reduce_points(points, lengths, center, 5, np.random.default_rng(0))
    centred = points.toarray() - center
    values = np.linalg.svd(np.sqrt(lengths)[:, None] * centred, compute_uv=False)
    assert lengths @ (reduced.coordinates[:, :4] ** 2).sum(axis=1) >= 0.999 * (values[:4] ** 2).sum()
    total = (reduced.coordinates**2).sum(axis=1) + reduced.residuals
    np.testing.assert_allclose(total, (centred**2).sum(axis=1), atol=1e-14)


def test_starts_on_a_sample_of_many_documents(monkeypatch):
    data = simulate_lda(1500, 200, n_words=200, n_topics=4, random_state=0)
    everything = GDM(4, random_state=0).fit(data.train)
    monkeypatch.setattr(kmeans, "_MOST_DOCUMENTS", 300)
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
    swapped = kmeans._swap(points, weights, kmeans._Run(0.0, labels, sums), rng)
    found = []
    for k, point in product(range(4), points):
        centroids = np.vstack([means[:k], point, means[k + 1 :]])
        found.append(np.argmin(((points[:, None] - centroids) ** 2).sum(axis=2), axis=1))
    assert any(np.array_equal(swapped, each) for each in found)
