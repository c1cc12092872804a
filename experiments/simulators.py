"""Data that only experiments need: exact mixtures, a corpus of NIPS' sizes, documents that come with more truth."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.data.corpus import Split
from gdmbench.data.draw import draw_counts
from gdmbench.data.simulate import Lengths, Seed, check_simulation, simulate_lda

_MIXTURE_LENGTH = 1000  # of the documents that decide which words occur, and of the held-out ones
_SHORTEST, _MEAN, _LONGEST = 39, 272, 1403  # document lengths that the paper reports of the NIPS corpus
_SHAPE = 2.5  # of the gamma distribution of lengths: skewed like those of papers
_ONE_IN = 5  # documents that is pure, where some are


def simulate_lda_with_truth(
    n_docs: int,
    doc_length: Lengths,
    *,
    n_words: int = 1200,
    n_topics: int = 5,
    alpha: float = 0.1,
    eta: float = 0.1,
    anchors: bool = False,
    equilateral: bool = False,
    n_heldout: int = 100,
    random_state: Seed = None,
) -> Split:
    """Simulate LDA and leave the true topics in the record, for a picture that shows them.

    Parameters
    ----------
    n_docs, doc_length, n_words, n_topics, alpha, eta, anchors, equilateral, n_heldout, random_state
        As for `gdmbench.simulate_lda`.

    Returns
    -------
    Split
        `record_` has ``true_topics``, as lists.
    """
    data = simulate_lda(
        n_docs,
        doc_length,
        n_words=n_words,
        n_topics=n_topics,
        alpha=alpha,
        eta=eta,
        anchors=anchors,
        equilateral=equilateral,
        n_heldout=n_heldout,
        random_state=random_state,
    )
    assert data.topics is not None
    return replace(data, record_={"true_topics": data.topics.tolist()})


simulate_lda_with_truth.check = check_simulation  # type: ignore[attr-defined] # for the plan of a run


def simulate_mixtures(
    n_docs: int,
    *,
    n_words: int = 100,
    n_topics: int = 5,
    alpha: float = 0.1,
    eta: float = 1.0,
    equilateral: bool = False,
    random_state: Seed = None,
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
        _MIXTURE_LENGTH,
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


def _check_mixtures(n_docs: int, *, n_words: int = 100, **others: Any) -> None:
    """Refuse arguments of `simulate_mixtures` that are out of range."""
    check_simulation(n_docs, _MIXTURE_LENGTH, n_words=n_words, **others)


simulate_mixtures.check = _check_mixtures  # type: ignore[attr-defined]


def simulate_nips_like(
    n_docs: int = 1438,
    *,
    n_words: int = 4188,
    n_topics: int = 10,
    alpha: float = 0.5,
    eta: float = 0.1,
    n_heldout: int = 300,
    random_state: Seed = None,
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


def _check_nips_like(n_docs: int = 1438, **others: Any) -> None:
    """Refuse arguments of `simulate_nips_like` that are out of range."""
    check_simulation(n_docs, _MEAN, **others)


simulate_nips_like.check = _check_nips_like  # type: ignore[attr-defined]


def simulate_same_topics(
    n_docs: int,
    doc_length: int,
    *,
    n_words: int = 1000,
    n_topics: int = 10,
    alpha: float = 0.1,
    eta: float = 0.1,
    n_heldout: int = 200,
    random_state: Seed = None,
) -> Split:
    """Simulate LDA documents whose topics are always the same, over words that have names.

    So topics that are found in different draws can be compared by their words.

    Parameters
    ----------
    n_docs, doc_length, n_words, n_topics, alpha, eta, n_heldout, random_state
        As for `gdmbench.simulate_lda`; the topics do not depend on the seed.
    """
    topics = np.random.default_rng(0).dirichlet(np.full(n_words, eta), size=n_topics)
    rng = np.random.default_rng(random_state)
    proportions = rng.dirichlet(np.full(n_topics, alpha), size=n_docs)
    train = draw_counts(np.full(n_docs, doc_length), proportions, topics, rng)
    train, topics, occur = only_occurring(train, topics)
    heldout_proportions = rng.dirichlet(np.full(n_topics, alpha), size=n_heldout)
    heldout = draw_counts(np.full(n_heldout, doc_length), heldout_proportions, topics, rng)
    words = [f"w{word}" for word in occur]
    return Split(train, heldout, topics, proportions, heldout_proportions, words)


def only_occurring(
    counts: sparse.csr_array, topics: NDArray[np.float64]
) -> tuple[sparse.csr_array, NDArray[np.float64], NDArray[np.int64]]:
    """Drop words that no document has; return the counts, the topics renormalised, and which words are left."""
    occur = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]))
    return counts[:, occur], topics[:, occur] / topics[:, occur].sum(axis=1, keepdims=True), occur


def simulate_structure(
    n_docs: int,
    doc_length: int,
    *,
    kind: Literal["neither", "anchors", "pure", "both"] = "neither",
    n_words: int = 1200,
    n_topics: int = 5,
    alpha: float = 1.0,
    eta: float = 1.0,
    n_heldout: int = 100,
    random_state: Seed = None,
) -> Split:
    """Simulate LDA with the structure that methods ask for present or not: anchor words, pure documents.

    Parameters
    ----------
    n_docs, doc_length, n_words, n_topics, alpha, eta, n_heldout, random_state
        As for `gdmbench.simulate_lda`, which draws topics and all documents that are not pure.
    kind : {"neither", "anchors", "pure", "both"}
        With anchors each topic's most probable word is in no other; pure documents, a fifth of all, are of one topic.
    """
    rng = np.random.default_rng(random_state)
    data = simulate_lda(
        n_docs,
        doc_length,
        n_words=n_words,
        n_topics=n_topics,
        alpha=alpha,
        eta=eta,
        anchors=kind in ("anchors", "both"),
        n_heldout=n_heldout,
        random_state=rng,
    )
    if kind in ("neither", "anchors"):
        return data
    assert data.topics is not None
    assert data.proportions is not None
    n_pure = n_docs // _ONE_IN
    proportions = np.vstack([np.eye(n_topics)[rng.integers(n_topics, size=n_pure)], data.proportions[n_pure:]])
    pure = draw_counts(np.full(n_pure, doc_length), proportions[:n_pure], data.topics, rng)
    return replace(data, train=sparse.vstack([pure, data.train[n_pure:]], format="csr"), proportions=proportions)
