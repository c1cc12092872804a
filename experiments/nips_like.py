"""A simulated corpus with the sizes of the paper's NIPS corpus, for times that need no download."""

import numpy as np

from gdmbench.data import simulate_lda
from gdmbench.data.corpus import Split

_SHORTEST, _MEAN, _LONGEST = 39, 272, 1403  # document lengths that the paper reports
_SHAPE = 2.5  # of the gamma distribution of lengths: skewed like those of papers


def simulate_nips_like(
    n_docs: int = 1438,
    *,
    n_words: int = 4188,
    n_topics: int = 10,
    alpha: float = 0.5,
    eta: float = 0.1,
    n_heldout: int = 300,
    random_state: int | np.random.SeedSequence | None = None,
) -> Split:
    """Simulate LDA documents whose lengths are gamma distributed and cut to those of the paper's NIPS corpus.

    Parameters
    ----------
    n_docs, n_words, n_topics, alpha, eta, n_heldout, random_state
        As for `gdmbench.simulate_lda`; the paper has 1738 documents, of which 300 are held out.
    """
    rng = np.random.default_rng(random_state)
    lengths = rng.gamma(_SHAPE, _MEAN / _SHAPE, n_docs).clip(_SHORTEST, _LONGEST).astype(np.int64)
    return simulate_lda(
        n_docs,
        lengths,
        n_words=n_words,
        n_topics=n_topics,
        alpha=alpha,
        eta=eta,
        n_heldout=n_heldout,
        random_state=rng,
    )
