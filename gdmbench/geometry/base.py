"""What every topic estimator shares: scikit-learn's protocol, and random numbers."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data
from threadpoolctl import ThreadpoolController

from gdmbench.geometry.counts import check_counts, check_indices
from gdmbench.geometry.likelihood import token_likelihood
from gdmbench.geometry.polytope import nearest_weights
from gdmbench.parameters import check_whole

Method = TypeVar("Method", bound=Callable[..., Any])


def one_blas_thread(method: Method) -> Method:
    """Let a method use one thread in matrix products.

    A fit makes many small ones. Where another process has one of two cores, threads that wait for each other made fits
    2 to 10 times slower (`tests/benchmarks/blas_threads.py`).
    """

    @wraps(method)
    def limited(*arguments: Any, **named: Any) -> Any:
        with _blas().limit(limits=1, user_api="blas"):
            return method(*arguments, **named)

    return limited  # type: ignore[return-value]


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()  # finding the libraries takes milliseconds


class TopicEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base of the topic estimators: `fit` sets `components_`, `transform` gives topic proportions.

    `transform` projects each document onto the topic polytope, which needs nothing but the topics; a method
    with proportions of its own overrides it.
    """

    components_: NDArray[np.float64]

    def __sklearn_tags__(self) -> Any:
        """Declare that input is non-negative and may be sparse."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags

    @property
    def _n_features_out(self) -> int:
        return self.components_.shape[0]

    def _read_counts(
        self, X: Any, *, reset: bool, method: str | None = None, as_given: bool = False
    ) -> sparse.csr_array:
        """Return word counts as `check_counts` does: never write to them."""
        check_indices(X)
        X = validate_data(self, X, accept_sparse=("csr", "csc"), reset=reset)
        name = f"{type(self).__name__}.{method or ('fit' if reset else 'transform')}"
        return check_counts(X, name, as_given)

    def _check_topics_asked(self, counts: sparse.csr_array) -> None:
        """Refuse a number of topics that the documents cannot support."""
        n_topics = getattr(self, "n_topics")  # noqa: B009 (only estimators with that parameter call this)
        check_whole("n_topics", n_topics)
        n_filled = int(np.count_nonzero(np.diff(counts.indptr)))
        if n_topics > n_filled:
            raise ValueError(
                f"n_topics={n_topics} topics cannot be found in n_samples={n_filled} non-empty documents: "
                "ask for fewer topics or pass more documents."
            )

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics of a matrix of word counts."""
        raise NotImplementedError

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the topic proportions of documents, by projection onto the topic polytope.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts.

        Returns
        -------
        ndarray of shape (n_documents, n_topics)
            Rows on the simplex. An empty document says nothing and gets equal proportions.
        """
        check_is_fitted(self)
        return nearest_weights(self._read_counts(X, reset=False, as_given=True), self.components_)[0]

    def score(self, X: Any, y: None = None) -> float:
        """Return the mean log-likelihood of the tokens of documents, with proportions by projection.

        The higher the better; so `GridSearchCV` finds the number of topics that explains held-out documents best.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts, best of documents that `fit` has not seen.
        y : None
            Ignored.

        Returns
        -------
        float
            Minus the logarithm of `gdmbench.perplexity`, which see for words of probability zero. All methods are
            scored by projection, also those whose `transform` has proportions of its own.
        """
        check_is_fitted(self)
        counts = self._read_counts(X, reset=False, method="score")
        if not counts.nnz:
            raise ValueError(f"{type(self).__name__}.score: the documents contain no words, pass some that do.")
        return token_likelihood(counts, self.components_, nearest_weights(counts, self.components_)[0]).mean


def make_generator(random_state: Any) -> np.random.Generator:
    """Return a generator from a seed, a SeedSequence, a Generator, a RandomState or None."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    return np.random.default_rng(random_state)
