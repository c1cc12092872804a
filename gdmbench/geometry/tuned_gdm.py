"""GDM with tuned extensions as a scikit-learn estimator."""

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.gdm import GDM
from gdmbench.geometry.kmeans import Clustering
from gdmbench.geometry.tuning import tune_extensions


class TunedGDM(GDM):
    """Geometric Dirichlet Means with tuned extensions (tGDM).

    The farthest document of a cluster may be an outlier and then pushes its topic too far. So each extension m_k is
    chosen, while the other topics keep their default ones, to minimise the geometric loss of the documents of its
    cluster, ``sum N_m min ||x - w_m||^2`` over x in the topic polytope: by Brent's bounded line search from 1 to the
    default m_k, with the ends of the interval compared too. Document lengths N_m weigh this loss whether or not they
    weigh the clustering.

    Parameters
    ----------
    n_topics : int
        Number of topics, at most the number of non-empty documents; more topics than words are allowed.
    weighted : bool, default=True
        Weigh documents by their lengths, in the centre and in k-means.
    n_restarts : int, default=10
        Number of k-means restarts. Each is two k-means++ starts in a reduced space, where they are cheap, and four
        swaps that put a centroid of the best result elsewhere.
    upper : float, default=1.0
        Upper end of the line search as a multiple of the default m_k, at least 1. The paper's is 1; a larger one helps
        where topic proportions are spread out and no document comes near a topic.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics, bit for bit.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    center_ : ndarray of shape (n_words,)
        Centre of the documents.
    centroids_ : ndarray of shape (n_topics, n_words)
        k-means centroids.
    labels_ : ndarray of shape (n_documents,)
        Cluster of each document, -1 for an empty document.
    extensions_ : ndarray of shape (n_topics,)
        The tuned m_k.
    inertia_ : float
        Weighted sum of squared distances of documents to their centroids.
    n_features_in_ : int
        Number of words.

    References
    ----------
    M. Yurochkin and X. Nguyen (2016). Geometric Dirichlet Means algorithm for topic inference. NIPS.
    R. P. Brent (1973). Algorithms for minimization without derivatives. Prentice-Hall.

    Examples
    --------
    >>> from gdmbench import TunedGDM, simulate_lda
    >>> data = simulate_lda(200, 100, n_words=50, n_topics=3, random_state=0)
    >>> TunedGDM(3, random_state=0).fit(data.train).components_.shape
    (3, 50)
    """

    def __init__(
        self,
        n_topics: int,
        *,
        weighted: bool = True,
        n_restarts: int = 10,
        upper: float = 1.0,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_topics, weighted=weighted, n_restarts=n_restarts, random_state=random_state)
        self.upper = upper

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        super()._check_parameters(counts)
        if isinstance(self.upper, bool) or not isinstance(self.upper, Real) or not 1.0 <= self.upper < np.inf:
            raise ValueError(
                f"upper must be a number of at least 1, not {self.upper!r}: "
                "the line search ends at this multiple of the default extension."
            )

    def _tune(
        self,
        points: sparse.csr_array,
        lengths: NDArray[np.float64],
        center: NDArray[np.float64],
        clustering: Clustering,
        extensions: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        return tune_extensions(points, lengths, center, clustering, extensions, self.upper)
