"""Topics to start from, which several methods take: given ones, or those that another method finds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_array

from gdmbench.geometry.projection import project

_LEAST_SHARE = 0.01  # of its fair share of the tokens that a topic starts with at least
_CENTER_SHARE = 0.2  # of a topic's tokens that start with the words of the corpus: those cut from it may come back


def check_init(init: Any, names: tuple[str, ...] = ("random",)) -> None:
    """Refuse an `init` that is a word other than these."""
    if isinstance(init, str) and init not in names:
        words = ", ".join(repr(name) for name in names)
        raise ValueError(f"init must be {words}, topics or an estimator that finds topics, not {init!r}.")


def read_topics(init: Any, counts: sparse.csr_array, n_topics: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the topics that the parameter `init` stands for, rows on the simplex.

    Parameters
    ----------
    init : array of shape (n_topics, n_words), or estimator with `fit` and `components_`
        An estimator is copied, and the copy fitted to the documents.
    counts : csr_array of shape (n_documents, n_words)
        The documents.
    n_topics : int
        The number of topics wanted.
    rng : numpy.random.Generator
        Seeds an estimator whose `random_state` is None, and is otherwise left alone.
    """
    found = init
    if hasattr(init, "fit"):
        estimator = clone(init, safe=False)
        if getattr(estimator, "random_state", 0) is None:
            estimator.random_state = int(rng.integers(2**32))
        found = estimator.fit(counts).components_
    topics = check_array(found, dtype=np.float64, input_name="init")
    if topics.shape != (n_topics, counts.shape[1]):
        raise ValueError(
            f"init has topics of shape {topics.shape}, but n_topics={n_topics} topics over {counts.shape[1]} words are "
            "needed."
        )
    sums = topics.sum(axis=1, keepdims=True)
    if topics.min() < 0 or sums.min() == 0:
        raise ValueError("init must be topics: no entry below 0, no row without a positive entry.")
    return topics / sums


def expected_counts(topics: NDArray[np.float64], counts: sparse.csr_array) -> NDArray[np.float64]:
    """Return about how many tokens of each word are from each topic, with documents projected onto the topics.

    A fifth of them are spread as the words of all documents are. Geometric topics have many zeros, at which variational
    EM would stay, the more so as it learns a small eta from them.
    """
    lengths = counts @ np.ones(counts.shape[1])
    tokens = lengths @ project(counts, topics)
    tokens = np.maximum(tokens, _LEAST_SHARE * lengths.sum() / len(topics))
    center = counts.sum(axis=0) / lengths.sum()
    return tokens[:, None] * ((1.0 - _CENTER_SHARE) * topics + _CENTER_SHARE * center)
