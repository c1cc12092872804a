"""Agreement of leading topics with labels, against scikit-learn and the definition."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import normalized_mutual_info_score

from gdmbench import project, simulate_lda
from gdmbench.measures.agreement import label_agreement, normalised_mutual_information


def by_definition(first, second):
    n, joint = len(first), Counter(zip(first, second, strict=True))
    a, b = Counter(first), Counter(second)
    information = sum(c / n * math.log(n * c / (a[i] * b[j])) for (i, j), c in joint.items())
    entropies = [-sum(c / n * math.log(c / n) for c in counts.values()) for counts in (a, b)]
    return information / (sum(entropies) / 2)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_definition_and_scikit_learn_s(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(7, size=200), rng.integers(4, size=200)
    second[:100] = first[:100] % 4
    groups = np.array([f"group {i}" for i in first])
    value = normalised_mutual_information(groups, second)
    # Sums of at most 28 terms of at most 1: rounding stays far below 1e-12.
    assert value == pytest.approx(by_definition(groups.tolist(), second.tolist()), abs=1e-12)
    assert value == pytest.approx(normalized_mutual_info_score(groups, second), abs=1e-12)
    assert value == pytest.approx(normalised_mutual_information(second, groups), abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second"),
    [([1, 1, 1], [2, 2, 2]), ([1, 1, 1], [1, 2, 3]), ([1, 2, 3], [3, 1, 2]), ([1, 2] * 2, [1, 1, 2, 2])],
)
def test_edges_are_scikit_learn_s(first, second):
    value = normalised_mutual_information(np.array(first), np.array(second))
    assert value == pytest.approx(normalized_mutual_info_score(first, second), abs=1e-12)
    assert 0 <= value <= 1


def test_the_leading_topic_is_that_of_the_projection():
    data = simulate_lda(50, 60, n_words=80, n_topics=4, n_heldout=120, random_state=0)
    labels = data.heldout_proportions.argmax(axis=1)
    leading = project(data.heldout, data.topics).argmax(axis=1)
    value = label_agreement(data.heldout, data.topics, labels)
    assert value == pytest.approx(normalized_mutual_info_score(labels, leading), abs=1e-12)
    shuffled = np.random.default_rng(0).permutation(labels)
    assert label_agreement(data.heldout, data.topics, shuffled) < 0.15 < 0.5 < value


def test_documents_without_words_do_not_count():
    counts = sparse.csr_array([[5, 0], [0, 0], [0, 5]])
    assert label_agreement(counts, np.eye(2), ["a", "b", "c"]) == 1


def test_labels_of_another_number_are_refused():
    with pytest.raises(ValueError, match="labels must be the groups of 2 documents, not of shape"):
        label_agreement(np.eye(2), np.eye(2), ["a"])
