"""What every topic estimator shares: reading a matrix of word counts and speaking scikit-learn's protocol."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from gdmbench.geometry.counts import check_counts, check_indices
from gdmbench.geometry.projection import project

__all__ = ["TopicEstimator", "check_counts", "check_whole", "make_generator"]


def check_whole(name: str, value: Any, least: int = 1) -> None:
    """Refuse a parameter that is not a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}.")


def make_generator(random_state: Any) -> np.random.Generator:
    """Return a generator from a seed, a SeedSequence, a Generator, a RandomState or None."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    return np.random.default_rng(random_state)


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

    def _read_counts(self, X: Any, *, reset: bool) -> sparse.csr_array:
        check_indices(X)
        X = validate_data(self, X, accept_sparse=("csr", "csc"), dtype=np.float64, reset=reset)
        return check_counts(X, f"{type(self).__name__}.{'fit' if reset else 'transform'}")

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
        return project(self._read_counts(X, reset=False), self.components_)
