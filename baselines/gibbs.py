"""Collapsed Gibbs sampling for latent Dirichlet allocation, as a scikit-learn estimator."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from baselines._gibbs_kernels import (
    BLOCK,
    add_topics,
    count_labels,
    joint_log_likelihood,
    label_documents,
    log_rising,
    sweep,
)
from baselines._tokens import Tokens, read_tokens
from gdmbench.geometry.base import TopicEstimator, check_whole, make_generator

_MOST_TOPICS = np.iinfo(np.uint16).max
_START_SWEEPS = 10  # with given topics fixed, before the labels are set free
_START_UNIFORM = 1e-3  # share of the uniform distribution mixed into given topics, which may have zeros
# A token's own topic weighs at least alpha * eta of what it does with the token, so that subtracting the one and adding
# the other keeps 8 digits down to this; below it the sampler has to look out for cancellation.
_SAFE_PRODUCT = 1e-8
_CANCELLED = 1e-6


class CollapsedGibbs(TopicEstimator):
    """Latent Dirichlet allocation by collapsed Gibbs sampling of the tokens' topic labels.

    Each chain draws the label of every token in turn given all other labels, `n_sweeps` times. The topics are the
    posterior means given the labels, averaged over the sweeps after the burn-in. A chain can be caught where one label
    stands for two topics and another for none, so there may be several: the one with the highest joint likelihood of
    words and labels, on average over the same sweeps, is kept.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.
    alpha, eta : float, default=0.1
        Symmetric Dirichlet parameters of the proportions and of the topics.
    n_sweeps : int, default=200
        Sweeps of each chain over all tokens.
    burn_in : int or None, default=None
        Sweeps before those over which topics are averaged. None: half of them.
    n_chains : int, default=1
        Number of chains, each from labels of its own.
    init : "random" or array of shape (n_topics, n_words), default="random"
        Where chains start: from labels drawn at random, or from labels drawn with these topics.
    n_transform_sweeps : int, default=100
        Sweeps of `transform` over the tokens of a document; the second half is averaged.
    progress : callable or None, default=None
        Called as ``progress(chain, n_sweeps, log_likelihood)`` after every sweep.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics, bit for bit.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    log_likelihoods_ : ndarray of shape (n_chains, n_sweeps)
        Joint log-likelihood of words and labels, log p(w, z | alpha, eta), after every sweep.
    best_chain_ : int
        The chain kept.
    doc_topic_counts_ : ndarray of shape (n_documents, n_topics)
        How many tokens of each document have each label after the last sweep of the chain kept.
    record_ : dict
        `log_likelihoods`, the mean of every chain after its burn-in, and `best_chain`, for the records of a benchmark.
    n_features_in_ : int
        Number of words.

    References
    ----------
    T. L. Griffiths and M. Steyvers (2004). Finding scientific topics. PNAS 101, 5228-5235.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.gibbs import CollapsedGibbs
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, random_state=0)
    >>> model = CollapsedGibbs(3, alpha=0.1, eta=0.1, n_sweeps=50, random_state=0).fit(data.train)
    >>> model.transform(data.heldout).shape
    (100, 3)
    """

    def __init__(
        self,
        n_topics: int = 5,
        *,
        alpha: float = 0.1,
        eta: float = 0.1,
        n_sweeps: int = 200,
        burn_in: int | None = None,
        n_chains: int = 1,
        init: Any = "random",
        n_transform_sweeps: int = 100,
        progress: Callable[[int, int, float], None] | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.alpha = alpha
        self.eta = eta
        self.n_sweeps = n_sweeps
        self.burn_in = burn_in
        self.n_chains = n_chains
        self.init = init
        self.n_transform_sweeps = n_transform_sweeps
        self.progress = progress
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        """Declare that input is whole numbers, for which scikit-learn's tag is that of category codes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts, whole numbers.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        counts = self._read_counts(X, reset=True)
        self._check_parameters(counts)
        tokens = read_tokens(counts, "CollapsedGibbs.fit")
        start = None if isinstance(self.init, str) else self._read_init(counts.shape[1])
        burn_in = self.n_sweeps // 2 if self.burn_in is None else self.burn_in
        rng = make_generator(self.random_state)
        self._transform_seed = rng.integers(2**64, dtype=np.uint64)
        seeds = rng.integers(2**64, size=(self.n_chains, 2), dtype=np.uint64)
        self.log_likelihoods_ = np.empty((self.n_chains, self.n_sweeps))
        best = -np.inf
        for chain, seed in enumerate(seeds):
            topics, doc_topic = self._run(tokens, start, burn_in, chain, seed)
            score = self.log_likelihoods_[chain, burn_in:].mean()
            if score > best:
                best, self.best_chain_ = score, chain
                self.components_, self.doc_topic_counts_ = topics, doc_topic
        scores = self.log_likelihoods_[:, burn_in:].mean(axis=1)
        self.record_ = {"log_likelihoods": scores.tolist(), "best_chain": self.best_chain_}
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the topic proportions of documents, by Gibbs sampling of their labels with the topics fixed.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts, whole numbers.

        Returns
        -------
        ndarray of shape (n_documents, n_topics)
            Posterior means of the proportions; rows on the simplex. The random numbers follow from those of `fit` and
            are the same for every document: a document gets the same proportions in any company and at every call. An
            empty document gets equal proportions.
        """
        check_is_fitted(self)
        tokens = read_tokens(self._read_counts(X, reset=False), "CollapsedGibbs.transform")
        n_sweeps = self.n_transform_sweeps
        return _label(tokens, self.components_, self.alpha, n_sweeps, n_sweeps // 2, self._transform_seed)[1]

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        self._check_topics_asked(counts)
        if self.n_topics > _MOST_TOPICS:
            raise ValueError(f"n_topics={self.n_topics} is more than the {_MOST_TOPICS} that labels can tell apart.")
        for name in ("alpha", "eta"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
                raise ValueError(f"{name} must be a positive number, not {value!r}.")
        for name in ("n_sweeps", "n_chains", "n_transform_sweeps"):
            check_whole(name, getattr(self, name))
        if self.burn_in is not None:
            check_whole("burn_in", self.burn_in, least=0)
            if self.burn_in >= self.n_sweeps:
                raise ValueError(
                    f"burn_in={self.burn_in} leaves none of n_sweeps={self.n_sweeps} sweeps to average topics over: "
                    "ask for more sweeps or a shorter burn-in."
                )
        if isinstance(self.init, str) and self.init != "random":
            raise ValueError(f"init must be 'random' or an array of topics, not {self.init!r}.")

    def _read_init(self, n_words: int) -> NDArray[np.float64]:
        """Return the topics to start from, every word possible in each."""
        topics = check_array(self.init, dtype=np.float64, input_name="init")
        if topics.shape != (self.n_topics, n_words):
            raise ValueError(
                f"init has shape {topics.shape}, but n_topics={self.n_topics} topics over {n_words} words are needed."
            )
        sums = topics.sum(axis=1, keepdims=True)
        if topics.min() < 0 or sums.min() == 0:
            raise ValueError("init must be topics: no entry below 0, no row without a positive entry.")
        return (1.0 - _START_UNIFORM) * topics / sums + _START_UNIFORM / n_words

    def _run(
        self,
        tokens: Tokens,
        start: NDArray[np.float64] | None,
        burn_in: int,
        chain: int,
        seed: NDArray[np.uint64],
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Run one chain; return its averaged topics and its last counts of labels by document."""
        n_topics, alpha, eta = int(self.n_topics), float(self.alpha), float(self.eta)
        if start is None:
            labels = np.random.default_rng(seed).integers(n_topics, size=tokens.total, dtype=np.uint16)
        else:
            labels = _label(tokens, start, alpha, _START_SWEEPS, 0, seed[0])[0]
        n_padded = -(-n_topics // BLOCK) * BLOCK
        doc_topic = np.zeros((len(tokens.lengths), n_padded))
        word_topic = np.zeros((tokens.n_words, n_padded), np.int32)
        topic_total = np.zeros(n_padded)
        count_labels(tokens.indptr, tokens.words, tokens.counts, labels, doc_topic, word_topic, topic_total)
        rising_alpha = log_rising(alpha, int(tokens.lengths.max()))
        rising_eta = log_rising(eta, int(word_topic.sum(axis=1).max()))
        random = seed[1:].copy()
        cancelled = None if alpha * eta > _SAFE_PRODUCT else _CANCELLED
        sums = np.zeros((tokens.n_words, n_topics))
        state = doc_topic, word_topic, topic_total
        for s in range(self.n_sweeps):
            sweep(tokens.indptr, tokens.words, tokens.counts, labels, *state, n_topics, alpha, eta, random, cancelled)
            value = joint_log_likelihood(*state, tokens.lengths, n_topics, alpha, eta, rising_alpha, rising_eta)
            self.log_likelihoods_[chain, s] = value
            if s >= burn_in:
                add_topics(sums, word_topic, topic_total, eta)
            if self.progress is not None:
                self.progress(chain, s + 1, value)
        topics = np.ascontiguousarray((sums / sums.sum(axis=0)).T)
        return topics, doc_topic[:, :n_topics].astype(np.int64)


def _label(
    tokens: Tokens, topics: NDArray[np.float64], alpha: float, n_sweeps: int, burn_in: int, seed: np.uint64
) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
    """Sample labels of all tokens with the topics fixed; return the last ones and the mean proportions."""
    labels = np.zeros(tokens.total, np.uint16)
    proportions = np.zeros((len(tokens.lengths), len(topics)))
    of_word = np.ascontiguousarray(topics.T)
    label_documents(
        tokens.indptr,
        tokens.words,
        tokens.counts,
        of_word,
        float(alpha),
        n_sweeps,
        burn_in,
        np.uint64(seed),
        labels,
        proportions,
    )
    return labels, proportions
