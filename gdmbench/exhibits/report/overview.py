"""All sweeps at a glance: every method's ratio to the best, and accuracy against cost where ratios can be compared."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from gdmbench.exhibits.report.sources import Plain
from gdmbench.exhibits.style import in_order
from gdmbench.records.record import NUMBERS, column_of


def ratios_to_best(points: Sequence[Plain]) -> Plain:
    """Compare the methods of one sweep in one measure: the geometric mean over swept values of the ratio to the best.

    A method's level at a swept value is the geometric mean over repetitions, and lacks where a number is 0 or less.

    Returns
    -------
    dict
        By method: the `ratio`, the number of swept `points` it is taken over, and how many cells `failed`. Methods with
        neither points nor failures are left out.
    """
    levels = {(point["method"], point["value"]): _level(point["numbers"]) for point in points}
    best: dict[int, float] = {}
    for (_, value), level in levels.items():
        if not math.isnan(level):
            best[value] = min(level, best.get(value, math.inf))
    found = {}
    for method in in_order([point["method"] for point in points]):
        logs = [level - best[value] for (name, value), level in levels.items() if name == method and value in best]
        finite = [log for log in logs if math.isfinite(log)]
        failed = sum(point["failed"] for point in points if point["method"] == method)
        if finite or failed:
            ratio = math.exp(math.fsum(finite) / len(finite)) if finite else None
            found[method] = {"ratio": ratio, "points": len(finite), "failed": failed}
    return found


def _level(numbers: Sequence[float | str]) -> float:
    logs = [math.log(float(number)) if float(number) > 0 else math.nan for number in numbers]
    return math.fsum(logs) / len(logs) if logs else math.nan


def overall_data(sweeps: Sequence[Plain]) -> dict[str, dict[str, list[Plain]]]:
    """Average the ratios of a cost and of an accuracy over sweeps: by cost and accuracy, one mark for each method.

    A ratio to the best is the same yardstick for all methods only where all of them took part. So the marks are of the
    methods in at least half of the sweeps, over the sweeps that have all of these; where no sweep has all, the rarest
    method gives way.
    """
    costs = [name for name in NUMBERS if column_of(name).ranked and column_of(name).kind == "cost"]
    accuracies = [name for name in NUMBERS if column_of(name).ranked and column_of(name).kind != "cost"]
    return {cost: {accuracy: _marks(sweeps, cost, accuracy) for accuracy in accuracies} for cost in costs}


def _marks(sweeps: Sequence[Plain], cost: str, accuracy: str) -> list[Plain]:
    found: dict[str, dict[str, tuple[float, float]]] = {}  # by method and sweep
    for sweep in sweeps:
        times, errors = (sweep["ratios"].get(name, {}) for name in (cost, accuracy))
        for method in [method for method in errors if method in times]:
            if times[method]["ratio"] and errors[method]["ratio"]:
                found.setdefault(method, {})[sweep["id"]] = (times[method]["ratio"], errors[method]["ratio"])
    methods, together = _compared_together(found)
    marks = []
    for method in methods:
        x, y = np.exp(np.mean([np.log(found[method][sweep]) for sweep in together], axis=0))
        marks.append({"method": method, "x": float(x), "y": float(y), "sweeps": len(together)})
    return marks


def _compared_together(found: Mapping[str, Mapping[str, object]]) -> tuple[list[str], list[str]]:
    """Return the methods in half of the sweeps or more, less the rarest if need be, and the sweeps with all of them."""
    every = list(dict.fromkeys(sweep for sweeps in found.values() for sweep in sweeps))
    often = [method for method in found if 2 * len(found[method]) >= len(every)]
    often.sort(key=lambda method: -len(found[method]))
    while often:
        together = [sweep for sweep in every if all(sweep in found[method] for method in often)]
        if together:
            return often, together
        often.pop()
    return [], []
