"""Data of Theorem 1: the documents' exact mixtures of topics in place of their words."""

from dataclasses import replace

import numpy as np
from scipy import sparse

from gdmbench.data import simulate_lda
from gdmbench.data.corpus import Split

_DOC_LENGTH = 1000  # of the documents that decide which words occur, and of the held-out ones


def simulate_mixtures(
    n_docs: int,
    *,
    n_words: int = 100,
    n_topics: int = 5,
    alpha: float = 0.1,
    eta: float = 1.0,
    equilateral: bool = False,
    random_state: int | np.random.SeedSequence | None = None,
) -> Split:
    """Simulate LDA and replace the training documents by their multinomial parameters ``p_m = theta_m beta``.

    Theorem 1 assumes that these are the data: what documents of infinite length would show. The held-out documents
    stay words. The vocabulary is small and the topics are flat by default because every mixture has all words.

    Parameters
    ----------
    n_docs, n_words, n_topics, alpha, eta, equilateral, random_state
        As for `gdmbench.simulate_lda`.

    Returns
    -------
    Split
        `train` has rows that sum to 1.
    """
    data = simulate_lda(
        n_docs,
        _DOC_LENGTH,
        n_words=n_words,
        n_topics=n_topics,
        alpha=alpha,
        eta=eta,
        equilateral=equilateral,
        random_state=random_state,
    )
    assert data.topics is not None
    assert data.proportions is not None
    return replace(data, train=sparse.csr_array(data.proportions @ data.topics))
