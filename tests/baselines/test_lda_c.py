"""lda-c's variational EM: numbers of the program itself, its steps written out plainly, the bound by definition."""

import numpy as np
import pytest
from scipy import special
from sklearn.base import clone

from baselines import lda_c
from baselines._lda_c_steps import best_topics, infer, is_collapsed
from baselines.lda_c import LdaC
from gdmbench import GDM, minimum_matching_distance, simulate_lda
from gdmbench.geometry.counts import check_counts

ZERO = np.exp(-100)


@pytest.mark.parametrize(
    ("n_docs", "length", "alpha", "learned", "n_passes", "bound", "perplexity"),
    [
        (1000, 10, 10.0, 33.99047572, 14, -62983.5889, 537.549235),
        (1000, 10, 0.1, 0.08541825, 60, -57606.4581, 405.515222),
        (1000, 50, 10.0, 0.08503808, 29, -278640.0891, 288.194863),
        (1000, 50, 0.1, 0.06238496, 10, -278481.2592, 289.320632),
        (100, 1000, 10.0, 0.05506327, 14, -546473.7383, 256.897467),
        (100, 1000, 0.1, 0.05475573, 13, -546473.0381, 256.907087),
    ],
)
def test_gives_the_numbers_of_the_program(n_docs, length, alpha, learned, n_passes, bound, perplexity):
    """As R 4.2 with topicmodels 0.2-16 found them, from the same start."""
    data = simulate_lda(n_docs, length, random_state=1000)
    n_words = data.train.shape[1]
    start = 1 / n_words + np.random.default_rng(0).random((5, n_words))
    model = LdaC(5, alpha=alpha, init=start).fit(data.train)
    assert model.n_passes_ == n_passes
    assert model.bound_ == pytest.approx(bound, rel=1e-6)
    assert model.alpha_ == pytest.approx(learned, rel=1e-5)
    assert model.bound_perplexity(data.heldout) == pytest.approx(perplexity, rel=1e-5)
    assert model.heldout_record(data.heldout) == {"bound_perplexity": model.bound_perplexity(data.heldout)}


def bound_by_definition(words, counts, topics, alpha, gamma, phi):
    """E log p(theta, z, w) - E log q(theta, z), term by term."""
    n_topics = len(topics)
    expected_log = special.psi(gamma) - special.psi(gamma.sum())
    log_dirichlet = special.gammaln(n_topics * alpha) - n_topics * special.gammaln(alpha)
    log_dirichlet += (alpha - 1) * expected_log.sum()
    log_q = special.gammaln(gamma.sum()) - special.gammaln(gamma).sum() + ((gamma - 1) * expected_log).sum()
    tokens = 0.0
    for word, count, share in zip(words, counts, phi, strict=True):
        tokens += count * (share * (expected_log + np.log(topics[:, word]) - np.log(share))).sum()
    return log_dirichlet + tokens - log_q


def plain_e_step(counts, topics, alpha, limit=500):
    """gamma, bounds and expected counts, one document, word and topic after another."""
    n_topics, n_words = topics.shape
    gammas, bounds, expected = [], [], np.zeros((n_topics, n_words))
    for row in counts:
        words = np.flatnonzero(row)
        gamma = np.full(n_topics, alpha + row.sum() / n_topics)
        phi = np.full((len(words), n_topics), 1 / n_topics)
        previous = None
        for _ in range(limit):
            for n, word in enumerate(words):
                new = topics[:, word] * np.exp(special.psi(gamma))
                new /= new.sum()
                gamma += row[word] * (new - phi[n])
                phi[n] = new
            bound = bound_by_definition(words, row[words], topics, alpha, gamma, phi)
            if previous is not None and (previous - bound) / previous <= np.float32(1e-6):
                break
            previous = bound
        gammas.append(gamma)
        bounds.append(bound)
        for n, word in enumerate(words):
            expected[:, word] += row[word] * phi[n]
    return np.array(gammas), np.array(bounds), expected


@pytest.mark.parametrize("alpha", [0.002, 0.05, 0.7, 10.0, 80.0])
@pytest.mark.parametrize(("n_docs", "length", "n_topics"), [(40, (1, 12), 3), (20, (20, 200), 5), (18, 30, 1)])
def test_e_step_is_the_plain_one(n_docs, length, n_topics, alpha):
    data = simulate_lda(n_docs, length, n_words=25, random_state=3)
    topics = np.random.default_rng(1).dirichlet(np.full(data.train.shape[1], 0.3), size=n_topics)
    topics[0, 0] = ZERO  # a word that a topic has no count of
    gamma, bounds, expected = plain_e_step(data.train.toarray(), topics, alpha)
    own = infer(check_counts(data.train), topics, alpha, 500)
    np.testing.assert_allclose(own[0], gamma, rtol=1e-7)
    assert own[1] == pytest.approx(bounds.sum(), rel=1e-9)
    np.testing.assert_allclose(own[2], expected, rtol=1e-6, atol=1e-12)


def test_e_step_stops_at_its_limit():
    data = simulate_lda(30, 40, n_words=25, random_state=3)
    topics = np.random.default_rng(1).dirichlet(np.full(data.train.shape[1], 0.3), size=4)
    for limit in (1, 2, 3):
        gamma, bounds, _ = plain_e_step(data.train.toarray(), topics, 0.2, limit)
        own = infer(check_counts(data.train), topics, 0.2, limit)
        np.testing.assert_allclose(own[0], gamma, rtol=1e-7)
        assert own[1] == pytest.approx(bounds.sum(), rel=1e-9)


def test_whole_fit_is_the_plain_one():
    data = simulate_lda(25, 30, n_words=40, n_topics=3, random_state=0)
    counts = data.train.toarray()
    topics = np.random.default_rng(4).dirichlet(np.ones(counts.shape[1]), size=3)
    model = LdaC(3, alpha=0.5, init=topics).fit(data.train)
    alpha, bounds = 0.5, []
    while len(bounds) < 3 or not 0 <= (bounds[-2] - bounds[-1]) / bounds[-2] <= np.float32(1e-4):
        gamma, own, expected = plain_e_step(counts, np.where(topics > 0, topics, ZERO), alpha)
        bounds.append(own.sum())
        topics = expected / expected.sum(axis=1, keepdims=True)
        expected_log = special.psi(gamma) - special.psi(gamma.sum(axis=1, keepdims=True))
        grid = np.linspace(np.log(alpha) - 3, np.log(alpha) + 3, 60_001)
        a = np.exp(grid)
        alpha = a[
            np.argmax(len(gamma) * (special.gammaln(3 * a) - 3 * special.gammaln(a)) + (a - 1) * expected_log.sum())
        ]
    assert model.n_passes_ == len(bounds)
    assert model.alpha_ == pytest.approx(alpha, rel=1e-4)
    np.testing.assert_allclose(model.components_, topics, atol=1e-5)


def test_topics_are_shares_and_one_without_counts_is_uniform():
    topics = best_topics(np.array([[2.0, 6.0, 0.0], [0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(topics, [[0.25, 0.75, 0.0], [1 / 3, 1 / 3, 1 / 3]])


def test_bound_rises_from_pass_to_pass(monkeypatch):
    bounds = []

    def spy(counts, topics, alpha, limit):
        found = infer(counts, topics, alpha, limit)
        bounds.append(found[1])
        return found

    monkeypatch.setattr(lda_c, "infer", spy)
    data = simulate_lda(200, 100, n_words=150, n_topics=3, random_state=5)
    model = LdaC(3, alpha=1.0, tol=1e-7, random_state=1).fit(data.train)
    assert len(bounds) == model.n_passes_ + 1
    assert model.bound_ == bounds[-1]
    # Inference starts afresh in each pass and stops at 1e-6 of a document's bound, hence the allowance.
    assert np.all(np.diff(bounds) > -1e-6 * abs(bounds[-1]))


def test_limit_doubles_when_the_bound_falls(monkeypatch):
    values, limits = iter([-100.0, -90.0, -95.0, -95.0, -95.0]), []

    def fake(counts, topics, alpha, limit):
        limits.append(limit)
        return np.ones((2, 2)), next(values), np.ones((2, 2))

    monkeypatch.setattr(lda_c, "infer", fake)
    model = LdaC(2, learn_alpha=False, random_state=0).fit(np.ones((2, 2)))
    assert limits == [500, 500, 500, 1000, 1000]
    assert model.n_passes_ == 4


def collapsed(n_draws, n_starts, **options):
    """How many of so many starts on each of so many draws of the data collapse, and the mean MM distance."""
    number, distances = 0.0, []
    for draw in range(n_draws):
        data = simulate_lda(1000, 50, random_state=1000 + draw)
        for start in range(n_starts):
            model = LdaC(5, random_state=10 * draw + start, **options).fit(data.train)
            number += model.record_["collapsed"]
            distances.append(minimum_matching_distance(model.components_, data.topics))
    return number, np.mean(distances)


def test_start_of_alpha_decides_whether_it_collapses():
    # From 10, 14 of 15 starts collapse, so that fewer than 4 of 6 have a probability of .5 %; from 1, none does.
    number, distance = collapsed(2, 3)
    assert number >= 4
    assert distance > 0.06
    number, distance = collapsed(2, 1, alpha=1.0)
    assert number == 0
    assert distance < 0.02


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "least", "most"),
    [({"alpha": 10.0}, 12, 15), ({"alpha": 10.0, "tol": 1e-5}, 0, 4), ({"alpha": 1.0}, 0, 0)],
)
def test_collapse_rates(options, least, most):
    number, _ = collapsed(5, 3, **options)
    assert least <= number <= most


def test_collapsed_means_equal_proportions():
    rng = np.random.default_rng(0)
    assert is_collapsed(70 + rng.uniform(0, 10, size=(50, 5)))
    assert not is_collapsed(0.1 + 50 * rng.dirichlet(np.full(5, 2.0), size=50))
    assert not is_collapsed(np.full((50, 1), 3.0))  # one topic is all there is


def test_keeps_the_best_start():
    data = simulate_lda(200, 100, n_words=150, random_state=0)
    rng = np.random.default_rng(3)
    n_words = data.train.shape[1]
    starts = [1 / n_words + rng.random((5, n_words)) for _ in range(4)]
    alone = [LdaC(5, alpha=0.3, init=start).fit(data.train) for start in starts]
    model = LdaC(5, alpha=0.3, n_restarts=4, random_state=3).fit(data.train)
    np.testing.assert_allclose(model.bounds_, [m.bound_ for m in alone], rtol=1e-12)
    best = alone[int(np.argmax(model.bounds_))]
    assert model.bound_ == model.bounds_.max()
    assert model.n_passes_ == best.n_passes_
    np.testing.assert_allclose(model.components_, best.components_, rtol=1e-9)
    assert model.record_ == {
        "alpha": model.alpha_,
        "bound": model.bound_,
        "n_passes": model.n_passes_,
        "collapsed": 0.0,
    }


def test_seeded_start_is_one_document_for_each_topic(monkeypatch):
    starts = []

    def spy(counts, topics, alpha, limit):
        starts.append(topics)
        return infer(counts, topics, alpha, limit)

    monkeypatch.setattr(lda_c, "infer", spy)
    counts = np.random.default_rng(0).integers(0, 4, size=(6, 9))
    LdaC(4, init="seeded", random_state=0).fit(counts)
    documents = (counts + 1) / (counts + 1).sum(axis=1, keepdims=True)
    found = [np.flatnonzero(np.isclose(documents, start).all(axis=1)) for start in starts[0]]
    assert len({int(at) for (at,) in found}) == 4


def test_estimator_and_its_topics_are_the_same_start():
    data = simulate_lda(150, 100, n_words=150, random_state=0)
    start = GDM(5, random_state=2)
    model = LdaC(5, alpha=0.3, init=start, n_restarts=3).fit(data.train)
    other = LdaC(5, alpha=0.3, init=clone(start).fit(data.train).components_).fit(data.train)
    np.testing.assert_array_equal(model.components_, other.components_)
    assert model.bounds_.shape == (1,)
    assert not hasattr(start, "components_")


def test_a_document_gets_the_same_proportions_in_any_company():
    data = simulate_lda(100, (5, 100), n_words=80, random_state=0)
    model = LdaC(4, alpha=0.3, random_state=1).fit(data.train)
    together = model.transform(data.heldout)
    np.testing.assert_array_equal(together[7:8], model.transform(data.heldout[7:8]))
    np.testing.assert_array_equal(together[::-1], model.transform(data.heldout[::-1]))
    gamma, _, _ = plain_e_step(
        data.heldout.toarray(), np.where(model.components_ > 0, model.components_, ZERO), model.alpha_
    )
    np.testing.assert_allclose(together, gamma / gamma.sum(axis=1, keepdims=True), rtol=1e-6)


@pytest.mark.parametrize("extreme", [{"alpha": 1e-5, "learn_alpha": False}, {"alpha": 1e5}, {"n_topics": 1}])
def test_extremes_stay_finite(extreme):
    data = simulate_lda(40, (1, 30), n_words=50, random_state=0)
    model = LdaC(**{"n_topics": 3, "random_state": 0, **extreme}).fit(data.train)
    assert np.isfinite(model.bound_)
    assert np.isfinite(model.components_).all()
    assert np.isfinite(model.transform(data.heldout)).all()
    assert np.isfinite(model.bound_perplexity(data.heldout))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_topics": 0}, "n_topics must be a whole number"),
        ({"n_topics": 50}, "n_topics=50 topics cannot be found in n_samples=30"),
        ({"alpha": -1.0}, "alpha must be a positive number"),
        ({"tol": float("nan")}, "tol must be a positive number"),
        ({"n_restarts": 0}, "n_restarts must be a whole number"),
        ({"init": "kmeans"}, "init must be 'random', 'seeded', topics or an estimator that finds topics, not 'kmeans'"),
        ({"init": np.ones((5, 3))}, r"init has topics of shape \(5, 3\), but n_topics=5 topics over"),
        ({"init": GDM(4)}, r"init has topics of shape \(4, \d+\), but n_topics=5 topics over"),
    ],
)
def test_rubbish_parameters(options, message):
    data = simulate_lda(30, 20, n_words=40, random_state=0)
    with pytest.raises(ValueError, match=message):
        LdaC(**options).fit(data.train)
