"""What `check` tries with a method: each trial a few lines that return a grade and a sentence for its author."""

import inspect
import json
import pickle
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.errors import one_line
from gdmbench.execute import Outcome
from gdmbench.execute.cell import MethodError, attempt, place_of, rows_on_simplex
from gdmbench.execute.guard import seed_global_random_states
from gdmbench.measures.matching import minimum_matching_distance
from gdmbench.plan import Cell

BESIDE = "gdmbench.GDM"  # whose time a method's is told beside
_NAMES_OF_K = ("n_topics", "n_components", "num_topics", "k", "K")

Result = tuple[str, str]  # "ok", "note" (fine, but worth knowing) or "FAIL", and a sentence


class Candidate:
    """A method on trial, the easy corpus it is tried on, and the model that its first fit gave.

    Parameters
    ----------
    cell : Cell
        The method and the data.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.seed = cell.seeds()[1]
        self.data = cell.make_data()
        self.n_topics: int = cell.data["n_topics"]
        self.n_words: int = self.data.train.shape[1]
        self.model: Any = None

    def fit(self) -> None:
        """Fit the model that is tried."""
        model = self.new()
        model.fit(self.data.train.copy())
        self.model = model

    def new(self) -> Any:
        """Return an unfitted model under the same seed as every other."""
        return self.cell.make_method()

    @cached_property
    def topics(self) -> NDArray[np.float64]:
        """The topics as a run would use them; MethodError if they are none."""
        return self.as_topics(self.model)

    def as_topics(self, model: Any) -> NDArray[np.float64]:
        """Return a model's topics as a run would use them."""
        return rows_on_simplex(model, getattr(model, "components_", None), (None, self.n_words), "components_")

    def as_proportions(self, rows: Any, n_documents: int) -> NDArray[np.float64]:
        """Return what `transform` gave as a run would use it."""
        return rows_on_simplex(self.model, rows, (n_documents, len(self.topics)), "transform")


_on_trial: dict[str, Candidate] = {}


def try_cell(cell: Cell, subject: str, memory_limit: float | None = None) -> Outcome:
    """Make one trial of a cell's method; the outcome has its `grade` and `sentence`, and whether there is a fit."""

    def make() -> Outcome:
        if cell.key not in _on_trial:
            _on_trial.clear()
            _on_trial[cell.key] = Candidate(cell)
            if subject != next(iter(SUBJECTS)):  # what was tried before, another process has seen
                _on_trial[cell.key].fit()
        # A method that draws from the global random states must not look as if it drew from random_state.
        seed_global_random_states(time.time_ns() % 2**32)
        grade, sentence = try_out(subject, _on_trial[cell.key])
        return {"grade": grade, "sentence": sentence, "fitted": _on_trial[cell.key].model is not None}

    return attempt(make, memory_limit)


def try_out(subject: str, candidate: Candidate) -> Result:
    """Make one trial; whatever it raises is a fault of the method."""
    try:
        return SUBJECTS[subject](candidate)
    except MethodError as error:
        return "FAIL", str(error)
    except Exception as error:
        return "FAIL", _raised(error)


def sparse_input(candidate: Candidate) -> Result:
    """Fit what a run gives: a CSR array of whole numbers, which must stay as it is."""
    train = candidate.data.train.copy()
    model = candidate.new()
    try:
        model.fit(train)
    except Exception as error:
        try:
            candidate.new().fit(train.toarray())
        except Exception:
            return "FAIL", _raised(error)
        return "FAIL", f"fit takes a dense array but not the sparse one that a run gives: {_raised(error)}"
    candidate.model = model
    if train.dtype != candidate.data.train.dtype or (train != candidate.data.train).nnz:
        return "FAIL", "fit changes the matrix it is given: let it work on a copy."
    return "ok", "fits a scipy.sparse CSR array of whole numbers and leaves it as it was."


def shape(candidate: Candidate) -> Result:
    """There is a topic in each row and a word in each column."""
    components = getattr(candidate.model, "components_", None)
    if components is None:
        return "FAIL", "there is no components_ after fit: it must hold the topics, one in each row."
    got = np.shape(components)
    if len(got) != 2 or got[1] != candidate.n_words or not got[0]:
        wanted = f"a row for each topic and {candidate.n_words} columns"
        return "FAIL", f"components_ has shape {got}, but must have {wanted}."
    asked = any(candidate.cell.params.get(name) == candidate.n_topics for name in _NAMES_OF_K)
    if got[0] != candidate.n_topics:
        sentence = f"components_ has {got[0]} rows, {candidate.n_topics} topics were simulated"
        return ("FAIL", f"{sentence} and asked for.") if asked else ("ok", f"{sentence}; it chooses the number itself.")
    return "ok", f"components_ is {got[0]} × {got[1]}, topics × words."


def simplex(candidate: Candidate) -> Result:
    """Topics are finite and non-negative, and none is all zeros."""
    candidate.as_topics(candidate.model)
    sums = np.asarray(candidate.model.components_, dtype=float).sum(axis=1)
    if np.allclose(sums, 1.0, atol=1e-6):
        return "ok", "topics are non-negative and sum to 1."
    return "ok", f"topics are non-negative; a run divides them by their sums, {sums.min():.3g} to {sums.max():.3g}."


def determinism(candidate: Candidate) -> Result:
    """Two fits under one seed agree to the last bit, and so do two transforms."""
    again = candidate.new()
    again.fit(candidate.data.train)
    seeded = "random_state" in inspect.signature(type(again)).parameters
    if not np.array_equal(again.components_, candidate.model.components_):
        remedy = "draw every random number from random_state" if seeded else "take random_state, a run gives it a seed"
        return "FAIL", f"two fits under the same seed differ: {remedy}."
    if hasattr(again, "transform"):
        heldout = candidate.data.heldout
        if not np.array_equal(again.transform(heldout), candidate.model.transform(heldout)):
            return "FAIL", "two transforms under the same seed differ: draw random numbers from random_state there too."
    if "random_state" in candidate.cell.params:
        return "note", "two fits agree, but random_state is fixed in the config: every repetition gets the same."
    return "ok", f"two fits under the same seed agree to the last bit{'' if seeded else '; there is no random_state'}."


def unseen_documents(candidate: Candidate) -> Result:
    """The method's own proportions of held-out documents, where it has them, are proportions."""
    heldout = candidate.data.heldout
    if not hasattr(candidate.model, "transform"):
        return "ok", "there is no transform: a run projects held-out documents onto the topics."
    rows = candidate.model.transform(heldout.copy())
    candidate.as_proportions(rows, heldout.shape[0])
    sums = np.asarray(rows, dtype=float).sum(axis=1)
    scaled = "" if np.allclose(sums, 1.0, atol=1e-6) else " once divided by their sums"
    return "ok", f"transform gives proportions of {heldout.shape[0]} unseen documents{scaled}."


def pickling(candidate: Candidate) -> Result:
    """A fitted model survives being stored."""
    try:
        back = pickle.loads(pickle.dumps(candidate.model))
    except Exception as error:
        return "FAIL", f"a fitted model can't be pickled: {_raised(error)}"
    if not np.array_equal(back.components_, candidate.model.components_):
        return "FAIL", "a fitted model has other components_ after pickling."
    if hasattr(back, "transform"):
        back.transform(candidate.data.heldout)
    return "ok", "a fitted model can be pickled and is the same afterwards."


def empty_documents(candidate: Candidate) -> Result:
    """A document without words is coped with, or refused in a sentence; no corpus of a run has one."""
    heldout = sparse.csr_array(candidate.data.heldout)
    blank = sparse.csr_array((2, candidate.n_words), dtype=heldout.dtype)
    model = candidate.new()
    try:
        model.fit(sparse.vstack([candidate.data.train, blank], format="csr"))
    except ValueError as error:
        return "note", f"fit refuses empty documents (no corpus of a run has any): {one_line(error)}"
    candidate.as_topics(model)
    if not hasattr(model, "transform"):
        return "ok", "an empty document among the others does no harm to fit."
    mixed = sparse.vstack([blank, heldout], format="csr")
    try:
        candidate.as_proportions(model.transform(mixed), mixed.shape[0])
    except MethodError as error:
        return "note", f"transform has no answer for empty documents (no corpus of a run has any): {error}"
    except ValueError as error:
        return "note", f"transform refuses empty documents (no corpus of a run has any): {one_line(error)}"
    return "ok", "empty documents do no harm to fit or transform."


def accuracy(candidate: Candidate) -> Result:
    """On documents this easy a method is far nearer to the true topics than topics drawn at random."""
    truth = candidate.data.topics
    rng = np.random.default_rng(candidate.seed)
    guesses = rng.dirichlet(np.full(candidate.n_words, candidate.cell.data["eta"]), size=(20, candidate.n_topics))
    random = float(np.mean([minimum_matching_distance(guess, truth) for guess in guesses]))
    distance = float(minimum_matching_distance(candidate.topics, truth))
    sentence = f"MM distance to the true topics {distance:.3f}, of random topics {random:.3f}"
    return ("ok", f"{sentence}.") if distance < random / 2 else ("FAIL", f"{sentence}: it must be below half of that.")


def speed(candidate: Candidate) -> Result:
    """How long a fit takes beside GDM: for information, as a slow method may be a good one."""
    params = {"_target_": BESIDE, "n_topics": candidate.n_topics}
    gdm = replace(candidate.cell, method="gdm", params=params).make_method()
    gdm.fit(candidate.data.train)  # compiles
    theirs = ours = np.inf
    stop = time.perf_counter() + 0.2  # a quick method gets several fits, of which the quickest counts
    while theirs == np.inf or time.perf_counter() < stop:
        theirs = min(theirs, _seconds(candidate.new(), candidate.data.train))
        ours = min(ours, _seconds(gdm, candidate.data.train))
    return "ok", f"a fit takes {theirs:.2g} s, {theirs / ours:.2g} times as long as GDM's {ours:.2g} s."


def extra_record(candidate: Candidate) -> Result:
    """What a method wants in its record must be JSON."""
    if not hasattr(candidate.model, "record_"):
        return "ok", "there is no record_, so the record's column extra stays empty."
    try:
        json.dumps(candidate.model.record_, allow_nan=False)
    except (TypeError, ValueError) as error:
        return "FAIL", f"record_ must hold numbers, texts, lists and dicts only: {error}."
    return "ok", f"record_ adds {', '.join(candidate.model.record_) or 'nothing'} to the record's column extra."


SUBJECTS: dict[str, Callable[[Candidate], Result]] = {
    "sparse input": sparse_input,
    "shape": shape,
    "simplex": simplex,
    "determinism": determinism,
    "unseen documents": unseen_documents,
    "pickling": pickling,
    "empty documents": empty_documents,
    "accuracy": accuracy,
    "time": speed,
    "record": extra_record,
}


def _seconds(model: Any, train: sparse.csr_array) -> float:
    start = time.perf_counter()
    model.fit(train)
    return time.perf_counter() - start


def _raised(error: Exception) -> str:
    if isinstance(error, MemoryError):
        raise error  # of which a run has its own words
    return f"{type(error).__name__}: {one_line(error)}{place_of(error)}"
