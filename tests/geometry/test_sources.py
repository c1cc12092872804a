"""Blocks of documents from anywhere: the same topics as from one matrix, and one sentence for each thing gone wrong."""

import os
from itertools import pairwise

import dask
import dask.array
import dask.bag
import numpy as np
import pytest
from distributed import Client, LocalCluster
from scipy import sparse

from gdmbench import GDM, VLAD, CorpusParts, RefinedGDM, completion_perplexity, load_corpus, project, simulate_lda

DATA = simulate_lda(300, 60, n_words=80, n_topics=3, random_state=0)
CUTS = (0, 70, 71, 200, 300)
BLOCKS = [DATA.train[a:b] for a, b in pairwise(CUTS)]


class Again:
    """Blocks that are made anew for each reading."""

    def __init__(self, make):
        self.make = make

    def __iter__(self):
        return iter(self.make())


@pytest.fixture
def folder(tmp_path):
    """The blocks as files, half of them mapped from the disk."""
    for number, block in enumerate(BLOCKS):
        sparse.save_npz(tmp_path / f"part-{number}.npz", block, compressed=number % 2 == 0)
    (tmp_path / "vocab.txt").write_text("".join(f"w{word}\n" for word in range(DATA.train.shape[1])))
    return tmp_path


def sources(folder):
    delayed = [dask.delayed(block) for block in BLOCKS]
    return {
        "list": BLOCKS,
        "re-iterable": Again(lambda: (block.tocsc() for block in BLOCKS)),
        "folder": CorpusParts(folder),
        "dask delayed": delayed,
        "dask bag": dask.bag.from_sequence(BLOCKS, npartitions=2),
        "dask array": dask.array.from_array(DATA.train.toarray(), chunks=(110, -1)),
    }


@pytest.mark.parametrize("kind", ["list", "re-iterable", "folder", "dask delayed", "dask bag", "dask array"])
def test_every_source_gives_what_the_matrix_gives(kind, folder):
    source = sources(folder)[kind]
    start = np.random.default_rng(0).dirichlet(np.full(DATA.train.shape[1], 0.3), size=3)
    for method in (VLAD(3, random_state=0), RefinedGDM(3, start=start), RefinedGDM(3, random_state=0)):
        whole, blocks = (method.fit(X).components_ for X in (DATA.train, source))
        np.testing.assert_allclose(blocks, whole, atol=1e-6)
    np.testing.assert_allclose(method.transform(source), method.transform(DATA.train), atol=1e-9)
    np.testing.assert_allclose(project(source, whole), project(DATA.train, whole), atol=1e-9)
    expected = completion_perplexity(DATA.train, whole, DATA.train)
    assert completion_perplexity(source, whole, source) == pytest.approx(expected, rel=1e-9)


def test_the_same_blocks_give_the_same_bits_in_threads_and_in_dask():
    found = [
        RefinedGDM(3, random_state=0, n_jobs=n_jobs).fit(source).components_
        for source, n_jobs in ((BLOCKS, None), (BLOCKS, 2), ([dask.delayed(block) for block in BLOCKS], None))
    ]
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)


def test_proportions_are_written_to_a_folder_that_is_whole_or_not_there(tmp_path):
    model = RefinedGDM(3, random_state=0).fit(DATA.train)
    files = model.transform(BLOCKS, folder=tmp_path / "theta")
    written = np.concatenate([np.load(file) for file in files])
    np.testing.assert_allclose(written, model.transform(DATA.train), atol=1e-12)
    bad = [*BLOCKS, sparse.csr_array((1, DATA.train.shape[1] + 1))]
    with pytest.raises(ValueError, match="block 4 has"):
        model.transform(bad, folder=tmp_path / "other")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["theta"]
    with pytest.raises(ValueError, match="is there already"):
        model.transform(BLOCKS, folder=tmp_path / "theta")


def missing():
    raise FileNotFoundError(2, "No such file", "part-7")


def negative():
    block = BLOCKS[1].copy()
    block.data = -block.data
    return [BLOCKS[0], block]


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (lambda: iter(BLOCKS), r"VLAD.fit reads its blocks several times, and this iterator can be read only once"),
        (lambda: [BLOCKS[0], BLOCKS[1][:, :50]], r"VLAD.fit, block 1 has 50 words, the blocks before it have"),
        (negative, r"Negative values in data passed to VLAD.fit, block 1"),
        (lambda: [BLOCKS[0].toarray(), np.full((2, BLOCKS[0].shape[1]), np.nan)], r"VLAD.fit, block 1.*NaN"),
        (lambda: Again(lambda: iter(())), r"VLAD.fit got no blocks"),
        (lambda: Again(missing), r"VLAD.fit, block 0 cannot be read: .*No such file"),
        (lambda: [dask.delayed(missing)()] * 2, r"dask could not compute blocks 0 to 1: .*No such file"),
    ],
)
def test_a_bad_source_is_refused_by_a_sentence_that_names_the_block(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        VLAD(2, random_state=0).fit(source())


def test_methods_that_need_all_documents_say_so():
    with pytest.raises(ValueError, match=r"GDM.fit needs all documents in one matrix"):
        GDM(3).fit(BLOCKS)


def test_a_part_that_vanishes_or_is_damaged_is_named(folder):
    parts = CorpusParts(folder)
    (folder / "part-2.npz").unlink()
    with pytest.raises(ValueError, match=r"part-2\.npz cannot be read: No such file"):
        VLAD(3, random_state=0).fit(parts)
    (folder / "part-2.npz").write_bytes(b"PK nonsense")
    with pytest.raises(ValueError, match=r"part-2\.npz is not a sparse matrix saved by scipy"):
        VLAD(3, random_state=0).fit(parts)
    (folder / "empty").mkdir()
    with pytest.raises(ValueError, match=r"has no \.npz files"):
        CorpusParts(folder / "empty")


def test_a_source_that_changes_between_readings_is_refused():
    lengths = iter([4])
    changing = Again(lambda: BLOCKS[: next(lengths, 3)])
    with pytest.raises(ValueError, match="there were 4 blocks at first and then 3"):
        RefinedGDM(3, start=np.full((3, DATA.train.shape[1]), 1.0 / DATA.train.shape[1])).fit(changing)


def test_a_folder_of_parts_is_a_corpus(folder):
    corpus = load_corpus(folder)
    assert (corpus.counts != DATA.train).nnz == 0
    assert corpus.vocabulary[:2] == ["w0", "w1"]
    assert CorpusParts(folder).vocabulary == corpus.vocabulary
    sparse.save_npz(folder / "part-9.npz", BLOCKS[0][:, :50])
    with pytest.raises(ValueError, match="have 50 to"):
        load_corpus(folder)


def die(_block):
    os._exit(1)


def test_a_dask_worker_that_dies_is_told_of(tmp_path):
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, local_directory=tmp_path) as cluster,
        Client(cluster),
    ):
        assert VLAD(3, random_state=0).fit([dask.delayed(block) for block in BLOCKS]).components_.shape[0] == 3
        with pytest.raises(ValueError, match=r"VLAD.fit: dask could not compute blocks 0 to 3: "):
            VLAD(3, random_state=0).fit([dask.delayed(die)(block) for block in BLOCKS])
