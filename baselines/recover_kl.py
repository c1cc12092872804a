"""RecoverKL: topics from anchor words, by word co-occurrence and Kullback-Leibler recovery."""

from typing import Any, Self
from warnings import warn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from baselines._recover_kernels import add_cooccurrence, recover_weights
from gdmbench.geometry.base import TopicEstimator
from gdmbench.parameters import check_positive, check_whole

# Rows whose squared distance to the affine hull of the anchors is this small a share of the largest lie in it.
_FLAT = 1e-12
_TILE = 128


class RecoverKL(TopicEstimator):
    """Topics from anchor words (Arora et al. 2013), each word recovered by least Kullback-Leibler divergence.

    Assumes that each topic has an anchor word, which occurs in no other topic. The co-occurrence distribution of every
    word is then a mixture of those of the anchors; the weights are the word's distribution over topics, and Bayes' rule
    gives the topics. Proportions are not part of the method: `transform` projects onto the topic polytope.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics, hence of anchors.
    min_documents : int, default=100
        A word can be an anchor if it occurs in at least this many documents: the co-occurrence of rarer words is too
        noisy. 100 is the published choice.
    candidates_per_topic : int, default=20
        Where fewer than `candidates_per_topic` times `n_topics` words are that frequent, as in small corpora or
        short documents, that many of the words in the most documents can be anchors (and those that tie with the last).
    tol : float, default=1e-6
        Primal-dual gap to reach for every word.
    max_steps : int, default=100
        Most Newton steps for a word.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex. A word that occurs only in documents of its own has probability 0.
    anchors_ : ndarray of shape (n_topics,)
        Columns of the anchor words, one for each topic, in the order found.
    n_candidates_ : int
        Number of words that could be anchors.
    gaps_ : ndarray of shape (n_words,)
        Primal-dual gap reached for each word.
    record_ : dict
        `anchors`, `n_candidates`, `largest_gap` and `n_unreached` (words above `tol`) for the records of a benchmark.
    n_features_in_ : int
        Number of words.

    Notes
    -----
    The words' co-occurrence is one dense matrix of n_words x n_words, the largest thing held in memory. Words that
    occur with no anchor in any document cannot be explained by the anchors, and are left out of the divergence.

    References
    ----------
    S. Arora, R. Ge, Y. Halpern, D. Mimno, A. Moitra, D. Sontag, Y. Wu and M. Zhu (2013). A practical algorithm for
    topic modeling with provable guarantees. ICML.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.recover_kl import RecoverKL
    >>> data = simulate_lda(1000, 100, n_words=50, n_topics=3, anchors=True, random_state=0)
    >>> RecoverKL(3).fit(data.train).components_.shape == data.topics.shape
    True
    """

    def __init__(
        self,
        n_topics: int = 5,
        *,
        min_documents: int = 100,
        candidates_per_topic: int = 20,
        tol: float = 1e-6,
        max_steps: int = 100,
    ) -> None:
        self.n_topics = n_topics
        self.min_documents = min_documents
        self.candidates_per_topic = candidates_per_topic
        self.tol = tol
        self.max_steps = max_steps

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts. Documents of fewer than two words have no pairs of words and are left out.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        counts = self._read_counts(X, reset=True)
        for name in ("min_documents", "candidates_per_topic", "max_steps"):
            check_whole(name, getattr(self, name))
        check_positive("tol", self.tol)
        self._check_topics_asked(counts)
        if self.n_topics > counts.shape[1]:
            raise ValueError(
                f"n_topics={self.n_topics} anchor words cannot be found among n_features={counts.shape[1]} words: "
                "ask for fewer topics."
            )
        pairs = cooccurrence(counts)
        candidates = self._candidates(counts)
        conditional, marginal = condition(pairs)
        candidates = candidates[marginal[candidates] > 0]
        self.n_candidates_ = len(candidates)
        self.anchors_ = find_anchors(conditional, candidates, self.n_topics)
        self.components_, self.gaps_ = recover_topics(conditional, marginal, self.anchors_, self.tol, self.max_steps)
        n_unreached = int(np.count_nonzero(self.gaps_ > self.tol))
        if n_unreached:
            warn(
                f"RecoverKL did not reach tol={self.tol:g} for {n_unreached} of {len(self.gaps_)} words (largest gap "
                f"{self.gaps_.max():g}): allow more than max_steps={self.max_steps} steps.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.record_ = {
            "anchors": self.anchors_.tolist(),
            "n_candidates": self.n_candidates_,
            "largest_gap": float(self.gaps_.max()),
            "n_unreached": n_unreached,
        }
        return self

    def _candidates(self, counts: sparse.csr_array) -> NDArray[np.intp]:
        """Columns of the words that may be anchors."""
        frequency = np.bincount(counts.indices, minlength=counts.shape[1])
        wanted = min(self.candidates_per_topic * self.n_topics, len(frequency))
        least = min(self.min_documents, max(1, np.partition(frequency, -wanted)[-wanted]))
        return np.flatnonzero(frequency >= least)


def cooccurrence(counts: sparse.csr_array) -> NDArray[np.float64]:
    """Return the probabilities of ordered pairs of words, unbiased, as the mean over documents of two words or more."""
    n_words = counts.shape[1]
    pairs = np.zeros((n_words, n_words))
    n_used = add_cooccurrence(counts.indptr, counts.indices, counts.data, pairs)
    if not pairs.any():
        raise ValueError("No document has two words, so no words occur together: pass longer documents.")
    pairs /= n_used
    for start in range(0, n_words, _TILE):  # in tiles, as a transpose of the whole would want as much memory again
        for other in range(start + _TILE, n_words, _TILE):
            pairs[other : other + _TILE, start : start + _TILE] = pairs[start : start + _TILE, other : other + _TILE].T
        tile = pairs[start : start + _TILE, start : start + _TILE]
        tile += np.triu(tile, 1).T
    return pairs


def condition(pairs: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Divide each row by its sum, in place; return the matrix and the sums. Rows of zeros stay zero."""
    marginal = pairs.sum(axis=1)
    pairs /= np.where(marginal > 0, marginal, 1.0)[:, None]
    return pairs, marginal


def find_anchors(rows: NDArray[np.float64], candidates: NDArray[np.intp], n_anchors: int) -> NDArray[np.intp]:
    """Choose anchors greedily: the row farthest from 0, then each time the one farthest from the affine hull so far.

    Distances come by Gram-Schmidt, stabilised by orthogonalising every direction twice. No row is copied.

    Parameters
    ----------
    rows : ndarray of shape (n_words, n_words)
        Co-occurrence distributions by rows.
    candidates : ndarray of int
        Rows to choose from.
    n_anchors : int

    Returns
    -------
    ndarray of shape (n_anchors,)
    """
    distances = np.einsum("ij,ij->i", rows, rows)
    first = candidates[np.argmax(distances[candidates])]
    origin = rows[first]
    distances += origin @ origin - 2.0 * (rows @ origin)
    anchors = [first]
    basis = np.empty((0, rows.shape[1]))
    flat = _FLAT * distances[candidates].max()
    while len(anchors) < n_anchors:
        farthest = candidates[np.argmax(distances[candidates])]
        direction = rows[farthest] - origin
        for _ in range(2):
            direction -= (basis @ direction) @ basis
        length = np.sqrt(direction @ direction)
        if length**2 <= flat:
            raise ValueError(
                f"Only {len(anchors)} of n_topics={n_anchors} anchor words exist among {len(candidates)} candidates, "
                "as the others co-occur with words just like mixtures of these: ask for fewer topics."
            )
        direction /= length
        distances -= (rows @ direction - origin @ direction) ** 2
        basis = np.vstack([basis, direction])
        anchors.append(farthest)
    return np.array(anchors)


def recover_topics(
    rows: NDArray[np.float64], marginal: NDArray[np.float64], anchors: NDArray[np.intp], tol: float, max_steps: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return topics, by Bayes' rule from each word's weights of the anchors, and the gap reached for each word.

    Parameters
    ----------
    rows : ndarray of shape (n_words, n_words)
        Co-occurrence distributions by rows.
    marginal : ndarray of shape (n_words,)
        Probabilities of the words.
    anchors : ndarray of shape (n_topics,)
        Rows of the anchors.
    tol : float
        Wanted gap.
    max_steps : int
        Most Newton steps for a word.
    """
    weights, gaps = recover_weights(rows, rows[anchors], tol, max_steps)
    joint = np.ascontiguousarray((weights * marginal[:, None]).T)
    return joint / joint.sum(axis=1, keepdims=True), gaps
