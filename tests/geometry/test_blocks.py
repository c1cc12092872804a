"""Blocks of documents and threads change no bit, and the caller's counts are only read."""

import numpy as np
import pytest
from scipy import sparse

from gdmbench import GDM, VLAD, NonparametricGDM, RefinedGDM, TunedGDM, project, simulate_lda
from gdmbench.geometry import blocks, kmeans, tuned_gdm
from gdmbench.geometry.counts import check_counts
from gdmbench.geometry.tuned_gdm import at_most

ESTIMATORS = {
    "gdm": lambda: GDM(4, random_state=0),
    "tgdm": lambda: TunedGDM(4, random_state=0),
    "joint": lambda: TunedGDM(4, joint=True, upper=1.5, random_state=0),
    "ngdm": lambda: NonparametricGDM(n_topics=4, random_state=0),
    "vlad": lambda: VLAD(4, random_state=0),
    "refined": lambda: RefinedGDM(4, random_state=0),
}


def counts_of(seed, n_docs=300):
    return simulate_lda(n_docs, (5, 80), n_words=60, n_topics=4, random_state=seed).train


@pytest.mark.parametrize("n_jobs", [None, 1, 3, -1])
def test_results_come_in_order_and_errors_are_passed_on(n_jobs):
    assert list(blocks.ordered_map(lambda n: n * n, range(20), n_jobs)) == [n * n for n in range(20)]
    with pytest.raises(ZeroDivisionError):
        list(blocks.ordered_map(lambda n: 1 // n, range(3), n_jobs))


def test_items_are_read_only_a_little_ahead():
    read = []
    results = blocks.ordered_map(lambda n: n, (read.append(n) or n for n in range(100)), 2)
    assert next(results) == 0
    assert len(read) <= 4


def test_no_number_of_threads_is_zero():
    with pytest.raises(ValueError, match="n_jobs == 0"):
        RefinedGDM(2, n_jobs=0).fit(counts_of(0))


@pytest.mark.parametrize("n_docs", [0, 1, 70, 71, 300])
def test_blocks_are_the_rows_in_order(monkeypatch, n_docs):
    monkeypatch.setattr(blocks, "BLOCK", 70)
    matrix = counts_of(0)[:n_docs]
    found = blocks.stacked(blocks.Blocks(matrix).map(lambda rows: rows.toarray()))
    np.testing.assert_array_equal(found, matrix.toarray())


def test_threads_change_no_bit(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 70)
    counts = counts_of(1)
    one, three = (RefinedGDM(4, random_state=0, n_jobs=n_jobs).fit(counts) for n_jobs in (1, 3))
    np.testing.assert_array_equal(one.components_, three.components_)
    np.testing.assert_array_equal(one.transform(counts), three.transform(counts))
    np.testing.assert_array_equal(
        project(counts, one.components_), project(counts.toarray(), one.components_, n_jobs=3)
    )


@pytest.mark.parametrize("seed", range(4))
def test_no_single_move_lowers_the_inertia_of_many_documents(monkeypatch, seed):
    """Where k-means starts from a sample too."""
    monkeypatch.setattr(kmeans, "_MOST_SPARSE", 60)
    counts = counts_of(seed, 150)
    gdm = GDM(5, random_state=seed).fit(counts)
    lengths = counts.toarray().sum(axis=1)
    points = counts.toarray() / lengths[:, None]

    def inertia(labels):
        total = 0.0
        for k in range(5):
            mine, w = points[labels == k], lengths[labels == k]
            if len(mine):
                total += w @ ((mine - np.average(mine, axis=0, weights=w)) ** 2).sum(axis=1)
        return total

    assert gdm.inertia_ == pytest.approx(inertia(gdm.labels_), rel=1e-10)
    assert set(gdm.labels_) == set(range(5))
    for m in range(150):
        for k in range(5):
            moved = gdm.labels_.copy()
            moved[m] = k
            assert inertia(moved) >= gdm.inertia_ * (1 - 1e-9)


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.float32, np.float64, np.uint8])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_counts_of_any_type_give_the_same_bits_and_are_only_read(name, kind):
    counts = counts_of(3, 60)
    expected = ESTIMATORS[name]().fit(counts.astype(float)).components_
    given = counts.astype(kind)
    if name == "gdm":  # kernels are compiled once more for arrays that can't be written to
        for array in (given.data, given.indices, given.indptr):
            array.flags.writeable = False
    np.testing.assert_array_equal(ESTIMATORS[name]().fit(given).components_, expected)
    np.testing.assert_array_equal(given.toarray(), counts.toarray())


def test_a_matrix_mapped_from_disk_is_fitted_without_a_copy_of_its_indices(tmp_path):
    counts = counts_of(4)
    mapped = []
    for name in ("data", "indices", "indptr"):
        np.save(tmp_path / f"{name}.npy", getattr(counts, name))
        mapped.append(np.load(tmp_path / f"{name}.npy", mmap_mode="r"))
    given = sparse.csr_array(tuple(mapped), shape=counts.shape)
    read = check_counts(given, as_given=True)
    assert all(np.shares_memory(a, b) for a, b in zip(mapped, (read.data, read.indices, read.indptr), strict=True))
    fitted, expected = (TunedGDM(4, random_state=0).fit(x).components_ for x in (given, counts))
    np.testing.assert_array_equal(fitted, expected)


def test_counts_that_are_not_canonical_are_copied_and_the_callers_left_alone():
    data, indices, indptr = np.array([2.0, 1.0, 0.0, 3.0, 1.0]), np.array([3, 1, 2, 0, 0]), np.array([0, 3, 5])
    given = sparse.csr_matrix((data, indices, indptr), shape=(2, 4))
    read = check_counts(given)
    np.testing.assert_array_equal(read.toarray(), [[0, 1, 0, 2], [4, 0, 0, 0]])
    assert read.has_canonical_format
    assert read.nnz == 3
    np.testing.assert_array_equal(given.data, [2, 1, 0, 3, 1])
    np.testing.assert_array_equal(given.indices, [3, 1, 2, 0, 0])


def test_at_most_so_many_of_a_cluster_are_kept_evenly_spread():
    members = np.flatnonzero(np.random.default_rng(0).random(1000) < 0.5)
    kept = at_most(100, members)
    assert set(kept) <= set(members)
    assert (np.diff(kept) > 0).all()
    assert 50 <= len(kept) <= 100
    assert np.diff(np.searchsorted(members, kept)).max() == np.diff(np.searchsorted(members, kept)).min()
    np.testing.assert_array_equal(at_most(600, members), members)


def test_extensions_tuned_by_some_documents_are_nearly_those_by_all(monkeypatch):
    """A search ends within 5 % of its interval; with 300 documents of each cluster the loss adds another 5 %."""
    counts = simulate_lda(3000, 100, n_words=100, n_topics=4, random_state=0).train
    everything = TunedGDM(4, random_state=0).fit(counts)
    monkeypatch.setattr(tuned_gdm, "_MOST_DOCUMENTS", 300)
    some = TunedGDM(4, random_state=0).fit(counts)
    interval = GDM(4, random_state=0).fit(counts).extensions_ - 1.0
    assert (some.extensions_ != everything.extensions_).any()
    assert (np.abs(some.extensions_ - everything.extensions_) <= 0.1 * interval).all()
