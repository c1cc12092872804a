"""Dirichlet Simplex Nest inference (VLAD) as a scikit-learn estimator."""

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from gdmbench.geometry.base import TopicEstimator, make_generator, one_blas_thread
from gdmbench.geometry.blocks import stacked, summed
from gdmbench.geometry.counts import filled_rows, label_all, lengths_of, normalise_rows
from gdmbench.geometry.covariance import Covariance
from gdmbench.geometry.dirichlet import LEAST_ALPHA, MOST_ALPHA, alpha_from_centroids, extension
from gdmbench.geometry.gdm import extend
from gdmbench.geometry.kmeans import dense_kmeans
from gdmbench.geometry.sources import gather
from gdmbench.parameters import check_positive, check_whole


class VLAD(TopicEstimator):
    """Voronoi Latent Admixture (VLAD): topics as extended centroids of k-means on whitened documents.

    GDM's geometry holds where topics are equally far from each other. Whitening, which divides the documents'
    principal coordinates by their standard deviations, makes any topic simplex regular if proportions are drawn from a
    symmetric Dirichlet distribution. There the documents are clustered, and the centroids, mapped back to D_k, are
    extended by a factor that follows from alpha alone: ``beta_k = C + gamma (D_k - C)``, negative entries cut to 0,
    rows renormalised.

    Parameters
    ----------
    n_topics : int
        Number of topics, at most the number of non-empty documents; more topics than words are allowed.
    alpha : float or None, default=None
        Symmetric Dirichlet parameter of the proportions. None: estimated from how far the centroids lie from the
        centre, measured in standard deviations of the documents. That tells small ones well and large ones, from about
        1 on, badly.
    denoise : bool, default=True
        Remove the noise of drawing words from the covariance: with it, short documents look more spread out than they
        are. This needs word counts; from frequencies, whose rows sum to 1, nothing is removed.
    weighted : bool, default=True
        Weigh documents by their lengths, in the centre, the covariance and k-means.
    n_restarts : int, default=10
        Number of k-means++ starts, each run to an optimum of single moves.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics, bit for bit.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    alpha_ : float
        The alpha given or estimated, of .001 to 100 then; 1 if there is one topic only, which tells nothing of it.
    gamma_ : float
        The factor of extension.
    center_ : ndarray of shape (n_words,)
        Centre of the documents.
    centroids_ : ndarray of shape (n_topics, n_words)
        Centroids D_k.
    labels_ : ndarray of shape (n_documents,)
        Cluster of each document, -1 for an empty document.
    n_features_in_ : int
        Number of words.

    References
    ----------
    M. Yurochkin, A. Guha, Y. Sun and X. Nguyen (2019). Dirichlet Simplex Nest and Geometric Inference. ICML.

    Examples
    --------
    >>> from gdmbench import VLAD, simulate_lda
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, random_state=0)
    >>> VLAD(3, alpha=0.1, random_state=0).fit(data.train).components_.shape
    (3, 50)
    """

    def __init__(
        self,
        n_topics: int,
        *,
        alpha: float | None = None,
        denoise: bool = True,
        weighted: bool = True,
        n_restarts: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.alpha = alpha
        self.denoise = denoise
        self.weighted = weighted
        self.n_restarts = n_restarts
        self.random_state = random_state

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
        blocks = self._read_blocks(X, reset=True, as_given=True)
        lengths = stacked(blocks.map(lengths_of))
        filled = lengths > 0
        self._check_parameters(int(filled.sum()))
        weights = lengths[filled] if self.weighted else np.ones(filled.sum())
        center = summed(blocks.map(_weighted_sum, self.weighted)) / weights.sum()
        rng = make_generator(self.random_state)
        covariance = Covariance(blocks, weighted=self.weighted, denoise=self.denoise)
        directions, variances = covariance.leading_axes(self.n_topics - 1, rng)
        deviations = np.sqrt(variances)
        whitened = stacked(blocks.map(_whiten, center, directions, deviations))
        labels, centroids = dense_kmeans(whitened, weights, self.n_topics, n_restarts=self.n_restarts, rng=rng)
        self.alpha_ = self._choose_alpha(centroids)
        self.gamma_ = extension(self.n_topics, self.alpha_)
        self.center_ = center
        self.centroids_ = center + (centroids * deviations) @ directions.T
        self.labels_ = label_all(labels, filled)
        self.components_ = extend(center, self.centroids_, np.full(self.n_topics, self.gamma_))
        return self

    def transform(self, X: Any, folder: Any = None) -> Any:
        """Return the topic proportions of documents, by projection onto the topic polytope.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words), or blocks of documents
            Word counts.
        folder : path or None, default=None
            Where to write the proportions, a file for each block, instead of returning them.

        Returns
        -------
        ndarray of shape (n_documents, n_topics), or the paths of the files
            Rows on the simplex. An empty document says nothing and gets equal proportions.
        """
        return gather(self._projections(X), folder)

    def _check_parameters(self, n_documents: int) -> None:
        self._check_topics_asked(n_documents)
        check_whole("n_restarts", self.n_restarts)
        if self.alpha is not None:
            check_positive("alpha", self.alpha)

    def _choose_alpha(self, centroids: NDArray[np.float64]) -> float:
        if self.alpha is not None:
            return float(self.alpha)
        if not centroids.any():
            return 1.0
        alpha = alpha_from_centroids(centroids)
        if alpha in (LEAST_ALPHA, MOST_ALPHA):
            warnings.warn(
                f"VLAD's estimate of alpha ended at its limit, {alpha:g}: the documents do not lie around "
                f"{self.n_topics} topics as documents of a Dirichlet distribution do. Pass alpha, or ask for other "
                "n_topics.",
                ConvergenceWarning,
                stacklevel=4,
            )
        return alpha


def _weighted_sum(rows: sparse.csr_array, weighted: bool) -> NDArray[np.float64]:
    """Return the sum of a block's documents as frequencies, each times its length if they are weighted."""
    return np.asarray((rows if weighted else normalise_rows(rows)[0]).sum(axis=0), dtype=np.float64)


def _whiten(
    rows: sparse.csr_array,
    center: NDArray[np.float64],
    directions: NDArray[np.float64],
    deviations: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the whitened coordinates of the documents of a block that are not empty."""
    points, _ = normalise_rows(filled_rows(rows)[0])
    return (points @ directions - center @ directions) / deviations
