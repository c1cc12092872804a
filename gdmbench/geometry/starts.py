"""Where likelihood passes start: topics found by geometry, and which of several the variational bound prefers.

No start is the best everywhere. VLAD's extended centroids suit documents that a Dirichlet distribution mixes. Clusters
of tf-idf suit large collections of real text, where a few long, repetitive documents decide the clusters of plain
frequencies. After one cycle of passes from each, the variational bound tells which leads to the better topics.
"""

import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits

from gdmbench.geometry.blocks import Blocks, spread
from gdmbench.geometry.dirichlet import extension
from gdmbench.geometry.gdm import extend
from gdmbench.geometry.inference import Inference, squarem
from gdmbench.geometry.vlad import VLAD

STARTS = ("vlad", "vlad-0.1", "tf-idf")
_SMALL_ALPHA = 0.1
# A learned alpha is at least this in the passes: with smaller ones documents stick to the topics that they have. Where
# VLAD's estimate of alpha is larger and its topics are the best start, that is the least, but never more than 1.
LEAST_ALPHA, _MOST_LEAST = 0.1, 1.0
_TFIDF_SEEDS = 4
_EXTRA_AXES = 5  # of tf-idf, beside one for each topic
# Documents that starts are found from, and those that the bound is computed on, evenly spread over all.
_MOST_DOCUMENTS, _MOST_JUDGED = 20_000, 5_000


class Start(NamedTuple):
    """Topics to start from, the name of what found them, and the least alpha that goes with them in the passes."""

    name: str
    topics: NDArray[np.float64]
    least_alpha: float = LEAST_ALPHA


def best_start(
    blocks: Blocks,
    n_topics: int,
    alpha: float | None,
    first_alpha: float,
    eta: float,
    rng: np.random.Generator,
    names: tuple[str, ...] = STARTS,
) -> Start:
    """Return the start from which one cycle of variational passes reaches the largest bound.

    Parameters
    ----------
    blocks : Blocks
        The documents, none of them empty.
    n_topics : int
    alpha : float or None
        What VLAD is told; None: it estimates alpha.
    first_alpha, eta : float
        Dirichlet parameters of the cycle.
    rng : numpy.random.Generator
    names : tuple of str
        The starts to choose from.
    """
    counts = blocks.sample(_MOST_DOCUMENTS)
    starts = list(find_starts(counts, n_topics, alpha, rng, names))
    if len(starts) == 1:
        return starts[0]
    judged = spread(counts, _MOST_JUDGED)
    return max(starts, key=lambda start: bound_after_a_cycle(judged, start.topics, first_alpha, eta))


def bound_after_a_cycle(counts: sparse.csr_array, topics: NDArray[np.float64], alpha: float, eta: float) -> float:
    """Return the variational bound per token after one cycle of variational passes from topics."""
    inference = Inference(Blocks(counts), len(topics), alpha, eta)
    return inference.bound(squarem(inference.variational, inference.begin(topics), eta))


def find_starts(
    counts: sparse.csr_array,
    n_topics: int,
    alpha: float | None,
    rng: np.random.Generator,
    names: tuple[str, ...] = STARTS,
) -> Iterator[Start]:
    """Yield the starts of these names; each has seeds of its own, so that the others do not change it."""
    seeds = rng.integers(2**31, size=2 + _TFIDF_SEEDS)
    if {"vlad", "vlad-0.1"} & set(names):
        with warnings.catch_warnings():  # that alpha ends at a limit: the bound judges
            warnings.simplefilter("ignore", ConvergenceWarning)
            vlad = VLAD(n_topics, alpha=alpha, random_state=seeds[0]).fit(counts)
        estimated = float(np.clip(vlad.alpha_, LEAST_ALPHA, _MOST_LEAST))
        for name, factor, alpha_ in (
            ("vlad", vlad.gamma_, estimated),
            ("vlad-0.1", extension(n_topics, _SMALL_ALPHA), LEAST_ALPHA),
        ):
            if name in names:
                yield Start(name, extend(vlad.center_, vlad.centroids_, np.full(n_topics, factor)), alpha_)
    if "tf-idf" in names:
        points = tfidf_points(counts, n_topics, seeds[1])
        for seed in seeds[2:]:
            yield Start("tf-idf", cluster_topics(counts, points, n_topics, seed))


@threadpool_limits.wrap(limits=1)
def tfidf_points(counts: sparse.csr_array, n_topics: int, seed: int) -> NDArray[np.float64]:
    """Return documents as directions in the leading axes of sublinear tf-idf, one axis for each topic and some more."""
    tfidf = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
    n_axes = min(n_topics + _EXTRA_AXES, *tfidf.shape)
    with np.errstate(invalid="ignore"):  # the share of variance that an axis explains, where documents are all alike
        return normalize(TruncatedSVD(n_axes, random_state=seed).fit_transform(tfidf))


@threadpool_limits.wrap(limits=1)
def cluster_topics(
    counts: sparse.csr_array, points: NDArray[np.float64], n_topics: int, seed: int
) -> NDArray[np.float64]:
    """Return the word frequencies of clusters of documents, found by k-means on their points."""
    with warnings.catch_warnings():  # that there are fewer distinct points than clusters: the passes start somewhere
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = KMeans(n_topics, n_init=1, random_state=seed).fit(points).labels_
    members = sparse.csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(n_topics, len(labels)))
    totals = (members @ counts).toarray()
    totals[totals.sum(axis=1) == 0] = counts.sum(axis=0)  # a cluster without documents: the words of all
    return totals / totals.sum(axis=1, keepdims=True)
