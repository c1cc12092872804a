"""Collapsed Gibbs sampling for latent Dirichlet allocation, as a scikit-learn estimator."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from baselines._gibbs_chain import Chain, draw_labels
from baselines._start import check_init, read_topics
from baselines._tokens import read_tokens
from gdmbench.geometry.base import TopicEstimator, make_generator
from gdmbench.parameters import check_positive, check_whole

_MOST_TOPICS = np.iinfo(np.uint16).max
_START_UNIFORM = 1e-3  # share of the uniform distribution mixed into topics to start from, which may have zeros


class CollapsedGibbs(TopicEstimator):
    """Latent Dirichlet allocation by collapsed Gibbs sampling of the tokens' topic labels.

    A chain draws the label of every token in turn given all other labels, again and again. The topics are the posterior
    means given the labels, averaged over the sweeps after the burn-in. A chain can be caught where one label stands for
    two topics and others share one, hardly ever to come free again; so there may be several. All of them run through
    the burn-in, and the one that then has the highest joint likelihood of words and labels, on average over the second
    half of it, runs on.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.
    alpha, eta : float, default=0.1
        Symmetric Dirichlet parameters of the proportions and of the topics.
    n_sweeps : int, default=200
        Sweeps over all tokens, burn-in and averaged ones together.
    burn_in : int or None, default=None
        Sweeps before those over which topics are averaged. None: half of them.
    n_chains : int, default=1
        Number of chains, each from labels of its own, of which the best is kept.
    init : "random", array of shape (n_topics, n_words) or estimator, default="random"
        Where chains start: from labels drawn at random, with these topics, or with those that a copy of the estimator
        finds in the documents.
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
        Joint log-likelihood of words and labels, log p(w, z | alpha, eta), after every sweep; NaN where a chain was
        given up.
    best_chain_ : int
        The chain kept.
    record_ : dict
        `log_likelihoods`, the mean of every chain over the second half of the burn-in, and `best_chain`, for the
        records of a benchmark.
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
        burn_in = self._n_burn_in()
        rng = make_generator(self.random_state)
        start = None
        if not isinstance(self.init, str):  # every word possible in each topic
            topics = read_topics(self.init, counts, self.n_topics, rng)
            start = (1.0 - _START_UNIFORM) * topics + _START_UNIFORM / counts.shape[1]
        self._transform_seed = rng.integers(2**64, dtype=np.uint64)
        seeds = rng.integers(2**64, size=(self.n_chains, 2), dtype=np.uint64)
        self.log_likelihoods_ = np.full((self.n_chains, self.n_sweeps), np.nan)
        scores: list[float] = []
        for number, seed in enumerate(seeds):
            chain = Chain(tokens, int(self.n_topics), float(self.alpha), float(self.eta), start, seed)
            self._run(chain, number, range(burn_in), average=False)
            scores.append(float(self.log_likelihoods_[number, burn_in // 2 : burn_in].mean()) if burn_in else 0.0)
            if scores[-1] > max(scores[:-1], default=-np.inf):
                best, self.best_chain_ = chain, number
        self._run(best, self.best_chain_, range(burn_in, self.n_sweeps), average=True)
        self.components_ = best.topics
        self.record_ = {"log_likelihoods": scores, "best_chain": self.best_chain_}
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
            are the same for every document: a document gets the same proportions at every call, whatever documents are
            with it. An empty document gets equal proportions.
        """
        check_is_fitted(self)
        tokens = read_tokens(self._read_counts(X, reset=False), "CollapsedGibbs.transform")
        n_sweeps, seed = self.n_transform_sweeps, self._transform_seed
        _, proportions = draw_labels(tokens, self.components_, float(self.alpha), n_sweeps, n_sweeps // 2, seed)
        return proportions

    def _n_burn_in(self) -> int:
        return self.n_sweeps // 2 if self.burn_in is None else self.burn_in

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        self._check_topics_asked(counts)
        if self.n_topics > _MOST_TOPICS:
            raise ValueError(f"n_topics={self.n_topics} is more than the {_MOST_TOPICS} that labels can tell apart.")
        for name in ("alpha", "eta"):
            check_positive(name, getattr(self, name))
        for name in ("n_sweeps", "n_chains", "n_transform_sweeps"):
            check_whole(name, getattr(self, name))
        if self.burn_in is not None:
            check_whole("burn_in", self.burn_in, least=0)
            if self.burn_in >= self.n_sweeps:
                raise ValueError(
                    f"burn_in={self.burn_in} leaves none of n_sweeps={self.n_sweeps} sweeps to average topics over: "
                    "ask for more sweeps or a shorter burn-in."
                )
        if self.n_chains > 1 and self._n_burn_in() == 0:
            raise ValueError(
                f"Which of n_chains={self.n_chains} chains to keep shows in the burn-in, but there is none: "
                "set burn_in, ask for more sweeps, or run one chain."
            )
        check_init(self.init)

    def _run(self, chain: Chain, number: int, sweeps: range, *, average: bool) -> None:
        """Run a chain on and tell of it."""
        for s, value in zip(sweeps, chain.run(len(sweeps), average=average), strict=True):
            self.log_likelihoods_[number, s] = value
            if self.progress is not None:
                self.progress(number, s + 1, value)
