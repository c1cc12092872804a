"""What every estimator of the suite must do. They are found in `gdmbench` and `baselines` by themselves."""

import inspect
import pickle
import pkgutil
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import baselines
import gdmbench
from gdmbench import simulate_lda
from gdmbench.geometry.base import TopicEstimator

# Where the defaults would take seconds, or find another number of topics than two.
SETTINGS = {
    "CollapsedGibbs": {"n_sweeps": 20},
    "VariationalEM": {"n_restarts": 1, "tol": 1e-3},
    "RefinedGDM": {"n_passes": 9},
}
# Beside the defaults: ways that take other code.
VARIANTS = {
    "VLAD": [{"alpha": 0.1, "denoise": False}],
    "RefinedGDM": [{"alpha": 0.1, "start": "tf-idf", "n_passes": 9}, {"eta": None, "n_passes": 9}],
    "KLDPMeans": [{"n_topics": None, "penalty": 1.5}],
}
READ_FROM_A_FILE = {"TopicsFile"}
TEXTS = ["the cat and the dog", "a dog chased the cat", "stocks fell today", "markets and stocks fell"] * 3


def every_class():
    """Return the estimators that there are: a new file of `baselines` is in."""
    modules = [f"baselines.{found.name}" for found in pkgutil.iter_modules(baselines.__path__) if found.name[0] != "_"]
    classes = [getattr(gdmbench, name) for name in gdmbench.__all__]
    classes += [thing for name in modules for thing in vars(import_module(name)).values() if inspect.isclass(thing)]
    found = {thing.__name__: thing for thing in classes if inspect.isclass(thing) and issubclass(thing, TopicEstimator)}
    return [thing for name, thing in sorted(found.items()) if name not in {"TopicEstimator"} | READ_FROM_A_FILE]


def every_estimator(with_variants=False):
    """Return one of each class, for two topics where that can be asked."""
    estimators = []
    for each in every_class():
        variants = VARIANTS.get(each.__name__, []) if with_variants else []
        names = inspect.signature(each).parameters
        two = {"n_topics": 2} if "n_topics" in names else {}
        estimators += [each(**{**two, **more}) for more in (SETTINGS.get(each.__name__, {}), *variants)]
    return estimators


@pytest.fixture(params=every_estimator(), ids=lambda each: type(each).__name__)
def estimator(request):
    seeded = {"random_state": 7} if "random_state" in request.param.get_params() else {}
    return clone(request.param).set_params(**seeded)


@pytest.fixture(scope="module")
def data():
    return simulate_lda(100, (2, 50), n_words=60, n_topics=3, random_state=0)


@parametrize_with_checks(every_estimator(with_variants=True))
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_a_pipeline_after_a_vectorizer(estimator):
    pipeline = make_pipeline(CountVectorizer(), estimator)
    proportions = pipeline.fit_transform(TEXTS)
    np.testing.assert_allclose(proportions.sum(axis=1), 1)
    name = type(estimator).__name__.lower()
    assert list(pipeline.get_feature_names_out()) == [f"{name}{k}" for k in range(proportions.shape[1])]


def test_topics_and_proportions_are_on_the_simplex(estimator, data):
    estimator.fit(data.train)
    for rows in (estimator.components_, estimator.transform(data.heldout)):
        assert rows.min() >= 0
        np.testing.assert_allclose(rows.sum(axis=1), 1)


def test_the_same_seed_gives_the_same_bits_from_a_sparse_or_a_dense_matrix(estimator, data):
    first, second = clone(estimator).fit(data.train), clone(estimator).fit(data.train.toarray())
    np.testing.assert_array_equal(first.components_, second.components_)
    np.testing.assert_array_equal(first.transform(data.heldout), second.transform(data.heldout))
    kept = pickle.loads(pickle.dumps(first))
    np.testing.assert_array_equal(kept.transform(data.heldout), first.transform(data.heldout))


def test_empty_documents_are_left_out(estimator, data):
    empty = sparse.csr_array((2, data.train.shape[1]), dtype=data.train.dtype)
    with_empty = sparse.vstack([data.train[:10], empty, data.train[10:]]).tocsr()
    model, without = clone(estimator).fit(with_empty), clone(estimator).fit(data.train)
    np.testing.assert_array_equal(model.components_, without.components_)
    np.testing.assert_allclose(model.transform(empty), 1 / len(model.components_))
    if hasattr(model, "labels_"):
        assert np.flatnonzero(model.labels_ < 0).tolist() == [10, 11]


def test_more_topics_than_documents_are_refused(estimator):
    if "n_topics" not in estimator.get_params():
        pytest.skip("finds the number of topics itself")
    with pytest.raises(ValueError, match=r"n_topics=4 topics cannot be found in n_samples=2 non-empty documents"):
        estimator.set_params(n_topics=4).fit([[1, 0], [0, 1], [0, 0]])


def test_geometry_needs_only_a_few_packages():
    blocked = ["pandas", "matplotlib", "gensim", "hydra", "omegaconf", "lda", "pooch", "baselines", "experiments"]
    program = f"""
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked}:
            raise ImportError(name)
sys.meta_path.insert(0, Block())
import numpy as np
from gdmbench import GDM, NonparametricGDM, TunedGDM, project
counts = np.random.default_rng(0).poisson(2, (20, 6)) + 1
for model in (GDM(2), TunedGDM(2), NonparametricGDM(n_topics=2)):
    project(counts, model.fit(counts).components_)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(("name", "given"), [("LdaC", {"alpha": 0.4}), ("VariationalEM", {"alpha": 0.4, "eta": 0.2})])
def test_parameters_that_are_not_learned_are_kept(name, given, data):
    [method] = [each for each in every_class() if each.__name__ == name]
    model = method(3, learn_alpha=False, **given, random_state=0).fit(data.train)
    assert {key: getattr(model, f"{key}_") for key in given} == given
