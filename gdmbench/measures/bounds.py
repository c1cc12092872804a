"""Proposition 1: two bounds on the likelihood by squared distances of documents from their probabilities."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gdmbench.measures.checks import check_documents, check_rows_on_simplex


class LikelihoodBounds(NamedTuple):
    """The log-likelihood of documents and bounds on it.

    Attributes
    ----------
    lower : float
        `L(W̄) - sum_m N_m sum_i (w̄_mi - p_mi)² / p_mi` over *all* words: a bound that holds always.
    likelihood : float
        `L(theta, beta) = sum_mi w_mi log p_mi`; minus infinity if an observed word has probability 0.
    upper : float
        `L(W̄) - ½ sum_m N_m sum_i (w̄_mi - p_mi)²` over the words present in each document.
    lower_printed : float
        The lower bound as Proposition 1 prints it, with its sum over the words *present in each document*
        only. This is greater than `lower` by the mass that p puts on absent words and may exceed the
        likelihood.
    """

    lower: float
    likelihood: float
    upper: float
    lower_printed: float


def likelihood_bounds(X: Any, topics: ArrayLike, proportions: ArrayLike) -> LikelihoodBounds:
    """Return the log-likelihood of documents between the bounds of the paper's Proposition 1.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Word counts.
    topics : array-like of shape (n_topics, n_words)
        Rows on the simplex.
    proportions : array-like of shape (n_documents, n_topics)
        Rows on the simplex.

    Notes
    -----
    The lower bound rests on KL(w̄ || p) ≤ chi²(w̄, p). The chi² distance sums over all words; the absent
    ones, where w̄ = 0, add up to the mass that p gives them. The proposition as printed leaves them out, and
    then the inequality can fail: one document of a single word with p = ½ has KL = log 2 ≈ 0.69 but a sum
    over present words of ½.
    """
    counts = check_documents(X)
    topics = check_rows_on_simplex("topics", topics, (None, counts.shape[1]))
    proportions = check_rows_on_simplex("proportions", proportions, (counts.shape[0], len(topics)))
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    p = np.einsum("ik,ik->i", proportions[rows], topics.T[counts.indices])
    lengths = counts.sum(axis=1)[rows]
    frequencies = counts.data / lengths
    with np.errstate(divide="ignore"):
        likelihood = float(counts.data @ np.log(p))
        chi2_present = float(lengths @ ((frequencies - p) ** 2 / p))
    best = float(counts.data @ np.log(frequencies))
    absent = float(counts.sum()) - float(lengths @ p)
    upper = best - float(lengths @ (frequencies - p) ** 2) / 2
    return LikelihoodBounds(best - chi2_present - absent, likelihood, upper, best - chi2_present)
