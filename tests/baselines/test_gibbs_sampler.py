"""Collapsed Gibbs, its kernels: against all label configurations of tiny corpora, enumerated."""

import itertools

import lda
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import gammaln

from baselines._gibbs_kernels import BLOCK, count_labels, joint_log_likelihood, log_rising, sweep
from gdmbench.kernels import kernel

FAILURE = 1e-9  # probability with which a correct sampler may fail a statistical test


class Enumeration:
    """Every labelling of a tiny corpus, its posterior probability, and a sweep as a matrix over labellings."""

    def __init__(self, counts, n_topics, alpha, eta):
        self.counts, self.n_topics, self.alpha, self.eta = sparse.csr_array(counts), n_topics, alpha, eta
        documents, words = np.nonzero(counts)
        repeats = np.asarray(counts)[documents, words]
        self.documents, self.words = np.repeat(documents, repeats), np.repeat(words, repeats)
        self.states = np.array(list(itertools.product(range(n_topics), repeat=len(self.words))))
        self.log_joint = np.array([self._log_joint(z) for z in self.states])
        self.posterior = np.exp(self.log_joint - self.log_joint.max())
        self.posterior /= self.posterior.sum()

    def _log_joint(self, labels):
        n_docs, n_words = self.counts.shape
        by_doc, by_word = np.zeros((n_docs, self.n_topics)), np.zeros((n_words, self.n_topics))
        np.add.at(by_doc, (self.documents, labels), 1)
        np.add.at(by_word, (self.words, labels), 1)
        value = 0.0
        for table, parameter in ((by_doc, self.alpha), (by_word.T, self.eta)):
            size = table.shape[1]
            value += (gammaln(table + parameter) - gammaln(parameter)).sum()
            value += (gammaln(size * parameter) - gammaln(table.sum(axis=1) + size * parameter)).sum()
        return value

    def transitions(self):
        """The tokens' conditional distributions, one after the other, as one matrix."""
        matrix = np.eye(len(self.states))
        for token in range(len(self.words)):
            step = n_configurations_apart(self.n_topics, len(self.words), token)
            rest = np.arange(len(self.states)) - step * self.states[:, token]
            siblings = rest[:, None] + step * np.arange(self.n_topics)
            logs = self.log_joint[siblings]
            conditional = np.exp(logs - logs.max(axis=1, keepdims=True))
            conditional /= conditional.sum(axis=1, keepdims=True)
            draw = np.zeros_like(matrix)
            draw[np.arange(len(self.states))[:, None], siblings] = conditional
            matrix = matrix @ draw
        return matrix

    def histogram(self, start, n_sweeps, n_runs, cancelled=None):
        """Share of independent runs that end in each labelling."""
        counts, labels = self.counts, self.states[start].astype(np.uint16)
        n_padded = -(-self.n_topics // BLOCK) * BLOCK
        n_docs, n_words = counts.shape
        state = np.zeros((n_docs, n_padded)), np.zeros((n_words, n_padded), np.int32), np.zeros(n_padded)
        pairs = counts.indptr.astype(np.int64), counts.indices.astype(np.int32), counts.data.astype(np.int32)
        count_labels(*pairs, labels, *state)
        random = np.array([2024], np.uint64)
        found = _run_often(
            *pairs, labels, *state, self.n_topics, self.alpha, self.eta, random, cancelled, n_sweeps, n_runs
        )
        return found / n_runs


def n_configurations_apart(n_topics, n_tokens, token):
    return n_topics ** (n_tokens - 1 - token)


@kernel
def _run_often(
    indptr, words, counts, labels, by_doc, by_word, total, n_topics, alpha, eta, random, cancelled, n_sweeps, n_runs
):
    found = np.zeros(n_topics ** len(labels), np.int64)
    for _ in range(n_runs):
        z, d, w, t = labels.copy(), by_doc.copy(), by_word.copy(), total.copy()
        for _ in range(n_sweeps):
            sweep(indptr, words, counts, z, d, w, t, n_topics, alpha, eta, random, cancelled)
        code = 0
        for label in z:
            code = code * n_topics + label
        found[code] += 1
    return found


def total_variation_tolerance(probabilities, n_runs):
    """What the total variation of `n_runs` independent draws exceeds with probability FAILURE at most.

    Its mean is at most half the sum of the standard deviations of the shares; one draw changes it by 1 / n_runs at
    most, so that McDiarmid's inequality bounds how far it lies above its mean.
    """
    mean = 0.5 * np.sqrt(probabilities * (1 - probabilities) / n_runs).sum()
    return mean + np.sqrt(np.log(1 / FAILURE) / (2 * n_runs))


CORPORA = [
    ([[2, 1, 0], [0, 3, 1]], 2),  # 7 tokens, pairs of several tokens
    ([[1, 0, 2], [1, 1, 0], [0, 0, 1]], 3),
    ([[2, 0], [1, 1]], 5),  # more topics than a block
    ([[2], [1]], 9),
    ([[1, 0, 0], [0, 2, 0], [0, 0, 2]], 2),  # from labelling 3, the first token's topics both weigh alpha * eta
]


@pytest.mark.parametrize(
    ("corpus", "alpha", "eta"), [(0, 0.1, 0.1), (1, 2.0, 1.0), (2, 0.1, 0.1), (3, 0.1, 0.1), (4, 2.0, 1.0)]
)
def test_chain_agrees_with_full_enumeration(corpus, alpha, eta):
    # Small and large parameters in turn: the sweeps that a chain is made of are tested on all corpora below.
    counts, n_topics = CORPORA[corpus]
    exact = Enumeration(np.array(counts), n_topics, alpha, eta)
    start, n_sweeps, arrived = 0, 1, exact.transitions()  # all labels 0
    while (bias := 0.5 * np.abs(arrived[start] - exact.posterior).sum()) > 0.002:
        n_sweeps, arrived = 2 * n_sweeps, arrived @ arrived
    n_runs = min(250_000, 2_000_000 // n_sweeps)
    distance = 0.5 * np.abs(exact.histogram(start, n_sweeps, n_runs) - exact.posterior).sum()
    assert distance < bias + total_variation_tolerance(exact.posterior, n_runs)


@pytest.mark.parametrize(("alpha", "eta", "cancelled"), [(0.1, 0.1, None), (0.1, 0.1, 0.5), (1e-7, 1e-9, 1e-6)])
@pytest.mark.parametrize(("counts", "n_topics"), CORPORA)
def test_one_sweep_has_the_exact_distribution(counts, n_topics, alpha, eta, cancelled):
    # From several starts; with tiny parameters, where all that is left of a weight is its last digits.
    exact = Enumeration(np.array(counts), n_topics, alpha, eta)
    transitions = exact.transitions()
    np.testing.assert_allclose(exact.posterior @ transitions, exact.posterior, atol=1e-12)
    n_runs = 100_000
    for start in [3, *np.random.default_rng(1).integers(len(exact.states), size=3)]:
        distance = 0.5 * np.abs(exact.histogram(start, 1, n_runs, cancelled) - transitions[start]).sum()
        assert distance < total_variation_tolerance(transitions[start], n_runs)


@given(
    counts=st.lists(st.lists(st.integers(0, 4), min_size=6, max_size=6), min_size=1, max_size=5),
    n_topics=st.integers(1, 10),
    seed=st.integers(0, 2**32),
    cancelled=st.sampled_from([None, 1e-6]),
)
@settings(max_examples=50, deadline=None)
def test_counts_always_follow_the_labels(counts, n_topics, seed, cancelled):
    counts = sparse.csr_array(np.array(counts))
    pairs = counts.indptr.astype(np.int64), counts.indices.astype(np.int32), counts.data.astype(np.int32)
    n_padded = -(-n_topics // BLOCK) * BLOCK

    def count(labels):
        state = np.zeros((counts.shape[0], n_padded)), np.zeros((6, n_padded), np.int32), np.zeros(n_padded)
        count_labels(*pairs, labels, *state)
        return state

    labels = np.random.default_rng(seed).integers(n_topics, size=counts.sum(), dtype=np.uint16)
    state = count(labels)
    before, random = labels.copy(), np.array([seed], np.uint64)
    moved = sweep(*pairs, labels, *state, n_topics, 0.3, 0.2, random, cancelled)
    assert moved == np.count_nonzero(labels != before)
    assert labels.max(initial=0) < n_topics
    for kept, anew in zip(state, count(labels), strict=True):
        np.testing.assert_array_equal(kept, anew)


def test_joint_likelihood_is_that_of_the_enumeration_and_of_lda():
    exact = Enumeration(np.array([[2, 1, 0], [0, 3, 1]]), 2, 0.3, 0.2)
    labels = exact.states[37]
    by_doc, by_word = np.zeros((2, 2)), np.zeros((3, 2), np.int32)
    np.add.at(by_doc, (exact.documents, labels), 1)
    np.add.at(by_word, (exact.words, labels), 1)
    total = by_word.sum(axis=0).astype(float)
    tables = log_rising(0.3, 7), log_rising(0.2, 7)
    value = joint_log_likelihood(by_doc, by_word, total, np.array([3, 4]), 2, 0.3, 0.2, *tables)
    assert value == pytest.approx(exact.log_joint[37], rel=1e-12)
    by_topic = np.asfortranarray(by_word.T, np.intc)
    counts = by_doc.astype(np.intc), total.astype(np.intc), np.array([3, 4], np.intc)
    assert value == pytest.approx(lda._lda._loglikelihood(by_topic, *counts, 0.3, 0.2), rel=1e-10)
