"""How near a measure that was computed again is to the recorded one: to the bit, but for rounding, or not at all."""

from collections.abc import Mapping
from typing import Any

from gdmbench.records.compare import ROUNDING
from gdmbench.records.record import COLUMNS

GRADES = ("same bits", "rounding", "between machines", "other")

# By how much of its size a measure may differ between processors. Evidence: the same 7,575 cells, run on an AMD EPYC
# (results/reference of commit fecf2ad~1) and on an Intel Xeon (fecf2ad). The largest difference is beside each entry.
# All other methods stayed below 5e-10, Gibbs and VEM from random starts below 1e-13: they get none but rounding.
_BETWEEN_MACHINES = {
    "TunedGDM": 0.005,  # 0.0026, in one cell of 2,628
    "CollapsedGibbs from topics": 0.05,  # 0.042: one draw that falls otherwise changes all that follow
    "VariationalEM from topics": 0.02,  # 0.012
}

Graded = dict[str, tuple[Any, Any, str]]  # of each measure the recorded value, today's and the grade


def tolerance_of(params: Mapping[str, Any]) -> float:
    """Return by how much of its size a measure of a method may differ between machines."""
    name = str(params["_target_"]).rpartition(".")[2]
    return _BETWEEN_MACHINES.get(f"{name} from topics" if isinstance(params.get("init"), Mapping) else name, ROUNDING)


def grade_measures(record: Mapping[str, Any], outcome: Mapping[str, Any]) -> Graded:
    """Grade every measure that a record has; one that was added to the code since is in no old record."""
    limits = (0.0, ROUNDING, tolerance_of(record["params"]))
    names = [column.name for column in COLUMNS if column.kind == "measure" and column.name in record]
    return {name: (record[name], outcome.get(name), _grade(record[name], outcome.get(name), limits)) for name in names}


def _grade(then: Any, now: Any, limits: tuple[float, ...]) -> str:
    if then is None and now is None:
        return GRADES[0]
    if not isinstance(then, int | float) or not isinstance(now, int | float):
        return GRADES[-1]
    distance, size = abs(then - now), max(abs(then), abs(now))
    # To NaN, which a changed record may hold, nothing is near.
    return next((grade for grade, limit in zip(GRADES, limits, strict=False) if distance <= limit * size), GRADES[-1])


def worst(graded: Graded) -> str:
    """Return the worst grade of a cell; a record of no measure at all agrees with nothing."""
    return max((grade for _, _, grade in graded.values()), key=GRADES.index, default=GRADES[-1])
