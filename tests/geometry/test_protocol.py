"""The estimators speak scikit-learn's protocol and stand on four packages alone."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from gdmbench import GDM, NonparametricGDM, TunedGDM, simulate_lda

ESTIMATORS = [GDM(2), TunedGDM(2), NonparametricGDM(n_topics=2)]
TEXTS = ["the cat and the dog", "a dog chased the cat", "stocks fell today", "markets and stocks fell"] * 3


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_pipeline_after_a_vectorizer(estimator):
    pipeline = make_pipeline(CountVectorizer(), clone(estimator).set_params(random_state=0))
    proportions = pipeline.fit_transform(TEXTS)
    assert proportions.shape == (12, 2)
    np.testing.assert_allclose(proportions.sum(axis=1), 1)
    name = type(estimator).__name__.lower()
    assert list(pipeline.get_feature_names_out()) == [f"{name}0", f"{name}1"]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_same_seed_gives_the_same_bits(estimator):
    data = simulate_lda(100, 50, n_words=60, n_topics=3, random_state=0)
    first, second = (clone(estimator).set_params(random_state=7).fit(data.train) for _ in range(2))
    np.testing.assert_array_equal(first.components_, second.components_)
    kept = pickle.loads(pickle.dumps(first))
    np.testing.assert_array_equal(kept.transform(data.heldout), first.transform(data.heldout))


def test_geometry_needs_only_four_packages():
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
