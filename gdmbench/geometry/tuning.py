"""Tuning GDM's extensions: a line search for each topic on the geometric loss of the documents of its cluster.

Everything is taken relative to the centre C. The topic that is tuned is ``beta(m) = v(m) / s(m)``, where
``v(m) = max(C + m (mu - C), 0)`` and s(m) is its sum. An inner product with v(m) is one with ``C + m (mu - C)``, linear
in m, less what is cut from it. Only words that are cut before the end of the interval matter to that, and documents of
the topic's own cluster have few of them.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.brent import GOLDEN, next_point, record, start_search
from gdmbench.geometry.correction import extend
from gdmbench.geometry.kmeans import Clustering
from gdmbench.geometry.warm import warm_minima

# The search ends when m is known to about this share of the interval: the loss is flat where it is least.
_TOLERANCE = 2e-2


def tune_extensions(
    points: sparse.csr_array,
    lengths: NDArray[np.float64],
    center: NDArray[np.float64],
    clustering: Clustering,
    extensions: NDArray[np.float64],
    upper: float,
) -> NDArray[np.float64]:
    """Minimise the geometric loss of each cluster over the extension of its topic, the others at their default.

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
    n_topics, labels = len(extensions), clustering.labels
    steps = clustering.centroids - center
    ends = upper * extensions
    cut = (center + ends[:, None] * steps < 0.0).astype(np.uint8)
    edges = extend(center, clustering.centroids, extensions) - center
    # Inner products with the edges, with the centre and with ones (sums) always go together.
    frame = np.column_stack((edges.T, center, np.ones_like(center)))
    words = points.indices.view(f"u{points.indices.itemsize}")  # unsigned: compiled code need not look for negatives
    linears, with_center, with_step, *cut_words = _document_products(
        points.data, words, points.indptr, labels, frame[:, :-1].copy(), steps, cut
    )
    linears -= edges @ center
    gram = edges @ edges.T
    active = np.ones(linears.shape, dtype=np.uint8)
    default_losses = np.bincount(labels, weights=lengths * warm_minima(gram, linears, active))
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(n_topics + 1))
    tuned = extensions.copy()
    places: list[float] = []
    for k in range(n_topics):
        topic = _Topic(
            k,
            frame,
            center @ frame,
            steps[k],
            steps[k] @ frame,
            steps[k] @ steps[k],
            np.flatnonzero(cut[k]),
            gram.copy(),
        )
        members = order[starts[k] : starts[k + 1]]
        documents = _Documents(
            members,
            lengths[members],
            linears[members],
            active[members],
            with_center[members],
            with_step[members],
            *cut_words,
        )
        # The best places in their intervals are much alike, so each search starts where those before it ended.
        guess = float(np.mean(places)) if places else 1.0 - GOLDEN
        tuned[k], place = _search(extensions[k], ends[k], default_losses[k], guess, topic, documents)
        places.append(place)
    return tuned


class _Topic(NamedTuple):
    """The topic that is tuned: which, the frame and its inner products with C and mu - C, words cut, Gram matrix."""

    k: int
    frame: NDArray[np.float64]
    center_products: NDArray[np.float64]
    step: NDArray[np.float64]
    step_products: NDArray[np.float64]
    step_square: float
    words: NDArray[np.int64]
    gram: NDArray[np.float64]


class _Documents(NamedTuple):
    """The documents of its cluster; the last three are a CSR matrix of all documents' words that their topics cut."""

    members: NDArray[np.int64]
    lengths: NDArray[np.float64]
    linears: NDArray[np.float64]
    active: NDArray[np.uint8]
    with_center: NDArray[np.float64]
    with_step: NDArray[np.float64]
    data: NDArray[np.float64]
    indices: NDArray[np.unsignedinteger]
    indptr: NDArray[np.int64]


@njit(cache=True, nogil=True)
def _document_products(data, indices, indptr, labels, frame, steps, cut):  # type: ignore[no-untyped-def]
    """Inner products of documents with the frame and with mu - C of their cluster; their cut words as CSR.

    The frame is that of edges and centre, whose products are returned apart.
    """
    n_points = len(labels)
    n_columns = frame.shape[1]
    products = np.zeros((n_points, n_columns))
    with_step = np.zeros(n_points)
    cut_data = np.empty(len(data) + 1)
    cut_indices = np.empty(len(data) + 1, indices.dtype)
    cut_indptr = np.zeros(n_points + 1, np.int64)
    n_cut = 0
    for m in range(n_points):
        product = products[m]
        first, last = indptr[m], indptr[m + 1]
        whole = first + (last - first) // 4 * 4
        for p in range(first, whole, 4):  # four words at once, as each addition to a product waits for the last
            x0, x1, x2, x3 = data[p], data[p + 1], data[p + 2], data[p + 3]
            row0, row1 = frame[indices[p]], frame[indices[p + 1]]
            row2, row3 = frame[indices[p + 2]], frame[indices[p + 3]]
            for j in range(n_columns):
                product[j] += (x0 * row0[j] + x1 * row1[j]) + (x2 * row2[j] + x3 * row3[j])
        for p in range(whole, last):
            for j in range(n_columns):
                product[j] += data[p] * frame[indices[p], j]
        step = steps[labels[m]]
        is_cut = cut[labels[m]]
        slope = 0.0
        for p in range(first, last):
            i = indices[p]
            slope += data[p] * step[i]
            # No branch, which the processor could not predict: a word that is not cut is soon written over.
            cut_data[n_cut] = data[p]
            cut_indices[n_cut] = i
            n_cut += int(is_cut[i])
        with_step[m] = slope
        cut_indptr[m + 1] = n_cut
    linears = products[:, :-1].copy()
    return linears, products[:, -1].copy(), with_step, cut_data[:n_cut], cut_indices[:n_cut], cut_indptr


@njit(cache=True, nogil=True)
def _search(default, end, default_loss, guess, topic, documents):  # type: ignore[no-untyped-def]
    """Extension between 1 and end at which the loss is least, and its place between them.

    The search is in 1 / m, in which the loss is more like a parabola; places are measured in it, from 0 at 1 to 1 at
    the end. Neither end nor the default has a lower loss.
    """
    if end <= 1.0:
        return default, 1.0
    best, least = default, default_loss
    f_end = default_loss if end == default else _loss(end, topic, documents)
    if f_end < least:
        best, least = end, f_end
    active = documents.active.copy()
    f_one = _loss(1.0, topic, documents)
    documents.active[:] = active  # the end is nearer to where the search begins
    if f_one < least:
        best, least = 1.0, f_one
    width = 1.0 - 1.0 / end
    place = min(max(guess, _TOLERANCE), 1.0 - _TOLERANCE)
    state = np.empty(0)
    while not np.isnan(place):
        m = 1.0 / (1.0 - place * width)
        value = _loss(m, topic, documents)
        if value < least:
            best, least = m, value
        if len(state) == 0:
            state = start_search(0.0, 1.0, place, f_one, f_end, value)
        else:
            record(state, place, value)
        place = next_point(state, _TOLERANCE)
    return best, (1.0 - 1.0 / best) / width


@njit(cache=True, nogil=True)
def _cut_products(excess, members, data, indices, indptr):  # type: ignore[no-untyped-def]
    """Inner products of documents with what is cut from their topic."""
    products = np.empty(len(members))
    for t in range(len(members)):
        first, last = indptr[members[t]], indptr[members[t] + 1]
        even = first + (last - first) // 2 * 2
        one = 0.0
        other = 0.0
        for p in range(first, even, 2):  # two sums at once, as each addition waits for the one before it
            one += data[p] * excess[indices[p]]
            other += data[p + 1] * excess[indices[p + 1]]
        if even < last:
            one += data[even] * excess[indices[even]]
        products[t] = one + other
    return products


@njit(cache=True, nogil=True)
def _loss(m, topic, documents):  # type: ignore[no-untyped-def]
    """Geometric loss of the documents, less a constant, with the topic at extension m."""
    k = topic.k
    n_topics = len(topic.gram)
    frame = topic.frame
    products = topic.center_products + m * topic.step_products
    square = topic.center_products[n_topics] + m * (2.0 * topic.step_products[n_topics] + m * topic.step_square)
    excess = np.zeros(len(frame))
    for i in topic.words:
        value = frame[i, n_topics] + m * topic.step[i]
        if value < 0.0:
            excess[i] = -value
            square -= value * value
            for j in range(n_topics + 2):
                products[j] -= value * frame[i, j]
    total = products[n_topics + 1]
    with_center = products[n_topics] / total
    for j in range(n_topics):
        topic.gram[k, j] = products[j] / total - topic.center_products[j]
        topic.gram[j, k] = topic.gram[k, j]
    topic.gram[k, k] = square / (total * total) - 2.0 * with_center + topic.center_products[n_topics]
    offset = with_center - topic.center_products[n_topics]
    cut = _cut_products(excess, documents.members, documents.data, documents.indices, documents.indptr)
    for t in range(len(cut)):
        product = documents.with_center[t] + m * documents.with_step[t] + cut[t]
        documents.linears[t, k] = product / total - documents.with_center[t] - offset
    return np.sum(documents.lengths * warm_minima(topic.gram, documents.linears, documents.active))
