"""A geometric start and a few likelihood passes: RefinedGDM as a scikit-learn estimator."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from gdmbench.geometry.base import TopicEstimator, make_generator, one_blas_thread
from gdmbench.geometry.blocks import map_blocks, stacked, summed
from gdmbench.geometry.counts import filled_rows, lengths_of, normalise_rows
from gdmbench.geometry.covariance import Covariance
from gdmbench.geometry.dirichlet import alpha_from_topics, best_concentration
from gdmbench.geometry.passes import collapsed_pass, expected_topics, variational_pass
from gdmbench.geometry.tuned_gdm import TunedGDM
from gdmbench.geometry.vlad import VLAD
from gdmbench.parameters import check_positive, check_whole

# Inner iterations for a document: in the first pass, where it knows nothing, in the others, and in `transform`.
_FIRST_INNER, _INNER, _TRANSFORM_INNER = 10, 3, 30
_THRESHOLD = 1e-3
_COLLAPSED_CYCLES = 2  # the last ones
_LONGEST_STEP = 16.0
_FIRST_ETA = 0.1  # where learning starts
# Share of the centre in the topics at the start: words that geometry has cut from a topic would hardly come back.
_SMOOTHING = 0.02

Posterior = NDArray[np.float64]
Step = Callable[[Posterior], Posterior]


class RefinedGDM(TopicEstimator):
    """Geometric topics refined by passes of latent Dirichlet allocation: near a Gibbs sampler's accuracy, far faster.

    Geometry finds the right mode, which likelihood methods from random starts often miss, but its topics are noisy. A
    fixed number of likelihood passes over the documents removes the noise. Every three passes are one cycle of SQUAREM,
    which steps ahead in the direction in which the first two have moved: cycles of variational Bayes, which comes near
    its end fastest, and last, with at least six passes, one or two of second-order collapsed variational Bayes, which
    is more exact. Where alpha is not given, it is estimated after every cycle, from the topics and the covariance of
    the documents.

    Parameters
    ----------
    n_topics : int
        Number of topics, at most the number of non-empty documents.
    alpha : float or None, default=None
        Symmetric Dirichlet parameter of the proportions. None: learned.
    eta : float or None, default=0.1
        Symmetric Dirichlet parameter of the topics. None: learned, after every cycle of variational Bayes, as what
        maximises its bound; from 0.1 on.
    start : "vlad", "tgdm" or array of shape (n_topics, n_words), default="vlad"
        Where to start: at the topics of `VLAD` or `TunedGDM`, or at these.
    n_passes : int, default=27
        Number of passes, a multiple of three. The default was chosen by a study over documents of 10 to 3000 words.
    random_state : int, Generator, RandomState or None, default=None
        For the geometric start; the passes draw nothing. Same seed, same topics, bit for bit.
    n_jobs : int or None, default=None
        Number of threads in passes and in `transform`, of use with more than 25,000 documents: None is one, -1 all
        cores. The topics are the same, bit for bit, whatever it is.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics: posterior means, all positive; rows on the simplex.
    alpha_ : float
        The alpha given or learned, of .001 to 100 then; 1 if learned with one topic, which tells nothing of it.
    eta_ : float
        The eta given or learned, of .0001 to 10,000 then.
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
        start: Any = "vlad",
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
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts. Empty documents are left out of the fit.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        counts = self._read_counts(X, reset=True)
        self._check_parameters(counts)
        counts, _ = filled_rows(counts)
        points, lengths = normalise_rows(counts)
        topics, alpha = self._geometric_start(counts)
        covariance = Covariance(points, lengths, lengths, denoise=True)
        learns = self.alpha is None and self.n_topics > 1
        if alpha is None:
            alpha = alpha_from_topics(covariance, topics) if learns else 1.0
        eta = _FIRST_ETA if self.eta is None else float(self.eta)
        documents = _Documents(counts, lengths, self.n_topics, alpha, eta, self.n_jobs)
        center = counts.sum(axis=0) / lengths.sum()
        topics = (1.0 - _SMOOTHING) * topics + _SMOOTHING * center
        posterior = np.ascontiguousarray((documents.eta + lengths.sum() / self.n_topics * topics).T)
        n_cycles = self.n_passes // 3
        for cycle in range(n_cycles):
            variational = cycle < max(1, n_cycles - _COLLAPSED_CYCLES)
            step = documents.variational if variational else documents.collapsed
            posterior = squarem(step, posterior, documents.eta)
            if learns:
                documents.alpha = alpha_from_topics(covariance, _means(posterior))
            if self.eta is None and variational and counts.shape[1] > 1:
                expected = np.maximum(posterior - documents.eta, 0.0)  # as a pass left it, but for rounding
                documents.eta = best_concentration(posterior.T)
                posterior = expected + documents.eta
        self.alpha_, self.eta_ = documents.alpha, documents.eta
        self.components_ = _means(posterior)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the topic proportions of documents, by the inference of the collapsed passes with the topics fixed.

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
        return infer_proportions(self._read_counts(X, reset=False), self.components_, self.alpha_, self.n_jobs)

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        self._check_topics_asked(counts)
        if self.alpha is not None:
            check_positive("alpha", self.alpha)
        if self.eta is not None:
            check_positive("eta", self.eta)
        check_whole("n_passes", self.n_passes, least=3)
        if self.n_passes % 3:
            raise ValueError(f"n_passes must be a multiple of 3, the passes of one cycle, not {self.n_passes}.")
        if isinstance(self.start, str) and self.start not in ("vlad", "tgdm"):
            raise ValueError(f"start must be 'vlad', 'tgdm' or an array of topics, not {self.start!r}.")

    def _geometric_start(self, counts: sparse.csr_array) -> tuple[NDArray[np.float64], float | None]:
        """Return the topics to start from, and the alpha given or, from VLAD, estimated."""
        alpha = None if self.alpha is None else float(self.alpha)
        rng = make_generator(self.random_state)
        if isinstance(self.start, str):
            if self.start == "tgdm":
                return TunedGDM(self.n_topics, random_state=rng).fit(counts).components_, alpha
            vlad = VLAD(self.n_topics, alpha=alpha, random_state=rng).fit(counts)
            return vlad.components_, vlad.alpha_
        topics = check_array(self.start, dtype=np.float64, input_name="start")
        if topics.shape != (self.n_topics, counts.shape[1]):
            raise ValueError(
                f"start has shape {topics.shape}, but n_topics={self.n_topics} topics over {counts.shape[1]} words are "
                "needed: pass one topic in each row."
            )
        sums = topics.sum(axis=1, keepdims=True)
        if topics.min() < 0 or sums.min() == 0:
            raise ValueError("start must be topics: no entry below 0, no row without a positive entry.")
        return topics / sums, alpha


def infer_proportions(
    counts: sparse.csr_array, topics: NDArray[np.float64], alpha: float, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """Return the topic proportions of documents by second-order collapsed variational Bayes with the topics fixed."""
    by_word = np.ascontiguousarray(topics.T)
    none = np.zeros_like(by_word)

    def infer(rows: sparse.csr_array, _: slice) -> NDArray[np.float64]:
        numbers: NDArray[np.float64] = np.repeat(lengths_of(rows)[:, None] / len(topics), len(topics), axis=1)
        state = alpha, numbers, _TRANSFORM_INNER
        collapsed_pass(rows.indptr, rows.indices, rows.data, by_word, none, *state, none.copy(), none.copy())
        return numbers

    numbers = stacked(map_blocks(infer, counts, n_jobs)) + alpha
    return numbers / numbers.sum(axis=1, keepdims=True)


class _Documents:
    """The documents with what is known of their topics, and the two kinds of passes over them."""

    def __init__(
        self,
        counts: sparse.csr_array,
        lengths: NDArray[np.float64],
        n_topics: int,
        alpha: float,
        eta: float,
        n_jobs: int | None,
    ) -> None:
        self.alpha, self.eta = alpha, eta
        self._counts, self._n_jobs = counts, n_jobs
        # Equal expected numbers of every topic: at given proportions documents would stick to their zeros.
        self._numbers = np.repeat(lengths[:, None] / n_topics, n_topics, axis=1)
        self._n_inner = _FIRST_INNER
        self._variances: NDArray[np.float64] = np.zeros(())  # of the topics' expected numbers, by the last pass

    def variational(self, posterior: Posterior) -> Posterior:
        """Return the topics' posterior after a pass of variational Bayes."""
        topics = np.empty_like(posterior)
        expected_topics(posterior, topics)
        self._numbers += self.alpha

        def infer(rows: sparse.csr_array, mine: slice) -> NDArray[np.float64]:
            shares = np.zeros_like(topics)
            state = self.alpha, self._numbers[mine], self._n_inner
            variational_pass(rows.indptr, rows.indices, rows.data, topics, *state, _THRESHOLD, shares)
            return shares

        expected = summed(map_blocks(infer, self._counts, self._n_jobs))
        self._numbers -= self.alpha
        self._n_inner = _INNER
        expected *= topics
        expected += self.eta
        return expected

    def collapsed(self, posterior: Posterior) -> Posterior:
        """Return the topics' posterior after a pass of second-order collapsed variational Bayes."""
        topics = corrected_topics(posterior, self._variances)
        own_shares = np.minimum(posterior - self.eta, 1.0) / posterior  # no more than there is

        def infer(rows: sparse.csr_array, mine: slice) -> NDArray[np.float64]:
            both = np.zeros((2, *topics.shape))  # expected numbers and their variances
            state = self.alpha, self._numbers[mine], 1 + _INNER  # the first does without what tokens know of themselves
            collapsed_pass(rows.indptr, rows.indices, rows.data, topics, own_shares, *state, *both)
            return both

        expected, self._variances = summed(map_blocks(infer, self._counts, self._n_jobs))
        expected += self.eta
        return expected


def corrected_topics(posterior: Posterior, variances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the posterior means of the topics, lowered where the expected numbers of words are uncertain.

    An entry counts by the mean of its logarithm, to second order ``log x - v / 2 x^2`` for the posterior x and the
    variance v of the expected number. For words expected less than about once that is too hard, and so is the exact
    mean: with either, the topics end farther from the truth (docs/refined_gdm.md). So one token is added to the scale:
    the factor is ``exp(-v / 2 (x^2 + 1))``, at least exp(-1/4) where v <= x, for frequent words the second order.
    """
    return posterior / posterior.sum(axis=0) * np.exp(-0.5 * variances / (posterior**2 + 1.0))


def squarem(step: Step, x: Posterior, least: float) -> Posterior:
    """Return where one cycle of SQUAREM leads: three steps of a fixed-point iteration, the third from farther ahead.

    The steps x1, x2 from x give r = x1 - x and v = x2 - x1 - r, and the third step is from x + 2 s r + s^2 v, entries
    at least `least`, with s = |r| / |v|, of 1 to 16 (the scheme S3 of Varadhan & Roland 2008).
    """
    first = step(x)
    second = step(first)
    r = first - x
    v = second - first - r
    size = float(np.linalg.norm(v))
    s = min(max(float(np.linalg.norm(r)) / size, 1.0), _LONGEST_STEP) if size > 0 else 1.0
    return step(np.maximum(x + 2.0 * s * r + s * s * v, least))


def _means(posterior: Posterior) -> NDArray[np.float64]:
    """Return the topics, one in each row, of Dirichlet posteriors, one in each column."""
    return np.ascontiguousarray((posterior / posterior.sum(axis=0)).T)
