"""What every topic estimator shares: scikit-learn's protocol, and random numbers."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache, wraps
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data
from threadpoolctl import ThreadpoolController

from gdmbench.geometry.blocks import Blocks, stacked
from gdmbench.geometry.counts import check_counts, check_indices, filled_rows
from gdmbench.geometry.halves import divide_words, smoothed_topics, word_frequencies
from gdmbench.geometry.likelihood import token_likelihood
from gdmbench.geometry.polytope import nearest_weights
from gdmbench.geometry.sources import is_source, read_blocks
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
    word_frequencies_: NDArray[np.float64]  # of the documents of the fit

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
        name = f"{type(self).__name__}.{method or ('fit' if reset else 'transform')}"
        if is_source(X):
            raise ValueError(
                f"{name} needs all documents in one matrix: pass scipy.sparse.vstack(blocks), or use VLAD or "
                "RefinedGDM, which read blocks."
            )
        check_indices(X)
        X = validate_data(self, X, accept_sparse=("csr", "csc"), reset=reset)
        counts = check_counts(X, name, as_given)
        if reset:
            self.word_frequencies_ = word_frequencies(counts.sum(axis=0))
        return counts

    def _read_blocks(
        self, X: Any, *, reset: bool, method: str | None = None, keep_empty: bool = True, as_given: bool = False
    ) -> Blocks:
        """Return word counts in blocks, whether they come as a matrix or as a source of blocks."""
        n_jobs = getattr(self, "n_jobs", None)
        if not is_source(X):
            counts = self._read_counts(X, reset=reset, method=method, as_given=as_given)
            return Blocks(counts if keep_empty else filled_rows(counts)[0], n_jobs)
        name = f"{type(self).__name__}.{method or ('fit' if reset else 'transform')}"
        blocks = read_blocks(X, name, n_jobs, keep_empty=keep_empty)
        if reset:
            self.n_features_in_ = blocks.n_words
            self.word_frequencies_ = word_frequencies(blocks.totals)
        elif blocks.n_words != self.n_features_in_:
            raise ValueError(
                f"{name} got blocks of {blocks.n_words} words, but the topics are over {self.n_features_in_}: pass "
                "blocks over the vocabulary of the fit."
            )
        return blocks

    def _check_topics_asked(self, documents: sparse.csr_array | int) -> None:
        """Refuse a number of topics that these documents, or so many that are not empty, cannot support."""
        n_topics = getattr(self, "n_topics")  # noqa: B009 (only estimators with that parameter call this)
        check_whole("n_topics", n_topics)
        n_filled = documents if isinstance(documents, int) else int(np.count_nonzero(np.diff(documents.indptr)))
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
        X : sparse or dense matrix of shape (n_documents, n_words), or blocks of documents
            Word counts.

        Returns
        -------
        ndarray of shape (n_documents, n_topics)
            Rows on the simplex. An empty document says nothing and gets equal proportions.
        """
        return stacked(self._projections(X))

    def _projections(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the proportions of the documents of each block."""
        check_is_fitted(self)
        blocks = self._read_blocks(X, reset=False, as_given=True)
        return (weights for weights, _ in blocks.map(nearest_weights, self.components_))

    def top_words(self, vocabulary: Sequence[str], n: int = 10) -> list[list[str]]:
        """Return the most probable words of each topic, the first one first.

        Parameters
        ----------
        vocabulary : sequence of str
            The word of each column, such as `CountVectorizer.get_feature_names_out()` or `corpus.vocabulary`.
        n : int, default=10
            How many of each topic.
        """
        check_is_fitted(self)
        check_whole("n", n)
        if len(vocabulary) != self.components_.shape[1]:
            raise ValueError(
                f"vocabulary has {len(vocabulary)} words for {self.components_.shape[1]} columns: give one for each."
            )
        best = np.argsort(-self.components_, axis=1, kind="stable")[:, :n]
        return [[str(vocabulary[word]) for word in topic] for topic in best]

    def score(self, X: Any, y: None = None) -> float:
        """Return the mean log-likelihood of words that were not used to find the proportions of their documents.

        The words of each document are divided in two at random, always in the same way; `transform` gives proportions
        of the first half, the second is scored. The higher the better. So `GridSearchCV` finds the number of topics
        that predicts unseen words best.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words)
            Word counts, best of documents that `fit` has not seen. Documents of fewer than two words are left out.
        y : None
            Ignored.

        Returns
        -------
        float
            Natural logarithm of the probability of a word, in the mean over all words scored. 0.1 % of each topic is
            replaced by the word frequencies of the training documents, so that no word has probability zero.
        """
        check_is_fitted(self)
        first, second = divide_words(self._read_counts(X, reset=False, method="score"), seed=0)
        divided = np.diff(first.indptr) > 0
        if not divided.any():
            raise ValueError(
                f"{type(self).__name__}.score: no document has two words or more, one to find its proportions and one "
                "to score: pass longer documents."
            )
        topics = smoothed_topics(self.components_, self.word_frequencies_)
        with warnings.catch_warnings():  # X may have had names of words, which were checked above
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            proportions = np.asarray(self.transform(first[divided]))
        return token_likelihood(second[divided], topics, proportions).mean


def make_generator(random_state: Any) -> np.random.Generator:
    """Return a generator from a seed, a SeedSequence, a Generator, a RandomState or None."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    return np.random.default_rng(random_state)
