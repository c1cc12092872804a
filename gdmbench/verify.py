"""Check a results folder: draw cells, run them again with today's code, grade every measure, say what to believe."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from gdmbench.config.compose import saved_config
from gdmbench.config.schema import ExecutorConfig
from gdmbench.errors import ConfigError, one_line
from gdmbench.execute import Outcome
from gdmbench.execute.executors import LocalExecutor, cores, settings_of
from gdmbench.execute.progress import kind_of, progress_of, seconds_of
from gdmbench.execute.worker import Job, Settings, Worker
from gdmbench.files import atomic_write_text
from gdmbench.plan import FORMAT, Cell, canonical, content_of, make_plan
from gdmbench.records.compare import listed, name_of
from gdmbench.records.record import cell_of
from gdmbench.records.store import Records, Store
from gdmbench.records.tolerances import GRADES, Graded, grade_measures, worst
from gdmbench.versions import changes, versions

_OTHER = GRADES[-1]
_LIMITS = Settings(ExecutorConfig.time_limit, ExecutorConfig.memory_limit)
_FRESH = 5  # seeds that a cell is run on whose measures differ
_LEVEL = 0.05  # of the test, and 1 minus the confidence of the bound
_LEAST = 3  # other repetitions: with fewer, no five fresh runs could lead the exact test to that level


@dataclass(frozen=True, eq=False)
class Committed:
    """A record that can be checked, and its cell."""

    record: dict[str, Any]
    cell: Cell

    @property
    def point(self) -> str:
        """What all repetitions of a cell have in common."""
        return canonical([self.cell.experiment, self.cell.data, self.cell.params, self.cell.content])


@dataclass
class Check:
    """What is known of a results folder so far."""

    faults: list[str] = field(default_factory=list)
    pool: list[Committed] = field(default_factory=list)
    limits: Settings = _LIMITS  # the widest of all runs
    drawn: list[Committed] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)  # of cells, by key

    def graded(self, each: Committed) -> Graded:
        """Grade the measures of a cell that has run again."""
        return grade_measures(each.record, self.outcomes[each.cell.key])

    def grades(self) -> Counter[str]:
        """Count the grades of the drawn cells that have run again."""
        return Counter(worst(self.graded(each)) for each in self.drawn if each.cell.key in self.outcomes)


def verify(folder: str | Path, n_cells: int, seed: int, write: Path | None = None) -> int:
    """Check the records of a results folder and of the folders below it, and print what comes of it.

    Parameters
    ----------
    folder : path
    n_cells : int
        How many cells to draw; all there are where these are fewer.
    seed : int
        Of the draw.
    write : path, optional
        Where to keep the outcome, as JSON.

    Returns
    -------
    int
        0 if every cell drawn agrees with its record and no record is at fault, else 1.
    """
    check = read_check(Path(folder))
    for line in listed(f"{len(check.faults)} faults in the records", check.faults):
        print(line)
    _leave_out_lost_corpora(check)
    if not check.pool:
        raise ConfigError(f"{folder} holds no record that can be checked.")
    for what, count in Counter(", ".join(changes(each.record)) for each in check.pool).items():
        if what:
            print(f"{count:,} of {len(check.pool):,} records were made by other code than today's: {what}.")
    check.drawn = sorted(check.pool, key=lambda each: _number(seed, each.cell.experiment, each.cell.key))[:n_cells]
    print(f"{len(check.drawn)} of {len(check.pool):,} cells are drawn with seed {seed} and run again.")
    try:
        _run(check, [each.cell for each in check.drawn])
        reasons = _reasons(check, seed)
    except KeyboardInterrupt:
        ended = check.grades()
        print(
            f"Stopped: {ended.total() - ended[_OTHER]} of the {ended.total()} cells that have ended agree, of "
            f"{len(check.drawn)} drawn. This bounds nothing, as quick cells end first."
        )
        raise
    grades = check.grades()
    print("\n".join(f"  {grade:<17}{grades[grade]:>6}" for grade in GRADES))
    sentence = closing(grades, seed, len(check.pool))
    print("\n".join([*listed(f"{len(reasons)} cells differ", reasons), sentence]))
    if write is not None:
        atomic_write_text(write, json.dumps(_outcome(check, seed, sentence), indent=1) + "\n")
        print(f"Written: {write}")
    return 1 if check.faults or grades[_OTHER] else 0


def read_check(folder: Path) -> Check:
    """Read the records of a folder, and name those that are cut, missing, changed or of another format."""
    check = Check()
    paths = sorted(folder.rglob("records.jsonl"))
    if not paths:
        raise ConfigError(f"{folder} holds no records.jsonl: name a results folder.")
    for path in paths:
        records, damages = Store(path.parent).read()
        check.faults += damages
        known = []
        for record in records.values():
            cell = _cell_of(record)
            if record.get("format", 1) != FORMAT:
                said = f"has format {record.get('format', 1)}, and only {FORMAT} can be checked"
                check.faults.append(f"{path}: {name_of(record)}, {said}.")
            elif cell is None:
                said = "was changed, or a file that its method reads: its key is not that of what it tells"
                check.faults.append(f"{path}: {name_of(record)}, {said}.")
            else:
                known.append(Committed(record, cell))
        check.pool += [each for each in known if each.record["status"] == "ok"]
        try:
            config = saved_config(path.parent)
            time, memory, _ = settings_of(config)  # but corpora are looked for where they lie today
            check.limits = Settings(max(time, check.limits.time_limit), max(memory, check.limits.memory_limit))
            check.faults += _against_plan(make_plan(config), records, known)
        except ConfigError as error:
            check.faults.append(f"{path.parent}: today's code can't tell whether cells are missing: {error}")
    return check


def _against_plan(plan: Iterable[Cell], records: Records, known: Iterable[Committed]) -> list[str]:
    """Name the cells of a plan that have no record, or one that has another name."""
    contents = {canonical(each.cell.data): each.cell.content for each in known}  # of corpora that may be gone today
    faults = []
    for planned in plan:
        cell = replace(planned, content=contents.get(canonical(planned.data), planned.content))
        names = {name: getattr(cell, name) for name in ("experiment", "method", "axis", "value", "repetition")}
        record = records.get(cell.key)
        if record is None:
            faults.append(f"{name_of(names)}, is missing.")
        elif any(record.get(name) != value for name, value in names.items()):
            faults.append(f"{name_of(record)}, was changed: its config calls it {name_of(names)}.")
    return faults


def _cell_of(record: dict[str, Any]) -> Cell | None:
    """Return the cell of a record; None if the key, which follows from format and all that is computed, is another."""
    try:
        cell = cell_of(record)
        return cell if cell.key == record["key"] else None
    except (ConfigError, AttributeError, KeyError, TypeError, ValueError):  # whatever somebody has made of it
        return None


def _leave_out_lost_corpora(check: Check) -> None:
    """Take the cells out whose corpus is not here or is another one today, and name them."""
    corpora: dict[str, list[Committed]] = defaultdict(list)
    for each in check.pool:
        if "path" in each.cell.data:
            files = [each.cell.data["path"], each.cell.data.get("vocabulary"), each.cell.content]
            corpora[canonical(files)].append(each)
    for cells in corpora.values():
        if problem := _problem_of_corpus(cells[0].cell, check.limits):
            print(f"Left out: {len(cells)} cells of the corpus {cells[0].cell.data['path']}: {problem}")
            check.pool = [each for each in check.pool if each not in set(cells)]


def _problem_of_corpus(cell: Cell, limits: Settings) -> str | None:
    try:
        if content_of(cell.data, "data") != cell.content:
            return "its files are not here, or not what they were."
    except (ConfigError, OSError) as error:
        return one_line(error)
    worker = Worker(limits)  # a corpus may hold anything: this process must survive it
    try:
        problem: str | None = worker.do(Job("look", cell))["error"]
        return problem
    finally:
        worker.stop()


def _number(*words: Any) -> int:
    """Return 32 random bits that follow from the words, whatever the versions of Python and of its packages."""
    return int(hashlib.sha256(canonical(words).encode()).hexdigest()[:8], 16)


def _run(check: Check, cells: list[Cell]) -> None:
    """Run cells as a run does, but for those that have run, and keep each outcome as soon as it is there."""
    executor = LocalExecutor(cores(), check.limits)
    waiting = {cell.key: cell for cell in cells if cell.key not in check.outcomes}.values()
    records = {each.cell.key: each.record for each in check.pool}
    progress = progress_of(waiting, set(), records, executor.n_workers)
    try:
        for ended in executor.run(waiting):
            if ended is not None:
                cell, outcome = ended
                check.outcomes[cell.key] = outcome
                progress.ended(kind_of(cell), seconds_of(outcome), outcome["status"] == "ok")
            progress.show(executor.compiling)
    finally:
        progress.close()


def _reasons(check: Check, seed: int) -> list[str]:
    """Say of each cell that differs why: run it on fresh seeds, and another repetition of it."""
    repetitions: dict[str, list[Committed]] = defaultdict(list)
    for each in check.pool:
        repetitions[each.point].append(each)
    others = {each: repetitions[each.point] for each in check.drawn if worst(check.graded(each)) == _OTHER}
    fresh: dict[str, list[Cell]] = {}
    witnesses = []
    for each, same in others.items():
        if check.outcomes[each.cell.key]["status"] == "ok":
            seeds = [_number(seed, each.point, number) for number in range(_FRESH)]
            fresh[each.point] = [replace(each.cell, repetition=0, seed=fresh_seed) for fresh_seed in seeds]
            witnesses += [peer.cell for peer in same if peer is not each][:1]
    if fresh:
        print(f"{len(others)} cells differ. Fresh seeds and another repetition of each are run to tell why.")
        _run(check, [*(cell for runs in fresh.values() for cell in runs), *witnesses])
    return [
        f"{name_of(each.record)}: "
        + _reason(check, each, fresh.get(each.point, []), [p for p in same if p is not each])
        for each, same in others.items()
    ]


def _reason(check: Check, each: Committed, fresh: list[Cell], peers: list[Committed]) -> str:
    outcome = check.outcomes[each.cell.key]
    if outcome["status"] != "ok":
        return f"today it ends with {outcome['status']}: {outcome['error']}."
    differing = [(name, *pair) for name, pair in check.graded(each).items() if pair[2] == _OTHER]
    if not differing:
        return "its record holds no measure."
    measure, then, now, _ = differing[0]
    said = f"{measure} was {then} and is {now}" + (f", {len(differing) - 1} more differ" if differing[1:] else "")
    if not peers:
        return f"{said}; there is no other repetition to tell why."
    tested, p = _test([check.outcomes[cell.key].get(measure) for cell in fresh], [p.record.get(measure) for p in peers])
    changed = changes(each.record)
    if worst(check.graded(peers[0])) == _OTHER:
        found = "numbers" if p is None else "draws, with no difference in results" if p >= _LEVEL else "results"
        code = "today's code" if changed else "the same code"
        cause = f"differs too, so {code} gives other {found}"
    elif changed:
        made_by = (each.record.get("versions") or {}).get("gdmbench")
        cause = (
            f"agrees, so this number is wrong or a change of code touches few cells; the code of {made_by} would tell"
        )
    else:
        cause = "agrees, so this number is wrong"
    return f"{said}; repetition {peers[0].cell.repetition} {cause} ({tested})."


def _test(fresh: list[Any], peers: list[Any]) -> tuple[str, float | None]:
    """Compare fresh runs with the other repetitions by the test of Mann and Whitney, which is exact for so few numbers.

    It assumes no distribution: one chain that is stuck would spoil a test of means.
    """
    x, y = ([number for number in numbers if isinstance(number, int | float)] for numbers in (fresh, peers))
    if len(x) < _FRESH or len(y) < _LEAST:
        return f"{len(x)} fresh seeds and {len(y)} other repetitions are too few for a test", None
    from scipy.stats import mannwhitneyu  # takes a second

    p = float(mannwhitneyu(x, y).pvalue)
    return f"median {median(x):.4g} on {len(x)} fresh seeds, {median(y):.4g} recorded; Mann-Whitney p = {p:.2g}", p


def _outcome(check: Check, seed: int, sentence: str) -> dict[str, Any]:
    names = ("experiment", "key", "method", "value", "repetition")
    graded = {each: check.graded(each) for each in check.drawn}
    cells = [
        {**{name: each.record[name] for name in names}, "grade": worst(measures), "measures": measures}
        for each, measures in graded.items()
    ]
    made = {"when": datetime.now(UTC).isoformat(timespec="seconds"), "versions": versions(), "seed": seed}
    whole = {"sentence": sentence, **made, "faults": check.faults, "cells": cells}
    plain: dict[str, Any] = json.loads(json.dumps(whole), parse_constant=str)  # a changed record may hold NaN
    return plain


def closing(grades: Mapping[str, int], seed: int, total: int) -> str:
    """Return a sentence to quote, with the exact (Clopper-Pearson) bound on the share of cells that would not agree."""
    from scipy.special import betaincinv

    n, differ = sum(grades.values()), grades.get(_OTHER, 0)
    bound = 1.0 if differ == n else float(betaincinv(differ + 1, n - differ, 1 - _LEVEL))
    return (
        f"{n - differ} of {n} cells drawn (seed {seed}) agree, {grades.get(GRADES[0], 0)} of them bit for bit: with "
        f"95 % confidence at most {100 * bound:.1f} % of the {total:,} would not."
    )
