"""Variational EM: the compiled E-step against gensim's own, hyperparameters against direct maximisation, restarts."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from gensim.models import ldamodel
from gensim.utils import FakeDict
from scipy import sparse, special
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from baselines import vem
from baselines._batch_lda import BatchLda
from baselines._start import expected_counts
from baselines.vem import VariationalEM
from gdmbench import GDM, minimum_matching_distance, simulate_lda


def _bags(counts):
    """Documents as gensim takes them."""
    pairs = list(zip(counts.indices.tolist(), counts.data.tolist(), strict=True))
    return [pairs[a:b] for a, b in zip(counts.indptr[:-1], counts.indptr[1:], strict=True)]


def _models(counts, n_topics, **options):
    """gensim's model and ours at the same topics and the same random state."""
    settings = {"id2word": FakeDict(counts.shape[1]), "num_topics": n_topics, "dtype": np.float64, "random_state": 7}
    return ldamodel.LdaModel(**settings, **options), BatchLda(**settings, **options)


@pytest.mark.parametrize("n_topics", [1, 5, 7])  # which kernels take one at a time, five at a time, or both
@pytest.mark.parametrize(("n_docs", "length", "alpha"), [(60, 300, 0.1), (150, (1, 30), 0.02), (80, 80, 2.0)])
def test_compiled_e_step_gives_gensims_numbers(n_docs, length, alpha, n_topics):
    data = simulate_lda(n_docs, length, n_words=200, random_state=1)
    counts = sparse.csr_array(data.train, dtype=np.float64)
    gensim, ours = _models(counts, n_topics, alpha=alpha, eta=0.1, iterations=750)
    for _ in range(4):  # from flat topics, where inference is slow, to peaked ones
        gamma, sstats = gensim.inference(_bags(counts), collect_sstats=True)
        own_gamma, own_sstats = ours.inference(counts, collect_sstats=True)
        np.testing.assert_allclose(own_gamma, gamma, rtol=1e-8)
        np.testing.assert_allclose(own_sstats, sstats, rtol=1e-8)
        for model in (gensim, ours):
            model.state.sstats[:] = sstats
            model.sync_state()


def test_compiled_e_step_respects_limit_and_empty_documents():
    counts = sparse.csr_array(np.array([[3.0, 0, 1, 0], [0, 0, 0, 0], [0, 2, 2, 7]]))
    for iterations in (1, 3):
        gensim, ours = _models(counts, 3, alpha=0.3, eta=0.1, iterations=iterations, gamma_threshold=1e-12)
        expected, _ = gensim.inference(_bags(counts))
        gamma, sstats = ours.inference(counts)
        assert sstats is None
        np.testing.assert_allclose(gamma, expected, rtol=1e-8)
        np.testing.assert_allclose(gamma[1], 0.3)


class WithGensimsInference(BatchLda):
    def inference(self, chunk, collect_sstats=False):
        return ldamodel.LdaModel.inference(self, _bags(chunk), collect_sstats)


def test_whole_fit_is_the_same_with_gensims_inference(monkeypatch):
    data = simulate_lda(80, 60, n_words=100, random_state=3)
    fits = []
    for model in (BatchLda, WithGensimsInference):
        monkeypatch.setattr(vem, "BatchLda", model)
        fits.append(VariationalEM(3, n_restarts=2, learn_eta=True, random_state=0).fit(data.train))
    np.testing.assert_allclose(fits[0].bounds_, fits[1].bounds_, rtol=1e-10)
    np.testing.assert_array_equal(fits[0].n_passes_, fits[1].n_passes_)
    np.testing.assert_allclose(fits[0].components_, fits[1].components_, rtol=1e-6)
    np.testing.assert_allclose(fits[0].transform(data.heldout), fits[1].transform(data.heldout), rtol=1e-6)


def test_bound_is_gensims(monkeypatch):
    # gensim 4.4's bound calls its logsumexp on a vector, which that refuses.
    monkeypatch.setattr(ldamodel, "logsumexp", special.logsumexp)
    counts = sparse.csr_array(simulate_lda(40, (1, 50), n_words=80, random_state=2).train, dtype=np.float64)
    gensim, ours = _models(counts, 4, alpha=0.15, eta=0.07)
    gamma, sstats = gensim.inference(_bags(counts), collect_sstats=True)
    for model in (gensim, ours):
        model.state.sstats[:] = sstats
        model.sync_state()
    expected = gensim.bound(_bags(counts), gamma)
    assert ours.whole_bound(counts, gamma) == pytest.approx(expected, rel=1e-12)


def test_bound_rises_from_pass_to_pass():
    # Inference starts afresh in each pass and stops at a threshold, hence the small allowance.
    data = simulate_lda(200, 100, n_words=150, n_topics=3, random_state=5)
    bounds = []
    VariationalEM(
        3, n_restarts=1, learn_eta=True, progress=lambda start, n, bound: bounds.append(bound), random_state=1
    ).fit(data.train)
    assert len(bounds) > 5
    assert np.all(np.diff(bounds) > -1e-4 * abs(bounds[-1]))
    assert bounds[-1] > bounds[0]


def test_finds_topics_and_learns_alpha():
    # gensim's batch VEM reaches .0025 (standard deviation over data .0002) at these settings with more documents;
    # a merged pair of topics is .06 or more.
    data = simulate_lda(400, 500, n_words=600, random_state=0)
    model = VariationalEM(5, random_state=0).fit(data.train)
    assert minimum_matching_distance(model.components_, data.topics) < 0.01
    assert model.alpha_ == pytest.approx(0.1, rel=0.3)
    assert model.eta_ == 0.1
    proportions = model.transform(data.train)
    matched = np.argmin(((model.components_[:, None] - data.topics) ** 2).sum(axis=2), axis=1)
    assert np.abs(proportions - data.proportions[:, matched]).mean() < 0.02


def test_keeps_the_best_start_and_reports_all():
    data = simulate_lda(150, 60, n_words=100, random_state=4)
    calls = []
    model = VariationalEM(4, n_restarts=4, random_state=3, progress=lambda *call: calls.append(call)).fit(data.train)
    assert model.bounds_.shape == (4,)
    assert model.bound_ == model.bounds_.max()
    assert model.record_["bounds"] == model.bounds_.tolist()
    assert model.record_["n_passes"] == model.n_passes_.tolist()
    assert model.record_["alpha"] == model.alpha_
    assert [max(n for start, n, _ in calls if start == i) for i in range(4)] == model.n_passes_.tolist()
    last = [[bound for start, _, bound in calls if start == i][-1] for i in range(4)]
    assert last == model.bounds_.tolist()
    np.testing.assert_allclose(model.components_.sum(axis=1), 1.0)


def test_passes_from_the_true_topics_stay_there():
    # From anywhere but a merged pair of topics, which is .06 or more away, passes end up at about .0035.
    data = simulate_lda(400, 300, n_words=600, random_state=0)
    model = VariationalEM(5, init=data.topics, tol=1e-5, random_state=0).fit(data.train)
    assert np.linalg.norm(model.components_ - data.topics, axis=1).max() < 0.01
    assert model.bounds_.shape == (1,)
    random = VariationalEM(5, tol=1e-5, random_state=0).fit(data.train)
    assert model.n_passes_[0] < random.n_passes_.min()
    assert model.bound_ > random.bound_ - 1e-4 * abs(random.bound_)  # random starts may end in a worse mode


def test_first_pass_starts_at_the_given_topics():
    # With all words of a document in one topic, and so many words that digamma is the logarithm, the first E-step's
    # topics are those given, but for a fifth of the centre.
    topics = np.array([[0.7, 0.3, 0.0, 0.0], [0.0, 0.0, 0.4, 0.6]])
    counts = sparse.csr_array(np.round(1e6 * topics))
    model = BatchLda(
        id2word=FakeDict(4), num_topics=2, alpha=0.1, eta=0.1, iterations=750, random_state=0, dtype=np.float64
    )
    model.start_from(expected_counts(topics, counts))
    center = topics.mean(axis=0)
    np.testing.assert_allclose(model.expElogbeta, 0.8 * topics + 0.2 * center, atol=1e-5)
    np.testing.assert_allclose(expected_counts(topics, counts), 1e6 * (0.8 * topics + 0.2 * center))


def test_topic_without_documents_starts_with_some_tokens():
    topics = np.array([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    counts = sparse.csr_array(np.array([[50.0, 50.0, 0.0]]))
    # All tokens are the first topic's; the second gets a hundredth of its half, a fifth of it as the words are.
    np.testing.assert_allclose(expected_counts(topics, counts), [[50, 50, 0], [0.05, 0.05, 0.4]])


def test_estimator_and_its_topics_are_the_same_start():
    data = simulate_lda(150, 60, n_words=100, random_state=1)
    estimator = GDM(4, random_state=3)
    model = VariationalEM(4, init=estimator, random_state=4).fit(data.train)
    other = VariationalEM(4, init=clone(estimator).fit(data.train).components_, random_state=4).fit(data.train)
    np.testing.assert_array_equal(model.components_, other.components_)
    assert not hasattr(estimator, "components_")


def test_says_when_the_limit_came_first():
    data = simulate_lda(60, 50, n_words=80, random_state=0)
    with pytest.warns(ConvergenceWarning, match="max_em=2 passes"):
        model = VariationalEM(3, n_restarts=1, max_em=2, random_state=0).fit(data.train)
    assert model.n_passes_.tolist() == [2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_topics": 0}, "n_topics must be a whole number"),
        ({"n_topics": 50}, "n_topics=50 topics cannot be found in n_samples=30"),
        ({"alpha": -1.0}, "alpha must be a positive number"),
        ({"eta": 0.0}, "eta must be a positive number"),
        ({"tol": float("nan")}, "tol must be a positive number"),
        ({"n_restarts": 0}, "n_restarts must be a whole number"),
        ({"max_em": 1.5}, "max_em must be a whole number"),
        ({"eta": "auto"}, "eta must be a positive number"),
        ({"init": "gdm"}, "init must be 'random', topics or an estimator that finds topics, not 'gdm'"),
        ({"init": np.ones((2, 3))}, r"init has topics of shape \(2, 3\), but n_topics=5 topics over"),
        ({"init": GDM(4)}, r"init has topics of shape \(4, \d+\), but n_topics=5 topics over"),
    ],
)
def test_rubbish_parameters(options, message):
    data = simulate_lda(30, 20, n_words=40, random_state=0)
    with pytest.raises(ValueError, match=message):
        VariationalEM(**options).fit(data.train)


def test_negative_counts():
    with pytest.raises(ValueError, match=r"Negative values in data passed to VariationalEM\.fit: document 1"):
        VariationalEM(1).fit(np.array([[1, 2], [-1, 3]]))


@pytest.mark.parametrize(
    "extreme", [{"alpha": 1e-4, "learn_alpha": False}, {"eta": 1e-3}, {"eta": 50.0}, {"alpha": 1e3}]
)
def test_extreme_hyperparameters_stay_finite(extreme):
    data = simulate_lda(40, 30, n_words=50, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        model = VariationalEM(3, n_restarts=1, random_state=0, **extreme).fit(data.train)
    assert np.isfinite(model.bound_)
    assert np.isfinite(model.components_).all()
    assert np.isfinite(model.transform(data.heldout)).all()


def test_no_noise_on_standard_error():
    code = (
        "from gdmbench import simulate_lda\nfrom baselines.vem import VariationalEM\n"
        "VariationalEM(2, n_restarts=1, random_state=0).fit(simulate_lda(30, 20, n_words=40, random_state=0).train)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
