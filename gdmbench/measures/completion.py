"""Document completion: proportions are inferred from one half of a document's words, and the other half is predicted.

Unlike the perplexity of the words that proportions were fitted to, it can get worse when topics are added. So models
and numbers of topics can be chosen by it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gdmbench.geometry.halves import divide_words, smoothed_topics, word_frequencies
from gdmbench.geometry.rows import correlate, gather, mix
from gdmbench.geometry.sources import read_blocks
from gdmbench.kernels import kernel
from gdmbench.measures.checks import check_rows_on_simplex
from gdmbench.parameters import check_positive, check_whole

ALPHAS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # of which the best is chosen
_USUAL_ALPHA = 0.1  # where there are no training documents to choose by
_MOST_TRAINING = 500  # documents to choose by
_MOST_ITERATIONS, _TOLERANCE = 200, 1e-4


class Completion(NamedTuple):
    """How well the second half of each document's words was predicted.

    Attributes
    ----------
    perplexity : float
        Of all words in the second halves: ``exp(-sum of log_likelihoods / sum of n_tokens)``.
    log_likelihoods : ndarray of shape (n_documents,)
        Of the words in the second half of each document; 0 for one that is left out.
    n_tokens : ndarray of shape (n_documents,)
        The number of these words; 0 for a document that is left out.
    n_left_out : int
        How many documents have fewer than two words, too few to divide.
    alpha : float
        The alpha that proportions were inferred with.
    """

    perplexity: float
    log_likelihoods: NDArray[np.float64]
    n_tokens: NDArray[np.float64]
    n_left_out: int
    alpha: float


def completion_perplexity(
    X: Any, topics: ArrayLike, train: Any = None, *, alpha: float | None = None, random_state: int = 0
) -> float:
    """Return the perplexity of words that were not used to find the topic proportions of their documents.

    The words of each document are divided in two at random. Proportions are inferred from the first half, the second is
    scored. Inference is the same whatever method found the topics, so that topics can be compared.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words), or blocks of documents
        Word counts of documents, best such that the topics have not been fitted to.
    topics : array-like of shape (n_topics, n_words)
        Rows on the simplex.
    train : sparse or dense matrix of shape (n_training_documents, n_words), blocks of documents or None, default=None
        The documents that the topics were fitted to. Their word frequencies make up 0.1 % of every topic, so that no
        word has probability zero, and `alpha` is chosen by them. None: all words are equally frequent, alpha is 0.1.
    alpha : float or None, default=None
        Words of the first half are added to so many imagined ones of each topic. None: of 0.02, 0.05, 0.1, 0.2, 0.5
        and 1 the one by which training documents, 500 at most, are completed best.
    random_state : int, default=0
        Same seed, same halves.

    Returns
    -------
    float
        ``exp(-sum log p / number of words)`` over the second halves of all documents. Documents of fewer than two words
        are left out.

    Notes
    -----
    Proportions maximise ``sum_j c_j log sum_k theta_k beta_kj + alpha sum_k log theta_k`` over the words j of the first
    half, c their counts, by expectation-maximisation. The maximum is the only one, so that the start does not matter.
    That is the posterior mode under a Dirichlet(1 + alpha) prior.

    References
    ----------
    H. M. Wallach, I. Murray, R. Salakhutdinov and D. Mimno (2009). Evaluation methods for topic models. ICML.

    Examples
    --------
    >>> from gdmbench import GDM, completion_perplexity, simulate_lda
    >>> data = simulate_lda(1000, 50, n_words=300, n_topics=5, random_state=0)
    >>> few, right, many = (GDM(k, random_state=0).fit(data.train).components_ for k in (2, 5, 40))
    >>> best = completion_perplexity(data.heldout, right, data.train)
    >>> best < completion_perplexity(data.heldout, few, data.train)
    True
    >>> best < completion_perplexity(data.heldout, many, data.train)
    True
    """
    return document_completion(X, topics, train, alpha=alpha, random_state=random_state).perplexity


def document_completion(
    X: Any, topics: ArrayLike, train: Any = None, *, alpha: float | None = None, random_state: int = 0
) -> Completion:
    """Return `completion_perplexity` with the log-likelihood of each document, to compare topics document by document.

    Parameters
    ----------
    X, topics, train, alpha, random_state
        As for `completion_perplexity`.

    Returns
    -------
    Completion
        `perplexity`, `log_likelihoods`, `n_tokens`, `n_left_out`, `alpha`.

    Examples
    --------
    >>> import numpy as np
    >>> from gdmbench import GDM, document_completion, simulate_lda
    >>> data = simulate_lda(1000, 50, n_words=300, n_topics=5, random_state=0)
    >>> right, many = (GDM(k, random_state=0).fit(data.train).components_ for k in (5, 40))
    >>> first, second = (document_completion(data.heldout, topics, data.train) for topics in (right, many))
    >>> gains = first.log_likelihoods - second.log_likelihoods
    >>> bool(gains.mean() > 2 * gains.std() / np.sqrt(len(gains)))
    True
    """
    blocks = read_blocks(X, "document_completion")
    n_words = blocks.n_words
    topics = check_rows_on_simplex("topics", topics, (None, n_words))
    check_whole("random_state", random_state, least=0)
    training = None if train is None else read_blocks(train, "document_completion (train)")
    if training is not None and training.n_words != n_words:
        raise ValueError(f"X has {n_words} words but train has {training.n_words}: pass both over one vocabulary.")
    totals = np.zeros(n_words) if training is None else training.totals
    by_word = np.ascontiguousarray(smoothed_topics(topics, word_frequencies(totals)).T)
    if alpha is not None:
        check_positive("alpha", alpha)
    elif training is None:
        alpha = _USUAL_ALPHA
    else:
        halves = divide_words(training.sample(_MOST_TRAINING), random_state)
        alpha = max(ALPHAS, key=lambda each: float(_complete(*halves, by_word, each)[0].sum()))
    starts = np.cumsum([0, *blocks.map(_n_rows)])[:-1].tolist()
    found = list(blocks.map(_complete_block, by_word, float(alpha), random_state, own=starts))
    log_likelihoods, n_tokens = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    if not n_tokens.any():
        raise ValueError("No document has two words or more: there is nothing to complete, pass longer documents.")
    with np.errstate(over="ignore"):  # the perplexity may be greater than any float
        mean = float(np.exp(-log_likelihoods.sum() / n_tokens.sum()))
    return Completion(mean, log_likelihoods, n_tokens, int((n_tokens == 0).sum()), float(alpha))


def _n_rows(rows: sparse.csr_array) -> int:
    return rows.shape[0]


def _complete_block(
    rows: sparse.csr_array, by_word: NDArray[np.float64], alpha: float, seed: int, first_document: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what `_complete` does for the documents of a block."""
    return _complete(*divide_words(rows, seed, first_document), by_word, alpha)


def _complete(
    first: sparse.csr_array, second: sparse.csr_array, by_word: NDArray[np.float64], alpha: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the log-likelihood and the number of the words in the second half of each document that has a first."""
    log_likelihoods, n_tokens = np.zeros(first.shape[0]), np.zeros(first.shape[0])
    halves = [array for half in (first, second) for array in (half.indptr, half.indices, half.data)]
    _predict(*halves, by_word, alpha, log_likelihoods, n_tokens)
    return log_likelihoods, n_tokens


@kernel
def _predict(  # type: ignore[no-untyped-def]
    indptr, indices, counts, indptr_2, indices_2, counts_2, topics, alpha, log_likelihoods, n_tokens
):
    """Infer proportions from the first half of each document by EM and add up what they say of the second."""
    n_topics = topics.shape[1]
    longest = 0
    for d in range(len(n_tokens)):
        longest = max(longest, indptr[d + 1] - indptr[d])
    rows, ratios, sums = np.empty((n_topics, longest)), np.empty(longest), np.empty(n_topics)
    theta = np.empty(n_topics)
    for d in range(len(n_tokens)):
        start, n = indptr[d], indptr[d + 1] - indptr[d]
        if n == 0:
            continue
        c = counts[start : start + n]
        total = c.sum() + n_topics * alpha
        gather(indices, start, n, topics, rows)
        theta[:] = 1.0 / n_topics
        for _ in range(_MOST_ITERATIONS):
            mix(rows, theta, n, 0.0, ratios)
            for j in range(n):
                ratios[j] = c[j] / ratios[j]
            correlate(rows, ratios, n, sums)
            change = 0.0
            for k in range(n_topics):
                new = (alpha + theta[k] * sums[k]) / total
                change += abs(new - theta[k])
                theta[k] = new
            if change < _TOLERANCE:
                break
        for j in range(indptr_2[d], indptr_2[d + 1]):
            p = 0.0
            for k in range(n_topics):
                p += theta[k] * topics[indices_2[j], k]
            log_likelihoods[d] += counts_2[j] * np.log(p)
            n_tokens[d] += counts_2[j]
