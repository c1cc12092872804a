"""Variational EM for latent Dirichlet allocation: gensim's LdaModel in batch mode, with a compiled E-step."""

from collections.abc import Callable
from typing import Any, Self
from warnings import warn

import numpy as np
from gensim.models.ldamodel import LdaState
from gensim.utils import FakeDict
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from baselines._batch_lda import BatchLda, EqualStart
from baselines._start import check_init, expected_counts, read_topics
from gdmbench.geometry.base import TopicEstimator, make_generator
from gdmbench.parameters import check_positive, check_whole


class VariationalEM(TopicEstimator):
    """Latent Dirichlet allocation by variational EM, on gensim's `LdaModel` in batch mode.

    Each pass runs gensim's steps over all documents: variational inference of every document from a random start
    (E-step), then new topics (M-step) and a new symmetric alpha, and eta if asked for, that maximise the bound. Passes
    end when the bound changes by less than `tol` of itself. The result depends on the start, so there are several, and
    the one with the highest bound is kept; the bounds of all are reported.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.
    alpha : float or None, default=None
        Dirichlet parameter of the proportions: where learning starts, or the value throughout. None:
        ``1 / n_topics``.
    eta : float, default=0.1
        Dirichlet parameter of the topics: the value throughout, or where learning starts.
    learn_alpha, learn_eta : bool, default=True and False
        Whether to maximise the bound over a symmetric alpha and eta after each pass.
    max_variational : int, default=750
        Most iterations of inference for a document in a pass.
    max_em : int, default=1500
        Most passes.
    n_restarts : int, default=3
        Number of random starts.
    init : "random", array of shape (n_topics, n_words) or estimator, default="random"
        Where topics start: at random, at these topics, or at those that a copy of the estimator finds in the documents.
        The latter two are one start, whatever `n_restarts`, and a fifth of each topic is replaced by the words of all
        documents.
    tol : float, default=1e-6
        Passes end when the bound changes by less than this, relatively.
    gamma_threshold : float, default=1e-3
        Inference of a document ends when its gamma changes by less than this on average over topics.
    progress : callable or None, default=None
        Called as ``progress(start, n_passes, bound)`` after every pass.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics, bit for bit.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics: the posterior means of the start kept; rows on the simplex.
    bound_ : float
        The bound of the start kept.
    bounds_ : ndarray of shape (n_starts,)
        The bound of every start. Starts that end far below the best have found a worse mode.
    n_passes_ : ndarray of shape (n_starts,)
        Passes of every start.
    alpha_, eta_ : float
        The Dirichlet parameters of the start kept.
    model_ : gensim.models.LdaModel
        gensim's model of the start kept.
    record_ : dict
        `bounds`, `n_passes`, `alpha` and `eta` for the records of a benchmark.
    n_features_in_ : int
        Number of words.

    References
    ----------
    D. Blei, A. Ng and M. Jordan (2003). Latent Dirichlet allocation. JMLR 3, 993-1022.
    M. Hoffman, D. Blei and F. Bach (2010). Online learning for latent Dirichlet allocation. NIPS.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.vem import VariationalEM
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, random_state=0)
    >>> model = VariationalEM(3, random_state=0).fit(data.train)
    >>> model.components_.shape == data.topics.shape
    True
    """

    def __init__(
        self,
        n_topics: int = 5,
        *,
        alpha: float | None = None,
        eta: float = 0.1,
        learn_alpha: bool = True,
        learn_eta: bool = False,
        max_variational: int = 750,
        max_em: int = 1500,
        n_restarts: int = 3,
        init: Any = "random",
        tol: float = 1e-6,
        gamma_threshold: float = 1e-3,
        progress: Callable[[int, int, float], None] | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.alpha = alpha
        self.eta = eta
        self.learn_alpha = learn_alpha
        self.learn_eta = learn_eta
        self.max_variational = max_variational
        self.max_em = max_em
        self.n_restarts = n_restarts
        self.init = init
        self.tol = tol
        self.gamma_threshold = gamma_threshold
        self.progress = progress
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
        counts = counts[np.diff(counts.indptr) > 0]
        rng = make_generator(self.random_state)
        topics = None if isinstance(self.init, str) else read_topics(self.init, counts, self.n_topics, rng)
        seeds = rng.integers(2**32, size=self.n_restarts if topics is None else 1, dtype=np.uint32)
        bounds: list[float] = []
        passes: list[int] = []
        for start, seed in enumerate(seeds):
            model, bound, n_passes = self._run(counts, start, int(seed), topics)
            if not bounds or bound > max(bounds):
                self.model_ = model
            bounds.append(bound)
            passes.append(n_passes)
        self.model_.random_state = EqualStart()  # so that `transform` treats every document by itself
        self.bounds_ = np.array(bounds)
        self.bound_ = float(self.bounds_.max())
        self.n_passes_ = np.array(passes)
        self.alpha_ = float(self.model_.alpha[0])
        self.eta_ = float(self.model_.eta[0])
        self.components_ = self.model_.get_topics()
        self.record_ = {"bounds": bounds, "n_passes": passes, "alpha": self.alpha_, "eta": self.eta_}
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
            Posterior means; rows on the simplex. An empty document gets equal proportions.
        """
        check_is_fitted(self)
        counts = self._read_counts(X, reset=False)
        gamma, _ = self.model_.inference(counts)
        return gamma / gamma.sum(axis=1, keepdims=True)

    def _check_parameters(self) -> None:
        for name in ("max_variational", "max_em", "n_restarts"):
            check_whole(name, getattr(self, name))
        for name in ("eta", "tol", "gamma_threshold"):
            check_positive(name, getattr(self, name))
        if self.alpha is not None:
            check_positive("alpha", self.alpha)
        check_init(self.init)

    def _run(
        self, counts: sparse.csr_array, start: int, seed: int, topics: NDArray[np.float64] | None
    ) -> tuple[BatchLda, float, int]:
        """Run passes from one start until the bound changes by less than `tol`."""
        n_documents, n_words = counts.shape
        model = BatchLda(
            id2word=FakeDict(n_words),
            num_topics=self.n_topics,
            alpha=1.0 / self.n_topics if self.alpha is None else float(self.alpha),
            eta=float(self.eta),
            iterations=self.max_variational,
            gamma_threshold=self.gamma_threshold,
            random_state=seed,
            dtype=np.float64,
        )
        if topics is not None:
            model.start_from(expected_counts(topics, counts))
        model.optimize_eta = self.learn_eta
        model.state.numdocs = n_documents  # else gensim scales the first pass's statistics to no documents at all
        previous = -np.inf
        for n_passes in range(1, self.max_em + 1):
            expected = LdaState(model.eta, model.state.sstats.shape, model.dtype)
            gamma = model.do_estep(counts, expected)
            bound = model.whole_bound(counts, gamma)
            if self.progress is not None:
                self.progress(start, n_passes, bound)
            if abs(bound - previous) < self.tol * abs(bound):
                break
            previous = bound
            if self.learn_alpha:
                model.update_alpha(gamma, 1.0)
            model.do_mstep(1.0, expected)
        else:
            warn(
                f"VariationalEM start {start} stopped after max_em={self.max_em} passes, its bound still changing by "
                f"more than tol={self.tol:g}: allow more passes.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return model, bound, n_passes
