"""Documents drawn anew from the topics of a real corpus: lengths, proportions, bursts against their closed form."""

import numpy as np
import pytest

from experiments.redrawn import _draw_bursty, redraw_corpus

FEW = {"min_df": 5, "max_df": 0.5, "n_topics": 4}


def redrawn(**options):
    return redraw_corpus("reuters", **{"random_state": 0, "n_docs": 200, "n_heldout": 50} | FEW | options)


def test_documents_have_real_words_and_lengths_and_a_truth():
    data = redrawn()
    assert data.train.shape == (200, len(data.vocabulary))
    assert data.topics.shape == (4, data.train.shape[1])
    assert "pope" in data.vocabulary
    np.testing.assert_allclose(data.topics.sum(axis=1), 1)
    assert data.train.sum(axis=0).min() > 0  # words that never occur are dropped
    again = redrawn()
    assert (again.train != data.train).nnz == 0
    longest = redrawn(longest=30)
    assert longest.train.sum(axis=1).max() == longest.heldout.sum(axis=1).max() == 30


@pytest.mark.parametrize("kind", ["dirichlet", "correlated", "bursty"])
def test_words_follow_the_mixtures_of_their_documents(kind):
    data = redrawn(kind=kind, n_docs=3000)
    expected = data.train.sum(axis=1) @ (data.proportions @ data.topics)
    # Counts of 3000 documents scatter by their square root; bursts of 2000 add at most a factor 1 + 200 / 2000 to
    # variances, and words that no document has were dropped. Five standard errors for the worst of 300 words.
    common = expected > 50
    deviations = (data.train.sum(axis=0) - expected)[common] / np.sqrt(expected[common])
    assert np.abs(deviations).max() < 6


def test_bursts_are_those_of_a_dirichlet_multinomial():
    """Of two words of one document, the chance that they are the same is (1 + c s) / (1 + c), s = sum of p squared."""
    topics = np.array([[0.5, 0.3, 0.2]])
    lengths, total = np.full(400, 2000), 2000.0
    counts = _draw_bursty(lengths, np.ones((400, 1)), topics, np.random.default_rng(0)).toarray()
    assert (counts.sum(axis=1) == lengths).all()
    same = ((counts * (counts - 1)).sum(axis=1) / (2000 * 1999)).mean()
    squares = float((topics**2).sum())
    exact = (1 + total * squares) / (1 + total)
    # Over 400 documents the mean scatters by about 0.0003; without bursts it would be `squares`, 0.0003 less: so the
    # variance of the first word's count tells, N p (1 - p) (c + N) / (c + 1), twice the multinomial one.
    assert same == pytest.approx(exact, abs=0.0015)
    variance = counts[:, 0].var(ddof=1)
    expected = 2000 * 0.25 * (total + 2000) / (total + 1)
    assert variance == pytest.approx(expected, rel=0.3)  # four standard errors, sqrt(2 / 400) each


def test_a_wrong_kind_is_refused():
    with pytest.raises(ValueError, match="kind must be dirichlet, correlated or bursty, not 'real'"):
        redrawn(kind="real")
