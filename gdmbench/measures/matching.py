"""How far two sets of topics are from each other."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist


def minimum_matching_distance(a: ArrayLike, b: ArrayLike) -> float:
    """Return the minimum-matching Euclidean distance between two sets of topics.

    It is the longest way that any topic of either set has to the nearest topic of the other set; the sets may
    differ in size, and the order of their topics does not matter.

    Parameters
    ----------
    a, b : array-like of shape (n_topics, n_words)
        The two sets of topics, one topic per row.

    Returns
    -------
    float
        0 if and only if both are the same set.

    References
    ----------
    J. Tang, Z. Meng, X. Nguyen, Q. Mei and M. Zhang (2014). Understanding the limiting factors of topic modeling via
    posterior contraction analysis. ICML.

    Examples
    --------
    >>> from gdmbench import minimum_matching_distance
    >>> minimum_matching_distance([[1, 0], [0, 1]], [[0, 1], [1, 0]])
    0.0
    """
    first, second = _two_sets(a, b)
    distances = cdist(first, second)
    return float(max(distances.min(axis=0).max(), distances.min(axis=1).max()))


def total_variation(a: ArrayLike, b: ArrayLike) -> float:
    """Return the mean total variation between the topics of two sets and their nearest ones in the other set.

    It is the share of a topic's words that would have to be others, in the mean over the topics of both sets, each set
    weighing the same. The sets may differ in size.

    Parameters
    ----------
    a, b : array-like of shape (n_topics, n_words)
        The two sets of topics, rows on the simplex.

    Returns
    -------
    float
        From 0, the same topics, to 1, no word in common.

    Examples
    --------
    >>> from gdmbench import total_variation
    >>> total_variation([[1, 0], [0, 1]], [[0.75, 0.25], [0, 1]])
    0.125
    """
    first, second = _two_sets(a, b)
    distances = cdist(first, second, "cityblock") / 2
    return float((distances.min(axis=0).mean() + distances.min(axis=1).mean()) / 2)


def _two_sets(a: ArrayLike, b: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1] or not (len(first) and len(second)):
        raise ValueError(
            f"Two sets of topics over the same words are needed, not arrays of shape {first.shape} and "
            f"{second.shape}: give one topic per row and one word per column in both."
        )
    return first, second
