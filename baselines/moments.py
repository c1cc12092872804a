"""Method of moments: topics from the second and third moments of words, by the power method on a small tensor."""

from typing import Any, Self

import numpy as np
from scipy import sparse

from baselines._simplex import Floats, leading_axes, on_simplex, token_size
from gdmbench.geometry.base import TopicEstimator, make_generator, one_blas_thread
from gdmbench.geometry.counts import lengths_of
from gdmbench.parameters import check_positive

_ROWS = 2000  # of a sum of outer products held at a time
_STARTS, _ITERATIONS = 20, 50  # of the power method for a topic; and as many iterations again from the best


class TensorMoments(TopicEstimator):
    """Method of moments for latent Dirichlet allocation: tensor power iterations on whitened moments.

    Assumes many documents, proportions drawn from a symmetric Dirichlet distribution of known alpha, and linearly
    independent topics. Pairs of words, and triples, then show a term for each topic beyond chance. Pairs give
    coordinates in which topics are at right angles; there the power method finds them among the triples one by one.

    Parameters
    ----------
    n_topics : int, default=5
        Number of topics.
    alpha : float, default=0.1
        Symmetric Dirichlet parameter of the proportions.
    random_state : int, Generator, RandomState or None, default=None
        Same seed, same topics.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.

    References
    ----------
    A. Anandkumar, R. Ge, D. Hsu, S. M. Kakade and M. Telgarsky (2014). Tensor decompositions for learning latent
    variable models. Journal of Machine Learning Research 15.

    Examples
    --------
    >>> from gdmbench import simulate_lda
    >>> from baselines.moments import TensorMoments
    >>> data = simulate_lda(1000, 100, n_words=50, n_topics=3, random_state=0)
    >>> TensorMoments(3, random_state=0).fit(data.train).components_.shape
    (3, 50)
    """

    def __init__(self, n_topics: int = 5, *, alpha: float = 0.1, random_state: Any = None) -> None:
        self.n_topics = n_topics
        self.alpha = alpha
        self.random_state = random_state

    @one_blas_thread
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts; documents of fewer than three words are left out.

        Where entries are not whole numbers they are taken for exact frequencies, and no chance is removed from them.
        """
        counts = self._read_counts(X, reset=True)
        self._check_topics_asked(counts)
        check_positive("alpha", self.alpha)
        token = token_size(counts)
        long = lengths_of(counts) > 2 * token
        if not long.any():
            raise ValueError("No document has three words, so there are no triples: pass counts of longer documents.")
        moments = Moments(counts[long], self.n_topics * self.alpha, token)
        axes, values = leading_axes(moments.pairs, counts.shape[1], self.n_topics, "The matrix of pairs of words")
        triples = moments.triples(axes / np.sqrt(values))
        found, _ = decompose(triples, make_generator(self.random_state))
        self.components_ = on_simplex(found @ (axes * np.sqrt(values)).T)  # the whitening undone
        return self


class Moments:
    """Second and third moments of words, centred so that each is a sum over topics; no array of words by words.

    Pairs and triples are of different tokens of a document, so that they are unbiased; documents count alike. `total`
    is alpha0, the sum of the Dirichlet parameters; `token` is 0 for frequencies, which tokens do not enter.
    """

    def __init__(self, counts: sparse.csr_array, total: float, token: float = 1.0) -> None:
        n = lengths_of(counts)
        self._counts, self._total, self._token = counts, total, token
        self._pair = 1 / (n * (n - token) * len(n))
        self._triple = self._pair / (n - 2 * token)
        self.mean = counts.T @ (1 / (n * len(n)))
        self._own = token * (counts.T @ self._pair)

    def pairs(self, block: Floats) -> Floats:
        """Return M2 = E2 - alpha0 / (alpha0 + 1) mean mean', times a block of columns."""
        products = (self._counts @ block).T * self._pair
        found = self._counts.T @ products.T - (self._own * block.T).T
        found -= self._total / (self._total + 1) * np.multiply.outer(self.mean, self.mean @ block)
        return np.asarray(found)

    def triples(self, axes: Floats) -> Floats:
        """Return M3 applied to the axes, in three directions, that M2 maps to the identity."""
        total, mean = self._total, axes.T @ self.mean
        projected = self._counts @ axes
        with_itself = outer_sum(axes, axes, self._counts.T @ (self._triple[:, None] * projected))
        found = outer_sum(projected * self._triple[:, None], projected, projected) - self._token * symmetric(
            with_itself
        )
        found += 2 * self._token * outer_sum(axes * (self._counts.T @ self._triple)[:, None], axes, axes)
        e2 = axes.T @ self.pairs(axes) + total / (total + 1) * np.outer(mean, mean)
        found -= total / (total + 2) * symmetric(np.multiply.outer(e2, mean))
        found += 2 * total**2 / ((total + 1) * (total + 2)) * np.multiply.outer(np.outer(mean, mean), mean)
        return np.asarray(found)


def outer_sum(a: Floats, b: Floats, c: Floats) -> Floats:
    """Return the sum over rows of the outer products of three vectors."""
    n = a.shape[1]
    found = np.zeros((n * n, n))
    for start in range(0, len(a), _ROWS):
        rows = slice(start, start + _ROWS)
        found += (a[rows, :, None] * b[rows, None, :]).reshape(-1, n * n).T @ c[rows]
    return found.reshape(n, n, n)


def symmetric(tensor: Floats) -> Floats:
    """Return the sum of a tensor, symmetric in its first two axes, with the third in each of the three places."""
    return tensor + tensor.transpose(0, 2, 1) + tensor.transpose(2, 0, 1)


def decompose(tensor: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the orthonormal u_k, by rows, and the eigenvalues of ``sum_k lambda_k u_k (x) u_k (x) u_k``.

    The power method, ``u <- T(., u, u)``, finds one from random starts; the rest is what is left without it.
    """
    n = len(tensor)
    vectors, eigenvalues = np.zeros((n, n)), np.zeros(n)
    for k in range(n):
        u = rng.standard_normal((_STARTS, n))
        for iteration in range(2 * _ITERATIONS):
            u /= np.maximum(np.linalg.norm(u, axis=1, keepdims=True), np.finfo(float).tiny)
            image = np.einsum("ijk,sj,sk->si", tensor, u, u, optimize=True)
            u = image[[np.argmax(np.einsum("si,si->s", image, u))]] if iteration == _ITERATIONS else image
        size = float(np.linalg.norm(u))
        if not size > 1e-12:
            raise ValueError(
                f"The triples of words show {k} of n_topics={n} topics: ask for fewer topics or pass more documents."
            )
        vectors[k], eigenvalues[k] = u[0] / size, size
        tensor = tensor - size * np.multiply.outer(np.outer(vectors[k], vectors[k]), vectors[k])
    return vectors, eigenvalues
