import json
import zipfile
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer

from baselines.gibbs import CollapsedGibbs
from baselines.kl_dp_means import KLDPMeans
from baselines.recover_kl import RecoverKL
from baselines.topics_file import TopicsFile
from gdmbench import GDM, VLAD, NonparametricGDM, RefinedGDM, TunedGDM, load_model, project, save_model, simulate_lda
from gdmbench.model import SavedModel

DATA = simulate_lda(120, 60, n_words=30, n_topics=3, n_heldout=20, random_state=0)
WORDS = [f"Wört {i}" for i in range(DATA.train.shape[1])]
GOOD = {"components_": np.eye(2), "about": np.array('{"format": 2, "method": "GDM", "parameters": {}}')}


@pytest.mark.parametrize(
    "estimator",
    [
        GDM(3, random_state=0),
        TunedGDM(3, random_state=0),
        NonparametricGDM(n_topics=3, random_state=0),
        RecoverKL(3),
        KLDPMeans(penalty=20.0),
        RefinedGDM(3, random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_proportions_scores_and_names_are_the_same_after_a_journey_through_a_file(estimator, tmp_path):
    estimator.fit(DATA.train)
    save_model(estimator, tmp_path / "model.npz", WORDS)
    model = load_model(tmp_path / "model.npz")
    np.testing.assert_array_equal(model.components_, estimator.components_)
    np.testing.assert_array_equal(model.transform(DATA.heldout), estimator.transform(DATA.heldout))
    assert model.score(DATA.heldout) == estimator.score(DATA.heldout)
    assert list(model.get_feature_names_out()) == list(estimator.get_feature_names_out())
    assert model.vocabulary_ == WORDS
    assert model.method_ == type(estimator).__name__
    assert model.parameters_ == estimator.get_params()


def test_other_methods_give_proportions_by_projection(tmp_path):
    gibbs = CollapsedGibbs(3, n_sweeps=10, random_state=np.random.default_rng(0)).fit(DATA.train)
    sklearn = LatentDirichletAllocation(3, max_iter=2, random_state=0).fit(DATA.train)
    for estimator in (gibbs, sklearn):
        save_model(estimator, tmp_path / "model.npz")
        model = load_model(tmp_path / "model.npz")
        topics = estimator.components_ / estimator.components_.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.components_, topics, rtol=1e-15)
        np.testing.assert_array_equal(model.transform(DATA.heldout), project(DATA.heldout, model.components_))
        assert model.vocabulary_ is None
    save_model(gibbs, tmp_path / "model.npz")
    assert load_model(tmp_path / "model.npz").parameters_["random_state"].startswith("Generator(")


def test_a_saved_model_can_be_saved_again_and_read_as_topics(tmp_path):
    save_model(GDM(3, n_restarts=np.int64(2), random_state=0).fit(DATA.train), tmp_path / "first.npz", WORDS)
    first = load_model(tmp_path / "first.npz")
    save_model(first, tmp_path / "deep" / "second", first.vocabulary_)
    second = load_model(tmp_path / "deep" / "second")
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "deep" / "second").read_bytes()
    assert second.method_ == "GDM"
    assert second.parameters_ == {"n_topics": 3, "n_restarts": 2, "random_state": 0, "weighted": True}
    read = TopicsFile(tmp_path / "first.npz").fit(DATA.train, vocabulary=WORDS)
    np.testing.assert_allclose(read.components_, first.components_, rtol=1e-14)


def test_a_saved_model_speaks_scikit_learns_protocol(tmp_path):
    save_model(GDM(2, random_state=0).fit(DATA.train), tmp_path / "model.npz")
    model = load_model(tmp_path / "model.npz")
    assert list(model.get_feature_names_out()) == ["gdm0", "gdm1"]
    with pytest.raises(ValueError, match=r"X has 3 features, but SavedModel is expecting"):
        model.transform(np.ones((1, 3)))
    with pytest.raises(TypeError, match="has its topics already"):
        model.fit(DATA.train)
    with pytest.raises(Exception, match="not fitted"):
        SavedModel().transform(DATA.train)


def test_what_is_no_model_is_not_saved(tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(ValueError, match="no components_: fit it first"):
        save_model(GDM(2), path)
    model = GDM(2)
    for components in (np.ones(3), [[np.nan, 1.0]], [[-1.0, 2.0]], [[0.0, 0.0]]):
        model.components_ = components
        with pytest.raises(ValueError, match="components_ must be topics"):
            save_model(model, path)
    model.components_ = np.eye(2)
    with pytest.raises(ValueError, match="vocabulary has 1 words for 2 columns"):
        save_model(model, path, ["one"])
    assert not path.exists()


TEXTS = ["A red fish, a blue fish", "one fish 2 fish", "blue and red", "Old fish and new"] * 3


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ngram_range": (1, 2), "stop_words": ["and", "a"]},
        {"analyzer": "char", "lowercase": False},
        {"binary": True},
    ],
)
def test_a_loaded_model_counts_texts_as_its_vectorizer_did(options, tmp_path):
    vectorizer = CountVectorizer(**options)
    gdm = GDM(2, random_state=0).fit(vectorizer.fit_transform(TEXTS))
    save_model(gdm, tmp_path / "model.npz", vectorizer=vectorizer)
    save_model(
        load_model(tmp_path / "model.npz"), tmp_path / "again.npz", load_model(tmp_path / "model.npz").vocabulary_
    )
    unseen = ["unheard of", "red FISH", ""]
    for name in ("model", "again"):
        model = load_model(tmp_path / f"{name}.npz")
        for texts in (TEXTS, unseen):
            np.testing.assert_array_equal(model.count(texts).toarray(), vectorizer.transform(texts).toarray())
        assert model.top_words(n=3) == gdm.top_words(vectorizer.get_feature_names_out(), 3)
    with pytest.raises(ValueError, match="put it in a list"):
        model.count("red fish")


def test_a_model_without_a_vectorizer_says_that_it_can_count_nothing(tmp_path):
    vectorizer = CountVectorizer(tokenizer=str.split, token_pattern=None)
    gdm = GDM(2, random_state=0).fit(vectorizer.fit_transform(TEXTS))
    save_model(gdm, tmp_path / "function.npz", vectorizer=vectorizer)
    save_model(gdm, tmp_path / "none.npz")
    for name in ("function", "none"):
        with pytest.raises(ValueError, match="saved without a vectorizer that a file can hold"):
            load_model(tmp_path / f"{name}.npz").count(TEXTS)
    with pytest.raises(ValueError, match="saved without a vocabulary"):
        load_model(tmp_path / "none.npz").top_words()


def test_alpha_is_saved_whether_it_was_given_or_learned(tmp_path):
    for estimator in (CollapsedGibbs(2, alpha=0.3, n_sweeps=4, random_state=0), RefinedGDM(2, random_state=0)):
        save_model(estimator.fit(DATA.train), tmp_path / "model.npz")
        assert load_model(tmp_path / "model.npz").alpha_ == getattr(estimator, "alpha_", 0.3)


def test_a_loaded_model_names_the_columns_of_a_table_as_the_original_does(tmp_path):
    vlad = VLAD(3, random_state=0).set_output(transform="pandas").fit(DATA.train)
    save_model(vlad, tmp_path / "model.npz")
    model = load_model(tmp_path / "model.npz").set_output(transform="pandas")
    pd.testing.assert_frame_equal(model.transform(DATA.heldout), vlad.transform(DATA.heldout))


def about(**changes):
    return np.array(json.dumps({"format": 2, "method": "GDM", "parameters": {}} | changes))


BAD = {
    "pickled": GOOD | {"components_": np.array([[1.0, None]], dtype=object)},
    "no topics": {"about": GOOD["about"]},
    "nothing about it": {"components_": np.eye(2)},
    "negative": GOOD | {"components_": -np.eye(2)},
    "frequencies": GOOD | {"word_frequencies_": np.array([0.5, np.nan])},
    "words": GOOD | {"vocabulary": np.array(["one"])},
    "not JSON": GOOD | {"about": np.array("{")},
    "deep JSON": GOOD | {"about": np.array("[" * 100_000)},
    "a list": GOOD | {"about": np.array("[]")},
    "no method": GOOD | {"about": np.array('{"format": 1}')},
    "parameters": GOOD | {"about": about(parameters=3)},
    "tokens": GOOD | {"about": about(tokens={"tokenizer": "eval"})},
}


@pytest.mark.parametrize("case", BAD)
def test_files_that_are_no_models_are_refused_in_one_sentence(case, tmp_path):
    path = tmp_path / "model.npz"
    np.savez(path, **BAD[case])
    with pytest.raises(ValueError, match=r"model\.npz is not a model saved by gdmbench\.save_model: ") as error:
        load_model(path)
    assert "\n" not in str(error.value)


def test_damaged_missing_and_newer_files_are_refused(tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        load_model(path)
    np.savez(path, **GOOD)
    whole = path.read_bytes()
    for damaged in (b"", b"text", whole[:50], whole[: len(whole) // 2], whole[:-30]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="is not a model saved by"):
            load_model(path)
    save_model(GDM(2, random_state=0).fit(DATA.train), path, WORDS)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        path.write_bytes(damaged)
        for read in (lambda: load_model(path), lambda: TopicsFile(path).fit(DATA.train)):
            with suppress(ValueError):
                read()
    np.savez(path, **GOOD | {"about": about(format=3)})
    with pytest.raises(ValueError, match="saved in format 3, this version of gdmbench reads 2: save the model again"):
        load_model(path)


def test_a_file_holds_arrays_alone(tmp_path):
    save_model(GDM(2, random_state=0).fit(DATA.train), tmp_path / "model.npz", WORDS)
    with zipfile.ZipFile(tmp_path / "model.npz") as archive:
        assert sorted(archive.namelist()) == ["about.npy", "components_.npy", "vocabulary.npy", "word_frequencies_.npy"]
        for name in archive.namelist():
            assert b"'descr': '|O'" not in archive.read(name)
