"""How far topics agree with groups that documents are known to belong to."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gdmbench.geometry.projection import project
from gdmbench.measures.checks import check_documents, check_rows_on_simplex


def label_agreement(X: Any, topics: ArrayLike, labels: ArrayLike) -> float:
    """Return the normalised mutual information of documents' groups and their leading topics.

    A document's leading topic is the one of its largest proportion. Proportions come from projection onto the topics,
    the same whatever method found these.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_documents, n_words)
        Word counts. Documents without words are left out.
    topics : array-like of shape (n_topics, n_words)
        Rows on the simplex.
    labels : array-like of shape (n_documents,)
        The group of each document.

    Returns
    -------
    float
        ``2 I(groups; topics) / (H(groups) + H(topics))``: 0 if the leading topic says nothing of the group, 1 if each
        tells the other. The more topics, the easier it is to be above 0: compare equal numbers of topics.

    References
    ----------
    A. Strehl and J. Ghosh (2002). Cluster ensembles: a knowledge reuse framework for combining multiple partitions.
    JMLR 3, 583-617.

    Examples
    --------
    >>> from gdmbench.measures.agreement import label_agreement
    >>> label_agreement([[4, 1], [5, 0], [0, 3]], [[1, 0], [0, 1]], ["old", "old", "new"])
    1.0
    """
    counts = check_documents(X)
    topics = check_rows_on_simplex("topics", topics, (None, counts.shape[1]))
    groups = np.asarray(labels).astype(str)
    if groups.shape != (counts.shape[0],):
        raise ValueError(f"labels must be the groups of {counts.shape[0]} documents, not of shape {groups.shape}.")
    leading = project(counts, topics).argmax(axis=1)
    said = counts.sum(axis=1) > 0
    return normalised_mutual_information(groups[said], leading[said])


def normalised_mutual_information(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Return the mutual information of two partitions divided by the mean of their entropies; 1 if both have one part.

    Parameters
    ----------
    first, second : ndarray of shape (n,)
        The part that each of the same n things belongs to; n at least 1.
    """
    (names, rows), (others, columns) = (np.unique(each, return_inverse=True) for each in (first, second))
    joint = np.zeros((len(names), len(others)))
    np.add.at(joint, (rows, columns), 1 / len(first))
    apart = _entropy(joint.sum(axis=1)) + _entropy(joint.sum(axis=0))
    if joint.size == 1:
        return 1.0
    return float(np.clip(2 * (apart - _entropy(joint)) / apart, 0, 1))  # rounding may lead beyond


def _entropy(probabilities: NDArray[np.float64]) -> float:
    positive = probabilities[probabilities > 0]
    return float(-(positive * np.log(positive)).sum())
