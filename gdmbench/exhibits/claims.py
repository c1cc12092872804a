"""Claims of the paper, judged by records: each with its criterion, a verdict and the numbers behind it."""

import json
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from gdmbench.exhibits.escape import markdown
from gdmbench.exhibits.statistics import Estimate, Outcome, all_of
from gdmbench.exhibits.tables import csv_text, markdown_table
from gdmbench.files import atomic_write_text

Part = tuple[str, Estimate, Outcome]  # of a claim: its name, what was estimated, and how that was judged

_MARKS: Mapping[str, str] = {"reproduced": "✓", "not reproduced": "✗", "not enough evidence": "?"}


@dataclass(frozen=True)
class Finding:
    """What records say of a claim: its outcome, the evidence in words, and the estimates behind it."""

    outcome: Outcome
    evidence: str
    numbers: Mapping[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper and how records decide it.

    Attributes
    ----------
    id : str
        Short name.
    text : str
        What the paper says, in our words.
    where : str
        Figure, table or theorem.
    judge : callable
        From the records of all experiments, as a frame, to a `Finding`.
    criterion : str
        What ``judge`` demands, in words, fixed by what the paper says.
    reason : str
        Why the claim is not reproduced, where that is known; shown only when it is not.
    """

    id: str
    text: str
    where: str
    judge: Callable[[pd.DataFrame], Finding]
    criterion: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Verdict:
    """A claim that was judged."""

    id: str
    text: str
    where: str
    criterion: str
    verdict: Outcome
    evidence: str
    reason: str
    numbers: Mapping[str, Estimate]


def all_hold(*parts: Part | list[Part]) -> Finding:
    """Make a finding of parts and lists of parts that must all hold.

    The evidence lists every estimate, and marks the parts that don't hold where others do.
    """
    flat = [part for some in parts for part in (some if isinstance(some, list) else [some])]
    outcome = all_of([part for _, _, part in flat])
    words = [f"{name} {estimate}" + ("" if part == outcome else f" {_MARKS[part]}") for name, estimate, part in flat]
    return Finding(outcome, "; ".join(words), {name: estimate for name, estimate, _ in flat})


def judge_claims(claims: Sequence[Claim], frame: pd.DataFrame) -> list[Verdict]:
    """Judge every claim by the records of all experiments; those lacking make for too little evidence."""
    verdicts = []
    for claim in claims:
        found = claim.judge(frame)
        reason = claim.reason if found.outcome == "not reproduced" else ""
        identity = (claim.id, claim.text, claim.where, claim.criterion)
        verdicts.append(Verdict(*identity, found.outcome, found.evidence, reason, found.numbers))
    return verdicts


def claims_table(verdicts: Sequence[Verdict]) -> pd.DataFrame:
    """Make the table that ``claims.csv`` holds; numbers are compact JSON."""
    columns = ["id", "claim", "where", "criterion", "verdict", "evidence", "reason", "numbers"]
    rows = [
        (v.id, v.text, v.where, v.criterion, v.verdict, v.evidence, v.reason, _numbers_json(v.numbers))
        for v in verdicts
    ]
    return pd.DataFrame(rows, columns=columns)


def claims_markdown(verdicts: Sequence[Verdict]) -> str:
    """Write claims as a Markdown table under a count, criteria below."""
    lines = [["claim", "where", "verdict", "evidence"]]
    for v in verdicts:
        claim, evidence = f"**{markdown(v.id)}**: {markdown(v.text)}", markdown(f"{v.evidence}. {v.reason}".strip())
        lines.append([claim, markdown(v.where), f"{_MARKS[v.verdict]} {v.verdict}", evidence])
    criteria = "\n".join(f"- **{markdown(v.id)}**: {markdown(v.criterion)}" for v in verdicts if v.criterion)
    parts = ["# Claims", f"{_count(verdicts)}.", markdown_table(lines, numbers=False)]
    return "\n\n".join([*parts, *(["## Criteria", criteria] if criteria else [])]) + "\n"


def claims_text(verdicts: Sequence[Verdict], width: int = 100) -> str:
    """Write claims for the terminal."""
    lines = [f"Claims: {_count(verdicts)}"]
    for verdict in verdicts:
        sentence = f"{_MARKS[verdict.verdict]} {verdict.id}: {verdict.text} ({verdict.where})"
        lines += textwrap.wrap(sentence, width, subsequent_indent="  ")
        rest = f"{verdict.verdict}: {verdict.evidence}. {verdict.reason}"
        lines += textwrap.wrap(rest, width, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def write_claims(verdicts: Sequence[Verdict], folder: str | Path) -> list[Path]:
    """Write ``claims.csv`` and ``claims.md``; return their paths."""
    paths = [Path(folder) / "claims.csv", Path(folder) / "claims.md"]
    atomic_write_text(paths[0], csv_text(claims_table(verdicts)))
    atomic_write_text(paths[1], claims_markdown(verdicts))
    return paths


def _count(verdicts: Sequence[Verdict]) -> str:
    counts = {outcome: sum(verdict.verdict == outcome for verdict in verdicts) for outcome in _MARKS}
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count) or "none"


def _numbers_json(numbers: Mapping[str, Estimate]) -> str:
    # JSON has no infinity: an end that is open is null.
    plain = {name: [*map(_finite, (e.value, e.low, e.high)), e.n, e.missing] for name, e in numbers.items()}
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
