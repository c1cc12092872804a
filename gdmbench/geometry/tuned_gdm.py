"""Tuned Geometric Dirichlet Means: GDM whose extensions minimise the geometric loss, by line searches.

`fit` is that of GDM, in `gdm.py`, which calls `_tune` between clustering and extending.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize_scalar

from gdmbench.geometry.counts import squared_norms
from gdmbench.geometry.gdm import GDM, extend
from gdmbench.geometry.kmeans import Clustering
from gdmbench.geometry.polytope import minimise_on_simplex, start_weights
from gdmbench.parameters import check_at_least

# A line search ends when m is known to about this share of its interval: the loss is flat where it is least, and there
# usually within 2e-5, relative, of its minimum.
_TOLERANCE = 5e-2
_MOST_DOCUMENTS = 10_000  # of a cluster, for the loss of its extension
# Joint tuning ends when a round over all topics lowers the loss by less than this share of it, or after so many.
_LEAST_GAIN, _MOST_ROUNDS = 1e-5, 10


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
        Number of k-means++ starts, each run to an optimum of single moves in a reduced space.
    upper : float, default=1.0
        Upper end of the line search as a multiple of the default m_k, at least 1. The paper's is 1; a larger one helps
        where topic proportions are spread out and no document comes near a topic.
    joint : bool, default=False
        Tune all extensions for the loss of all documents, one after the other and again until that no longer pays,
        instead of each for its cluster with the others at their default, as the paper does. It takes several times as
        long and helps where documents are mixed or of uneven lengths.
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
        joint: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_topics, weighted=weighted, n_restarts=n_restarts, random_state=random_state)
        self.upper = upper
        self.joint = joint

    def _check_parameters(self, counts: sparse.csr_array) -> None:
        super()._check_parameters(counts)
        check_at_least("upper", self.upper, 1.0)

    def _tune(
        self,
        points: sparse.csr_array,
        lengths: NDArray[np.float64],
        center: NDArray[np.float64],
        clustering: Clustering,
        extensions: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        tune = tune_jointly if self.joint else tune_extensions
        return tune(points, lengths, center, clustering, extensions, self.upper)


def tune_extensions(
    points: sparse.csr_array,
    lengths: NDArray[np.float64],
    center: NDArray[np.float64],
    clustering: Clustering,
    extensions: NDArray[np.float64],
    upper: float,
) -> NDArray[np.float64]:
    """Minimise the geometric loss of each cluster over the extension of its topic, the others at their default.

    The loss of a cluster of more than 10,000 documents is that of at most 10,000 of them, evenly spread: more tell
    nothing that the tolerance of the search would show.

    Parameters
    ----------
    points : CSR array of shape (n_points, n_words)
        Normalised documents, none of them empty.
    lengths : array of shape (n_points,)
        Document lengths, which weigh the loss.
    center : array of shape (n_words,)
    clustering : Clustering
    extensions : array of shape (n_topics,)
        The default extensions.
    upper : float
        Upper end of the search as a multiple of the default extension, at least 1.

    Returns
    -------
    array of shape (n_topics,)
        Extensions at which no loss is above its value at the default, nor at either end of the interval.
    """
    topics = extend(center, clustering.centroids, extensions) - center
    gram = topics @ topics.T
    tuned = extensions.copy()
    for k in np.flatnonzero(upper * extensions > 1.0):
        members = at_most(_MOST_DOCUMENTS, np.flatnonzero(clustering.labels == k))
        mine, my_lengths = points[members], lengths[members]
        linears, weights, minima = _project(mine, center, topics, gram)
        # Copies of topics and gram: the loss changes them, and every topic is tuned with the others at their default.
        arrays = topics.copy(), gram.copy(), linears, weights
        loss = _ExtensionLoss(int(k), mine, my_lengths, center, clustering.centroids[k], *arrays)
        tuned[k] = _best_extension(loss, upper * extensions[k], {extensions[k]: float(my_lengths @ minima)})
    return tuned


def at_most(n_kept: int, members: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return at most so many members of a cluster, evenly spread over it."""
    return members[:: -(-len(members) // n_kept)]


def tune_jointly(
    points: sparse.csr_array,
    lengths: NDArray[np.float64],
    center: NDArray[np.float64],
    clustering: Clustering,
    extensions: NDArray[np.float64],
    upper: float,
) -> NDArray[np.float64]:
    """Minimise the geometric loss of all documents over the extensions of all topics, by rounds of line searches.

    Parameters are those of `tune_extensions`. Every search is over one extension, the others as they are by then, and
    keeps the present one unless another lowers the loss. So the loss falls, and where it ends, no single extension
    lowers it much.

    Returns
    -------
    array of shape (n_topics,)
        Extensions at which the loss is at most that at the default.
    """
    topics = extend(center, clustering.centroids, extensions) - center
    gram = topics @ topics.T
    linears, weights, minima = _project(points, center, topics, gram)
    tuned = extensions.copy()
    # The loss is less a constant, the documents' squared distances from the centre; gains are judged by all of it.
    constant = float(lengths @ squared_norms(points, center))
    least = float(lengths @ minima)
    arrays = topics, gram, linears, weights  # shared: every search starts where the last ended
    for _ in range(_MOST_ROUNDS):
        before = least
        for k in np.flatnonzero(upper * extensions > 1.0):
            loss = _ExtensionLoss(int(k), points, lengths, center, clustering.centroids[k], *arrays)
            tuned[k] = _best_extension(loss, upper * extensions[k], {tuned[k]: least})
            least = loss(tuned[k])  # also leaves the topic where it is best
        if before - least <= _LEAST_GAIN * (constant + before):
            break
    return tuned


def _best_extension(loss: "_ExtensionLoss", end: float, known: Mapping[float, float]) -> float:
    """Return the extension with the least loss: of one that is known, 1, the end, and what Brent finds in between."""
    losses = dict(known)
    for extension in (1.0, end):
        if extension not in losses:
            losses[extension] = loss(extension)
    found = minimize_scalar(loss, bounds=(1.0, end), method="bounded", options={"xatol": _TOLERANCE * (end - 1.0)})
    losses[found.x] = found.fun
    return float(min(losses, key=lambda extension: losses[extension]))


def _project(
    points: sparse.csr_array,
    center: NDArray[np.float64],
    topics: NDArray[np.float64],
    gram: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Project documents onto topics; return their products with these, weights and minima, as `_ExtensionLoss` does."""
    linears = points @ np.ascontiguousarray(topics.T) - topics @ center
    weights = start_weights(gram, linears)
    minima = minimise_on_simplex(gram, linears, weights)  # overwrites the weights, a start, with the nearest
    return linears, weights, minima


@dataclass
class _ExtensionLoss:
    """Geometric loss of documents, less a constant, as a function of the extension of topic k.

    All is taken relative to the centre C: `topics` are the topics less C, `gram` their inner products, `linears` those
    of the documents with them. `weights` are those of the topics in each document at the last extension, from which the
    next projection starts, as most documents stay on their face of the polytope: where each starts anew, tuning takes
    1.4 to 2 times as long (`tests/benchmarks/gdm_speed.py`). A call overwrites all four.
    """

    k: int
    points: sparse.csr_array
    lengths: NDArray[np.float64]
    center: NDArray[np.float64]
    centroid: NDArray[np.float64]
    topics: NDArray[np.float64]
    gram: NDArray[np.float64]
    linears: NDArray[np.float64]
    weights: NDArray[np.float64]

    def __call__(self, extension: float) -> float:
        topic = extend(self.center, self.centroid[None], np.array([extension]))[0] - self.center
        self.topics[self.k] = topic
        self.gram[self.k] = self.gram[:, self.k] = self.topics @ topic
        self.linears[:, self.k] = self.points @ topic - self.center @ topic
        return float(self.lengths @ minimise_on_simplex(self.gram, self.linears, self.weights))
