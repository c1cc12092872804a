"""Corpora: simulated ones and real ones."""

from gdmbench.data.corpus import Corpus, CorpusError, Split, as_typed
from gdmbench.data.load import load_corpus
from gdmbench.data.preprocess import preprocess
from gdmbench.data.simulate import simulate_lda
from gdmbench.data.split import divide, split_corpus

__all__ = [
    "Corpus",
    "CorpusError",
    "Split",
    "as_typed",
    "divide",
    "load_corpus",
    "preprocess",
    "simulate_lda",
    "split_corpus",
]
