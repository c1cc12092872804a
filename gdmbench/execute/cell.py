"""Run one cell: make its data, fit its method, measure it. What that gave is its outcome."""

import inspect
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdmbench.compiling import compiling
from gdmbench.data.corpus import as_typed
from gdmbench.errors import ConfigError, one_line
from gdmbench.execute import Outcome
from gdmbench.execute.guard import limit_memory, mark_memory, peak_memory, seed_global_random_states
from gdmbench.measures.agreement import label_agreement
from gdmbench.measures.coherence import coherence, diversity
from gdmbench.measures.completion import document_completion
from gdmbench.measures.heldout import own_and_projected
from gdmbench.measures.loss import geometric_loss
from gdmbench.measures.matching import minimum_matching_distance, total_variation
from gdmbench.plan import Cell
from gdmbench.versions import versions, versions_of

_TOP_WORDS = 20
_COHERENT_WORDS, _DIVERSE_WORDS = 10, 25  # top words of each topic that the two measures look at

_warm: set[tuple[Any, Any]] = set()


class MethodError(Exception):
    """A method gave something that is not a set of topics or proportions."""


def run_cell(cell: Cell, memory_limit: float | None = None, data_dir: str | None = None) -> Outcome:
    """Run a cell and return its outcome, whatever the method does short of killing the process.

    Parameters
    ----------
    cell : Cell
    memory_limit : float, optional
        Megabytes the cell may allocate.
    data_dir : str, optional
        Where named corpora are looked for.

    Returns
    -------
    dict
        ``status``, ``error``, and the columns of a record that running the cell tells.
    """
    start, cpu_start, compiled = time.perf_counter(), time.process_time(), compiling.seconds
    outcome = attempt(lambda: _measure(cell, data_dir), memory_limit)
    outcome["versions"] = {**versions(), **versions_of(cell.params["_target_"])}
    outcome["cell_seconds"] = time.perf_counter() - start
    outcome["compile_seconds"] = compiling.seconds - compiled
    outcome["cell_cpu_seconds"] = time.process_time() - cpu_start
    return outcome


def look_at_data(cell: Cell, memory_limit: float | None = None, data_dir: str | None = None) -> Outcome:
    """Make the data of a cell and throw them away; the outcome says what is wrong with them."""

    def make() -> Outcome:
        try:
            cell.make_data(data_dir)
        except ValueError as error:  # whose sentences need no more words
            return {"status": "error", "error": one_line(as_typed(error, "data."))}
        except OSError as error:
            return {"status": "error", "error": one_line(error)}
        return {}

    return attempt(make, memory_limit)


def attempt(work: Callable[[], Outcome], memory_limit: float | None = None) -> Outcome:
    """Return the outcome of a piece of work; what it raises becomes the status and a sentence."""
    outcome: Outcome = {"status": "ok", "error": None}
    try:
        if memory_limit is not None:
            limit_memory(memory_limit)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nobody can read a thousand cells' warnings; what matters is measured
            outcome.update(work())
    except MemoryError:
        outcome.update(
            status="out of memory", error=f"needed more than the {memory_limit:g} MB of executor.memory_limit"
        )
    except (MethodError, ConfigError) as error:
        outcome.update(status="error", error=one_line(error))
    except Exception as error:
        outcome.update(status="error", error=f"{type(error).__name__}: {one_line(error)}{place_of(error)}")
    return outcome


def _measure(cell: Cell, data_dir: str | None) -> Outcome:
    data_seed, method_seed = cell.seeds()
    seed_global_random_states(data_seed)
    data = cell.make_data(data_dir)
    train, heldout = data.train, data.heldout
    _warm_up(cell, train)
    held = mark_memory()
    seed_global_random_states(method_seed)  # whatever ran before, a warm-up or another cell
    model = cell.make_method()
    wall, cpu = time.perf_counter(), time.process_time()
    fit(model, train, data.vocabulary)
    fit_cpu_seconds, fit_seconds = time.process_time() - cpu, time.perf_counter() - wall
    topics = rows_on_simplex(model, getattr(model, "components_", None), (None, train.shape[1]), "components_")
    measured: Outcome = {
        "fit_seconds": fit_seconds,
        "fit_cpu_seconds": fit_cpu_seconds,
        "n_topics": len(topics),
        "extra": {**getattr(data, "record_", {}), **getattr(model, "record_", {})},
        "top_words": _top_words(topics, data.vocabulary),
    }
    if hasattr(model, "heldout_record"):
        measured["extra"] |= model.heldout_record(heldout)
    if data.vocabulary is not None:
        measured["coherence"] = coherence(topics, train, min(_COHERENT_WORDS, topics.shape[1]))
        measured["diversity"] = diversity(topics, min(_DIVERSE_WORDS, topics.shape[1]))
    labels = getattr(data, "heldout_labels", None)  # which data of other people's code may lack
    if labels is not None:
        measured["label_agreement"] = label_agreement(heldout, topics, labels)
    real_words = data.vocabulary is not None or data.topics is None
    if real_words and np.any(heldout.sum(axis=1) > 1):
        completed = document_completion(heldout, topics, train)
        measured["completion"] = completed.perplexity
        measured["extra"]["completion"] = {
            "alpha": completed.alpha,
            "left_out": completed.n_left_out,
            "log_likelihoods": completed.log_likelihoods.round(4).tolist(),
            "tokens": completed.n_tokens.tolist(),
        }
    if data.topics is not None:
        measured["mm_distance"] = float(minimum_matching_distance(topics, data.topics))
        measured["total_variation"] = total_variation(topics, data.topics)
        if hasattr(model, "truth_record"):
            measured["extra"].update(model.truth_record(data.topics))
    proportions = own_proportions(model, heldout) if hasattr(model, "transform") else None
    own, projected = own_and_projected(heldout, topics, proportions)
    measured.update(
        perplexity=float(own.perplexity),
        perplexity_nonzero=float(own.perplexity_nonzero),
        zero_share=float(own.zero_share),
        perplexity_projected=float(projected.perplexity),
        perplexity_projected_nonzero=float(projected.perplexity_nonzero),
        loss=float(geometric_loss(heldout, topics)),
        peak_mb=peak_memory(held),
    )
    for name, value in measured.items():
        if isinstance(value, float) and not np.isfinite(value):
            measured[name] = None  # JSON has no number for it; an example is the perplexity of no token at all
    return measured


def fit(model: Any, train: Any, vocabulary: list[str] | None) -> Any:
    """Fit a method; one whose `fit` takes the vocabulary gets it, as a method that reads topics from a file must."""
    if "vocabulary" in inspect.signature(model.fit).parameters:
        return model.fit(train, vocabulary=vocabulary)
    return model.fit(train)


def own_proportions(model: Any, heldout: Any) -> NDArray[np.float64]:
    """Return the proportions that a method gives unseen documents, for topics whose rows sum to 1.

    Weights that don't sum to 1, such as those of a matrix factorisation, belong to `components_` as they are: dividing
    a topic by its sum multiplies its weight by it. A document with no weight at all says nothing: equal proportions.
    """
    weights = np.array(model.transform(heldout), dtype=np.float64)
    if weights.ndim == 2:
        weights[(weights == 0).all(axis=1)] = 1.0
    sums = np.asarray(model.components_, dtype=np.float64).sum(axis=1)
    proportions = rows_on_simplex(model, weights, (heldout.shape[0], len(sums)), "transform")
    if np.allclose(weights.sum(axis=1), 1.0):
        return proportions
    scaled = proportions * sums
    return scaled / scaled.sum(axis=1, keepdims=True)


def _top_words(topics: NDArray[np.float64], vocabulary: list[str] | None) -> list[list[list[Any]]] | None:
    """Return each topic's most probable words with their probabilities, where words have names."""
    if vocabulary is None:
        return None
    best = np.argsort(-topics, axis=1, kind="stable")[:, :_TOP_WORDS]
    return [[[vocabulary[w], float(topics[k, w])] for w in words] for k, words in enumerate(best)]


def _warm_up(cell: Cell, train: Any) -> None:
    """Fit on a few documents once in a process, so that no compilation is ever timed."""
    kind = (cell.params["_target_"], cell.params.get("n_topics") or cell.params.get("n_components"))
    if kind in _warm:
        return
    _warm.add(kind)
    few = train[: max(40, 4 * int(kind[1] or 0))]
    try:
        model = cell.make_method()
        fit(model, few, None)
        if hasattr(model, "transform"):
            model.transform(few)
    except Exception:
        # A method may well refuse a handful of documents; whatever is really wrong shows in the fit that counts.
        return


def rows_on_simplex(model: Any, rows: Any, shape: tuple[int | None, int], what: str) -> NDArray[np.float64]:
    """Return topics or proportions with rows that sum to 1, or say in one sentence what is wrong with them."""
    name = type(model).__name__
    if rows is None:
        raise MethodError(f"{name} has no {what} after fit.")
    try:
        rows = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise MethodError(f"{what} of {name} is not an array of numbers.") from None
    wanted = (shape[0] if shape[0] is not None else "n_topics", shape[1])
    if (
        rows.ndim != 2
        or rows.shape[1] != shape[1]
        or (rows.shape[0] != shape[0] if shape[0] is not None else not len(rows))
    ):
        raise MethodError(f"{what} of {name} has shape {rows.shape}, not {wanted[0]} × {wanted[1]}.")
    if not np.isfinite(rows).all():
        raise MethodError(
            f"{what} of {name} has NaN or infinite entries, the first in row {_first(~np.isfinite(rows))}."
        )
    if (rows < 0).any():
        raise MethodError(f"{what} of {name} has negative entries, the first in row {_first(rows < 0)}.")
    sums = rows.sum(axis=1, keepdims=True)
    if (sums == 0).any():
        raise MethodError(f"{what} of {name} has rows of zeros only, the first is row {_first(sums == 0)}.")
    return rows / sums


def _first(bad: NDArray[np.bool_]) -> int:
    return int(np.argmax(bad.any(axis=1)))


def place_of(error: BaseException) -> str:
    """Say in which file and line an unexpected error arose."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f" (in {trace.tb_frame.f_code.co_filename.rpartition('/')[2]}, line {trace.tb_lineno})"
