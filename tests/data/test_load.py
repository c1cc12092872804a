"""Texts counted and preprocessed in one call."""

import inspect

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from gdmbench import load_corpus
from gdmbench.data.corpus import CorpusError
from gdmbench.data.load import read_corpus
from gdmbench.data.preprocess import preprocess

TEXTS = "In 2016 a red fish\nred fish 2016 and 12000 dogs\n3rd blue fish\n"


def test_a_corpus_can_be_preprocessed_as_it_is_loaded(write):
    path = write("x.txt", TEXTS)
    options = {"stop_words": ["in"], "min_letters": 3, "min_df": 2}
    corpus, expected = load_corpus(path, **options), preprocess(read_corpus(path), **options)
    assert corpus.vocabulary == expected.vocabulary == ["fish", "red"]
    np.testing.assert_array_equal(corpus.counts.toarray(), expected.counts.toarray())
    with pytest.raises(TypeError, match="unexpected keyword argument 'stopwords'"):
        load_corpus(path, stopwords="english")
    assert {"text_column", "vectorizer", "min_df"} <= inspect.signature(load_corpus).parameters.keys()


def test_words_of_digits_are_left_out_unless_a_vectorizer_keeps_them(write):
    path = write("x.txt", TEXTS)
    assert load_corpus(path).vocabulary == ["3rd", "and", "blue", "dogs", "fish", "in", "red"]
    assert "2016" in load_corpus(path, vectorizer=CountVectorizer()).vocabulary


def test_any_count_vectorizer_counts(write):
    path = write("x.txt", "der rote Fisch\nder blaue Fisch\nzwei rote Fische\n")
    vectorizer = CountVectorizer(stop_words=["der", "zwei"], ngram_range=(1, 2))
    corpus = load_corpus(path, vectorizer=vectorizer)
    expected = vectorizer.fit(path.read_text().splitlines()).get_feature_names_out()
    assert corpus.vocabulary == list(expected)
    assert "rote fisch" in corpus.vocabulary
    assert corpus.vectorizer.get_params() == vectorizer.get_params()
    for call, words in [
        (lambda: load_corpus(path, vectorizer=TfidfVectorizer()), "weights, not counts"),
        (lambda: load_corpus("reuters", vectorizer=vectorizer), "is counted already: leave out vectorizer"),
        (
            lambda: load_corpus(write("x.ldac", "1 0:1\n"), vectorizer=vectorizer),
            "counts already: leave out vectorizer",
        ),
        (lambda: load_corpus(path, vectorizer=CountVectorizer(min_df=9)), "vectorizer can't count these texts: max_df"),
    ]:
        with pytest.raises(CorpusError, match=words):
            call()
