"""GDM and tGDM: Hartigan's optimum by brute force, Algorithm 1 by hand, and every degenerate corpus."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans

from gdmbench import GDM, TunedGDM, minimum_matching_distance, project, simulate_lda


def nips_like(n_topics, seed, n_docs=400):
    """Documents with the lengths of MEASURED settings: gamma of shape 2.5 and mean 272, cut to 39..1403."""
    lengths = np.random.default_rng(seed).gamma(2.5, 272 / 2.5, n_docs).clip(39, 1403).astype(int)
    return simulate_lda(n_docs, lengths, n_words=1000, n_topics=n_topics, alpha=5 / n_topics, random_state=seed)


def points_and_weights(counts, weighted=True):
    dense = counts.toarray().astype(float)
    lengths = dense.sum(axis=1)
    return dense / lengths[:, None], lengths if weighted else np.ones(len(lengths))


def inertia_of(points, weights, labels):
    total = 0.0
    for k in np.unique(labels):
        mine, w = points[labels == k], weights[labels == k]
        total += (w * ((mine - np.average(mine, axis=0, weights=w)) ** 2).sum(axis=1)).sum()
    return total


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_no_single_move_lowers_the_inertia(weighted, seed):
    data = simulate_lda(40, (5, 60), n_words=30, n_topics=4, alpha=1.0, random_state=seed)
    gdm = GDM(4, weighted=weighted, random_state=seed).fit(data.train)
    points, weights = points_and_weights(data.train, weighted)
    inertia = inertia_of(points, weights, gdm.labels_)
    assert gdm.inertia_ == pytest.approx(inertia, rel=1e-10)
    assert set(gdm.labels_) == set(range(4))
    for m in range(40):
        for k in range(4):
            moved = gdm.labels_.copy()
            moved[m] = k
            assert inertia_of(points, weights, moved) >= inertia * (1 - 1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_inertia_is_no_worse_than_scikit_learns(seed):
    data = simulate_lda(500, 200, n_words=300, n_topics=5, random_state=seed)
    points, weights = points_and_weights(data.train)
    theirs = KMeans(5, n_init=10, random_state=seed).fit(points, sample_weight=weights)
    assert GDM(5, random_state=seed).fit(data.train).inertia_ <= theirs.inertia_ * 1.0001


@pytest.mark.parametrize("n_topics", [10, 20])
def test_unequal_lengths_leave_no_singletons_and_a_better_inertia_than_scikit_learns(n_topics):
    data = nips_like(n_topics, 0)
    gdm = GDM(n_topics, random_state=0).fit(data.train)
    points, weights = points_and_weights(data.train)
    theirs = KMeans(n_topics, n_init=10, random_state=0).fit(points, sample_weight=weights)
    assert gdm.inertia_ < theirs.inertia_
    assert np.bincount(gdm.labels_).min() > 1


@pytest.mark.parametrize("weighted", [True, False])
def test_algorithm_1_by_hand(weighted):
    data = simulate_lda(200, (20, 80), n_words=50, n_topics=3, random_state=0)
    gdm = GDM(3, weighted=weighted, random_state=0).fit(data.train)
    points, weights = points_and_weights(data.train, weighted)
    center = np.average(points, axis=0, weights=weights)
    np.testing.assert_allclose(gdm.center_, center, atol=1e-14)
    for k in range(3):
        mine = gdm.labels_ == k
        centroid = np.average(points[mine], axis=0, weights=weights[mine])
        np.testing.assert_allclose(gdm.centroids_[k], centroid, atol=1e-13)
        radius = np.linalg.norm(points[mine] - center, axis=1).max()
        extension = radius / np.linalg.norm(centroid - center)
        assert gdm.extensions_[k] == pytest.approx(extension, rel=1e-9)
        topic = np.maximum(center + extension * (centroid - center), 0)
        np.testing.assert_allclose(gdm.components_[k], topic / topic.sum(), atol=1e-12)


def restricted_loss(points, lengths, mine, topics):
    theta = project(points[mine], topics)
    return (lengths[mine] * ((theta @ topics - points[mine]) ** 2).sum(axis=1)).sum()


def extended(gdm, k, extension):
    topic = np.maximum(gdm.center_ + extension * (gdm.centroids_[k] - gdm.center_), 0)
    return topic / topic.sum()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("upper", [1.0, 1.5])
def test_each_extension_minimises_the_loss_of_its_cluster(seed, upper):
    data = simulate_lda(300, (30, 90), n_words=80, n_topics=4, random_state=seed)
    gdm = GDM(4, random_state=seed).fit(data.train)
    tuned = TunedGDM(4, upper=upper, random_state=seed).fit(data.train)
    np.testing.assert_array_equal(tuned.labels_, gdm.labels_)
    points, lengths = points_and_weights(data.train)
    for k in range(4):
        assert 1 <= tuned.extensions_[k] <= upper * gdm.extensions_[k]
        mine = gdm.labels_ == k

        def loss(extension, k=k, mine=mine):
            topics = gdm.components_.copy()
            topics[k] = extended(gdm, k, extension)
            return restricted_loss(points, lengths, mine, topics)

        found = loss(tuned.extensions_[k])
        assert found <= loss(gdm.extensions_[k]) * (1 + 1e-12)
        grid = min(loss(extension) for extension in np.linspace(1, upper * gdm.extensions_[k], 60))
        assert found <= grid * (1 + 1e-3)  # the search knows the extension to 5e-2 of its interval; 2e-5 is usual
        np.testing.assert_allclose(tuned.components_[k], extended(gdm, k, tuned.extensions_[k]), atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("upper", [1.0, 1.5])
def test_joint_tuning_lowers_the_loss_of_all_documents(seed, upper):
    # Short documents of uneven lengths: extensions tuned one by one, each as if the others stayed, end too short.
    data = simulate_lda(300, (15, 150), n_words=200, n_topics=4, alpha=0.3, random_state=seed)
    points, lengths = points_and_weights(data.train)
    everyone = np.ones(len(lengths), bool)
    gdm = GDM(4, random_state=seed).fit(data.train)
    independent, joint = (
        TunedGDM(4, upper=upper, joint=joint, random_state=seed).fit(data.train) for joint in (False, True)
    )
    np.testing.assert_array_equal(joint.labels_, gdm.labels_)
    assert (joint.extensions_ >= 1).all()
    assert (joint.extensions_ <= upper * gdm.extensions_ * (1 + 1e-12)).all()
    found = restricted_loss(points, lengths, everyone, joint.components_)
    assert found < restricted_loss(points, lengths, everyone, gdm.components_)
    assert found < restricted_loss(points, lengths, everyone, independent.components_)
    for k in range(4):  # and no single extension lowers it by more than what ends the rounds, to the search's tolerance
        for extension in np.linspace(1, upper * gdm.extensions_[k], 40):
            topics = joint.components_.copy()
            topics[k] = extended(gdm, k, extension)
            assert found <= restricted_loss(points, lengths, everyone, topics) * (1 + 1e-3)


ESTIMATORS = [GDM, TunedGDM]


@pytest.mark.parametrize("estimator", ESTIMATORS)
class TestDegenerate:
    def fit(self, estimator, counts, n_topics=2, **more):
        model = estimator(n_topics, random_state=0, **more).fit(counts)
        assert np.isfinite(model.components_).all()
        assert (model.components_ >= 0).all()
        np.testing.assert_allclose(model.components_.sum(axis=1), 1)
        assert (model.extensions_ >= 1).all()
        return model

    def test_one_topic_is_the_centre(self, estimator):
        data = simulate_lda(30, 20, n_words=10, n_topics=2, random_state=0)
        model = self.fit(estimator, data.train, 1)
        np.testing.assert_allclose(model.components_[0], model.center_, atol=1e-12)
        assert model.extensions_.tolist() == [1.0]

    def test_equal_documents_give_equal_topics(self, estimator):
        model = self.fit(estimator, np.tile([3, 1, 0, 2], (6, 1)), 3)
        np.testing.assert_allclose(model.components_, np.tile([3, 1, 0, 2], (3, 1)) / 6, atol=1e-12)
        assert set(model.labels_) == {0, 1, 2}

    def test_a_centroid_on_the_centre_stays_there(self, estimator):
        # Three clusters on a line, the middle one exactly on the centre.
        counts = np.repeat([[10, 0], [5, 5], [0, 10]], 4, axis=0)
        model = self.fit(estimator, counts, 3)
        middle = int(model.labels_[4])
        assert model.extensions_[middle] == 1
        np.testing.assert_allclose(model.components_[middle], [0.5, 0.5], atol=1e-12)

    def test_more_topics_than_words(self, estimator):
        data = simulate_lda(60, 30, n_words=3, n_topics=2, eta=1.0, random_state=0)
        assert self.fit(estimator, data.train, 7).components_.shape == (7, 3)

    def test_as_many_topics_as_documents(self, estimator):
        counts = np.random.default_rng(0).poisson(3, (5, 8)) + 1
        model = self.fit(estimator, counts, 5)
        assert sorted(model.labels_) == [0, 1, 2, 3, 4]

    def test_more_topics_than_documents_is_refused(self, estimator):
        with pytest.raises(ValueError, match=r"n_topics=4 topics cannot be found in n_samples=3 non-empty documents"):
            estimator(4).fit([[1, 0], [0, 1], [0, 0], [1, 1]])

    @pytest.mark.parametrize("n_topics", [0, -1, 2.5, "two", True, None])
    def test_a_number_of_topics_that_is_none_is_refused(self, estimator, n_topics):
        with pytest.raises(ValueError, match="n_topics must be a whole number of at least 1"):
            estimator(n_topics).fit(np.eye(3))

    @pytest.mark.parametrize(
        "make",
        [
            lambda x: x.toarray(),
            lambda x: x.toarray().astype(np.int8),
            lambda x: x.astype(np.float32),
            sparse.csc_array,
            sparse.coo_array,
            sparse.csr_matrix,
            lambda x: _shuffled(x),
            lambda x: _with_duplicates(x),
        ],
    )
    def test_the_form_of_the_matrix_makes_no_difference(self, estimator, make):
        data = simulate_lda(50, 20, n_words=15, n_topics=3, random_state=1)
        expected = self.fit(estimator, data.train, 3).components_
        given = make(data.train)
        before = given.copy()
        np.testing.assert_array_equal(self.fit(estimator, given, 3).components_, expected)
        difference = np.abs((sparse.csr_array(before) - sparse.csr_array(given)).toarray())
        assert difference.max() == 0  # and it is left as it was


def _shuffled(counts):
    shuffled = counts.copy()
    for m in range(counts.shape[0]):
        row = slice(counts.indptr[m], counts.indptr[m + 1])
        shuffled.indices[row] = counts.indices[row][::-1]
        shuffled.data[row] = counts.data[row][::-1]
    shuffled.has_sorted_indices = False
    return shuffled


def _with_duplicates(counts):
    coo = counts.tocoo()
    rows, columns = np.repeat(coo.row, coo.data), np.repeat(coo.col, coo.data)
    indptr = np.append(0, np.cumsum(np.bincount(rows, minlength=counts.shape[0])))
    return sparse.csr_array((np.ones(len(rows), dtype=int), columns, indptr), shape=counts.shape)


def test_accuracy_at_a_small_setting():
    """MM distance, mean of three draws: about .017 for GDM and .012 for tGDM; a broken step gives .05 or more."""
    distances = {GDM: [], TunedGDM: []}
    for seed in range(3):
        data = simulate_lda(400, 300, n_words=300, n_topics=5, random_state=seed)
        for estimator, found in distances.items():
            topics = estimator(5, random_state=seed).fit(data.train).components_
            found.append(minimum_matching_distance(topics, data.topics))
    assert np.mean(distances[TunedGDM]) < np.mean(distances[GDM]) < 0.025
