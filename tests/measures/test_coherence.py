import math
from itertools import combinations

import numpy as np
import pytest
from gensim.corpora import Dictionary
from gensim.models import CoherenceModel
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from gdmbench import coherence, diversity, simulate_lda


def brute_force(topics, counts, n_words):
    """NPMI pair by pair from sets of words."""
    documents = [set(np.flatnonzero(row)) for row in counts if row.any()]
    share = lambda *words: sum(set(words) <= document for document in documents) / len(documents)  # noqa: E731
    values = []
    for topic in topics:
        top = sorted(range(len(topic)), key=lambda word: (-topic[word], word))[:n_words]
        pairs = []
        for v, w in combinations(top, 2):
            both = share(v, w)
            if both in (0, 1):
                pairs.append(both - 1)
            else:
                pairs.append(math.log(both / (share(v) * share(w))) / -math.log(both))
        values.append(sum(pairs) / len(pairs))
    return sum(values) / len(values)


def by_gensim(topics, counts, n_words):
    """gensim's c_npmi with a window longer than every document."""
    texts = [[str(word) for word in np.repeat(np.arange(len(row)), row)] for row in counts]
    top = np.argsort(-topics, axis=1, kind="stable")[:, :n_words]
    model = CoherenceModel(
        topics=[[str(word) for word in words] for words in top],
        texts=texts,
        dictionary=Dictionary([*texts, [str(word) for word in range(counts.shape[1])]]),
        coherence="c_npmi",
        window_size=int(counts.sum(axis=1).max()) + 1,
        topn=n_words,
        processes=1,
    )
    return model.get_coherence()


@given(seed=st.integers(0, 2**32), rate=st.sampled_from([0.05, 0.5, 3.0]), n_words=st.integers(2, 5))
@settings(deadline=None)
def test_coherence_agrees_with_brute_force(seed, rate, n_words):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rate, size=(12, 6))
    counts[0, 0] += 1
    topics = rng.dirichlet(np.full(6, 0.5), size=3)
    value = coherence(topics, sparse.csr_array(counts), n_words)
    assert value == pytest.approx(brute_force(topics, counts, n_words), abs=1e-12)
    assert -1 <= value <= 1
    order = rng.permutation(6)
    assert coherence(topics[:, order], counts[:, order], n_words) == pytest.approx(value, abs=1e-12)


def test_coherence_is_gensims_where_every_pair_occurs_together_but_not_always():
    rng = np.random.default_rng(0)
    data = simulate_lda(300, 30, n_words=25, n_topics=4, eta=1.0, random_state=0)
    counts, topics = data.train.toarray(), rng.permuted(data.topics, axis=1)
    together = (counts > 0).T.astype(int) @ (counts > 0)
    assert together.min() > 0
    assert together.max() < 300
    assert coherence(topics, counts, 8) == pytest.approx(by_gensim(topics, counts, 8), abs=1e-8)


def test_coherence_differs_from_gensims_as_its_docstring_says():
    never = np.array([[1, 0], [1, 0], [0, 1], [1, 0]])
    assert coherence([[1, 0]], never, 2) == -1
    assert by_gensim(np.array([[1, 0]]), never, 2) == pytest.approx(-1 + math.log(3 / 4 * 1 / 4) / math.log(1e-12))
    always = np.array([[1, 2], [3, 1]])
    assert coherence([[1, 0]], always, 2) == 0
    assert by_gensim(np.array([[1, 0]]), always, 2) == pytest.approx(-1, abs=1e-3)


def test_coherence_of_words_by_hand():
    counts = [[1, 1, 0, 0], [2, 5, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert coherence([[0.5, 0.4, 0.1, 0.0]], counts, 2) == pytest.approx(1)  # only together
    assert coherence([[0.5, 0.1, 0.4, 0.0]], counts, 2) == -1  # never together
    assert coherence([[0.5, 0.1, 0.0, 0.4]], counts, 2) == -1  # the second never occurs
    assert coherence([[0.0, 0.0, 0.0, 9.0], [0.5, 0.4, 0.1, 0.0]], counts, 2) == pytest.approx(0)  # the mean of both
    assert coherence([[5, 4, 1, 0]], counts, 3) == pytest.approx((1 - 1 - 1) / 3)


def test_true_topics_are_more_coherent_than_shuffled_ones():
    data = simulate_lda(500, 30, n_words=200, n_topics=5, random_state=0)
    shuffled = np.random.default_rng(0).permuted(data.topics, axis=1)
    assert coherence(data.topics, data.train) > coherence(shuffled, data.train) + 0.2


def test_coherence_makes_no_array_of_words_by_words():
    n_words = 200_000  # squared: 320 GB
    counts = sparse.random_array((300, n_words), density=1e-3, rng=0, format="csr")
    topics = np.zeros((2, n_words))
    topics[:, counts.indices[:40]] = 1.0
    assert -1 <= coherence(topics, counts) <= 1


@given(seed=st.integers(0, 2**32), n_topics=st.integers(1, 5), n_words=st.integers(1, 6))
@settings(deadline=None)
def test_diversity_agrees_with_brute_force(seed, n_topics, n_words):
    topics = np.random.default_rng(seed).dirichlet(np.full(6, 0.5), size=n_topics)
    tops = [sorted(range(6), key=lambda word: -topic[word])[:n_words] for topic in topics]
    assert diversity(topics, n_words) == pytest.approx(len({w for top in tops for w in top}) / (n_topics * n_words))


def test_diversity_lies_between_topics_of_one_kind_and_topics_of_their_own():
    assert diversity(np.eye(4), 1) == 1
    assert diversity(np.ones((4, 4)), 2) == 0.25


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n_words": 1}, "n_words must be a whole number of at least 2, not 1"),
        ({"n_words": True}, "n_words must be a whole number"),
        ({"n_words": 4}, "n_words=4 is more than the 3 words there are"),
        ({"topics": [[1.0, 0.0]]}, r"over the 3 words of X, not of shape \(1, 2\)"),
        ({"topics": [1.0, 0.0, 0.0]}, "one topic per row"),
        ({"topics": np.empty((0, 3))}, "one topic per row"),
        ({"topics": [[np.nan, 0.0, 0.0]]}, "NaN"),
        ({"X": np.zeros((2, 3))}, "no words"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_sentence(arguments, words):
    good = {"topics": [[0.5, 0.25, 0.25]], "X": [[1, 2, 0]], "n_words": 2}
    with pytest.raises(ValueError, match=words) as error:
        coherence(**good | arguments)
    assert "\n" not in str(error.value)
