"""VLAD: its factor against closed forms and Monte Carlo, its covariance by brute force, its topics where GDM's fail."""

import warnings
from itertools import permutations

import numpy as np
import pytest
from scipy import sparse
from scipy.special import gammaln
from sklearn.exceptions import ConvergenceWarning

from gdmbench import GDM, VLAD, minimum_matching_distance, simulate_lda
from gdmbench.geometry.blocks import Blocks
from gdmbench.geometry.covariance import Covariance
from gdmbench.geometry.dirichlet import alpha_from_centroids, expected_maximum, extension


class TestExtension:
    @pytest.mark.parametrize("n_topics", [2, 3, 10, 50])
    def test_uniform_proportions(self, n_topics):
        harmonic = sum(1.0 / k for k in range(1, n_topics + 1))
        assert extension(n_topics, 1.0) == pytest.approx((n_topics - 1) / (harmonic - 1), rel=1e-10)

    @pytest.mark.parametrize("alpha", [0.003, 0.2, 1.0, 7.0, 90.0])
    def test_two_topics(self, alpha):
        """E max(x, 1 - x) of Beta(a, a) is 1/2 + E|x - 1/2| = 1/2 + 1 / (2^(2a) a B(a, a)), an integral by hand."""
        log_beta = 2 * gammaln(alpha) - gammaln(2 * alpha)
        expected = 0.5 + np.exp(-2 * alpha * np.log(2) - np.log(alpha) - log_beta)
        assert expected_maximum(2, alpha) == pytest.approx(expected, rel=1e-10)

    @pytest.mark.parametrize(("n_topics", "alpha"), [(5, 0.1), (5, 2.0), (20, 0.25), (10, 30.0)])
    def test_monte_carlo(self, n_topics, alpha):
        maxima = np.random.default_rng(0).dirichlet(np.full(n_topics, alpha), 100_000).max(axis=1)
        tolerance = 4.5 * maxima.std() / np.sqrt(len(maxima))  # 4.5 standard errors: 1 in 150,000 by chance
        assert expected_maximum(n_topics, alpha) == pytest.approx(maxima.mean(), abs=tolerance)

    def test_limits(self):
        assert extension(1, 0.1) == 1.0
        assert extension(7, 1e-7) == pytest.approx(1.0, abs=1e-5)  # every document a corner

    @pytest.mark.parametrize("alpha", [0.01, 0.1, 1.0, 5.0])
    @pytest.mark.parametrize("n_topics", [2, 5, 20])
    def test_alpha_from_the_centroids_it_gives(self, n_topics, alpha):
        """Whitened topics form a regular simplex at distance sqrt((K - 1)(K alpha + 1)) from the centre."""
        basis = np.linalg.svd(np.eye(n_topics) - 1 / n_topics)[0][:, : n_topics - 1]
        topics = basis / np.linalg.norm(basis, axis=1, keepdims=True)
        topics *= np.sqrt((n_topics - 1) * (n_topics * alpha + 1))
        centroids = topics / extension(n_topics, alpha)
        assert alpha_from_centroids(centroids) == pytest.approx(alpha, rel=1e-4)
        assert alpha_from_centroids(100 * centroids) == 1e-3
        assert alpha_from_centroids(centroids / 100) == 1e2


def test_alpha_at_its_limit_is_said():
    data = simulate_lda(1000, 50, n_words=300, n_topics=5, random_state=1)
    with pytest.warns(ConvergenceWarning, match=r"alpha ended at its limit, 0.001"):
        assert VLAD(30, random_state=0).fit(data.train).alpha_ == 1e-3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        VLAD(5, random_state=0).fit(data.train)
        VLAD(30, alpha=0.1, random_state=0).fit(data.train)


def brute_force_covariance(counts, weights, denoise):
    """Pairs of different tokens have no noise in common: their mean product, less the product of the means."""
    lengths = counts.sum(axis=1)
    used = lengths >= 2 if denoise else lengths > 0
    center = np.average((counts / lengths[:, None])[used], axis=0, weights=weights[used])
    moment, total = np.zeros((counts.shape[1],) * 2), 0.0
    for row, n, w in zip(counts[used], lengths[used], weights[used], strict=True):
        pairs = (np.outer(row, row) - np.diag(row)) / (n * (n - 1)) if denoise else np.outer(row, row) / n**2
        moment += w * pairs
        total += w
    return moment / total - np.outer(center, center)


class TestCovariance:
    @pytest.mark.parametrize("denoise", [True, False])
    @pytest.mark.parametrize("weighted", [True, False])
    @pytest.mark.parametrize("n_words", [9, 40])
    def test_brute_force(self, denoise, weighted, n_words):
        counts = simulate_lda(300, (1, 60), n_words=n_words, n_topics=3, random_state=1).train
        assert (counts.sum(axis=1) == 1).any()
        lengths = counts.sum(axis=1).astype(float)
        weights = lengths if weighted else np.ones(300)
        covariance = Covariance(Blocks(counts.astype(float)), weighted=weighted, denoise=denoise)
        dense = brute_force_covariance(counts.toarray().astype(float), weights, denoise)
        np.testing.assert_allclose(covariance.apply(np.eye(counts.shape[1])), dense, atol=1e-15)
        directions, variances = covariance.leading_axes(2, np.random.default_rng(0))
        values, vectors = np.linalg.eigh(dense)
        # Four rounds on ten columns leave an error of (the eleventh eigenvalue / the second)^8: none to speak of.
        np.testing.assert_allclose(variances, values[::-1][:2], rtol=1e-3)
        overlaps = np.abs(np.sum(directions * vectors[:, ::-1][:, :2], axis=0))
        np.testing.assert_allclose(overlaps, 1.0, atol=1e-2)

    def test_it_is_the_covariance_without_noise(self):
        """The mean over many corpora is the covariance of the documents' word probabilities, noise removed or not."""
        rng = np.random.default_rng(0)
        probabilities = rng.dirichlet(np.ones(4), 400)
        found = []
        for _ in range(200):
            counts = sparse.csr_array(rng.multinomial(3, probabilities).astype(float))
            covariance = Covariance(Blocks(counts), weighted=True, denoise=True)
            found.append(covariance.apply(np.eye(4)))
        error = np.std(found, axis=0) / np.sqrt(len(found))
        # C C' has noise too, a share of 1 / 400 of a document's; 4.5 standard errors for the rest.
        expected = np.cov(probabilities.T, bias=True)
        assert (np.abs(np.mean(found, axis=0) - expected) < 4.5 * error + 1 / 400 / 3).all()

    def test_equal_documents_have_no_axes(self):
        counts = sparse.csr_array(np.tile([2.0, 1.0, 1.0], (6, 1)))
        covariance = Covariance(Blocks(counts), weighted=False, denoise=False)
        assert covariance.leading_axes(2, np.random.default_rng(0)).directions.shape == (3, 0)


@pytest.mark.parametrize("alpha", [0.1, 1.0])
@pytest.mark.parametrize("given", [True, False])
def test_exact_recovery_of_unequal_simplices(alpha, given):
    """From exact mixtures, every permutation of the proportions of 20,000 documents, topics are recovered.

    The permutations make whitening and clusters exact, so that only the mean of the largest proportion is off the
    expectation, by less than a half per cent; an estimated alpha inherits that error, about eightfold. GDM, whose
    theorem holds for equal distances between topics, is off by a large part of the simplex.
    """
    rng = np.random.default_rng(3)
    topics = np.array([[0.7, 0.1, 0.1, 0.05, 0.05], [0.1, 0.6, 0.1, 0.1, 0.1], [0.15, 0.5, 0.05, 0.2, 0.1]])
    draws = rng.dirichlet(np.full(3, alpha), 20_000)
    proportions = np.vstack([draws[:, list(order)] for order in permutations(range(3))])
    documents = proportions @ topics
    size = np.linalg.norm(topics - topics.mean(axis=0), axis=1).max()
    model = VLAD(3, alpha=alpha if given else None, denoise=False, n_restarts=1, random_state=0).fit(documents)
    error = minimum_matching_distance(model.components_, topics) / size
    assert error < (0.005 if given else 0.04)
    assert model.alpha_ == pytest.approx(alpha, rel=0.2)
    gdm = GDM(3, random_state=0).fit(documents)
    assert minimum_matching_distance(gdm.components_, topics) / size > 0.08


def test_the_error_falls_with_the_number_of_short_documents():
    """At N = 50 GDM's error comes to a halt, as each document's noise is its own; VLAD's falls as 1 / sqrt(M).

    Means of two draws; between 500 and 8000 documents the square root law says a quarter.
    """
    errors = {GDM: [], VLAD: []}
    for n_docs in (500, 8000):
        data = [simulate_lda(n_docs, 50, n_words=200, n_topics=4, n_heldout=0, random_state=seed) for seed in range(2)]
        for estimator, found in errors.items():
            more = {"alpha": 0.1} if estimator is VLAD else {}
            models = [estimator(4, n_restarts=2, random_state=0, **more).fit(each.train) for each in data]
            distances = [minimum_matching_distance(m.components_, d.topics) for m, d in zip(models, data, strict=True)]
            found.append(np.mean(distances))
    assert errors[VLAD][1] < 0.4 * errors[VLAD][0]
    assert errors[GDM][1] > 0.6 * errors[GDM][0]
    assert errors[VLAD][1] < 0.25 * errors[GDM][1]


def test_removing_the_noise_helps_short_documents():
    data = simulate_lda(3000, 10, n_words=200, n_topics=4, random_state=0)
    plain, denoised = (VLAD(4, alpha=0.1, denoise=d, random_state=0).fit(data.train) for d in (False, True))
    distances = [minimum_matching_distance(m.components_, data.topics) for m in (plain, denoised)]
    assert distances[1] < 0.8 * distances[0]


@pytest.mark.parametrize(("n_topics", "alpha"), [(5, 0.1), (3, 1.0)])
def test_alpha_is_estimated(n_topics, alpha):
    """Documents of 500 words, so that noise hardly moves centroids; over seeds the estimate varies by some 10 %."""
    data = simulate_lda(2000, 500, n_words=300, n_topics=n_topics, alpha=alpha, random_state=0)
    model = VLAD(n_topics, random_state=0).fit(data.train)
    assert model.alpha_ == pytest.approx(alpha, rel=0.3)
    assert model.gamma_ == extension(n_topics, model.alpha_)


class TestDegenerate:
    def fit(self, counts, n_topics=2, **more):
        model = VLAD(n_topics, random_state=0, **more).fit(counts)
        assert np.isfinite(model.components_).all()
        assert (model.components_ >= 0).all()
        np.testing.assert_allclose(model.components_.sum(axis=1), 1)
        return model

    def test_one_topic_is_the_centre(self):
        data = simulate_lda(30, 20, n_words=10, n_topics=2, random_state=0)
        model = self.fit(data.train, 1)
        np.testing.assert_allclose(model.components_[0], model.center_, atol=1e-12)
        assert (model.alpha_, model.gamma_) == (1.0, 1.0)

    @pytest.mark.parametrize("denoise", [True, False])
    def test_equal_documents_give_equal_topics(self, denoise):
        model = self.fit(np.tile([3, 1, 0, 2], (6, 1)), 3, denoise=denoise)
        np.testing.assert_allclose(model.components_, np.tile([3, 1, 0, 2], (3, 1)) / 6, atol=1e-12)

    def test_documents_of_one_word_add_to_the_centre_only(self):
        data = simulate_lda(200, 20, n_words=10, n_topics=2, random_state=0)
        counts = sparse.vstack([data.train, sparse.csr_array(np.eye(10, dtype=int)[[0, 0, 3]])]).tocsr()
        model = self.fit(counts)
        assert len(model.labels_) == 203
        assert minimum_matching_distance(model.components_, self.fit(data.train).components_) < 0.02

    def test_frequencies_and_documents_of_one_word_have_no_noise_to_remove(self):
        data = simulate_lda(200, 20, n_words=10, n_topics=2, random_state=0)
        for documents in (data.train / data.train.sum(axis=1)[:, None], np.eye(6)):
            plain = self.fit(documents, denoise=False)
            np.testing.assert_array_equal(self.fit(documents).components_, plain.components_)

    @pytest.mark.parametrize(("n_topics", "n_words"), [(7, 3), (4, 2), (12, 5)])
    def test_more_topics_than_words(self, n_topics, n_words):
        data = simulate_lda(60, 30, n_words=n_words, n_topics=2, eta=1.0, random_state=0)
        assert self.fit(data.train, n_topics).components_.shape == (n_topics, n_words)

    def test_as_many_topics_as_documents(self):
        counts = np.random.default_rng(0).poisson(3, (5, 8)) + 1
        assert sorted(self.fit(counts, 5).labels_) == [0, 1, 2, 3, 4]

    @pytest.mark.parametrize("alpha", [0, -1.0, "large", True, np.inf])
    def test_an_alpha_that_is_none_is_refused(self, alpha):
        with pytest.raises(ValueError, match="alpha must be a positive number"):
            VLAD(2, alpha=alpha).fit(np.eye(3))
