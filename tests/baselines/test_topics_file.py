import io

import gensim
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from baselines.topics_file import TopicsFile
from gdmbench import GDM, load_corpus, minimum_matching_distance, perplexity, project, simulate_lda

CORPUS = ["apple", "bear", "cat, or dog", 'the "egg"', "fig"]
WORDS = ["fig", "cat, or dog", "zebra", 'the "egg"']
WEIGHTS = np.array([[2.0, 1.0, 1.0, 0.0], [0.0, 3.0, 0.0, 1.0]])
EXPECTED = np.array([[0, 0, 1 / 3, 0, 2 / 3], [0, 0, 3 / 4, 1 / 4, 0]])
X = np.ones((2, 5), int)
# write.csv(posterior(model)$terms, file)
R_CSV = '"","fig","cat, or dog","zebra","the ""egg"""\n"1",0.5,0.25,0.25,0\n"2",0,0.75,0,0.25\n'
# mallet train-topics --topic-word-weights-file FILE: every pair of a topic and a word, with the smoothing added
MALLET = "".join(f"{k}\t{word}\t{WEIGHTS[k, w]}\n" for k in range(2) for w, word in enumerate(WORDS))


@pytest.fixture
def write(tmp_path):
    """Write text, an array or an archive of arrays to a file of the given name."""

    def write(content, name):
        path = tmp_path / name
        if isinstance(content, str):
            path.write_text(content, "utf-8")
        elif isinstance(content, dict):
            np.savez(path, **content)
        else:
            np.save(path, content)
        return path

    return write


def frame_csv(transpose=False, **options):
    frame = pd.DataFrame(WEIGHTS, columns=WORDS)
    return (frame.T if transpose else frame).to_csv(**options)


FILES = {
    "R's write.csv": (R_CSV, "terms.csv"),
    "R's write.csv of words by topics": (
        '"","1","2"\n"fig",0.5,0\n"cat, or dog",0.25,0.75\n"zebra",0.25,0\n"the ""egg""",0,0.25\n',
        "terms.csv",
    ),
    "MALLET": (MALLET, "weights.txt"),
    "MALLET, lines in another order": ("\n".join(reversed(MALLET.splitlines())), "weights.txt"),
    "frame": (frame_csv(), "x.csv"),
    "frame without row numbers": (frame_csv(index=False), "x.csv"),
    "frame with a name for its row numbers": (frame_csv(index_label="topic"), "x.csv"),
    "frame of words by topics": (frame_csv(transpose=True), "x.csv"),
    "frame of words by topics, words named": (frame_csv(transpose=True, index_label="word"), "x.csv"),
    "frame of words by topics, no header": (frame_csv(transpose=True, header=False), "x.csv"),
    "frame with tabs": (frame_csv(sep="\t"), "x.tsv"),
    "byte order mark and Windows lines": ("\ufeff" + frame_csv(lineterminator="\r\n"), "x.csv"),
    "archive with words": ({"components_": WEIGHTS, "vocabulary": WORDS, "more": np.ones(2)}, "x.npz"),
    "archive with one array and words": ({"beta": WEIGHTS.astype(np.float32), "vocabulary": WORDS}, "x.npz"),
}


@pytest.mark.parametrize("case", FILES)
def test_every_program_gives_the_same_topics(write, case):
    model = TopicsFile(write(*FILES[case])).fit(X, vocabulary=CORPUS)
    np.testing.assert_allclose(model.components_, EXPECTED, rtol=1e-6)
    assert model.record_["matched_words"] == 3
    assert model.record_["matched_share"] == pytest.approx((3 / 4 + 1) / 2)
    assert model.record_["least_matched_share"] == pytest.approx(3 / 4)
    np.testing.assert_array_equal(model.transform(X), project(X, model.components_))


@pytest.mark.parametrize("array", [WEIGHTS, WEIGHTS.T])
def test_words_of_an_array_come_from_a_file_or_a_list(write, array):
    path, words = write(array, "x.npy"), write("\n".join(WORDS) + "\n", "words.txt")
    for vocabulary in (words, str(words), WORDS):
        model = TopicsFile(path, vocabulary=vocabulary).fit(X, vocabulary=CORPUS)
        np.testing.assert_allclose(model.components_, EXPECTED)


def test_topics_of_gensim_with_its_words(tmp_path):
    data = simulate_lda(100, 30, n_words=12, n_topics=2, random_state=0)
    names = [f"word{i}" for i in range(data.train.shape[1])]
    texts = [np.repeat(names, row).tolist() for row in data.train.toarray()]
    id2word = gensim.corpora.Dictionary(texts)  # in an order of its own
    model = gensim.models.LdaModel([id2word.doc2bow(text) for text in texts], 2, id2word, random_state=0)
    np.save(tmp_path / "topics.npy", model.get_topics())
    (tmp_path / "words.txt").write_text("\n".join(id2word[i] for i in range(len(id2word))))
    read = TopicsFile(tmp_path / "topics.npy", vocabulary=tmp_path / "words.txt").fit(data.train, vocabulary=names)
    for i, name in enumerate(names):
        np.testing.assert_allclose(read.components_[:, i], model.get_topics()[:, id2word.token2id[name]], rtol=1e-6)
    assert read.record_ == {
        "matched_words": len(names),
        "matched_share": pytest.approx(1),
        "least_matched_share": pytest.approx(1),
    }


def test_numbers_without_words_are_taken_in_the_order_of_the_corpus(write):
    topics = np.random.default_rng(0).dirichlet(np.ones(5), size=2)
    text = io.StringIO()
    np.savetxt(text, topics, delimiter=",")
    for content, name in [
        (topics, "x.npy"),
        (topics.T, "x.npy"),
        ({"beta": topics}, "x.npz"),
        (text.getvalue(), "x.csv"),
        (pd.DataFrame(topics).to_csv(), "x.csv"),
    ]:
        path = write(content, name)
        for vocabulary in (None, CORPUS):
            model = TopicsFile(path).fit(X, vocabulary=vocabulary)
            np.testing.assert_allclose(model.components_, topics, rtol=1e-15)


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=20)
def test_what_is_written_comes_back_over_any_vocabulary(seed, tmp_path_factory):
    """Topics over words in another order, with some words missing on either side, against a word-by-word match."""
    rng = np.random.default_rng(seed)
    theirs = [f"w{i}" for i in rng.permutation(12)[:8]]
    ours = [f"w{i}" for i in rng.permutation(12)[:8]]
    topics = rng.dirichlet(np.ones(8), size=3)
    path = tmp_path_factory.mktemp("topics") / "x.csv"
    pd.DataFrame(topics, columns=theirs).to_csv(path)
    expected = np.array([[row[theirs.index(word)] if word in theirs else 0.0 for word in ours] for row in topics])
    model = TopicsFile(path).fit(np.ones((1, 8)), vocabulary=ours)
    np.testing.assert_allclose(model.components_, expected / expected.sum(axis=1, keepdims=True))
    assert model.record_["matched_share"] == pytest.approx(expected.sum(axis=1).mean())


def test_topics_saved_on_a_real_corpus_measure_as_the_original(tmp_path):
    corpus = load_corpus("reuters")
    topics = GDM(5, n_restarts=1, random_state=0).fit(corpus.counts).components_
    with (tmp_path / "weights.txt").open("w") as file:
        for k, row in enumerate(topics):
            file.writelines(
                f"{k}\t{word}\t{float(weight)!r}\n" for word, weight in zip(corpus.vocabulary, row, strict=True)
            )
    model = clone(TopicsFile(tmp_path / "weights.txt")).fit(corpus.counts, vocabulary=corpus.vocabulary)
    assert minimum_matching_distance(model.components_, topics) < 1e-15
    assert perplexity(corpus.counts, model.components_) == pytest.approx(perplexity(corpus.counts, topics))


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (R_CSV.replace("fig", "FIG").replace("cat", "Cat").replace("egg", "Egg"), "x.csv", "no word in common"),
        (R_CSV.replace("0.75,0,", "0,0.75,").replace("0.25\n", "0\n"), "x.csv", "Topic 2 of .* has no probability on"),
        (R_CSV.replace('"zebra"', '"fig"'), "x.csv", "the word 'fig' twice"),
        (R_CSV.replace("0.75", "NA"), "x.csv", "line 3: 'NA' is not a number"),
        (R_CSV.replace("0.75", "-1.5"), "x.csv", "not logarithms"),
        (R_CSV.replace("0.75,", ""), "x.csv", "line 3: there are 3 numbers where there should be 4"),
        (R_CSV.split("\n")[0], "x.csv", "no numbers: one topic per row"),
        ("", "x.csv", "no numbers: one topic per row"),
        ("", "x.txt", "one topic per row is needed"),
        ("0\tfig\t1\n0 fig 1\n", "x.txt", "line 2: '0 fig 1' is not a topic, a word and a weight"),
        ("0\tfig\tmuch\n", "x.txt", "line 1: "),
        ("0\tfig\tnan\n", "x.txt", "negative or not finite"),
        (R_CSV, "x.doc", "does not tell its format: give format=csv"),
        (np.ones((2, 4)), "x.npy", "over 4 words, but the corpus has 5.*give the words of the file with vocabulary="),
        (np.ones(5), "x.npy", r"array of shape \(5,\)"),
        (np.array([["a"]]), "x.npy", "and not numbers"),
        (np.array([[None]], dtype=object), "x.npy", "saved by numpy: .*allow_pickle"),
        ({"a": WEIGHTS, "b": WEIGHTS}, "x.npz", r"none of its arrays \(a, b\) is called components_"),
        ({"components_": WEIGHTS, "vocabulary": ["a"]}, "x.npz", "1 words for 4 columns"),
        ("text", "x.npy", "saved by numpy"),
        ("text", "x.npz", "saved by numpy"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(write, content, name, words):
    path = write(content, name)
    with pytest.raises(ValueError, match=words) as error:
        TopicsFile(path).fit(X, vocabulary=CORPUS)
    assert "\n" not in str(error.value)
    assert str(error.value).endswith(".")


def test_files_that_are_not_there_and_words_that_do_not_fit(write, tmp_path):
    for name in ("nowhere.csv", "nowhere.npy"):
        with pytest.raises(ValueError, match=r"cannot be read: No such file"):
            TopicsFile(tmp_path / name).fit(X)
    path = write(WEIGHTS, "x.npy")
    with pytest.raises(ValueError, match="vocabulary has 3 words: give one word for each column"):
        TopicsFile(path, vocabulary=list("abc")).fit(X)
    with pytest.raises(ValueError, match="vocabulary has 1 words, but X has 5 columns"):
        TopicsFile(path).fit(X, vocabulary=["a"])
    (tmp_path / "latin.csv").write_bytes(R_CSV.replace("fig", "Käse").encode("latin-1"))
    with pytest.raises(ValueError, match="is not UTF-8 text"):
        TopicsFile(tmp_path / "latin.csv").fit(X)
