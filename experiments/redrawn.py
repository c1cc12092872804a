"""Documents drawn anew from topics found in a real corpus: real words and lengths, and a truth to compare with."""

from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from baselines.gibbs import CollapsedGibbs
from experiments.simulators import only_occurring
from gdmbench.data.content import content_digest
from gdmbench.data.corpus import Split
from gdmbench.data.draw import draw_counts
from gdmbench.data.load import load_corpus
from gdmbench.data.preprocess import preprocess
from gdmbench.data.simulate import Seed
from gdmbench.parameters import check_whole

Kind = Literal["dirichlet", "correlated", "bursty"]
_ALPHA, _ETA, _SWEEPS = 0.1, 0.05, 100  # of the Gibbs sampler that finds the true topics
_BURST = 2000.0  # total of the Dirichlet distribution of a bursty document's word probabilities


class _Source(NamedTuple):
    """What a real corpus lends to the documents drawn from it."""

    topics: NDArray[np.float64]
    proportions: NDArray[np.float64]
    lengths: NDArray[np.int64]
    vocabulary: list[str] | None


def redraw_corpus(
    path: str,
    *,
    kind: Kind = "dirichlet",
    n_docs: int = 5000,
    n_topics: int = 20,
    n_heldout: int = 500,
    longest: int | None = None,
    min_df: int = 10,
    max_df: float = 0.3,
    min_length: int = 20,
    data_dir: str | None = None,
    random_state: Seed = None,
) -> Split:
    """Find topics in a real corpus by Gibbs sampling, and draw documents from them.

    Parameters
    ----------
    path : str
        See `gdmbench.load_corpus`.
    kind : {"dirichlet", "correlated", "bursty"}
        Where the proportions of documents come from: a Dirichlet distribution with alpha = 0.1; the real documents,
        whose topics are correlated; or these again, and a word that has occurred in a document is more likely to occur
        there again, as each document's word probabilities are drawn from a Dirichlet distribution around its mixture.
    n_docs, n_heldout : int
        Number of training and of held-out documents; each has the length of a real document drawn at random.
    n_topics : int
        Number of topics.
    longest : int or None
        Words of a document at most; None: no limit.
    min_df, max_df, min_length
        Words and documents of the real corpus that are kept; see `gdmbench.preprocess`.
    data_dir : str, optional
        Where named corpora are looked for.
    random_state : int, SeedSequence, Generator or None
        The same seed gives the same documents. The topics do not depend on it.

    Returns
    -------
    Split
        `train`, `heldout`, `topics`, `proportions`, `heldout_proportions`, `vocabulary`. Words that no training
        document has are dropped, and the topics renormalised.
    """
    if kind not in ("dirichlet", "correlated", "bursty"):
        raise ValueError(f"kind must be dirichlet, correlated or bursty, not {kind!r}.")
    for name, number in (("n_docs", n_docs), ("n_topics", n_topics), ("n_heldout", n_heldout)):
        check_whole(name, number)
    filters = {"min_df": min_df, "max_df": max_df, "min_length": min_length}
    source = _source(path, data_dir, content_digest(path), n_topics, tuple(filters.items()))
    rng = np.random.default_rng(random_state)
    train, proportions = _draw(source, source.topics, kind, n_docs, longest, rng)
    train, topics, occur = only_occurring(train, source.topics)
    heldout, heldout_proportions = _draw(source, topics, kind, n_heldout, longest, rng)
    words = None if source.vocabulary is None else [source.vocabulary[word] for word in occur]
    return Split(train, heldout, topics, proportions, heldout_proportions, words)


redraw_corpus.content = content_digest  # type: ignore[attr-defined] # for the key of a cell: see `gdmbench.plan`


@lru_cache(maxsize=1)  # a worker's cells share it; the digest is there for files that change
def _source(
    path: str, data_dir: str | None, content: str | None, n_topics: int, filters: tuple[tuple[str, Any], ...]
) -> _Source:
    """Find the topics of a corpus and the proportions of its documents."""
    corpus = preprocess(load_corpus(path, data_dir=data_dir), **dict(filters))
    model = CollapsedGibbs(n_topics, alpha=_ALPHA, eta=_ETA, n_sweeps=_SWEEPS, random_state=0).fit(corpus.counts)
    lengths = np.asarray(corpus.counts.sum(axis=1)).astype(np.int64)
    return _Source(model.components_, model.transform(corpus.counts), lengths, corpus.vocabulary)


def _draw(
    source: _Source,
    topics: NDArray[np.float64],
    kind: Kind,
    n_docs: int,
    longest: int | None,
    rng: np.random.Generator,
) -> tuple[sparse.csr_array, NDArray[np.float64]]:
    """Draw documents, and return them with their proportions."""
    chosen = rng.integers(len(source.lengths), size=n_docs)
    lengths = source.lengths[chosen]
    if longest is not None:
        lengths = np.minimum(lengths, longest)
    if kind == "dirichlet":
        proportions = rng.dirichlet(np.full(len(topics), _ALPHA), size=n_docs)
    else:
        proportions = source.proportions[chosen]
    if kind == "bursty":
        return _draw_bursty(lengths, proportions, topics, rng), proportions
    return draw_counts(lengths, proportions, topics, rng), proportions


def _draw_bursty(
    lengths: NDArray[np.int64],
    proportions: NDArray[np.float64],
    topics: NDArray[np.float64],
    rng: np.random.Generator,
) -> sparse.csr_array:
    """Draw documents whose word probabilities are drawn from Dirichlet(2000 p), p the mixture of their topics.

    As in Polya's urn, the i-th word of a document, from 0, is new with probability 2000 / (2000 + i), and else a copy
    of one of the words before it. That is the same distribution, without word probabilities that need much room.
    """
    document = np.repeat(np.arange(len(lengths)), lengths)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    place = np.arange(len(document)) - first
    new = rng.random(len(document)) < _BURST / (_BURST + place)
    origin = np.where(new, np.arange(len(document)), first + (rng.random(len(document)) * place).astype(np.int64))
    while not new[origin].all():  # a copy of a copy
        origin = origin[origin]
    drawn = draw_counts(np.bincount(document[new], minlength=len(lengths)), proportions, topics, rng)
    words = np.repeat(drawn.indices, drawn.data)
    order = np.lexsort((rng.random(len(words)), document[new]))  # at random within each document
    of_new = np.zeros(len(document), dtype=np.int64)
    of_new[new] = words[order]
    counts = sparse.coo_array((np.ones(len(document), dtype=np.int64), (document, of_new[origin])), shape=drawn.shape)
    return sparse.csr_array(counts)
