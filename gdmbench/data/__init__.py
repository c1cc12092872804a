"""Corpora: simulated ones and real ones."""

from gdmbench.data.corpus import Corpus, CorpusError, Split
from gdmbench.data.simulate import simulate_lda

__all__ = ["Corpus", "CorpusError", "Split", "simulate_lda"]
