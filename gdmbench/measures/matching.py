"""How far two sets of topics are from each other."""

import numpy as np
from numpy.typing import ArrayLike
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
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1] or not (len(first) and len(second)):
        raise ValueError(
            f"Two sets of topics over the same words are needed, not arrays of shape {first.shape} and "
            f"{second.shape}: give one topic per row and one word per column in both."
        )
    distances = cdist(first, second)
    return float(max(distances.min(axis=0).max(), distances.min(axis=1).max()))
