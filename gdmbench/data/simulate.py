"""Documents simulated from latent Dirichlet allocation, in every variant that the paper needs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gdmbench.data.corpus import Split
from gdmbench.data.draw import draw_counts
from gdmbench.parameters import check_positive, check_whole

Seed = int | np.random.SeedSequence | np.random.Generator | None
Lengths = int | Sequence[int] | NDArray[np.integer]


def simulate_lda(
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
    """Simulate training and held-out documents from latent Dirichlet allocation.

    Topics are drawn from a symmetric Dirichlet distribution with parameter `eta`, the topic proportions of
    each document from one with parameter `alpha`, the words of each document from its mixture of topics.
    Words that never occur in the training documents are then dropped from these and from the topics, which
    are renormalised, and the held-out documents are drawn from what remains: so there may be fewer than
    `n_words` columns.

    Parameters
    ----------
    n_docs : int
        Number of training documents.
    doc_length : int, pair (low, high), or array of shape (n_docs,)
        Words in each document: one length for all, lengths uniform on low..high (both included), or given
        lengths, of which the held-out documents get a random selection. A sequence of two numbers that is not
        an array is a range.
    n_words : int, default=1200
        Size of the vocabulary before words that never occur are dropped.
    n_topics : int, default=5
        Number of topics.
    alpha, eta : float, default=0.1
        Dirichlet parameters of the proportions and of the topics.
    anchors : bool, default=False
        Give every topic an anchor: its most probable word gets probability 0 in every other topic.
    equilateral : bool, default=False
        Draw topics at equal distances from each other; see Notes.
    n_heldout : int, default=100
        Number of held-out documents.
    random_state : int, SeedSequence, Generator or None, default=None
        The same seed gives the same documents, bit for bit.

    Returns
    -------
    Split
        `train`, `heldout` (CSR counts), `topics`, `proportions`, `heldout_proportions`.

    Notes
    -----
    Equilateral topics: the words are divided at random into groups of `n_topics` words, one owned by each
    topic (words left over form groups of one that no topic owns). In group g every topic gives the word it
    owns the probability a_g and the others b_g, so that any two topics differ by abs(a_g - b_g) in just two
    words of each group and all their distances are equal; the a_g and b_g are one draw from a Dirichlet
    distribution with parameter `eta`, normalised. A group is kept or dropped as a whole: with a word that
    never occurs go the others of its group, which keeps the distances exactly equal and takes the same mass
    from every topic. The few tokens lost with them are drawn again from the remaining words, so that
    documents have their full length and are distributed as the remaining topics say.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> data = simulate_lda(100, 50, n_words=30, random_state=0)
    >>> data.train.shape[0], data.heldout.shape[0], data.topics.shape[0]
    (100, 100, 5)
    """
    check_simulation(
        n_docs,
        doc_length,
        n_words=n_words,
        n_topics=n_topics,
        alpha=alpha,
        eta=eta,
        anchors=anchors,
        equilateral=equilateral,
        n_heldout=n_heldout,
    )
    rng = np.random.default_rng(random_state)

    lengths = _lengths(doc_length, n_docs, rng)
    if equilateral:
        topics, groups = _equilateral_topics(n_topics, n_words, eta, rng)
    else:
        topics, groups = rng.dirichlet(np.full(n_words, eta), size=n_topics), np.arange(n_words)
    if anchors:
        topics = insert_anchors(topics)

    proportions = rng.dirichlet(np.full(n_topics, alpha), size=n_docs)
    train = draw_counts(lengths, proportions, topics, rng)
    unseen = np.bincount(train.indices, minlength=n_words) == 0
    kept = ~np.isin(groups, groups[unseen])
    if not kept.any():
        raise ValueError(
            "Too few tokens for equilateral topics: every group of words has one that never occurs; "
            "simulate more or longer documents, or fewer words."
        )
    topics = topics[:, kept]
    topics /= topics.sum(axis=1, keepdims=True)
    train = train[:, kept]
    lost = lengths - train.sum(axis=1)
    if lost.any():
        train = (train + draw_counts(lost, proportions, topics, rng)).tocsr()

    heldout_lengths = _lengths(doc_length, n_heldout, rng, heldout=True)
    heldout_proportions = rng.dirichlet(np.full(n_topics, alpha), size=n_heldout)
    heldout = draw_counts(heldout_lengths, heldout_proportions, topics, rng)
    return Split(train, heldout, topics, proportions, heldout_proportions)


def check_simulation(
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
) -> None:
    """Refuse arguments of `simulate_lda` that are out of range; nothing is drawn."""
    for name, value in [("n_docs", n_docs), ("n_words", n_words), ("n_topics", n_topics)]:
        check_whole(name, value)
    check_whole("n_heldout", n_heldout, least=0)
    check_positive("alpha", alpha)
    check_positive("eta", eta)
    if anchors and equilateral:
        raise ValueError("anchors would make equilateral topics unequal: choose one of anchors and equilateral.")
    if (anchors or equilateral) and n_words < n_topics:
        raise ValueError(f"n_words={n_words} is fewer than n_topics={n_topics}: each topic needs a word of its own.")
    _lengths(doc_length, n_docs, np.random.default_rng(0))


simulate_lda.check = check_simulation  # type: ignore[attr-defined] # for the plan of a run: see `gdmbench.plan`


def insert_anchors(topics: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the topics with the most probable word of each set to 0 in every other, rows renormalised.

    Topics take turns, so where two have the same most probable word it stays the first one's anchor and the
    second gets the most probable of its other words.
    """
    topics = topics.copy()
    for topic, row in enumerate(topics):
        word = row.argmax()
        if row[word] == 0:
            raise ValueError(f"Topic {topic} has no word left to be its anchor: use more words or a larger eta.")
        topics[np.arange(len(topics)) != topic, word] = 0
    return topics / topics.sum(axis=1, keepdims=True)


def _equilateral_topics(
    n_topics: int, n_words: int, eta: float, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return topics at equal distances and the group of each word (see the notes of `simulate_lda`)."""
    n_groups = n_words // n_topics
    n_left = n_words - n_groups * n_topics
    own, other, left = np.split(rng.dirichlet(np.full(2 * n_groups + n_left, eta)), [n_groups, 2 * n_groups])
    blocks = np.where(np.eye(n_topics, dtype=bool)[:, None, :], own[:, None], other[:, None])
    topics = np.hstack([blocks.reshape(n_topics, -1), np.tile(left, (n_topics, 1))])
    groups = np.concatenate([np.repeat(np.arange(n_groups), n_topics), n_groups + np.arange(n_left)])
    order = rng.permutation(n_words)
    topics = topics[:, order]
    return topics / topics.sum(axis=1, keepdims=True), groups[order]


def _lengths(doc_length: Lengths, n_docs: int, rng: np.random.Generator, *, heldout: bool = False) -> NDArray[np.int64]:
    """Return the number of words of each of `n_docs` documents."""
    if isinstance(doc_length, int | np.integer):
        check_whole("doc_length", doc_length)
        return np.full(n_docs, doc_length, dtype=np.int64)
    given = np.asarray(doc_length)
    if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer) or given.size == 0 or given.min() < 1:
        raise ValueError(
            f"doc_length must be a whole number, a pair (low, high) or an array of lengths, all at least 1, "
            f"not {doc_length!r}."
        )
    if len(given) == 2 and not isinstance(doc_length, np.ndarray):
        low, high = given
        if low > high:
            raise ValueError(f"doc_length=({low}, {high}) is not a range: give the smaller length first.")
        return rng.integers(low, high, size=n_docs, endpoint=True)
    if heldout:
        return rng.choice(given.astype(np.int64), size=n_docs)
    if len(given) != n_docs:
        raise ValueError(f"doc_length has {len(given)} lengths for n_docs={n_docs} documents: give one for each.")
    return given.astype(np.int64)
