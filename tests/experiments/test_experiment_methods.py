"""The data and the methods that some exhibits need, against brute force."""

import numpy as np
import pandas as pd
import pytest

from experiments import figure_1
from experiments.discard import DiscardingGDM
from experiments.mixtures import simulate_mixtures
from experiments.nips_like import simulate_nips_like
from experiments.propositions import BoundedGDM, SpannedGDM
from gdmbench import GDM, project, simulate_lda
from gdmbench.runner.cell import run_cell
from gdmbench.runner.plan import Cell


@pytest.fixture(scope="module")
def data():
    return simulate_lda(300, 100, n_words=60, n_topics=3, random_state=0)


def test_mixtures_are_exact():
    data = simulate_mixtures(200, n_topics=4, equilateral=True, random_state=1)
    assert np.allclose(data.train.toarray(), data.proportions @ data.topics)
    sides = np.linalg.norm(data.topics[:, None] - data.topics[None], axis=2)[~np.eye(4, dtype=bool)]
    assert np.allclose(sides, sides[0])
    assert data.heldout.sum(axis=1).min() == 1000


def test_exact_mixtures_with_a_document_at_every_vertex_give_the_topics():
    data = simulate_mixtures(2000, n_topics=3, alpha=0.01, random_state=2)
    found = GDM(3, random_state=0).fit(data.train).components_
    nearest = np.linalg.norm(found[:, None] - data.topics[None], axis=2).min(axis=1)
    # About one in thirty of these mixtures is not pure: a hundredth of the topics' distances is ample.
    assert nearest.max() < 0.01 * np.linalg.norm(data.topics[0] - data.topics[1])


def test_nips_like_lengths():
    data = simulate_nips_like(random_state=0)
    lengths = data.train.sum(axis=1)
    assert data.train.shape[0] == 1438
    assert data.heldout.shape[0] == 300
    assert lengths.min() >= 39
    assert lengths.max() <= 1403
    # The mean has a standard error of 172/√1438 < 5; cutting moves it by less than 2.
    assert abs(lengths.mean() - 272) < 20
    again = simulate_nips_like(random_state=0)
    assert (again.train != data.train).nnz == 0


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


@pytest.fixture(scope="module")
def pictured():
    spec = {"_target_": "gdmbench.data.simulate_lda", "n_docs": 300, "doc_length": 100, "n_words": 5, "n_topics": 4}
    params = {"_target_": "experiments.figure_1.PicturedGDM", "n_topics": 4, "n_pictured": 50}
    cells = [Cell("geometry", "gdm", "GDM", None, None, repetition, 1, spec, params) for repetition in range(3)]
    return pd.DataFrame([run_cell(cell) for cell in cells])


def test_figure_1_from_its_records(pictured, tmp_path):
    assert (pictured["status"] == "ok").all(), pictured["error"].tolist()
    picture = pictured["extra"].iloc[0]
    assert len(picture["documents"]) == len(picture["labels"]) == 50
    assert sum(picture["documents"][0]) == 100
    written = figure_1.draw(pictured, tmp_path)
    assert [path.name for path in written] == ["figure_1.pdf", "figure_1.png"]
    assert figure_1.draw(pictured.assign(status="timeout"), tmp_path) == []


def test_figure_1_refuses_records_of_another_simulator(pictured, tmp_path):
    with pytest.raises(ValueError, match="another version of the simulator"):
        figure_1.draw(pictured.assign(seed=2), tmp_path)
