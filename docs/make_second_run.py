"""Lays the first reference run beside the one in results/reference, in second_run.md; `make_pages.py` calls this.

The records of the first run are not kept; first_run.csv has its verdicts and estimates, one row for each part of a
claim.
"""

import json
import math
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from make_tables import DOCS, REFERENCE, claims_of, fill, rows_of, table

from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.findings import MARKS, marked, outcome_of, verdict_on

FIRST_RUN = DOCS / "first_run.csv"


class Estimated(NamedTuple):
    """One part of a claim in one run."""

    outcome: str
    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        """Write the estimate, its interval where it has one, and its mark."""
        interval = f" [{format_number(self.low)}, {format_number(self.high)}]" if self.low != self.high else ""
        return f"{format_number(self.value)}{interval} {MARKS[self.outcome]}"

    def overlaps(self, other: "Estimated") -> bool | None:
        """Say whether two intervals have a number in common; None where one of them is a single number."""
        if self.low == self.high or other.low == other.high:
            return None
        return not (self.low > other.high or other.low > self.high)


Run = dict[str, tuple[str, dict[str, Estimated]]]  # for each claim its verdict and its parts


def run_of(claims: pd.DataFrame) -> Run:
    """Return verdicts and parts from claims.csv."""
    run: Run = {}
    for claim in rows_of(claims):
        limits = json.loads(claim["limits"])
        run[claim["id"]] = (
            outcome_of(claim["verdict"]),
            {
                name: Estimated(
                    limits[name][2],
                    *(math.nan if number is None else float(number) for number in found[:3]),
                    found[3],
                )
                for name, found in json.loads(claim["numbers"]).items()
            },
        )
    return run


def write_run(run: Run, path: Path) -> None:
    """Keep verdicts and parts as a table with one row per part."""
    rows = [(name, verdict, part, *found) for name, (verdict, parts) in run.items() for part, found in parts.items()]
    pd.DataFrame(rows, columns=["id", "verdict", "part", *Estimated._fields]).to_csv(path, index=False)


def read_run(path: Path) -> Run:
    """Read what `write_run` wrote; the verdicts of a run that knew no partial ones follow from its parts."""
    run: Run = {}
    for row in rows_of(pd.read_csv(path)):
        found = Estimated(*(row[name] for name in Estimated._fields))
        run.setdefault(row["id"], (row["verdict"], {}))[1][row["part"]] = found
    return {name: (verdict_on([part.outcome for part in parts.values()]), parts) for name, (_, parts) in run.items()}


def changed(first: Run, second: Run) -> list[str]:
    """Return the claims whose verdict is another one."""
    return [name for name in second if name in first and first[name][0] != second[name][0]]


def second_run_page(text: str, reference: Path = REFERENCE) -> str:
    """Return second_run.md with both runs side by side."""
    first, second = read_run(FIRST_RUN), run_of(claims_of(reference))
    run = json.loads((reference / "paper" / "provenance.json").read_text("utf-8"))
    code, start = run["runs"][0]["code"], run["runs"][0]["start"][:10]
    made = f"The run in `results/reference`: version {code}, {start}, {run['total']['cells']} cells."
    text = fill(text, "made", made)
    text = fill(text, "verdicts", verdicts_table(first, second))
    return fill(text, "estimates", estimates_table(first, second))


def verdicts_table(first: Run, second: Run, most: int = 3) -> str:
    """Return one row per claim: both verdicts, the estimates that decided in either run, how many intervals overlap."""
    rows = []
    for name, (verdict, parts) in second.items():
        before, old = first.get(name, ("", {}))
        decided = [p for p in parts if _decides(parts[p], verdict) or (p in old and _decides(old[p], before))]
        pairs = [
            f"{part} {format_number(old[part].value) if part in old else '–'} → {format_number(parts[part].value)}"
            for part in decided
        ]
        more = f"; and {len(pairs) - most} more" if len(pairs) > most else ""
        overlaps = [found for p in parts if p in old and (found := parts[p].overlaps(old[p])) is not None]
        told = f"{sum(overlaps)} of {len(overlaps)}" if overlaps else "–"
        now = f"**{_told(verdict, parts)}**" if before not in ("", verdict) else _told(verdict, parts)
        rows.append([name, _told(before, old), now, "; ".join(pairs[:most]) + more, told])
    return table(rows, ["claim", "first run", "second run", "estimates, first → second", "intervals that overlap"])


def _told(verdict: str, parts: dict[str, Estimated]) -> str:
    """Write a verdict behind its mark, a partial one with how many parts hold."""
    holding = sum(part.outcome == "reproduced" for part in parts.values())
    return marked(f"{verdict} ({holding} of {len(parts)})" if verdict == "partly reproduced" else verdict)


def _decides(part: Estimated, verdict: str) -> bool:
    return part.outcome == ("not reproduced" if verdict == "partly reproduced" else verdict)


def estimates_table(first: Run, second: Run) -> str:
    """Return one row per part of each claim: both estimates with their intervals and marks."""
    rows = []
    for name, (_, parts) in second.items():
        old = first.get(name, ("", {}))[1]
        for part in dict.fromkeys([*parts, *old]):
            both = [run.get(part) for run in (old, parts)]
            if both[1] and both[1].low == both[1].high:  # of one corpus, in either run
                both = [found and found._replace(low=found.value, high=found.value) for found in both]
            rows.append([name, part, *(str(found) if found else "–" for found in both)])
    return table(rows, ["claim", "part", "first run", "second run"])
