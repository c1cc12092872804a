"""A geometric start and a few likelihood passes: RefinedGDM as a scikit-learn estimator."""

from typing import Any, Self

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from gdmbench.geometry.base import TopicEstimator, make_generator, one_blas_thread
from gdmbench.geometry.blocks import Blocks
from gdmbench.geometry.dirichlet import best_concentration
from gdmbench.geometry.halves import word_frequencies
from gdmbench.geometry.inference import Inference, infer_proportions, learn_alpha, means, squarem
from gdmbench.geometry.sources import gather
from gdmbench.geometry.starts import LEAST_ALPHA, STARTS, Start, best_start
from gdmbench.geometry.stochastic import Sweep
from gdmbench.parameters import check_positive, check_whole

_COLLAPSED_CYCLES = 2  # the last ones
_FIRST_ETA = 0.1  # where learning starts
_MOST_FOR_ALPHA = 2_000  # documents by which alpha_ is learned


class RefinedGDM(TopicEstimator):
    """Geometric topics refined by passes of latent Dirichlet allocation: near a Gibbs sampler's accuracy, far faster.

    Likelihood methods end where their start leads them, and random starts often lead astray. Geometry gives several
    good starts: VLAD's topics, with alpha estimated and with a small alpha, and clusters of tf-idf. The class makes one
    cycle of passes from each, on at most 5000 documents, and goes on from the one with the largest variational bound.

    A fixed number of passes over all documents then removes the noise. Every three passes are one cycle of SQUAREM,
    which steps ahead in the direction in which the first two have moved: cycles of variational Bayes, which comes near
    its end fastest, and last, with at least six passes, one or two of second-order collapsed variational Bayes, which
    is more exact. Where alpha is not given, it is learned after every variational cycle as what maximises the bound,
    but never below 0.1 while passes go on, nor below VLAD's estimate, up to 1, where its topics are the start: smaller
    values make documents stick to the topics that they have.

    Parameters
    ----------
    n_topics : int
        Number of topics, at most the number of non-empty documents.
    alpha : float or None, default=None
        Symmetric Dirichlet parameter of the proportions. None: learned.
    eta : float or None, default=0.1
        Symmetric Dirichlet parameter of the topics. None: learned, after every cycle of variational Bayes, as what
        maximises its bound; from 0.1 on.
    start : "best", "vlad", "vlad-0.1", "tf-idf" or array of shape (n_topics, n_words), default="best"
        Where to start: at the topics of `VLAD`, of `VLAD` told that alpha is 0.1, or of clusters of tf-idf; at the best
        of these; or at topics of your own.
    n_passes : int, default=27
        Number of passes, a multiple of three. The default was chosen by a study over documents of 10 to 3000 words.
    random_state : int, Generator, RandomState or None, default=None
        For the starts; the passes draw nothing. Same seed, same topics, bit for bit.
    n_jobs : int or None, default=None
        Number of threads in passes and in `transform`, of use with more than 25,000 documents: None is one, -1 all
        cores. The topics are the same, bit for bit, whatever it is.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics: posterior means, all positive; rows on the simplex.
    alpha_ : float
        The alpha given, or the one that fits the final topics best, of any size; 1 if learned with one topic, which
        tells nothing of it.
    eta_ : float
        The eta given or learned.
    start_ : str
        The name of the start: "vlad", "vlad-0.1", "tf-idf" or "topics".
    bound_ : float
        The variational bound of the log-likelihood per word of the documents of `fit`, after the last pass. Of two fits
        to the same documents with the same parameters, the one with the larger bound is usually better.
    n_features_in_ : int
        Number of words.

    References
    ----------
    M. Yurochkin, A. Guha, Y. Sun and X. Nguyen (2019). Dirichlet Simplex Nest and Geometric Inference. ICML.
    A. Asuncion, M. Welling, P. Smyth and Y. W. Teh (2009). On smoothing and inference for topic models. UAI.
    Y. W. Teh, D. Newman and M. Welling (2007). A collapsed variational Bayesian inference algorithm for latent
    Dirichlet allocation. NIPS.
    R. Varadhan and C. Roland (2008). Simple and globally convergent methods for accelerating the convergence of any EM
    algorithm. Scandinavian Journal of Statistics 35, 335-353.

    Examples
    --------
    >>> from gdmbench import RefinedGDM, simulate_lda
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, random_state=0)
    >>> model = RefinedGDM(3, random_state=0).fit(data.train)
    >>> model.transform(data.heldout).shape
    (100, 3)
    """

    def __init__(
        self,
        n_topics: int,
        *,
        alpha: float | None = None,
        eta: float | None = 0.1,
        start: Any = "best",
        n_passes: int = 27,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_topics = n_topics
        self.alpha = alpha
        self.eta = eta
        self.start = start
        self.n_passes = n_passes
        self.random_state = random_state
        self.n_jobs = n_jobs

    @one_blas_thread
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words), or blocks of documents
            Word counts. Empty documents are left out of the fit.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        blocks = self._read_blocks(X, reset=True, keep_empty=False)
        self._check_parameters(blocks.n_documents)
        learns = self.alpha is None and self.n_topics > 1
        alpha = self.alpha if self.alpha is not None else LEAST_ALPHA if learns else 1.0
        eta = _FIRST_ETA if self.eta is None else float(self.eta)
        start = self._choose_start(blocks, float(alpha), eta)
        if learns:
            alpha = start.least_alpha
        inference = Inference(blocks, self.n_topics, float(alpha), eta)
        posterior = inference.begin(start.topics)
        n_cycles = self.n_passes // 3
        for cycle in range(n_cycles):
            variational = cycle < max(1, n_cycles - _COLLAPSED_CYCLES)
            posterior = squarem(inference.variational if variational else inference.collapsed, posterior, inference.eta)
            if learns and variational:
                inference.alpha = max(inference.best_alpha(), start.least_alpha)
            if self.eta is None and variational and blocks.n_words > 1:
                expected = np.maximum(posterior - inference.eta, 0.0)  # as a pass left it, but for rounding
                inference.eta = best_concentration(posterior.T)
                posterior = expected + inference.eta
        self.start_, self.bound_, self.eta_ = start.name, inference.bound(posterior), inference.eta
        rows = blocks.sample(_MOST_FOR_ALPHA)
        self.alpha_ = learn_alpha(rows, posterior, inference.alpha) if learns else float(alpha)
        self._sweep = Sweep.begin(posterior, self.eta_, inference.alpha, start.least_alpha, blocks)
        self.components_ = means(posterior)
        return self

    @one_blas_thread
    def partial_fit(self, X: Any, y: None = None, *, n_documents: int | None = None) -> Self:
        """Go on with documents that have just arrived, by one step of stochastic variational Bayes.

        The first call, without `fit` before it, is a fit to its documents: they must be enough to start from. The t-th
        step after it moves the expected numbers of words and topics, and alpha if it is learned, by the share
        (t + 1)^-0.9 towards what the documents say. eta stays as it was.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words), or blocks of documents
            Word counts over the same words at each call.
        y : None
            Ignored.
        n_documents : int or None, default=None
            How many documents there will be in all. None: as many as have arrived.

        Returns
        -------
        self

        References
        ----------
        M. D. Hoffman, D. M. Blei and F. Bach (2010). Online learning for latent Dirichlet allocation. NIPS.
        """
        if n_documents is not None:
            check_whole("n_documents", n_documents)
        if not hasattr(self, "_sweep"):
            return self.fit(X)
        blocks = self._read_blocks(X, reset=False, method="partial_fit", keep_empty=False)
        if not blocks.n_documents:
            return self
        learns = self.alpha is None and self.n_topics > 1
        posterior, share = self._sweep.step(blocks, n_documents, learns)
        if learns:
            found = learn_alpha(blocks.sample(_MOST_FOR_ALPHA), posterior, self._sweep.alpha)
            self.alpha_ = float(self.alpha_ ** (1.0 - share) * found**share)
        self.word_frequencies_ = word_frequencies(self._sweep.totals)
        self.components_ = means(posterior)
        if hasattr(self, "bound_"):
            del self.bound_  # which is that of the documents of `fit`
        return self

    def transform(self, X: Any, folder: Any = None) -> Any:
        """Return the topic proportions of documents, by the inference of the collapsed passes with the topics fixed.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words), or blocks of documents
            Word counts.
        folder : path or None, default=None
            Where to write the proportions, a file for each block, instead of returning them.

        Returns
        -------
        ndarray of shape (n_documents, n_topics), or the paths of the files
            Posterior means; rows on the simplex. An empty document gets equal proportions.
        """
        check_is_fitted(self)
        blocks = self._read_blocks(X, reset=False)
        return gather(blocks.map(infer_proportions, self.components_, self.alpha_), folder)

    def _check_parameters(self, n_documents: int) -> None:
        self._check_topics_asked(n_documents)
        if self.alpha is not None:
            check_positive("alpha", self.alpha)
        if self.eta is not None:
            check_positive("eta", self.eta)
        check_whole("n_passes", self.n_passes, least=3)
        if self.n_passes % 3:
            raise ValueError(f"n_passes must be a multiple of 3, the passes of one cycle, not {self.n_passes}.")
        if isinstance(self.start, str) and self.start not in ("best", *STARTS):
            names = "', '".join(("best", *STARTS))
            raise ValueError(f"start must be '{names}' or an array of topics, not {self.start!r}.")

    def _choose_start(self, blocks: Blocks, first_alpha: float, eta: float) -> Start:
        """Return the topics to start from: those given, or those of the start with the largest bound."""
        if isinstance(self.start, str):
            names = STARTS if self.start == "best" else (self.start,)
            rng = make_generator(self.random_state)
            return best_start(blocks, self.n_topics, self.alpha, first_alpha, eta, rng, names)
        topics = check_array(self.start, dtype=np.float64, input_name="start")
        if topics.shape != (self.n_topics, blocks.n_words):
            raise ValueError(
                f"start has shape {topics.shape}, but n_topics={self.n_topics} topics over {blocks.n_words} words are "
                "needed: pass one topic in each row."
            )
        sums = topics.sum(axis=1, keepdims=True)
        if topics.min() < 0 or sums.min() == 0:
            raise ValueError("start must be topics: no entry below 0, no row without a positive entry.")
        return Start("topics", topics / sums)
