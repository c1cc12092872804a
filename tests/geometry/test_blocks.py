"""Many documents: blocks and threads change no bit, the end is an optimum, and the caller's counts are only read."""

import functools
import threading
import time

import numpy as np
import pytest
from scipy import sparse

from gdmbench import GDM, VLAD, NonparametricGDM, RefinedGDM, TunedGDM, project, simulate_lda
from gdmbench.geometry import blocks, dp_means, hartigan, kmeans, margins, polish, products, restarts, tuned_gdm
from gdmbench.geometry import counts as counts_module
from gdmbench.geometry.counts import check_counts, row_squares
from gdmbench.geometry.tuned_gdm import at_most

ESTIMATORS = {
    "gdm": lambda **given: GDM(4, **given),
    "tgdm": lambda **given: TunedGDM(4, **given),
    "joint": lambda **given: TunedGDM(4, joint=True, upper=1.5, **given),
    "ngdm": lambda **given: NonparametricGDM(n_topics=4, **given),
    "vlad": lambda **given: VLAD(4, **given),
    "refined": lambda **given: RefinedGDM(4, **given),
}


@pytest.fixture
def few_are_many(monkeypatch):
    """Treat hundreds of documents as hundreds of thousands are treated."""
    for module in (blocks, counts_module, dp_means, polish, kmeans):
        monkeypatch.setattr(module, "BLOCK", 70)
    monkeypatch.setattr(polish, "_FEW_POINTS", 60)
    monkeypatch.setattr(margins, "_LEAST_LOOK", 13)
    monkeypatch.setattr(restarts, "_MOST_DOCUMENTS", 60)


def counts_of(seed, n_docs=300):
    return simulate_lda(n_docs, (5, 80), n_words=60, n_topics=4, random_state=seed).train


def test_blocks_are_rows_in_order():
    matrix = counts_of(0, 101)
    found = [blocks.rows_of(matrix, slice(start, min(start + 20, 101))) for start in range(0, 101, 20)]
    np.testing.assert_array_equal(np.vstack([rows.toarray() for rows in found]), matrix.toarray())
    assert all(np.shares_memory(rows.data, matrix.data) for rows in found)


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_threads_give_results_in_order_and_pass_errors_on(n_jobs):
    assert list(blocks.in_threads(lambda n: n * n, range(20), n_jobs)) == [n * n for n in range(20)]
    with pytest.raises(ZeroDivisionError):
        list(blocks.in_threads(lambda n: 1 // n, range(3), n_jobs))


@pytest.mark.parametrize("slow", [0, 1, 7])
@pytest.mark.parametrize("n_jobs", [2, 3, 8])
def test_a_slow_item_keeps_no_thread_from_the_others(n_jobs, slow):
    done, others_are_done = [], threading.Event()

    def work(number):
        if number == slow:
            assert others_are_done.wait(60)
        done.append((number, threading.get_ident()))
        if len(done) == 7:
            others_are_done.set()
        return -number

    assert list(blocks.in_threads(work, range(8), n_jobs)) == [-number for number in range(8)]
    assert sorted(number for number, _ in done) == list(range(8))
    assert len({thread for _, thread in done}) <= n_jobs


def test_the_thread_that_asks_works_too():
    asking, is_working = threading.get_ident(), threading.Event()

    def work(number):
        if threading.get_ident() == asking:
            is_working.set()
        assert is_working.wait(60)  # another thread waits for the one that asks
        return number

    assert list(blocks.in_threads(work, range(2), 2)) == [0, 1]


def test_nothing_is_begun_once_the_caller_wants_no_more():
    begun = []

    def work(number):
        begun.append(number)
        time.sleep(0.001)
        return number

    for number in blocks.in_threads(work, range(2000), 2):
        if number == 3:
            break
    n_begun = len(begun)
    assert n_begun < 2000  # which would take a second
    time.sleep(0.02)
    assert len(begun) == n_begun


def test_a_transpose_is_a_view():
    rows = blocks.rows_of(counts_of(0, 101), slice(20, 30))
    columns = blocks.transposed(rows)
    np.testing.assert_array_equal(columns.toarray(), rows.toarray().T)
    assert all(np.shares_memory(getattr(rows, part), getattr(columns, part)) for part in ("data", "indices", "indptr"))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_threads_change_no_bit(few_are_many, name):
    counts = counts_of(1)
    one, three = (ESTIMATORS[name](random_state=0, n_jobs=n_jobs).fit(counts) for n_jobs in (1, 3))
    np.testing.assert_array_equal(one.components_, three.components_)
    if hasattr(one, "labels_"):
        np.testing.assert_array_equal(one.labels_, three.labels_)
    np.testing.assert_array_equal(one.transform(counts), three.transform(counts))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_number_of_threads_is_checked(name):
    with pytest.raises(ValueError, match="n_jobs must be a whole number"):
        ESTIMATORS[name](n_jobs=0).fit(counts_of(0))


@pytest.mark.parametrize("seed", range(4))
def test_no_single_move_lowers_the_inertia_of_many_documents(few_are_many, seed):
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


@pytest.mark.parametrize("seed", range(4))
def test_many_documents_with_a_penalty_end_as_low_as_few(monkeypatch, seed):
    """To a hundredth: they start from a sample, and so may end at another optimum."""
    counts = simulate_lda(600, 100, n_words=200, n_topics=4, random_state=seed).train
    whole = NonparametricGDM(n_topics=4, random_state=0).fit(counts)
    for module in (blocks, counts_module, dp_means, polish, kmeans):
        monkeypatch.setattr(module, "BLOCK", 200)
    sampled = NonparametricGDM(n_topics=4, random_state=0).fit(counts)
    assert sampled.n_topics_ == whole.n_topics_
    assert sampled.inertia_ == pytest.approx(whole.inertia_, rel=1e-2)


def test_starts_from_a_sample_end_as_low_as_starts_from_all(monkeypatch):
    """To a thousandth in the mean over seeds, which is less than what seeds differ by."""
    counts = simulate_lda(1500, 100, n_words=200, n_topics=4, random_state=0).train
    whole = [GDM(4, random_state=seed).fit(counts).inertia_ for seed in range(4)]
    monkeypatch.setattr(restarts, "_MOST_DOCUMENTS", 300)
    for module in (blocks, polish, kmeans):
        monkeypatch.setattr(module, "BLOCK", 400)
    sampled = [GDM(4, random_state=seed).fit(counts).inertia_ for seed in range(4)]
    assert np.mean(sampled) == pytest.approx(np.mean(whole), rel=1e-3)


def test_clusters_added_up_in_threads_are_those_of_all_documents(few_are_many):
    counts = check_counts(counts_of(2))
    rows = hartigan.sparse_points(counts, np.arange(1.0, 301.0))
    labels = np.random.default_rng(0).integers(7, size=300)
    clusters = hartigan.new_clusters(counts.shape[1], 7)
    polish.add_up_sparse(rows, labels, clusters, n_jobs=3)
    onehot = np.eye(7)[labels] * rows.weights[:, None]
    np.testing.assert_allclose(clusters.sums, counts.toarray().T @ onehot)
    np.testing.assert_allclose(clusters.norms, (clusters.sums**2).sum(axis=0))
    np.testing.assert_allclose(clusters.totals, onehot.sum(axis=0))
    np.testing.assert_array_equal(clusters.sizes, np.bincount(labels))


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.float32, np.float64, np.uint8])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_counts_of_any_type_give_the_same_bits_and_are_only_read(name, kind):
    counts = counts_of(3, 60)
    expected = ESTIMATORS[name](random_state=0).fit(counts.astype(float)).components_
    given = counts.astype(kind)
    if name == "gdm":  # kernels are compiled once more for arrays that can't be written to
        for array in (given.data, given.indices, given.indptr):
            array.flags.writeable = False
    np.testing.assert_array_equal(ESTIMATORS[name](random_state=0).fit(given).components_, expected)
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


def test_documents_without_words_cost_no_copy_and_change_nothing():
    counts = counts_of(5, 40).toarray()
    with_empty = np.insert(counts, [0, 7, 40], 0, axis=0)
    plain, holed = (GDM(3, random_state=0).fit(x) for x in (counts, with_empty))
    np.testing.assert_array_equal(plain.components_, holed.components_)
    np.testing.assert_array_equal(np.flatnonzero(holed.labels_ < 0), [0, 8, 42])


def test_squares_of_rows_in_blocks(few_are_many):
    counts = check_counts(counts_of(6))
    np.testing.assert_allclose(row_squares(counts, 2), (counts.toarray() ** 2).sum(axis=1))
    np.testing.assert_allclose(project(counts, np.eye(counts.shape[1]), n_jobs=2).sum(axis=1), 1)


N_POINTS = 80


def some_clusters(seed, penalty):
    """Documents of a few words in four clusters, one of them a single document, and a fifth that is empty."""
    rng = np.random.default_rng(seed)
    points = rng.poisson(0.4, (N_POINTS, 15)) + np.eye(N_POINTS, 15)
    points /= points.sum(axis=1, keepdims=True)
    weights = rng.gamma(0.5, size=N_POINTS) + 0.01
    rows = hartigan.sparse_points(sparse.csr_array(points), weights)
    labels = np.append(np.arange(4), rng.integers(3, size=N_POINTS - 4))
    clusters = hartigan.new_clusters(15, 5 if penalty else 4)
    polish.add_up_sparse(rows, labels, clusters)

    @functools.cache
    def price(members):
        mine, w = points[list(members)], weights[list(members)]
        return penalty + w @ ((mine - w @ mine / w.sum()) ** 2).sum(axis=1) if members else 0.0

    def gains():
        """By the objective itself before and after each point's best move, for the point's weight."""
        all_members = [frozenset(np.flatnonzero(labels == k).tolist()) for k in range(clusters.sums.shape[1])]
        best = np.full(N_POINTS, -np.inf)
        for m, own in enumerate(labels):
            left = price(all_members[own]) - price(all_members[own] - {m})
            for k, members in enumerate(all_members):
                if k != own:
                    best[m] = max(best[m], (left + price(members) - price(members | {m})) / weights[m])
        return best

    return rows, labels, clusters, gains


@pytest.mark.parametrize("penalty", [0.0, 0.01])
@pytest.mark.parametrize("seed", range(5))
def test_a_look_in_single_precision_bounds_gains_from_above_and_closely(seed, penalty):
    rows, labels, clusters, gains = some_clusters(seed, penalty)
    known = margins.Margins(rows, labels, clusters, penalty, 1)
    candidates = known.may_gain(None)
    gain = gains()
    assert set(np.flatnonzero(gain > 1e-12)) <= set(candidates)
    assert gain[candidates].min() > -1e-4 * rows.squares.max()
    rest = np.setdiff1d(np.arange(N_POINTS), candidates)
    bounds = -(known._bounds - known._spent[labels])[rest]
    assert (gain[rest] <= bounds + 1e-12).all()
    assert (bounds <= gain[rest] + 1e-4 * rows.squares.max()).all()


@pytest.mark.parametrize("penalty", [0.0, 0.01])
@pytest.mark.parametrize("seed", range(10))
def test_no_point_gains_that_need_not_be_looked_at(seed, penalty):
    """Whatever moves there were since the last look, those among them that empty clusters and fill empty ones."""
    rng = np.random.default_rng(seed)
    rows, labels, clusters, gains = some_clusters(seed, penalty)
    known = margins.Margins(rows, labels, clusters, penalty, 1)
    known.may_gain(None)
    n_spared = 0
    for n_moves in (0, 1, 1, 1, 3, 0, 1, 8):
        moved = rng.choice(N_POINTS, size=n_moves, replace=False)
        if not penalty:  # then no cluster may become empty
            moved = moved[np.bincount(labels)[labels[moved]] > n_moves]
        labels[moved] = rng.integers(clusters.sums.shape[1], size=len(moved))
        known._bounds[moved] = -np.inf
        polish.add_up_sparse(rows, labels, clusters)
        known._follow()
        bounds = -(known._bounds - known._spent[labels])
        assert (gains() <= bounds + 1e-12).all()
        n_spared += np.count_nonzero(bounds < 0)
        known.may_gain(rng.choice(N_POINTS, size=50, replace=False))
    assert n_spared > 0


@pytest.mark.parametrize("n_columns", [2, 7, 20])
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_products_by_kernels_are_scipys(monkeypatch, request, n_columns, n_jobs):
    """They add up the same numbers in the same order, but for a processor that joins a product and a sum."""
    points, rng = check_counts(counts_of(8)), np.random.default_rng(0)
    weights, matrix, offset = rng.random(300), rng.normal(size=(points.shape[1], n_columns)), rng.normal(size=n_columns)
    scipys = products.times(points, matrix), *products.spread(points, weights, matrix, offset)
    np.testing.assert_array_equal(scipys[0], points @ matrix)
    np.testing.assert_allclose(scipys[1], points.T @ (weights[:, None] * (points @ matrix - offset)), atol=1e-9)
    np.testing.assert_allclose(scipys[2], weights @ (points @ matrix - offset), atol=1e-9)
    monkeypatch.setattr(products, "_MANY", 0)
    monkeypatch.setattr(products, "_WIDE", 1)
    request.getfixturevalue("few_are_many")  # only now, as scipy multiplies one block alone
    ours = products.times(points, matrix, n_jobs), *products.spread(points, weights, matrix, offset, n_jobs)
    for one, other in zip(scipys, ours, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n_jobs", [2, 5])
def test_columns_in_threads_are_those_of_one_thread(n_jobs):
    points, rng = check_counts(counts_of(9)), np.random.default_rng(0)
    weights, matrix, offset = rng.random(300), rng.normal(size=(points.shape[1], 7)), rng.normal(size=7)
    one, some = (products.spread(points, weights, matrix, offset, n) for n in (1, n_jobs))
    np.testing.assert_array_equal(one[0], some[0])
    np.testing.assert_array_equal(one[1], some[1])


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
