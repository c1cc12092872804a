"""The checks that every method must pass: each a few lines that return a verdict and a sentence for its author."""

import json
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.measures import minimum_matching_distance
from gdmbench.runner.cell import MethodError, place_of, rows_on_simplex
from gdmbench.runner.plan import Cell
from gdmbench.runner.targets import build, locate, parameters_of

_NAMES_OF_K = ("n_topics", "n_components", "num_topics", "k", "K")

Verdict = tuple[str, str]  # "ok", "note" (fine, but worth knowing) or "FAIL", and a sentence


@dataclass(frozen=True)
class Finding:
    """What one check found."""

    subject: str
    verdict: str
    sentence: str


class Trial:
    """A method, the easy corpus it is tried on, and the model that its first fit gave.

    Parameters
    ----------
    cell : Cell
        The method and the data.
    """

    def __init__(self, cell: Cell) -> None:
        data_seed, self.seed = cell.seeds()
        self.cell = cell
        self.data = build(cell.data, "data", data_seed)
        self.n_topics: int = cell.data["n_topics"]
        self.n_words: int = self.data.train.shape[1]
        self.model: Any = None

    def new(self) -> Any:
        """Return an unfitted model under the same seed as every other."""
        return build(self.cell.params, f"methods.{self.cell.method}", self.seed)

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


def judge(subject: str, trial: Trial) -> Finding:
    """Make one check; whatever it raises is a fault of the method."""
    try:
        verdict, sentence = CHECKS[subject](trial)
    except MethodError as error:
        verdict, sentence = "FAIL", str(error)
    except Exception as error:
        verdict, sentence = "FAIL", _raised(error)
    return Finding(subject, verdict, sentence)


def sparse_input(trial: Trial) -> Verdict:
    """Fit what a run gives: a CSR array of whole numbers, which must stay as it is."""
    train = trial.data.train.copy()
    model = trial.new()
    try:
        model.fit(train)
    except Exception as error:
        try:
            trial.new().fit(train.toarray())
        except Exception:
            return "FAIL", _raised(error)
        return "FAIL", f"fit takes a dense array but not the sparse one that a run gives: {_raised(error)}"
    trial.model = model
    if train.dtype != trial.data.train.dtype or (train != trial.data.train).nnz:
        return "FAIL", "fit changes the matrix it is given: let it work on a copy."
    return "ok", "fits a scipy.sparse CSR array of whole numbers and leaves it as it was."


def shape(trial: Trial) -> Verdict:
    """There is a topic in each row and a word in each column."""
    components = getattr(trial.model, "components_", None)
    if components is None:
        return "FAIL", "there is no components_ after fit: it must hold the topics, one in each row."
    got = np.shape(components)
    if len(got) != 2 or got[1] != trial.n_words or not got[0]:
        return "FAIL", f"components_ has shape {got}, but must have a row for each topic and {trial.n_words} columns."
    asked = any(trial.cell.params.get(name) == trial.n_topics for name in _NAMES_OF_K)
    if got[0] != trial.n_topics:
        sentence = f"components_ has {got[0]} rows, {trial.n_topics} topics were simulated"
        return ("FAIL", f"{sentence} and asked for.") if asked else ("ok", f"{sentence}; it chooses the number itself.")
    return "ok", f"components_ is {got[0]} × {got[1]}, topics × words."


def simplex(trial: Trial) -> Verdict:
    """Topics are finite and non-negative, and none is all zeros."""
    trial.as_topics(trial.model)
    sums = np.asarray(trial.model.components_, dtype=float).sum(axis=1)
    if np.allclose(sums, 1.0, atol=1e-6):
        return "ok", "topics are non-negative and sum to 1."
    return "ok", f"topics are non-negative; a run divides them by their sums, {sums.min():.3g} to {sums.max():.3g}."


def determinism(trial: Trial) -> Verdict:
    """Two fits under one seed agree to the last bit, and so do two transforms."""
    again = trial.new()
    again.fit(trial.data.train)
    seeded = "random_state" in parameters_of(locate(trial.cell.params["_target_"], f"methods.{trial.cell.method}"))
    if not np.array_equal(again.components_, trial.model.components_):
        remedy = "draw every random number from random_state" if seeded else "take random_state, a run gives it a seed"
        return "FAIL", f"two fits under the same seed differ: {remedy}."
    if hasattr(again, "transform"):
        heldout = trial.data.heldout
        if not np.array_equal(again.transform(heldout), trial.model.transform(heldout)):
            return "FAIL", "two transforms under the same seed differ: draw random numbers from random_state there too."
    if "random_state" in trial.cell.params:
        return "note", "two fits agree, but random_state is fixed in the config: every repetition gets the same."
    return "ok", f"two fits under the same seed agree to the last bit{'' if seeded else '; there is no random_state'}."


def unseen_documents(trial: Trial) -> Verdict:
    """The method's own proportions of held-out documents, where it has them, are proportions."""
    heldout = trial.data.heldout
    if not hasattr(trial.model, "transform"):
        return "ok", "there is no transform: a run projects held-out documents onto the topics."
    rows = trial.model.transform(heldout.copy())
    trial.as_proportions(rows, heldout.shape[0])
    sums = np.asarray(rows, dtype=float).sum(axis=1)
    scaled = "" if np.allclose(sums, 1.0, atol=1e-6) else " once divided by their sums"
    return "ok", f"transform gives proportions of {heldout.shape[0]} unseen documents{scaled}."


def pickling(trial: Trial) -> Verdict:
    """A fitted model survives being stored."""
    try:
        back = pickle.loads(pickle.dumps(trial.model))
    except Exception as error:
        return "FAIL", f"a fitted model can't be pickled: {_raised(error)}"
    if not np.array_equal(back.components_, trial.model.components_):
        return "FAIL", "a fitted model has other components_ after pickling."
    if hasattr(back, "transform"):
        back.transform(trial.data.heldout)
    return "ok", "a fitted model can be pickled and is the same afterwards."


def empty_documents(trial: Trial) -> Verdict:
    """A document without words is coped with, or refused in a sentence; no corpus of a run has one."""
    heldout = sparse.csr_array(trial.data.heldout)
    blank = sparse.csr_array((2, trial.n_words), dtype=heldout.dtype)
    model = trial.new()
    try:
        model.fit(sparse.vstack([trial.data.train, blank], format="csr"))
    except ValueError as error:
        return "note", f"fit refuses empty documents (no corpus of a run has any): {_one_line(error)}"
    trial.as_topics(model)
    if not hasattr(model, "transform"):
        return "ok", "an empty document among the others does no harm to fit."
    mixed = sparse.vstack([blank, heldout], format="csr")
    try:
        trial.as_proportions(model.transform(mixed), mixed.shape[0])
    except MethodError as error:
        return "note", f"transform has no answer for empty documents (no corpus of a run has any): {error}"
    except ValueError as error:
        return "note", f"transform refuses empty documents (no corpus of a run has any): {_one_line(error)}"
    return "ok", "empty documents do no harm to fit or transform."


def accuracy(trial: Trial) -> Verdict:
    """On documents this easy a method is far nearer to the true topics than topics drawn at random."""
    truth = trial.data.topics
    rng = np.random.default_rng(trial.seed)
    guesses = rng.dirichlet(np.full(trial.n_words, trial.cell.data["eta"]), size=(20, trial.n_topics))
    random = float(np.mean([minimum_matching_distance(guess, truth) for guess in guesses]))
    distance = float(minimum_matching_distance(trial.topics, truth))
    sentence = f"MM distance to the true topics {distance:.3f}, of random topics {random:.3f}"
    return ("ok", f"{sentence}.") if distance < random / 2 else ("FAIL", f"{sentence}: it must be below half of that.")


def speed(trial: Trial) -> Verdict:
    """How long a fit takes beside GDM: for information, as a slow method may be a good one."""
    gdm = build({"_target_": "gdmbench.GDM", "n_topics": trial.n_topics}, "methods.gdm", trial.seed)
    gdm.fit(trial.data.train)  # compiles
    theirs = ours = np.inf
    stop = time.perf_counter() + 0.2  # a quick method gets several fits, of which the quickest counts
    while theirs == np.inf or time.perf_counter() < stop:
        theirs = min(theirs, _seconds(trial.new(), trial.data.train))
        ours = min(ours, _seconds(gdm, trial.data.train))
    return "ok", f"a fit takes {theirs:.2g} s, {theirs / ours:.2g} times as long as GDM's {ours:.2g} s."


def extra_record(trial: Trial) -> Verdict:
    """What a method wants in its record must be JSON."""
    if not hasattr(trial.model, "record_"):
        return "ok", "there is no record_, so the record's column extra stays empty."
    try:
        json.dumps(trial.model.record_, allow_nan=False)
    except (TypeError, ValueError) as error:
        return "FAIL", f"record_ must hold numbers, texts, lists and dicts only: {error}."
    return "ok", f"record_ adds {', '.join(trial.model.record_) or 'nothing'} to the record's column extra."


CHECKS: dict[str, Callable[[Trial], Verdict]] = {
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
    return f"{type(error).__name__}: {_one_line(error)}{place_of(error)}"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
