"""The paper's propositions and theorem, as far as numbers can test them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdmbench import GDM, minimum_matching_distance
from gdmbench.measures.bounds import likelihood_bounds


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(2, 40), st.sampled_from([0.1, 1.0, 10.0]))
def test_proposition_1(seed, n_topics, n_words, spread):
    """Both bounds hold for any polytope and proportions under which every observed word is possible.

    The printed lower bound sums over the words that occur and can fail; summed over all words, which is what the chi
    square distance in its proof is, it holds.
    """
    rng = np.random.default_rng(seed)
    topics = rng.dirichlet(np.full(n_words, spread), n_topics) + 1e-9
    topics /= topics.sum(axis=1, keepdims=True)
    proportions = rng.dirichlet(np.ones(n_topics), 10)
    counts = rng.multinomial(30, proportions @ topics)
    bounds = likelihood_bounds(counts, topics, proportions)
    tolerance = 1e-9 * abs(bounds.likelihood) + 1e-13 * counts.sum()  # rounding of a logarithm near log 1, a token
    assert bounds.lower <= bounds.likelihood + tolerance
    assert bounds.likelihood <= bounds.upper + tolerance


def test_the_printed_lower_bound_of_proposition_1_can_fail():
    bounds = likelihood_bounds(np.array([[1, 0]]), np.array([[0.5, 0.5]]), np.array([[1.0]]))
    assert bounds.lower <= bounds.likelihood <= bounds.upper
    assert bounds.lower_printed > bounds.likelihood


def equilateral(n_topics):
    """The corners of the vocabulary simplex: all sides are equal, so Theorem 1a applies."""
    return np.eye(n_topics)


def fitted_distance(topics, alpha, n_docs, seed):
    # The theorem is about the p_m themselves, so these are the data, each with the same weight.
    proportions = np.random.default_rng(seed).dirichlet(np.full(len(topics), alpha), n_docs)
    model = GDM(len(topics), weighted=False, random_state=seed).fit(proportions @ topics)
    return minimum_matching_distance(model.components_, topics)


@pytest.mark.parametrize(("n_topics", "alpha"), [(3, 1.0), (4, 0.5)])
def test_theorem_1a(n_topics, alpha):
    """Equilateral polytope, alpha fixed: the distance falls towards 0 as M grows.

    With the largest of M radii off by O(M^-1/(K-1)) and the centroids by O(M^-1/2), a hundredfold M divides the
    distance by about 4 or more; medians of 5 draws are asked for a factor of 2, and for less than .08 of the side at
    the end, which the side's own length (1.41) makes a small part.
    """
    few, many = (
        np.median([fitted_distance(equilateral(n_topics), alpha, n_docs, seed) for seed in range(5)])
        for n_docs in (300, 30_000)
    )
    assert many < few / 2
    assert many < 0.08 * np.sqrt(2)


def test_theorem_1b():
    """Any polytope, M fixed: the distance falls towards 0 with alpha.

    At alpha = .001 and M = 300 all but about one document in a hundred lie within 1e-3 of a vertex; the centroids are
    then off by a few thousandths of the distance between topics.
    """
    topics = np.random.default_rng(0).dirichlet(np.full(30, 0.3), 4)
    side = min(np.linalg.norm(a - b) for i, a in enumerate(topics) for b in topics[:i])
    distances = [
        np.median([fitted_distance(topics, alpha, 300, seed) for seed in range(5)]) for alpha in (1.0, 0.1, 0.01, 0.001)
    ]
    assert all(later < earlier for earlier, later in pairwise(distances))
    assert distances[-1] < 0.02 * side
