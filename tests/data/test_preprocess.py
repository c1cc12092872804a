import inspect
import math
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from gdmbench.config.targets import arguments
from gdmbench.data.corpus import Corpus, CorpusError, as_typed
from gdmbench.data.load import load_corpus
from gdmbench.data.preprocess import preprocess
from gdmbench.data.split import divide, split_corpus
from gdmbench.errors import ConfigError

WORDS = ["a", "the", "Of", "topic", "model", "word", "text", "rare"]


def data_config(name):
    """Return the arguments of a data config."""
    file = Path(__file__).parents[2] / "conf" / "data" / f"{name}.yaml"
    config = yaml.safe_load(file.read_text())["data"]
    assert config.pop("_target_") == "gdmbench.data.split.split_corpus"
    config.pop("instead", None)  # which a run looks at before it makes data
    return config


def corpus_of(rows, words=None):
    return Corpus(sparse.csr_array(np.array(rows, dtype=np.int64)), words)


def brute_force(rows, words, *, drop_shortest=0, min_letters=0, stop_words=(), min_df=1, max_df=1.0, min_count=1,
                max_count=None, vocabulary_size=None, min_length=1):  # fmt: skip
    """The steps of `preprocess` on lists."""
    dropped = sorted(range(len(rows)), key=lambda m: (sum(rows[m]), m))[:drop_shortest]
    rows = [row for m, row in enumerate(rows) if m not in dropped]
    share = lambda bound: bound * len(rows) if isinstance(bound, float) else bound  # noqa: E731
    kept = []
    for i, word in enumerate(words):
        tf, df = sum(row[i] for row in rows), sum(row[i] > 0 for row in rows)
        if (share(min_df) <= df <= share(max_df) and min_count <= tf and (max_count is None or tf <= max_count)
                and len(word) >= min_letters and word.lower() not in stop_words):  # fmt: skip
            kept.append((i, tf / df * math.log(len(rows) / df)))
    if vocabulary_size is not None:
        kept = sorted(sorted(kept, key=lambda pair: (-pair[1], pair[0]))[:vocabulary_size])
    rows = [[row[i] for i, _ in kept] for row in rows]
    return [row for row in rows if sum(row) >= min_length], [words[i] for i, _ in kept]


@given(seed=st.integers(0, 2**32), options=st.fixed_dictionaries({}, optional={
    "drop_shortest": st.integers(0, 3), "min_letters": st.integers(0, 5), "min_df": st.sampled_from([1, 2, 0.2, 0.5]),
    "max_df": st.sampled_from([1.0, 0.8, 9]), "min_count": st.integers(1, 5), "max_count": st.integers(4, 15),
    "vocabulary_size": st.integers(1, 4), "min_length": st.integers(1, 6),
    "stop_words": st.lists(st.sampled_from(["of", "the", "text"]))}))  # fmt: skip
@settings(deadline=None)
def test_every_combination_of_steps_agrees_with_brute_force(seed, options):
    rows = np.random.default_rng(seed).poisson(0.8, size=(12, 8)).tolist()
    try:
        result = preprocess(corpus_of(rows, WORDS), **options)
    except CorpusError:
        expected, words = brute_force(rows, WORDS, **options)
        assert not expected or not words or len(words) < options.get("vocabulary_size", 0)
        return
    expected, words = brute_force(rows, WORDS, **options)
    assert result.vocabulary == words
    np.testing.assert_array_equal(result.counts.toarray(), expected)


def test_nothing_is_dropped_but_empty_documents_and_words_that_never_occur():
    result = preprocess(corpus_of([[1, 0, 2], [0, 0, 0], [0, 0, 1]]))
    np.testing.assert_array_equal(result.counts.toarray(), [[1, 2], [0, 1]])
    assert result.vocabulary is None


def test_english_stop_words_are_those_of_scikit_learn():
    words = ["model", *sorted(ENGLISH_STOP_WORDS)]
    assert preprocess(corpus_of([[1] * len(words)], words), stop_words="english").vocabulary == ["model"]


def test_equally_ranking_words_stay_in_their_order():
    counts = corpus_of([[1, 1, 1, 2], [0, 0, 0, 1], [0, 0, 0, 1]], ["x", "y", "z", "all"])
    assert preprocess(counts, vocabulary_size=2).vocabulary == ["x", "y"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"min_df": 9}, "No word passes"),
        ({"min_length": 100}, "No document has min_length=100"),
        ({"min_length": 0}, "min_length must be a whole number of at least 1, not 0"),
        ({"min_count": True}, "min_count must be a whole number"),
        ({"min_letters": 2.5}, "min_letters must be a whole number"),
        ({"vocabulary_size": 0}, "vocabulary_size must be a whole number of at least 1"),
        ({"max_df": "all"}, "max_df must be a number of at least 0, not 'all'"),
        ({"drop_shortest": 2}, "leaves none of the 2 documents"),
        ({"vocabulary_size": 4}, "more than the 3 words"),
        ({"min_letters": 2}, "give the corpus a vocabulary"),
        ({"stop_words": "english"}, "give the corpus a vocabulary"),
    ],
)
def test_filters_that_leave_nothing_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        preprocess(corpus_of([[1, 2, 0], [0, 1, 1]]), **options)


def test_unknown_list_of_stop_words():
    with pytest.raises(CorpusError, match="stop_words='german' is not known"):
        preprocess(corpus_of([[1]], ["ein"]), stop_words="german")


def test_division_is_random_disjoint_and_complete():
    corpus = corpus_of([[m + 1] for m in range(20)])
    split = divide(corpus, 6, random_state=0)
    train, heldout = split.train.toarray().ravel(), split.heldout.toarray().ravel()
    assert (len(train), len(heldout)) == (14, 6)
    assert sorted([*train, *heldout]) == list(range(1, 21))
    assert list(train) == sorted(train)
    again = divide(corpus, 6, random_state=0)
    np.testing.assert_array_equal(again.heldout.toarray(), split.heldout.toarray())
    chosen = {tuple(divide(corpus, 6, random_state=seed).heldout.toarray().ravel()) for seed in range(20)}
    assert len(chosen) == 20
    fewer = divide(corpus, 6, n_docs=3, random_state=0)
    assert fewer.train.shape == (3, 1)
    np.testing.assert_array_equal(fewer.heldout.toarray(), split.heldout.toarray())


@pytest.mark.parametrize(
    ("n_heldout", "n_docs", "words"),
    [
        (3, None, "has 3 documents, too few"),
        (1, 3, "has 3 documents, too few"),
        (-1, None, "n_heldout must be a whole number of at least 0, not -1"),
        (1, 0, "n_docs must be a whole number of at least 1, not 0"),
    ],
)
def test_division_into_more_documents_than_there_are_is_refused(n_heldout, n_docs, words):
    with pytest.raises(ValueError, match=words):
        divide(corpus_of([[1], [1], [1]]), n_heldout, n_docs=n_docs)


@pytest.mark.parametrize(("n_documents", "n_heldout"), [(2, 1), (15, 1), (25, 2), (200, 20), (5000, 300)])
def test_a_tenth_of_the_documents_is_held_out_by_default(n_documents, n_heldout):
    split = divide(corpus_of([[1]] * n_documents), random_state=0)
    assert (split.train.shape[0], split.heldout.shape[0]) == (n_documents - n_heldout, n_heldout)


def test_a_small_corpus_works_at_once(write):
    split = split_corpus(str(write("x.txt", "red fish\nblue fish\nold fish\n")), random_state=0)
    assert (split.train.shape[0], split.heldout.shape[0]) == (2, 1)
    with pytest.raises(CorpusError, match="has 1 documents, too few for n_heldout=1 held-out and 1 training"):
        split_corpus(str(write("x.txt", "red fish\n")))


def messages_as_typed(write):
    """Yield what is wrong with a corpus as the command line would say it."""
    text, empty = str(write("x.txt", "red fish\nblue fish\n")), str(write("empty.txt", "red fish\n\n"))
    unknown, table = str(write("empty=n_heldout.doc", "text")), str(write("x.csv", "a,b\n1,2\n"))
    for path, options in [
        (text, {"n_heldout": 9}),
        (text, {"n_heldout": True}),
        (unknown, {}),
        (empty, {}),
        (text, {"empty": "keep"}),
        (text, {"encoding": "utf-9"}),
        (text, {"vocabulary_size": 9}),
        (text, {"min_df": 9}),
        (table, {}),
        (text, {"vocabulary": text}),
    ]:
        with pytest.raises(ValueError, match=r"\.$") as error:
            split_corpus(path, **options)
        yield as_typed(error.value, "data.")


def test_errors_can_name_keys_as_they_are_typed(write, tmp_path):
    messages = [message.replace(f"{tmp_path}/", "") for message in messages_as_typed(write)]
    assert messages == [
        "The corpus has 2 documents, too few for n_heldout=9 held-out and 1 training documents: set data.n_heldout or "
        "data.n_docs lower.",
        "data.n_heldout must be a whole number of at least 0, not True.",
        "The name of empty=n_heldout.doc does not tell what it is: give data.format=uci, ldac, matrix_market, npz, "
        "text, csv, jsonl or parquet.",
        "empty.txt, line 2: document 2 has no words; set data.empty=drop to leave out such documents.",
        "data.empty='keep' is neither 'error' nor 'drop'.",
        "There is no text encoding called 'utf-9': set data.encoding to a name such as utf-8 or latin-1.",
        "data.vocabulary_size=9 is more than the 3 words that pass the filters: set it lower.",
        "No word passes the filters: loosen data.min_df, data.max_df, data.min_count or the others.",
        "x.csv has the columns a, b: set data.text_column to the one with the text.",
        "The vocabulary of text is the words that occur in it: leave out data.vocabulary.",
    ]


def test_a_corpus_from_file_to_split(write):
    path = write("x.txt", "one fish two fish\nred fish blue fish\nold fish new fish\nand one\n")
    split = split_corpus(str(path), n_heldout=1, min_df=2, random_state=0)
    assert split.vocabulary == ["fish", "one"]
    assert split.topics is None
    assert split.train.shape == (3, 2)
    assert split.heldout.shape == (1, 2)


@pytest.mark.data
def test_real_corpora_have_the_sizes_stated_for_them(data_folder):
    for name, shape, nonzeros, tokens, shortest, longest in [
        ("nips", (1500, 12419), 746316, 1932365, 2, 2307),
        ("nips12", (1740, 13649), 933295, 2301375, 147, 4198),
    ]:
        corpus = load_corpus(name, data_dir=data_folder)
        lengths = corpus.counts.sum(axis=1)
        assert corpus.counts.shape == shape
        assert (corpus.counts.nnz, lengths.sum()) == (nonzeros, tokens)
        assert (lengths.min(), lengths.max()) == (shortest, longest)
    assert np.count_nonzero(load_corpus("nips", data_dir=data_folder).counts.sum(axis=0) == 0) == 44


@pytest.mark.parametrize("name", ["nips", "nips12", "nips12_paper", "reuters", "20newsgroups", "corpus"])
def test_data_configs_have_only_keys_that_their_target_knows(name):
    assert set(data_config(name)) <= set(inspect.signature(split_corpus).parameters)


def test_a_config_may_say_what_each_step_of_a_split_takes_and_nothing_else():
    steps = [inspect.signature(step).parameters for step in (load_corpus, preprocess, divide)]
    expected = {"path"} | {name for parameters in steps for name in list(parameters)[1:]}
    assert set(inspect.signature(split_corpus).parameters) == expected
    spec = {"_target_": "gdmbench.data.split.split_corpus", "path": "x.txt"}
    for wrong, words in [
        ({"min_dff": 2}, r"There is no config key 'data.min_dff': did you mean 'data.min_df'\?"),
        ({"min_df": "few"}, r"data.min_df='few' is of the wrong kind"),
        ({"stop_words": 5}, r"data.stop_words=5 is of the wrong kind"),
        ({"data_dir": 5}, r"data.data_dir=5 is of the wrong kind"),
        ({"vocabulary": ["red", "fish"]}, r"data.vocabulary=\['red', 'fish'\] is of the wrong kind"),
    ]:
        with pytest.raises(ConfigError, match=words):
            arguments(spec | wrong, "data")
    with pytest.raises(TypeError, match="unexpected keyword argument 'min_dff'"):
        split_corpus("x.txt", min_dff=2)


@pytest.mark.data
def test_the_approximation_of_the_papers_corpus_is_exactly_what_it_should_be(data_folder):
    split = split_corpus(**data_config("nips12_paper") | {"data_dir": data_folder}, random_state=0)
    assert split.heldout.shape == (300, 4188)
    counts = sparse.vstack([split.train, split.heldout])
    lengths = counts.sum(axis=1)
    assert counts.shape == (1738, 4188)
    assert (counts.nnz, lengths.sum()) == (135346, 475666)
    assert (lengths.min(), round(lengths.mean(), 2), lengths.max()) == (39, 273.69, 1450)
    assert len(split.vocabulary) == 4188
