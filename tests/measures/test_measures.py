import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, sparse

from gdmbench import project
from gdmbench.data.simulate import simulate_lda
from gdmbench.measures.bounds import likelihood_bounds
from gdmbench.measures.heldout import heldout_perplexity, own_and_projected, perplexity
from gdmbench.measures.loss import geometric_loss
from gdmbench.measures.matching import minimum_matching_distance, total_variation


def simplex_rows(rng, n_rows, n_columns, zeros):
    rows = rng.dirichlet(np.full(n_columns, 0.7), size=n_rows)
    rows[rng.random(rows.shape) < zeros] = 0
    rows[rows.sum(axis=1) == 0] = 1
    return rows / rows.sum(axis=1, keepdims=True)


def random_case(seed, zeros=0.0, n_docs=6, n_topics=3, n_words=8):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.8, size=(n_docs, n_words))
    counts[0, 0] += 1
    return counts, simplex_rows(rng, n_topics, n_words, zeros), simplex_rows(rng, n_docs, n_topics, zeros)


def brute_force_perplexity(counts, topics, proportions):
    """Perplexity word by word, with the zero rule on dense rows."""
    p = np.array([[sum(t * b for t, b in zip(theta, beta, strict=True)) for beta in topics.T] for theta in proportions])
    zero_tokens = sum(counts[m, i] for m in range(len(counts)) for i in range(counts.shape[1]) if p[m, i] == 0)

    def value(p, keep):
        pairs = [(counts[m, i], p[m, i]) for m, i in np.argwhere(counts) if keep(m, i)]
        total = sum(w for w, _ in pairs)
        return np.exp(-sum(w * np.log(q) for w, q in pairs) / total) if total else np.nan

    nonzero = value(p, lambda m, i: p[m, i] > 0)
    if zero_tokens:
        smoothed = np.array([row + min(q for q in row if q > 0) for row in p])
        smoothed /= smoothed.sum(axis=1, keepdims=True)
        return value(smoothed, lambda m, i: True), zero_tokens / counts.sum(), nonzero
    return nonzero, 0.0, nonzero


@given(seed=st.integers(0, 2**32), zeros=st.sampled_from([0.0, 0.3, 0.7]))
@settings(deadline=None)
def test_perplexity_agrees_with_brute_force(seed, zeros):
    counts, topics, proportions = random_case(seed, zeros)
    expected = brute_force_perplexity(counts, topics, proportions)
    np.testing.assert_allclose(heldout_perplexity(counts, topics, proportions), expected, rtol=1e-12)
    np.testing.assert_allclose(heldout_perplexity(sparse.csc_matrix(counts), topics, proportions), expected, rtol=1e-12)


def test_perplexity_by_hand():
    topics, proportions = [[0.5, 0.25, 0.25, 0.0]], [[1.0], [1.0]]
    counts = [[1, 0, 0, 0], [0, 0, 2, 1]]
    result = heldout_perplexity(counts, topics, proportions)
    # 1 of 4 tokens has probability 0; left out: (1/2 · 1/4 · 1/4) ** (-1/3).
    assert result.zero_share == 0.25
    assert result.perplexity_nonzero == pytest.approx(32 ** (1 / 3))
    # With the rule both rows, not only the second, become (3, 2, 2, 1) / 8.
    assert result.perplexity == pytest.approx((3 * 2 * 2 * 1 / 8**4) ** (-1 / 4))


def test_perplexity_of_uniform_topics_is_the_number_of_words():
    counts = np.random.default_rng(0).poisson(2, size=(20, 50))
    assert perplexity(counts, np.full((3, 50), 0.02)) == pytest.approx(50)


def test_perplexity_projects_where_no_proportions_are_given():
    counts, topics, _ = random_case(5)
    weights = project(counts, topics)
    p = weights @ topics
    p += np.where(p > 0, p, np.inf).min(axis=1, keepdims=True)  # the rule of the authors' code: always
    p /= p.sum(axis=1, keepdims=True)
    expected = np.exp(-(counts * np.log(p)).sum() / counts.sum())
    assert perplexity(counts, topics) == pytest.approx(expected)
    own, projected = own_and_projected(counts, topics, weights)
    assert own == projected
    assert projected.perplexity == perplexity(counts, topics)
    assert own_and_projected(counts, topics, None) == (projected, projected)
    other = np.roll(weights, 1, axis=1)
    assert own_and_projected(counts, topics, other)[0] == heldout_perplexity(counts, topics, other)


def test_perplexity_does_not_depend_on_how_documents_are_blocked(monkeypatch):
    counts, topics, proportions = random_case(1, 0.4, n_docs=40)
    whole = heldout_perplexity(counts, topics, proportions)
    monkeypatch.setattr("gdmbench.geometry.likelihood.BLOCK_ENTRIES", 20)
    np.testing.assert_allclose(heldout_perplexity(counts, topics, proportions), whole, rtol=1e-13)


def test_perplexity_passes_over_empty_documents():
    counts, topics, proportions = random_case(2)
    with_empty = np.vstack([counts, np.zeros_like(counts[:2])])
    more = np.vstack([proportions, proportions[:2]])
    assert perplexity(with_empty, topics, more) == pytest.approx(perplexity(counts, topics, proportions), rel=1e-14)


def test_no_token_with_positive_probability():
    result = heldout_perplexity([[0, 3]], [[1.0, 0.0]], [[1.0]])
    assert result.zero_share == 1
    assert np.isnan(result.perplexity_nonzero)
    assert result.perplexity == pytest.approx(3)


def test_true_proportions_beat_others_on_long_documents():
    data = simulate_lda(300, 50, n_words=60, n_heldout=20, random_state=0)
    mixed = np.full((20, 5), 0.2)
    assert perplexity(data.heldout, data.topics, data.heldout_proportions) < perplexity(
        data.heldout, data.topics, mixed
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"X": np.zeros((2, 3))}, "no words"),
        ({"X": [[1, -1, 0]]}, "below 0"),
        ({"X": [[1, np.nan, 0]]}, "NaN"),
        ({"topics": np.eye(4)}, "topics must be a matrix"),
        ({"topics": [0.5, 0.5, 0.0]}, "topics must be a matrix"),
        ({"topics": [[0.5, 0.6, 0.0]]}, "row of topics"),
        ({"topics": [[1.5, -0.5, 0.0]]}, "row of topics"),
        ({"topics": [[np.nan, 0.5, 0.5]]}, "row of topics"),
        ({"proportions": [[1.0], [1.0]]}, "proportions must be a matrix"),
        ({"proportions": [[0.9]]}, "row of proportions"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_sentence(arguments, words):
    good = {"X": [[1, 2, 0]], "topics": [[0.5, 0.25, 0.25]], "proportions": [[1.0]]}
    with pytest.raises(ValueError, match=words) as error:
        heldout_perplexity(**good | arguments)
    assert "\n" not in str(error.value)


@given(seed=st.integers(0, 2**32), n_first=st.integers(1, 5), n_second=st.integers(1, 5))
def test_minimum_matching_distance_agrees_with_brute_force(seed, n_first, n_second):
    rng = np.random.default_rng(seed)
    a, b = rng.dirichlet(np.ones(4), size=n_first), rng.dirichlet(np.ones(4), size=n_second)

    def farthest(first, second):
        return max(min(sum((x - y) ** 2) ** 0.5 for y in second) for x in first)

    assert minimum_matching_distance(a, b) == pytest.approx(max(farthest(a, b), farthest(b, a)), abs=1e-15)
    assert minimum_matching_distance(b, a) == minimum_matching_distance(a, b)
    assert minimum_matching_distance(a, rng.permutation(a)) == 0


def test_minimum_matching_distance_sees_a_topic_that_either_set_lacks():
    assert minimum_matching_distance(np.eye(3), np.eye(3)[:2]) == pytest.approx(2**0.5)
    assert minimum_matching_distance(np.eye(3)[:2], np.eye(3)) == pytest.approx(2**0.5)


@pytest.mark.parametrize("other", [np.eye(3), np.ones(2), np.empty((0, 2))])
def test_minimum_matching_distance_refuses_sets_that_do_not_fit(other):
    with pytest.raises(ValueError, match="same words"):
        minimum_matching_distance(np.eye(2), other)


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_geometric_loss_agrees_with_a_general_optimiser(seed):
    counts, topics, _ = random_case(seed, n_docs=3)
    expected = 0.0
    for row in counts[counts.sum(axis=1) > 0]:
        length, point = row.sum(), row / row.sum()
        # Non-negative least squares with a heavy extra row holding the sum of the weights at 1.
        matrix, target = np.vstack([topics.T, np.full(3, 1e4)]), np.append(point, 1e4)
        weights = optimize.nnls(matrix, target)[0]
        expected += length * np.sum((weights / weights.sum() @ topics - point) ** 2)
    assert geometric_loss(counts, topics) == pytest.approx(expected, rel=1e-4, abs=1e-6)


def test_geometric_loss_is_zero_for_documents_in_the_polytope():
    assert geometric_loss([[1, 1, 2], [3, 3, 0]], np.eye(3)) == pytest.approx(0, abs=1e-12)


@given(seed=st.integers(0, 2**32), zeros=st.sampled_from([0.0, 0.4]))
def test_likelihood_lies_between_its_bounds(seed, zeros):
    counts, topics, proportions = random_case(seed, zeros)
    p = proportions @ topics
    assume((p[counts > 0] > 0).all())
    lower, likelihood, upper, lower_printed = likelihood_bounds(counts, topics, proportions)
    lengths = counts.sum(axis=1)
    terms = [(w, w / n, q) for row, n, ps in zip(counts, lengths, p, strict=True)
             for w, q in zip(row, ps, strict=True) if n]  # fmt: skip
    n_of = [n for row, n in zip(counts, lengths, strict=True) for _ in row if n]
    present = [(w, f, q, n) for (w, f, q), n in zip(terms, n_of, strict=True) if w]
    best = sum(w * np.log(f) for w, f, _, _ in present)
    assert likelihood == pytest.approx(sum(w * np.log(q) for w, _, q, _ in present))
    assert upper == pytest.approx(best - sum(n * (f - q) ** 2 for _, f, q, n in present) / 2)
    assert lower_printed == pytest.approx(best - sum(n * (f - q) ** 2 / q for _, f, q, n in present))
    chi2 = sum(n * (f - q) ** 2 / q for (_, f, q), n in zip(terms, n_of, strict=True) if q)
    assert lower == pytest.approx(best - chi2)
    assert lower <= likelihood + 1e-9
    assert likelihood <= upper + 1e-9


def test_printed_lower_bound_fails_where_absent_words_have_mass():
    bounds = likelihood_bounds([[1, 0]], [[0.5, 0.5]], [[1.0]])
    assert bounds.likelihood == pytest.approx(-np.log(2))
    assert bounds.lower == pytest.approx(-1)
    assert bounds.lower_printed == pytest.approx(-0.5)
    assert bounds.lower_printed > bounds.likelihood


@pytest.mark.parametrize("p", [0.4, 0.6, 0.9, 0.999])
def test_printed_lower_bound_fails_for_every_single_word_of_probability_above_two_fifths(p):
    for copies in (1, 50):  # the same document again and again breaks it by as much more
        bounds = likelihood_bounds([[1, 0]] * copies, [[p, 1 - p]], [[1.0]] * copies)
        assert bounds.lower_printed - bounds.likelihood == pytest.approx(copies * (-np.log(p) - (1 - p) ** 2 / p))
        assert bounds.lower_printed > bounds.likelihood
        assert bounds.lower <= bounds.likelihood


@given(seed=st.integers(0, 2**32))
@settings(deadline=None)
def test_the_two_steps_of_the_corrected_proof(seed):
    rng = np.random.default_rng(seed)
    w, p = rng.dirichlet(np.full(6, 0.5)), rng.dirichlet(np.full(6, 0.5)) + 1e-9
    w[rng.random(6) < 0.4] = 0  # words that do not occur
    assume(w.sum() > 0)
    w, p = w / w.sum(), p / p.sum()
    here = w > 0
    divergence = (w[here] * np.log(w[here] / p[here])).sum()
    chi2 = ((w - p) ** 2 / p).sum()
    assert chi2 == pytest.approx((w**2 / p).sum() - 1, rel=1e-9, abs=1e-12)
    assert divergence <= np.log1p(chi2) + 1e-12
    assert np.log1p(chi2) <= chi2
    assert divergence >= ((w - p) ** 2).sum() / 2 - 1e-12


def test_impossible_words_make_the_likelihood_minus_infinity():
    bounds = likelihood_bounds([[1, 1]], [[1.0, 0.0]], [[1.0]])
    assert bounds.likelihood == bounds.lower == -np.inf
    assert np.isfinite(bounds.upper)


@given(seed=st.integers(0, 2**32), k=st.integers(1, 4))
@settings(deadline=None)
def test_total_variation_agrees_with_brute_force(seed, k):
    rng = np.random.default_rng(seed)
    a, b = simplex_rows(rng, 3, 5, 0.3), simplex_rows(rng, k, 5, 0.3)
    apart = [[sum(max(p - q, 0) for p, q in zip(x, y, strict=True)) for y in b] for x in a]
    forth = np.mean([min(row) for row in apart])
    back = np.mean([min(row[j] for row in apart) for j in range(k)])
    assert total_variation(a, b) == pytest.approx((forth + back) / 2, abs=1e-12)
    assert total_variation(a, a[::-1]) == pytest.approx(0, abs=1e-12)
