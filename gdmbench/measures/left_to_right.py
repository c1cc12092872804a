"""The probability of unseen documents under topics, with the proportions integrated out: left-to-right estimates."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gdmbench.geometry.splitmix import GOLDEN, seeded_counter, uniform
from gdmbench.kernels import kernel
from gdmbench.measures.checks import check_documents, check_rows_on_simplex
from gdmbench.parameters import check_positive, check_whole


def left_to_right(
    X: Any, topics: ArrayLike, alpha: float, n_particles: int = 1, random_state: int = 0
) -> NDArray[np.float64]:
    """Estimate the log-probability of each document under topics and a Dirichlet prior of its proportions.

    The words of a document are taken in random order, and each is predicted from those before it.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Word counts, whole numbers.
    topics : array-like of shape (n_topics, n_words)
        Rows on the simplex.
    alpha : float
        Symmetric Dirichlet parameter of the proportions.
    n_particles : int, default=1
        With several, each particle draws a topic for every word, from which it predicts the next; particles that
        predict a word badly are replaced by copies of others. The probability is then estimated without bias, and the
        more particles, the less it scatters. With one, no topic is drawn: every word counts for all topics by its
        share in each. That takes a time linear in the length of the document and is an approximation.
    random_state : int, default=0
        Same seed, same order of words and same draws.

    Returns
    -------
    ndarray of shape (n_documents,)
        Natural logarithms, 0 for an empty document; minus infinity where a word has probability zero in all topics.

    References
    ----------
    H. M. Wallach, I. Murray, R. Salakhutdinov and D. Mimno (2009). Evaluation methods for topic models. ICML.
    W. Buntine (2009). Estimating likelihoods for topic models. ACML.
    J. Scott and J. Baldridge (2013). A recursive estimate for the predictive likelihood in a topic model. AISTATS.

    Examples
    --------
    >>> import numpy as np
    >>> from gdmbench import left_to_right
    >>> np.exp(left_to_right([[1, 0]], [[0.9, 0.1], [0.5, 0.5]], alpha=1.0)).round(6)
    array([0.7])
    """
    counts = check_documents(X)
    topics = check_rows_on_simplex("topics", topics, (None, counts.shape[1]))
    check_positive("alpha", alpha)
    check_whole("n_particles", n_particles)
    check_whole("random_state", random_state, least=0)
    if (counts.data % 1 != 0).any():
        raise ValueError("left_to_right needs word counts that are whole numbers, as it takes word by word.")
    estimates = np.zeros(counts.shape[0])
    by_word = np.ascontiguousarray(topics.T)
    arrays = counts.indptr, counts.indices, counts.data, by_word
    (_recursive if n_particles == 1 else _particles)(
        *arrays, float(alpha), n_particles, np.uint64(random_state), estimates
    )
    return estimates


@kernel
def _shuffled(indices, counts, counter):  # type: ignore[no-untyped-def]
    """Return the words of a document, one for each token, in random order (Fisher and Yates), and the counter."""
    words = np.empty(int(counts.sum()), np.int64)
    n = 0
    for j in range(len(indices)):
        for _ in range(int(counts[j])):
            counter += GOLDEN
            other = int(uniform(counter) * (n + 1))
            words[n] = words[other]
            words[other] = indices[j]
            n += 1
    return words, counter


@kernel
def _recursive(indptr, indices, counts, topics, alpha, n_particles, seed, estimates):  # type: ignore[no-untyped-def]
    """Estimate by expected topics of the words before: the recursion of Scott & Baldridge."""
    n_topics = topics.shape[1]
    numbers, shares = np.empty(n_topics), np.empty(n_topics)
    for d in range(len(estimates)):
        start, end = indptr[d], indptr[d + 1]
        words, _ = _shuffled(indices[start:end], counts[start:end], seeded_counter(seed, d))
        numbers[:] = alpha
        for n in range(len(words)):
            for k in range(n_topics):
                shares[k] = numbers[k] * topics[words[n], k]
            p = shares.sum()
            estimates[d] += np.log(p / (n + n_topics * alpha))
            if p == 0.0:
                break
            for k in range(n_topics):
                numbers[k] += shares[k] / p


@kernel
def _particles(indptr, indices, counts, topics, alpha, n_particles, seed, estimates):  # type: ignore[no-untyped-def]
    """Estimate by particles that draw a topic for each word, chosen anew before each draw by how well they predict."""
    n_topics = topics.shape[1]
    numbers, chosen = np.empty((n_particles, n_topics)), np.empty((n_particles, n_topics))
    weights = np.empty(n_particles)
    for d in range(len(estimates)):
        start, end = indptr[d], indptr[d + 1]
        words, counter = _shuffled(indices[start:end], counts[start:end], seeded_counter(seed, d))
        numbers[:] = alpha
        for n in range(len(words)):
            topic = topics[words[n]]
            for r in range(n_particles):
                weights[r] = 0.0
                for k in range(n_topics):
                    weights[r] += numbers[r, k] * topic[k]
            total = weights.sum()
            estimates[d] += np.log(total / n_particles / (n + n_topics * alpha))
            if total == 0.0:
                break
            counter += GOLDEN
            offset = uniform(counter)  # systematic resampling: one draw places a comb of equal steps
            upto, r = weights[0], 0
            for place in range(n_particles):
                while upto < (place + offset) * total / n_particles and r < n_particles - 1:
                    r += 1
                    upto += weights[r]
                chosen[place] = numbers[r]
                counter += GOLDEN
                point = uniform(counter) * weights[r]
                k = 0
                below = chosen[place, 0] * topic[0]
                while below < point and k < n_topics - 1:
                    k += 1
                    below += chosen[place, k] * topic[k]
                chosen[place, k] += 1.0
            numbers, chosen = chosen, numbers
