"""The methods that some exhibits need, against brute force."""

import numpy as np
import pytest

from experiments import propositions
from experiments.estimators import (
    N_SINGLE,
    BoundedGDM,
    DiscardingGDM,
    ExtendedGDM,
    PicturedGDM,
    SpannedGDM,
    Unigram,
)
from experiments.in_blocks import InBlocks
from gdmbench import GDM, RefinedGDM, minimum_matching_distance, perplexity, project, simulate_lda


@pytest.fixture(scope="module")
def data():
    return simulate_lda(300, 100, n_words=60, n_topics=3, random_state=0)


def test_discarding_nothing_is_gdm(data):
    ours = DiscardingGDM(3, discarded_share=0.0, random_state=5).fit(data.train)
    assert np.array_equal(ours.components_, GDM(3, random_state=5).fit(data.train).components_)


def test_discarding_keeps_the_farthest(data):
    points = data.train.toarray() / data.train.sum(axis=1)[:, None]
    center = data.train.sum(axis=0) / data.train.sum()
    distances = np.linalg.norm(points - center, axis=1)
    far = np.sort(np.argsort(distances)[75:])
    ours = DiscardingGDM(3, discarded_share=0.25, random_state=5).fit(data.train)
    assert np.allclose(ours.components_, GDM(3, random_state=5).fit(data.train[far]).components_)
    other = DiscardingGDM(3, discarded_share=0.25, which="random", random_state=5).fit(data.train)
    assert not np.allclose(ours.components_, other.components_)


def test_discarding_everything_is_refused(data):
    with pytest.raises(ValueError, match="less than 1"):
        DiscardingGDM(3, discarded_share=1.0).fit(data.train)


def test_bounds_against_the_formulas_document_by_document(data):
    model = BoundedGDM(3, random_state=0).fit(data.train)
    topics = 0.99 * model.components_ + 0.01 * model.center_
    p = project(data.train, topics) @ topics
    counts = data.train.toarray()
    w = counts / counts.sum(axis=1, keepdims=True)
    here = counts > 0
    kl = np.where(here, w * np.log(np.where(here, w, 1) / p), 0).sum(axis=1)
    half_square = np.where(here, (w - p) ** 2, 0).sum(axis=1) / 2
    printed = np.where(here, (w - p) ** 2 / p, 0).sum(axis=1)
    full = ((w - p) ** 2 / p).sum(axis=1)
    found = model.record_
    # Every document has 100 tokens, so that means over documents are means over tokens.
    assert found["upper"] == pytest.approx((kl - half_square).mean(), rel=1e-9)
    assert found["lower"] == pytest.approx((full - kl).mean(), rel=1e-9)
    assert found["lower_printed"] == pytest.approx((printed - kl).mean(), rel=1e-9)
    assert found["broken_lower_printed"] == (printed < kl - 1e-6)[:200].mean()
    assert found["broken_lower"] == found["broken_upper"] == 0


def test_the_printed_bound_breaks_where_one_word_is_nearly_all():
    data = simulate_lda(300, 100, n_words=5, n_topics=4, random_state=0)
    assert BoundedGDM(4, random_state=0).fit(data.train).record_["broken_lower_printed"] > 0.1


def test_angles_against_a_dense_decomposition():
    data = simulate_lda(200, [20, 200], n_words=60, n_topics=3, random_state=3)
    model = SpannedGDM(3, random_state=0).fit(data.train)
    counts = data.train.toarray().astype(float)
    lengths = counts.sum(axis=1, keepdims=True)
    right = np.linalg.svd(np.sqrt(lengths) * counts / lengths)[2][:3].T
    basis = np.linalg.qr(model.centroids_.T)[0]
    cosine = np.linalg.svd(basis.T @ right)[1].min()
    assert model.record_["centroids"] == pytest.approx(np.sqrt(1 - cosine**2), rel=1e-6)
    assert model.record_["relaxed"] < 1e-6


def test_the_criterion_tells_how_many_documents_are_corpora_of_their_own():
    (bounds,) = [claim for claim in propositions.CLAIMS if claim.id == "bounds"]
    assert f"{N_SINGLE} documents" in bounds.criterion


def test_a_picture_is_plain_data_of_the_fit(data):
    model = PicturedGDM(3, n_pictured=50, random_state=0).fit(data.train)
    picture = model.record_
    assert len(picture["documents"]) == len(picture["labels"]) == 50
    assert sum(picture["documents"][0]) == 100
    assert np.array_equal(picture["topics"], model.components_)
    assert np.array_equal(model.components_, GDM(3, random_state=0).fit(data.train).components_)


def test_the_right_extension_is_the_best_on_every_ray(data):
    model = ExtendedGDM(3, random_state=0).fit(data.train)
    assert np.array_equal(model.components_, GDM(3, random_state=0).fit(data.train).components_)
    assert model.record_ == {"extension": model.extensions_.mean()}
    found = model.truth_record(data.topics)
    # Brute force: along each ray, the extension nearest to the nearest true topic.
    steps = np.linspace(0.5, 3, 2501)
    best, ends = [], []
    for centroid, topic in zip(model.centroids_, model.components_, strict=True):
        truth = data.topics[np.linalg.norm(data.topics - topic, axis=1).argmin()]
        points = model.center_ + steps[:, None] * (centroid - model.center_)
        best.append(steps[np.linalg.norm(points - truth, axis=1).argmin()])
        end = np.maximum(model.center_ + best[-1] * (centroid - model.center_), 0)
        ends.append(end / end.sum())
    assert found["right_extension"] == pytest.approx(np.mean(best), abs=1e-3)
    assert found["right_mm_distance"] == pytest.approx(minimum_matching_distance(ends, data.topics), abs=1e-4)


def test_exact_mixtures_of_which_some_are_pure_are_extended_rightly():
    # A centroid of documents near a vertex: the farthest of them is the vertex, so that the default is right.
    corners = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
    mixtures = np.vstack([corners, 0.9 * corners + 0.1 / 3])
    model = ExtendedGDM(3, random_state=0).fit(mixtures)
    found = model.truth_record(corners)
    assert found["right_extension"] == pytest.approx(model.record_["extension"], rel=1e-12)
    assert found["right_mm_distance"] == pytest.approx(0, abs=1e-12)


def test_a_unigram_is_the_frequency_of_every_word():
    counts = np.array([[2, 0, 1], [1, 1, 3]])
    model = Unigram().fit(counts)
    assert model.components_.tolist() == [[3 / 8, 1 / 8, 4 / 8]]
    assert perplexity(counts, model.components_, np.ones((2, 1))) == pytest.approx(
        np.exp(-(model.components_[0] @ np.log([3 / 8, 1 / 8, 1 / 2])))
    )


def test_blocks_give_what_the_matrix_gives():
    data = simulate_lda(300, 50, n_words=60, n_topics=3, random_state=0)
    whole = RefinedGDM(3, random_state=0).fit(data.train)
    in_blocks = InBlocks(RefinedGDM(3, random_state=0), n_rows=70).fit(data.train)
    np.testing.assert_allclose(in_blocks.components_, whole.components_, atol=1e-6)
