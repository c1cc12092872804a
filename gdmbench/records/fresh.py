"""Records that other code than today's has made: which they are, and which cells to run again."""

from collections import Counter
from typing import Any

from gdmbench.errors import ConfigError, nearest
from gdmbench.plan import Plan
from gdmbench.records.store import Records
from gdmbench.versions import changes


def to_run_again(rerun: str | None, plan: Plan, records: Records) -> set[str]:
    """Return the keys of the finished cells that `rerun` names."""
    if rerun is None:
        return set()
    if rerun not in ("all", "changed", *plan.labels):
        known = ["all", "changed", *plan.labels]
        raise ConfigError(f"rerun={rerun} names no method of this experiment: {nearest(rerun, known)}")
    if rerun == "changed":
        return {record["key"] for record in _finished(plan, records) if changes(record)}
    return {cell.key for cell in plan if rerun in ("all", cell.method)}


def other_code(plan: Plan, records: Records) -> str:
    """Say which records were made by another version of their method or packages than today's; empty if none was."""
    kinds = Counter((record["method"], tuple(changes(record))) for record in _finished(plan, records))
    words = [f"{count} of {method} ({', '.join(what)})" for (method, what), count in kinds.items() if what]
    total = sum(count for (_, what), count in kinds.items() if what)
    return f"{total} cells were made by other code than today's: {'; '.join(words)}." if words else ""


def _finished(plan: Plan, records: Records) -> list[dict[str, Any]]:
    """Return the records of cells that ended well; one that was killed could not say what it was made with."""
    found = [records[cell.key] for cell in plan if cell.key in records]
    return [record for record in found if record["status"] == "ok"]
