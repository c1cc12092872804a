"""Every public function reads word counts in the same way, and refuses what can't be counts with one sentence."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from baselines.adapters.lda_gibbs import LdaGibbs
from baselines.adapters.tomotopy_gibbs import TomotopyGibbs
from baselines.gibbs import CollapsedGibbs
from baselines.kl_dp_means import KLDPMeans
from baselines.recover_kl import RecoverKL
from baselines.vem import VariationalEM
from gdmbench import GDM, NonparametricGDM, TunedGDM, coherence, minimum_matching_distance, perplexity, project
from gdmbench.data.corpus import Corpus
from gdmbench.data.simulate import simulate_lda
from gdmbench.measures.bounds import likelihood_bounds
from gdmbench.measures.loss import geometric_loss

DATA = simulate_lda(60, 40, n_words=20, n_topics=2, random_state=0)
COUNTS = DATA.train.toarray()
TOPICS = DATA.topics
ESTIMATORS = {
    "GDM": GDM(2, random_state=0),
    "TunedGDM": TunedGDM(2, random_state=0),
    "NonparametricGDM": NonparametricGDM(n_topics=2, random_state=0),
    "CollapsedGibbs": CollapsedGibbs(2, n_sweeps=4, random_state=0),
    "VariationalEM": VariationalEM(2, n_restarts=1, max_em=3, random_state=0),
    "RecoverKL": RecoverKL(2),
    "KLDPMeans": KLDPMeans(penalty=5.0),
}
ADAPTERS = {"LdaGibbs": LdaGibbs(2, n_sweeps=4), "TomotopyGibbs": TomotopyGibbs(2, n_sweeps=4)}


@pytest.fixture(scope="module")
def fitted():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: estimator.fit(DATA.train) for name, estimator in (ESTIMATORS | ADAPTERS).items()}


def with_long_indices(X):
    counts = sparse.csr_array(X)
    counts.indices, counts.indptr = counts.indices.astype(np.int64), counts.indptr.astype(np.int64)
    return counts


MEASURES = {
    "project": lambda X: project(X, TOPICS),
    "perplexity": lambda X: perplexity(X, TOPICS),
    "geometric_loss": lambda X: geometric_loss(X, TOPICS),
    "coherence": lambda X: coherence(TOPICS, X, 5),
    "likelihood_bounds": lambda X: likelihood_bounds(X, TOPICS, DATA.proportions),
}
FORMS = {
    "lists": np.ndarray.tolist,
    "object": lambda X: X.astype(object),
    "float16": lambda X: X.astype(np.float16),
    "float32": lambda X: X.astype(np.float32),
    "uint8": lambda X: X.astype(np.uint8),
    "big-endian": lambda X: X.astype(">f8"),
    "big-endian integers": lambda X: X.astype(">i4"),
    "columns first": np.asfortranarray,
    "csr_matrix": sparse.csr_matrix,
    "csr_array": sparse.csr_array,
    "csc_matrix": sparse.csc_matrix,
    "csc_array": sparse.csc_array,
    "coo_array": sparse.coo_array,
    "lil_matrix": sparse.lil_matrix,
    "bsr_array": sparse.bsr_array,
    "dok_array": sparse.dok_array,
    "int64 indices": with_long_indices,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("measure", MEASURES)
def test_measures_take_what_fit_takes(measure, form):
    np.testing.assert_array_equal(MEASURES[measure](FORMS[form](COUNTS)), MEASURES[measure](COUNTS))


@pytest.mark.parametrize("form", FORMS)
def test_fit_takes_every_form(form):
    expected = GDM(2, random_state=0).fit(COUNTS).components_
    np.testing.assert_array_equal(GDM(2, random_state=0).fit(FORMS[form](COUNTS)).components_, expected)


def damaged(kind):
    """A sparse matrix that points outside of itself, as a damaged file or a mistake in building one gives."""
    counts = sparse.csr_array(COUNTS.astype(float))
    if kind == "coo":
        counts = counts.tocoo()
        counts.coords[0][3] = 10**6
        return counts
    if kind == "csc":
        counts = counts.tocsc()
    if kind in ("index too large", "csc"):
        counts.indices[5] = 10**6
    elif kind == "index below 0":
        counts.indices[5] = -(10**6)
    elif kind == "pointer beyond the end":
        counts.indptr[-1] = 10**6
    elif kind == "pointers descend":
        counts.indptr[3] = 10**3
    elif kind == "pointers without entries":
        counts.data, counts.indices = counts.data[:0], counts.indices[:0]
        counts.indptr = np.r_[0, np.full(59, 10**6), 0].astype(np.int32)
    elif kind == "too few pointers":
        counts.indptr = counts.indptr[:-9]
    elif kind == "too few indices":
        counts.indices = counts.indices[:-9]
    return counts


DAMAGES = [
    "index too large",
    "index below 0",
    "pointer beyond the end",
    "pointers descend",
    "pointers without entries",
    "too few pointers",
    "too few indices",
    "csc",
    "coo",
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_sparse_matrices_are_refused_by_every_function(damage, fitted):
    calls = dict(MEASURES)
    calls |= {f"{name}.fit": estimator.fit for name, estimator in (ESTIMATORS | ADAPTERS).items()}
    calls |= {f"{name}.transform": estimator.transform for name, estimator in fitted.items()}
    calls |= {f"{name}.score": estimator.score for name, estimator in fitted.items() if name in ESTIMATORS}
    for name, call in calls.items():
        with pytest.raises(ValueError, match=r"word counts is damaged .*: build it again\.$") as error:
            call(damaged(damage))
        assert "\n" not in str(error.value), name


@pytest.mark.parametrize("name", [*ESTIMATORS, *MEASURES])
def test_a_sparse_array_of_one_dimension_is_refused_for_its_shape(name):
    call = MEASURES[name] if name in MEASURES else ESTIMATORS[name].fit
    with pytest.raises(ValueError, match="Expected 2D"):
        call(sparse.csr_array(COUNTS[0]))


def test_a_corpus_refuses_a_damaged_matrix():
    with pytest.raises(ValueError, match="word counts is damaged"):
        Corpus(damaged("index too large"))


@pytest.mark.parametrize("name", [*ESTIMATORS, *MEASURES])
def test_numbers_that_cannot_be_counts_are_refused(name):
    call = MEASURES[name] if name in MEASURES else ESTIMATORS[name].fit
    mixed = COUNTS.astype(float)
    mixed[4, COUNTS[4].argmax()] = 1e30
    for X in (COUNTS * 1e300, COUNTS * 1e-300, COUNTS * 5e-324, mixed):
        with pytest.raises(ValueError, match=r"can't be word counts: those of document \d+ sum to .*; pass counts"):
            call(X)


@pytest.mark.parametrize("scale", [2.0**45, 2.0**-30])
@pytest.mark.parametrize("name", ["GDM", "TunedGDM", "NonparametricGDM"])
def test_a_common_factor_changes_no_topic(name, scale):
    first, second = (ESTIMATORS[name].fit(X).components_ for X in (COUNTS, COUNTS * scale))
    assert minimum_matching_distance(first, second) < 1e-12


@pytest.mark.parametrize("scale", [1e12, 1e-9])
def test_a_common_factor_changes_no_measure_per_token(scale):
    assert perplexity(COUNTS * scale, TOPICS) == pytest.approx(perplexity(COUNTS, TOPICS), rel=1e-12)
    assert geometric_loss(COUNTS * scale, TOPICS) == pytest.approx(scale * geometric_loss(COUNTS, TOPICS), rel=1e-9)
    np.testing.assert_allclose(project(COUNTS * scale, TOPICS), project(COUNTS, TOPICS), atol=1e-12)


@pytest.mark.parametrize("name", ["GDM", "TunedGDM", "NonparametricGDM", "VariationalEM", "KLDPMeans"])
def test_very_long_beside_very_short_documents_give_topics(name):
    mixed = COUNTS.astype(float)
    mixed[::3] *= 1e13
    mixed[1::3] *= 1e-10
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        topics = ESTIMATORS[name].fit(mixed).components_
    np.testing.assert_allclose(topics.sum(axis=1), 1)
