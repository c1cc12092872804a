"""The E-step of lda-c, compiled: one word at a time within a document, many documents side by side.

Every word changes gamma at once, and the next word sees the change, so a document can't be worked on in parallel; but
documents don't see each other. Therefore `LANES` of them advance in step, each at its own j-th word, and every loop
over lanes becomes vector instructions. A lane whose document is done takes the next one.

Each step needs digamma(gamma) and exp(digamma(gamma)) of every topic of every lane. Both are polynomials on the cell
that gamma is in (see `_digamma_cells`): a lane keeps their coefficients, and takes others when gamma leaves the cell.
"""

import math
from math import lgamma
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines._digamma_cells import N_COEFFICIENTS
from gdmbench.kernels import kernel

LANES = 16  # twice as many would not fit into the second cache with documents of 300 words and 5 topics
# What a lane keeps of a topic, in rows of LANES numbers: where gamma is in its cell (from -1 to 1); the columns of the
# cell after the first (1 / half its width, coefficients of exp(digamma) and of digamma); and the weight of the word.
_AT, _SCALE = 0, LANES
_T0, _T1, _T2, _T3, _T4, _T5 = (LANES * row for row in range(2, 8))
_D0, _D1, _D2, _D3, _D4, _D5 = (LANES * row for row in range(8, 14))
_WEIGHT = 14 * LANES
_STATE = 15 * LANES
_COPIED = 14  # columns of a cell up to here have a row of the same number; then come those of log(gamma)
# What a lane keeps for all topics.
_COUNT, _SUM, _PRODUCT, _INVERSE, _LOG, _BOUND = (LANES * row for row in range(6))
_LANE = 6 * LANES
# What a step keeps: the counts of its words, then for each topic phi and the topic's probability of the words.
_PHI, _TOPIC, _PER_TOPIC = LANES, 2 * LANES, 2 * LANES
_ALMOST_ZERO = 1e-300
_ROOT_HALF = 0x3FE6A09E667F3BCD  # the bits of sqrt(1/2)
_LOG_2 = float(np.log(2.0))


class Room(NamedTuple):
    """Memory that `infer_documents` works in, for documents of up to so many distinct words."""

    state: NDArray[np.float64]
    steps: NDArray[np.float64]
    lanes: NDArray[np.float64]
    lane_bits: NDArray[np.int64]
    fractions: NDArray[np.float64]
    fraction_bits: NDArray[np.int64]
    of_lane: NDArray[np.float64]
    cell: NDArray[np.int64]
    n_left: NDArray[np.int64]
    document: NDArray[np.int64]
    size: NDArray[np.int64]
    n_done: NDArray[np.int64]

    @classmethod
    def of(cls, longest: int, n_topics: int) -> "Room":
        """Return room for documents of at most `longest` distinct words."""
        lanes, fractions = _aligned(_LANE), _aligned(LANES)
        return cls(
            _aligned(n_topics, _STATE),
            _aligned(longest, LANES + n_topics * _PER_TOPIC),
            lanes,
            lanes.view(np.int64),
            fractions,
            fractions.view(np.int64),
            np.zeros((2, LANES)),
            np.zeros((n_topics, LANES), np.int64),
            np.zeros(n_topics, np.int64),
            np.full(LANES, -1),
            np.zeros(LANES, np.int64),
            np.zeros(LANES, np.int64),
        )


def _aligned(*shape: int) -> NDArray[np.float64]:
    """Return zeros that begin with a cache line: vectors that straddle two lines take twice the time."""
    n = math.prod(shape)
    room = np.zeros(n + 8)
    skipped = -(room.ctypes.data // 8) % 8
    return room[skipped : skipped + n].reshape(shape)


@kernel(fastmath={"contract"})
def _weigh(state, steps, j, lanes):  # type: ignore[no-untyped-def]
    """Set the weight exp(digamma(gamma_k)) beta_kw of each topic, their sum, and their sum times digamma(gamma_k)."""
    for i in range(LANES):
        lanes[_COUNT + i] = steps[j, i]
        lanes[_SUM + i] = _ALMOST_ZERO
        lanes[_PRODUCT + i] = 0.0
    for k in range(len(state)):
        topic = _TOPIC + k * _PER_TOPIC
        for i in range(LANES):
            s = state[k, _AT + i]
            t = state[k, _T3 + i] + s * (state[k, _T4 + i] + s * state[k, _T5 + i])
            t = state[k, _T0 + i] + s * (state[k, _T1 + i] + s * (state[k, _T2 + i] + s * t))
            d = state[k, _D3 + i] + s * (state[k, _D4 + i] + s * state[k, _D5 + i])
            d = state[k, _D0 + i] + s * (state[k, _D1 + i] + s * (state[k, _D2 + i] + s * d))
            weight = t * steps[j, topic + i]
            state[k, _WEIGHT + i] = weight
            lanes[_SUM + i] += weight
            lanes[_PRODUCT + i] += weight * d


@kernel(fastmath={"contract"})
def _add_to_bound(lanes, lane_bits, fractions, fraction_bits):  # type: ignore[no-untyped-def]
    """Add the words' part of the bound, ``count sum_k phi_k (log beta_kw - log phi_k)``; set 1 / sum.

    It is ``count (log(sum) - sum_k phi_k digamma(gamma_k))`` with gamma as phi was found with. The logarithm is that of
    a number within sqrt(1/2) and sqrt(2), by the series of 2 artanh, and of a power of 2.
    """
    for i in range(LANES):
        exponent = (lane_bits[_SUM + i] - _ROOT_HALF) >> 52
        lanes[_LOG + i] = exponent
        fraction_bits[i] = lane_bits[_SUM + i] - (exponent << 52)
    for i in range(LANES):
        f = (fractions[i] - 1.0) / (fractions[i] + 1.0)
        g = f * f
        series = 2 / 7 + g * (2 / 9 + g * (2 / 11 + g * (2 / 13 + g * (2 / 15))))
        series = 2.0 + g * (2 / 3 + g * (2 / 5 + g * series))
        inverse = 1.0 / lanes[_SUM + i]
        lanes[_INVERSE + i] = inverse
        entropy = lanes[_LOG + i] * _LOG_2 + f * series - lanes[_PRODUCT + i] * inverse
        lanes[_BOUND + i] += lanes[_COUNT + i] * entropy


@kernel(fastmath={"contract"})
def _update(state, steps, j, lanes, n_left):  # type: ignore[no-untyped-def]
    """Set phi and move gamma accordingly; return how many have left their cells, and set it for each topic."""
    total = 0
    for k in range(len(state)):
        phi = _PHI + k * _PER_TOPIC
        beyond = 0
        for i in range(LANES):
            new = state[k, _WEIGHT + i] * lanes[_INVERSE + i]
            s = state[k, _AT + i] + lanes[_COUNT + i] * (new - steps[j, phi + i]) * state[k, _SCALE + i]
            steps[j, phi + i] = new
            state[k, _AT + i] = s
            beyond += s * s > 1.0
        n_left[k] = beyond
        total += beyond
    return total


@kernel
def _enter(state, edges, cells, k, i, cell, gamma):  # type: ignore[no-untyped-def]
    """Put topic k of lane i into the cell that gamma lies in, most often a neighbour of `cell`; return that."""
    if gamma > edges[cell + 1]:
        cell = min(cell + 1, len(cells) - 1)
    elif gamma < edges[cell]:
        cell = max(cell - 1, 0)
    if gamma < edges[cell] or gamma > edges[cell + 1]:
        low, high = 0, len(cells)
        while high - low > 1:
            cell = (low + high) >> 1
            if gamma < edges[cell]:
                high = cell
            else:
                low = cell
        cell = low
    state[k, _AT + i] = (gamma - cells[cell, 0]) * cells[cell, 1]
    for column in range(1, _COPIED):
        state[k, column * LANES + i] = cells[cell, column]
    return cell


@kernel
def _take(indptr, indices, counts, topics, d, i, steps):  # type: ignore[no-untyped-def]
    """Put document d into lane i, phi at its start; return its length."""
    n_topics = topics.shape[1]
    length = 0.0
    for j in range(indptr[d + 1] - indptr[d]):
        count, word = counts[indptr[d] + j], indices[indptr[d] + j]
        steps[j, i] = count
        length += count
        for k in range(n_topics):
            steps[j, _PHI + k * _PER_TOPIC + i] = 1.0 / n_topics
            steps[j, _TOPIC + k * _PER_TOPIC + i] = topics[word, k]
    return length


@kernel
def _give_back(indptr, indices, d, i, steps, expected):  # type: ignore[no-untyped-def]
    """Add the expected counts of document d in lane i to those of all documents, and empty the lane."""
    for j in range(indptr[d + 1] - indptr[d]):
        word = indices[indptr[d] + j]
        for k in range(expected.shape[1]):
            expected[word, k] += steps[j, i] * steps[j, _PHI + k * _PER_TOPIC + i]
        steps[j, i] = 0.0


@kernel
def _sweep(room, edges, cells, n_steps):  # type: ignore[no-untyped-def]
    """Go once through the words of the documents in all lanes."""
    state, cell, n_left = room.state, room.cell, room.n_left
    for j in range(n_steps):
        _weigh(state, room.steps, j, room.lanes)
        _add_to_bound(room.lanes, room.lane_bits, room.fractions, room.fraction_bits)
        if _update(state, room.steps, j, room.lanes, n_left) == 0:
            continue
        for k in range(len(state)):
            if n_left[k] == 0:
                continue
            for i in range(LANES):
                s = state[k, _AT + i]
                if s * s > 1.0:
                    c = cell[k, i]
                    cell[k, i] = _enter(state, edges, cells, k, i, c, cells[c, 0] + s / cells[c, 1])


@kernel
def infer_documents(  # type: ignore[no-untyped-def]
    indptr, indices, counts, order, room, topics, alpha, edges, cells, limit, threshold, gamma, bounds, expected
):
    """Run the E-step on every document.

    Parameters
    ----------
    indptr, indices, counts : arrays
        Documents as CSR; counts float64.
    order : int array of shape (n_documents,)
        In which documents are taken. Those in step should be of like sizes, for a lane waits for the longest.
    room : Room
        Memory to work in.
    topics : float64 array of shape (n_words, n_topics)
        Transposed, all positive.
    alpha : float
    edges, cells : float64 arrays
        Of `digamma_cells`, from alpha to alpha plus the length of the longest document.
    limit : int
        Most iterations for a document.
    threshold : float
        A document is done when its bound rises by no more than this, relatively.
    gamma : float64 array of shape (n_documents, n_topics)
        Overwritten with the result.
    bounds : float64 array of shape (n_documents,)
        Overwritten with the bounds.
    expected : float64 array of shape (n_words, n_topics)
        Gets the expected counts of words by topics added.

    Returns
    -------
    int
        Iterations over all documents.
    """
    state, steps, lanes, cell = room.state, room.steps, room.lanes, room.cell
    document, size, n_done = room.document, room.size, room.n_done
    constants, previous = room.of_lane[0], room.of_lane[1]
    n_documents, n_topics = gamma.shape
    prior = lgamma(n_topics * alpha) - n_topics * lgamma(alpha)
    n_taken = 0
    n_iterations = 0
    n_active = 1
    while n_active > 0:
        n_active = 0
        n_steps = 0
        for i in range(LANES):
            if document[i] < 0 and n_taken < n_documents:
                d = order[n_taken]
                n_taken += 1
                document[i] = d
                size[i] = indptr[d + 1] - indptr[d]
                n_done[i] = 0
                length = _take(indptr, indices, counts, topics, d, i, steps)
                constants[i] = prior - lgamma(n_topics * alpha + length)
                for k in range(n_topics):
                    cell[k, i] = _enter(state, edges, cells, k, i, 0, alpha + length / n_topics)
            lanes[_BOUND + i] = constants[i]
            if document[i] >= 0:
                n_active += 1
                n_steps = max(n_steps, size[i])
        _sweep(room, edges, cells, n_steps)
        for i in range(LANES):
            d = document[i]
            if d < 0:
                continue
            bound = lanes[_BOUND + i]
            for k in range(n_topics):
                c, s = cell[k, i], state[k, _AT + i]
                gamma[d, k] = cells[c, 0] + s / cells[c, 1]
                log_gamma = 0.0
                for column in range(N_COEFFICIENTS):
                    log_gamma = log_gamma * s + cells[c, _COPIED + N_COEFFICIENTS - 1 - column]
                bound += log_gamma
            rise = (previous[i] - bound) / previous[i]
            previous[i] = bound
            n_done[i] += 1
            n_iterations += 1
            if n_done[i] == limit or (n_done[i] > 1 and not rise > threshold):
                bounds[d] = bound
                _give_back(indptr, indices, d, i, steps, expected)
                document[i] = -1
    return n_iterations
