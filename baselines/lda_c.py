"""Variational EM for latent Dirichlet allocation as Blei's program lda-c does it, and R's topicmodels with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self
from warnings import warn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from baselines._lda_c_steps import best_topics, infer, is_collapsed
from baselines._start import check_init, read_topics
from gdmbench.geometry.base import TopicEstimator, make_generator
from gdmbench.geometry.counts import filled_rows
from gdmbench.geometry.dirichlet import best_concentration
from gdmbench.parameters import check_positive, check_whole

_MAX_PASSES = 1000
_MAX_VARIATIONAL = 500  # iterations for a document, doubled whenever the bound falls
_MIN_PASSES = 3


class LdaC(TopicEstimator):
    """Latent Dirichlet allocation by variational EM, in the steps and with the defaults of the program lda-c.

    Differences from `baselines.vem.VariationalEM` that change results: topics are found by maximum likelihood, without
    smoothing; alpha starts at 50 / n_topics; EM ends when the bound rises by no more than 1e-4 of itself; and there is
    one start. On short documents such a run nearly always collapses: it ends early, on a plateau where alpha is large
    and all documents have the same proportions of topics that hardly differ. `record_` says so.

    A probability that would be 0 counts as exp(-100), as in the program: probabilities fall towards 0 from pass to pass
    without reaching it. Only a word that no document of the fit has is 0 in `components_`, and comes under the rule for
    zeros of `gdmbench.perplexity` as it does for other methods; all other words are scored as they are. That is on
    purpose: the small entries spread over hundreds of orders of magnitude, and whatever limit called them zeros would
    decide the perplexity with projected proportions (NIPS papers, 10 topics: 1702 without a limit, 1198 with 1e-16,
    1033 with 1e-9). With the method's own proportions no such limit changes anything (784.58 with all of these).

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.
    alpha : float or None, default=None
        Dirichlet parameter of the proportions: where learning starts, or the value throughout. None:
        ``50 / n_topics``.
    learn_alpha : bool, default=True
        Whether to maximise the bound over a symmetric alpha after each pass.
    tol : float, default=1e-4
        EM ends when the bound rises by no more than this, relatively, but not before three passes.
    n_restarts : int, default=1
        Number of starts, of which the one with the highest bound is kept. Given topics are one start.
    init : "random", "seeded", array of shape (n_topics, n_words) or estimator, default="random"
        Where EM starts: at topics proportional to 1 / n_words plus uniform random numbers; at one random document for
        each topic, one added to all counts; at given topics; or at the topics that an estimator finds in the documents.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics, bit for bit.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics of the start kept; rows on the simplex, without smoothing.
    alpha_ : float
        The Dirichlet parameter of the start kept.
    bound_ : float
        The bound of the start kept, from a last E-step.
    bounds_ : ndarray of shape (n_starts,)
        The bound of every start.
    n_passes_ : int
        Passes of the start kept, without that last E-step.
    record_ : dict
        `alpha`, `bound`, `n_passes` and `collapsed`, the share of the starts that ended with nearly the same
        proportions for all documents, for the records of a benchmark.
    n_features_in_ : int
        Number of words.

    References
    ----------
    D. Blei, A. Ng and M. Jordan (2003). Latent Dirichlet allocation. JMLR 3, 993-1022.
    B. Grün and K. Hornik (2011). topicmodels: An R package for fitting topic models. Journal of Statistical Software
    40(13).

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.lda_c import LdaC
    >>> data = simulate_lda(1000, 10, random_state=0)
    >>> LdaC(5, random_state=0).fit(data.train).record_["collapsed"]
    1.0
    >>> LdaC(5, alpha=1.0, random_state=0).fit(data.train).record_["collapsed"]
    0.0
    """

    def __init__(
        self,
        n_topics: int = 5,
        *,
        alpha: float | None = None,
        learn_alpha: bool = True,
        tol: float = 1e-4,
        n_restarts: int = 1,
        init: Any = "random",
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.alpha = alpha
        self.learn_alpha = learn_alpha
        self.tol = tol
        self.n_restarts = n_restarts
        self.init = init
        self.random_state = random_state

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts. Empty documents are left out.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        counts = self._read_counts(X, reset=True)
        self._check_parameters()
        self._check_topics_asked(counts)
        counts, _ = filled_rows(counts)
        rng = make_generator(self.random_state)
        runs = [self._run(counts, topics) for topics in self._starts(counts, rng)]
        best = max(runs, key=lambda run: run.bound)
        self.components_ = best.topics
        self.alpha_, self.bound_, self.n_passes_ = best.alpha, best.bound, best.n_passes
        self.bounds_ = np.array([run.bound for run in runs])
        self._max_variational = best.max_variational
        self.record_ = {
            "alpha": self.alpha_,
            "bound": self.bound_,
            "n_passes": self.n_passes_,
            "collapsed": float(np.mean([run.collapsed for run in runs])),
        }
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the topic proportions of documents, by variational inference with the topics fixed.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts.

        Returns
        -------
        ndarray of shape (n_documents, n_topics)
            Posterior means: gamma, rows divided by their sums. An empty document gets equal proportions.
        """
        gamma, _ = self._infer(X)
        return gamma / gamma.sum(axis=1, keepdims=True)

    def bound_perplexity(self, X: Any) -> float:
        """Return the perplexity of documents as the program itself gives it: exp(-bound / tokens).

        The bound is below the log-likelihood, and in it proportions are integrated out. So this is usually higher than
        `gdmbench.perplexity`, which scores words under fitted proportions, and not comparable to it.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts.
        """
        _, bound = self._infer(X)
        return float(np.exp(-bound / np.sum(X)))

    def heldout_record(self, X: Any) -> dict[str, float]:
        """Return what a benchmark should record of documents that were held out of the fit: `bound_perplexity`."""
        return {"bound_perplexity": self.bound_perplexity(X)}

    def _infer(self, X: Any) -> tuple[NDArray[np.float64], float]:
        check_is_fitted(self)
        counts = self._read_counts(X, reset=False)
        gamma, bound, _ = infer(counts, self.components_, self.alpha_, self._max_variational)
        return gamma, bound

    def _check_parameters(self) -> None:
        check_whole("n_restarts", self.n_restarts)
        check_positive("tol", self.tol)
        if self.alpha is not None:
            check_positive("alpha", self.alpha)
        check_init(self.init, ("random", "seeded"))

    def _starts(self, counts: sparse.csr_array, rng: np.random.Generator) -> Iterator[NDArray[np.float64]]:
        """Yield the topics to start from."""
        if not isinstance(self.init, str):
            yield read_topics(self.init, counts, self.n_topics, rng)
            return
        for _ in range(self.n_restarts):
            if self.init == "random":
                topics = 1 / counts.shape[1] + rng.random((self.n_topics, counts.shape[1]))
            else:
                topics = counts[rng.choice(counts.shape[0], self.n_topics, replace=False)].toarray() + 1.0
            yield topics / topics.sum(axis=1, keepdims=True)

    def _run(self, counts: sparse.csr_array, topics: NDArray[np.float64]) -> "_Run":
        """Run EM from one start."""
        alpha = 50 / self.n_topics if self.alpha is None else float(self.alpha)
        tol = float(np.float32(self.tol))
        max_variational = _MAX_VARIATIONAL
        previous, rise, n_passes = 0.0, np.inf, 0
        while n_passes < _MIN_PASSES or not 0 <= rise <= tol:
            if n_passes == _MAX_PASSES:
                warn(
                    f"LdaC stopped after {_MAX_PASSES} passes, its bound still changing by more than tol={self.tol:g}.",
                    ConvergenceWarning,
                    stacklevel=3,
                )
                break
            gamma, bound, expected = infer(counts, topics, alpha, max_variational)
            n_passes += 1
            topics = best_topics(expected)
            if self.learn_alpha and self.n_topics > 1:
                alpha = best_concentration(gamma)
            if n_passes > 1:
                rise = (previous - bound) / previous
            if rise < 0:
                max_variational *= 2
            previous = bound
        gamma, bound, _ = infer(counts, topics, alpha, max_variational)
        return _Run(topics, alpha, bound, n_passes, max_variational, is_collapsed(gamma))


@dataclass(frozen=True)
class _Run:
    topics: NDArray[np.float64]
    alpha: float
    bound: float
    n_passes: int
    max_variational: int
    collapsed: bool
