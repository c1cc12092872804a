"""RecoverKL: co-occurrence against brute force, recovery against another convex solver, the whole against the truth."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from baselines._recover_kernels import recover_weights
from baselines.recover_kl import RecoverKL, condition, cooccurrence, find_anchors, recover_topics
from gdmbench import minimum_matching_distance, project, simulate_lda


def _recover(rows, anchors, tol=1e-6, max_steps=100):
    return recover_weights(np.ascontiguousarray(rows), np.ascontiguousarray(anchors), tol, max_steps)


def _loss(c, q, a):
    used = (q > 0) & (a.sum(axis=0) > 0)
    with np.errstate(divide="ignore"):
        return -(q[used] @ np.log(c @ a[:, used])) / q[used].sum()


def _gap(c, q, a):
    used = (q > 0) & (a.sum(axis=0) > 0)
    p = c @ a[:, used]
    return ((a[:, used] / p) @ (q[used] / q[used].sum())).max() - 1.0


def test_cooccurrence_counts_pairs_of_tokens():
    tokens = [[0, 0, 1, 3], [2, 2], [1], [], [0, 1, 2, 3, 3, 3]]
    counts = sparse.csr_array([np.bincount(t, minlength=5) for t in map(np.array, [t or [4] for t in tokens])])
    counts = sparse.csr_array(counts.toarray() * np.array([[1], [1], [1], [0], [1]]), dtype=np.float64)
    expected = np.zeros((5, 5))
    for document in tokens:
        pairs = list(itertools.permutations(document, 2))
        for i, j in pairs:
            expected[i, j] += 1 / len(pairs) / 3  # three documents have two words or more
    np.testing.assert_allclose(cooccurrence(counts), expected, atol=1e-15)


def test_cooccurrence_is_unbiased():
    # The expectation over all documents of three tokens, enumerated, is the product of the tokens' distributions.
    p = np.array([0.5, 0.3, 0.2])
    expectation = np.zeros((3, 3))
    for tokens in itertools.product(range(3), repeat=3):
        document = sparse.csr_array(np.bincount(tokens, minlength=3)[None], dtype=np.float64)
        expectation += p[list(tokens)].prod() * cooccurrence(document)
    np.testing.assert_allclose(expectation, np.outer(p, p), rtol=1e-14)


def test_exact_cooccurrence_and_true_anchors_give_the_true_topics():
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.full(60, 0.2), size=6)
    topics[:, :6] = np.diag(rng.uniform(0.02, 0.1, 6))  # the first words are anchors
    topics /= topics.sum(axis=1, keepdims=True)
    moments = rng.dirichlet(np.full(6, 0.3), size=4000)
    pairs = topics.T @ (moments.T @ moments / 4000) @ topics
    found, gaps = recover_topics(*condition(pairs), np.arange(6), 1e-12, 100)
    assert gaps.max() <= 1e-12
    np.testing.assert_allclose(found, topics, atol=1e-7)


def test_exact_cooccurrence_shows_its_anchors():
    rng = np.random.default_rng(1)
    topics = rng.dirichlet(np.full(40, 0.5), size=5)
    places = [3, 11, 17, 22, 39]
    topics[:, places] = 0.05 * np.eye(5)
    topics /= topics.sum(axis=1, keepdims=True)
    moments = rng.dirichlet(np.full(5, 0.3), size=3000)
    rows, _ = condition(topics.T @ (moments.T @ moments / 3000) @ topics)
    assert sorted(find_anchors(rows, np.arange(40), 5)) == places
    assert sorted(find_anchors(rows, np.array([3, 5, 17, 22]), 3)) == [3, 17, 22]


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(2, 60), st.sampled_from([0.0, 0.3, 0.8]))
@settings(max_examples=150, deadline=None)
def test_recovery_agrees_with_another_convex_solver(seed, n_anchors, n_words, sparsity):
    rng = np.random.default_rng(seed)
    anchors = rng.dirichlet(np.full(n_words, 0.5), size=n_anchors) * (rng.random((n_anchors, n_words)) >= sparsity)
    anchors /= np.maximum(anchors.sum(axis=1, keepdims=True), 1e-300)
    q = 0.7 * rng.dirichlet(np.full(n_anchors, 0.3)) @ anchors + 0.3 * rng.dirichlet(np.full(n_words, 0.2))
    weights, gaps = _recover(q[None], anchors)
    c = weights[0]
    assert c.min() >= 0
    assert c.sum() == pytest.approx(1.0)
    if not anchors.any():
        np.testing.assert_allclose(c, 1 / n_anchors)
        return
    assert gaps[0] <= 1e-6
    assert _gap(c, q, anchors) <= 1.1e-6
    # SLSQP from the middle and from the solution: a strictly better point would show.
    for start in (np.full(n_anchors, 1 / n_anchors), 0.99 * c + 0.01 / n_anchors):
        other = minimize(
            _loss,
            start,
            args=(q, anchors),
            method="SLSQP",
            bounds=[(1e-12, 1)] * n_anchors,
            constraints={"type": "eq", "fun": lambda c: c.sum() - 1},
            options={"ftol": 1e-12, "maxiter": 300},
        )
        if other.success and np.isfinite(other.fun):
            x = np.maximum(other.x, 0)
            assert _loss(c, q, anchors) <= _loss(x / x.sum(), q, anchors) + 1.1e-6


def test_recovery_agrees_with_slsqp_in_the_weights():
    rng = np.random.default_rng(5)
    anchors = rng.dirichlet(np.full(80, 0.3), size=5)
    rows = rng.dirichlet(np.ones(5), size=20) @ anchors
    rows = np.array([rng.multinomial(2000, row / row.sum()) for row in rows]) / 2000
    weights, _ = _recover(rows, anchors, tol=1e-10)
    for c, q in zip(weights, rows, strict=True):
        other = minimize(
            _loss,
            np.full(5, 0.2),
            args=(q, anchors),
            method="SLSQP",
            bounds=[(1e-12, 1)] * 5,
            constraints={"type": "eq", "fun": lambda c: c.sum() - 1},
            options={"ftol": 1e-13, "maxiter": 500},
        )
        np.testing.assert_allclose(c, other.x, atol=2e-4)


def test_recovery_where_one_anchor_alone_covers_a_column():
    # The weight of that anchor must not vanish, however little the column weighs.
    rng = np.random.default_rng(2)
    anchors = rng.dirichlet(np.ones(50), size=4)
    anchors[:3, 0] = 0
    anchors[3, 0] = 0.2
    anchors /= anchors.sum(axis=1, keepdims=True)
    q = np.array([0.5, 0.3, 0.2, 0.0]) @ anchors
    for share in 10.0 ** -np.arange(2, 13):
        row = (1 - share) * q
        row[0] = share
        weights, gaps = _recover(row[None], anchors)
        assert gaps[0] <= 1e-6
        assert weights[0, 3] > 0
        assert _gap(weights[0], row, anchors) <= 1.1e-6


def test_every_word_reaches_the_gap_on_documents():
    data = simulate_lda(300, 200, n_words=400, random_state=0)
    model = RecoverKL(5).fit(data.train)
    assert model.gaps_.shape == (data.train.shape[1],)
    assert model.gaps_.max() <= 1e-6
    assert model.record_["n_unreached"] == 0
    assert model.record_["largest_gap"] == model.gaps_.max()
    # The gaps and Bayes' rule once more, by plain numpy.
    rows, marginal = condition(cooccurrence(sparse.csr_array(data.train, dtype=np.float64)))
    weights, _ = _recover(rows, rows[model.anchors_])
    joint = weights * marginal[:, None]
    np.testing.assert_allclose(model.components_, (joint / joint.sum(axis=0)).T, rtol=1e-12)
    assert max(_gap(c, q, rows[model.anchors_]) for c, q in zip(weights, rows, strict=True)) <= 1.1e-6
    np.testing.assert_allclose(model.components_.sum(axis=1), 1.0)


def test_reports_words_that_did_not_reach_the_gap():
    data = simulate_lda(200, 100, n_words=200, random_state=0)
    with pytest.warns(ConvergenceWarning, match="did not reach tol=1e-15 for"):
        model = RecoverKL(4, tol=1e-15, max_steps=1).fit(data.train)
    assert model.record_["n_unreached"] == np.count_nonzero(model.gaps_ > 1e-15) > 0


def test_error_shrinks_with_the_data_when_there_are_anchors():
    # At 20000 documents the sampling error of co-occurrence is a tenth of that at 200.
    errors = []
    for n_docs in (200, 20000):
        data = simulate_lda(n_docs, 50, n_words=100, n_topics=4, anchors=True, random_state=3)
        model = RecoverKL(4).fit(data.train)
        errors.append(minimum_matching_distance(model.components_, data.topics))
    assert errors[1] < 0.02
    assert errors[1] < errors[0] / 3


def test_candidates_follow_the_rule():
    data = simulate_lda(1000, 100, n_words=300, random_state=0)
    frequency = np.bincount(data.train.indices, minlength=data.train.shape[1])
    model = RecoverKL(5).fit(data.train)
    assert model.n_candidates_ == np.count_nonzero(frequency >= 100) > 100
    assert frequency[model.anchors_].min() >= 100
    # In a corpus of 60 documents no word can be in 100: the 20 x 5 most widespread serve, and ties.
    few = simulate_lda(60, 100, n_words=300, random_state=0).train
    frequency = np.sort(np.bincount(few.indices))[::-1]
    model = RecoverKL(5).fit(few)
    assert model.n_candidates_ == np.count_nonzero(frequency >= frequency[99])
    assert RecoverKL(5, candidates_per_topic=3).fit(few).n_candidates_ == np.count_nonzero(frequency >= frequency[14])
    assert RecoverKL(5, min_documents=1).fit(few).n_candidates_ == few.shape[1]


def test_rows_that_are_mixtures_of_others_are_no_anchors():
    rng = np.random.default_rng(0)
    rows = rng.dirichlet(np.ones(3), size=30) @ rng.dirichlet(np.ones(30), size=3)
    assert len(find_anchors(rows, np.arange(30), 3)) == 3
    with pytest.raises(ValueError, match="Only 3 of n_topics=4 anchor words exist among 30 candidates"):
        find_anchors(rows, np.arange(30), 4)


def test_proportions_are_the_projection():
    data = simulate_lda(200, 100, n_words=100, n_topics=3, random_state=0)
    model = RecoverKL(3).fit(data.train)
    np.testing.assert_array_equal(model.transform(data.heldout), project(data.heldout, model.components_))


def test_short_and_empty_documents_add_nothing():
    data = simulate_lda(200, 50, n_words=100, n_topics=3, random_state=0)
    single = sparse.csr_array(([1, 1], ([0, 2], [4, 7])), shape=(4, data.train.shape[1]))
    model = RecoverKL(3, min_documents=1).fit(data.train)
    other = RecoverKL(3, min_documents=1).fit(sparse.vstack([data.train, single]).tocsr())
    np.testing.assert_array_equal(other.components_, model.components_)


def test_word_only_in_documents_of_its_own_gets_nothing():
    counts = np.zeros((40, 6), dtype=int)
    counts[:39, :5] = np.random.default_rng(0).poisson(2, size=(39, 5))
    counts[39, 5] = 1
    model = RecoverKL(2).fit(counts)
    assert np.isfinite(model.components_).all()
    np.testing.assert_array_equal(model.components_[:, 5], 0)


def test_one_topic_is_the_word_distribution():
    counts = np.random.default_rng(0).poisson(3, size=(30, 8)) + 1
    model = RecoverKL(1).fit(counts)
    pairs = cooccurrence(sparse.csr_array(counts, dtype=np.float64))
    np.testing.assert_allclose(model.components_[0], pairs.sum(axis=1), rtol=1e-9)


@pytest.mark.parametrize(
    ("counts", "n_topics", "message"),
    [
        (np.eye(5, dtype=int), 2, "No document has two words"),
        (np.diag([3, 1, 1, 1]), 2, "Only 1 of n_topics=2 anchor words exist among 1 candidates"),
        (np.random.default_rng(0).poisson(2, (20, 3)), 5, "n_topics=5 anchor words cannot be found among n_features=3"),
        (np.full((3, 4), 2), 4, "n_topics=4 topics cannot be found in n_samples=3"),
        (-np.eye(3), 1, r"Negative values in data passed to RecoverKL\.fit: document 0"),
    ],
)
def test_rubbish_counts(counts, n_topics, message):
    with pytest.raises(ValueError, match=message):
        RecoverKL(n_topics).fit(counts)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_topics": 1.5}, "n_topics must be a whole number"),
        ({"min_documents": 0}, "min_documents must be a whole number"),
        ({"candidates_per_topic": True}, "candidates_per_topic must be a whole number"),
        ({"tol": 0}, "tol must be a positive number"),
        ({"tol": "small"}, "tol must be a positive number"),
        ({"max_steps": 0}, "max_steps must be a whole number"),
    ],
)
def test_rubbish_parameters(options, message):
    counts = np.random.default_rng(0).poisson(3, size=(30, 8))
    with pytest.raises(ValueError, match=message):
        RecoverKL(**options).fit(counts)


def test_gensim_is_not_imported():
    code = "import sys, baselines.recover_kl; sys.exit('gensim' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
