"""Growth with size: exponents, and what people would take instead of GDM."""

import numpy as np
import pytest

from baselines.adapters.minibatch_kmeans import MiniBatchCentroids
from experiments.growth import draw, exponents
from gdmbench import simulate_lda


def test_exponents_are_those_that_made_the_times(world):
    frame = world[world["experiment"] == "growth_M"].copy()
    powers = {"gdm": 1.0, "tgdm": 1.5, "vlad": 0.0, "refined_gdm": 2.0}
    frame["fit_cpu_seconds"] = [
        2.0 * (value / 1000.0) ** powers[method]
        for value, method in zip(frame["value"].astype(float), frame["method"], strict=True)
    ]
    labels = dict(zip(frame["method"], frame["label"], strict=True))
    found = exponents(frame)
    for method, power in powers.items():
        assert found[labels[method]] == pytest.approx(power, abs=1e-12)


def test_one_size_has_no_exponent_but_a_table(world, tmp_path, unrendered_figures):
    frame = world[(world["experiment"] == "growth_M") & (world["value"] == 1000)]
    assert np.isnan(list(exponents(frame).values())).all()
    (table,) = [path for path in draw(frame, tmp_path) if path.suffix == ".md"]
    assert "seconds at M = 1000" in table.read_text()


def test_minibatch_centroids_are_near_the_means_of_clusters_far_apart():
    apart = np.kron(np.eye(3), np.ones((40, 5)))
    counts = np.random.default_rng(0).poisson(20 * apart)
    topics = MiniBatchCentroids(3, random_state=0).fit(counts).components_
    wanted = np.array([counts[40 * k : 40 * k + 40].sum(axis=0) for k in range(3)], dtype=float)
    wanted /= wanted.sum(axis=1, keepdims=True)
    order = np.argmax(topics @ wanted.T, axis=0)
    np.testing.assert_allclose(topics[order], wanted, atol=0.02)  # mini-batches stop short of the mean by noise
    np.testing.assert_allclose(topics.sum(axis=1), 1.0)
    data = simulate_lda(30, 20, n_words=10, n_topics=2, random_state=0)
    with pytest.raises(ValueError, match="n_topics"):
        MiniBatchCentroids(0).fit(data.train)
