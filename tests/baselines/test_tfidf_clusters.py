"""Clusters of tf-idf: on documents of one topic each they are the topics, whatever the order of the documents."""

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from baselines.tfidf_clusters import TfidfClusters
from gdmbench import simulate_lda


def test_pure_documents_give_their_topics():
    data = simulate_lda(600, 200, n_words=300, n_topics=5, alpha=0.001, random_state=0)
    found = TfidfClusters(5, random_state=0).fit(data.train).components_
    distances = cdist(found, data.topics, "cityblock")
    matched = distances[linear_sum_assignment(distances)]
    # A topic of 24,000 words over 300 words: the L1 distance of frequencies from p is about sqrt(2 V / (pi n)) = 0.09,
    # less here, as topics are sparse.
    assert matched.max() < 0.09


def test_empty_documents_change_nothing():
    data = simulate_lda(100, 60, n_words=80, n_topics=3, random_state=1)
    with_empty = np.vstack([np.zeros((3, data.train.shape[1]), dtype=np.int64), data.train.toarray()])
    first, second = (TfidfClusters(3, random_state=0).fit(X).components_ for X in (data.train, with_empty))
    np.testing.assert_array_equal(first, second)
