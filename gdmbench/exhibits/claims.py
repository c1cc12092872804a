"""Claims of the paper, judged by records: each with its criterion, a verdict and the numbers behind it."""

import json
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from gdmbench.exhibits.causes import Cause, hangs_on, try_causes
from gdmbench.exhibits.escape import markdown
from gdmbench.exhibits.estimates import Judgement
from gdmbench.exhibits.findings import MARKS, Finding, Part
from gdmbench.exhibits.tables import csv_text, markdown_table
from gdmbench.files import atomic_write_text


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
    causes : sequence of Cause
        Choices under which the claim is judged again, by the same criterion.
    confirm : callable, optional
        From the records of all experiments to those of a confirming run with fresh seeds and as many repetitions as
        the claim needs to be decided, put in place of the paper's; None where it has not been run.
    differences : callable, optional
        From the records to sentences on differences in the units of the measure, for a claim that two methods are
        almost identical; no verdict hangs on them.
    """

    id: str
    text: str
    where: str
    judge: Callable[[pd.DataFrame], Finding]
    criterion: str = ""
    reason: str = ""
    causes: Sequence[Cause] = ()
    confirm: Callable[[pd.DataFrame], pd.DataFrame | None] | None = None
    differences: Callable[[pd.DataFrame], list[str]] | None = None


@dataclass(frozen=True)
class Verdict:
    """A claim that was judged."""

    id: str
    text: str
    where: str
    criterion: str
    verdict: Judgement
    evidence: str
    reason: str
    parts: Sequence[Part]
    hangs_on: str = ""
    confirmed: Finding | None = None
    differences: str = ""


def judge_claims(claims: Sequence[Claim], frame: pd.DataFrame) -> list[Verdict]:
    """Judge every claim by the records of all experiments; those lacking make for too little evidence."""
    return [_judge(claim, frame) for claim in claims]


def _judge(claim: Claim, frame: pd.DataFrame) -> Verdict:
    found = claim.judge(frame)
    fresh = claim.confirm(frame) if claim.confirm else None
    return Verdict(
        claim.id,
        claim.text,
        claim.where,
        claim.criterion,
        found.outcome,
        found.evidence,
        claim.reason if found.outcome == "not reproduced" else "",
        found.parts,
        hangs_on(found, try_causes(claim.causes, claim.judge, frame, found)),
        claim.judge(fresh) if fresh is not None else None,
        "; ".join(claim.differences(frame)) if claim.differences else "",
    )


def claims_table(verdicts: Sequence[Verdict]) -> pd.DataFrame:
    """Make the table that ``claims.csv`` holds; numbers and limits are compact JSON."""
    rows = [
        {
            "id": v.id,
            "claim": v.text,
            "where": v.where,
            "criterion": v.criterion,
            "verdict": v.verdict,
            "evidence": v.evidence,
            "reason": v.reason,
            "hangs on": v.hangs_on,
            "confirmed": v.confirmed.outcome if v.confirmed else "",
            "confirmed evidence": v.confirmed.evidence if v.confirmed else "",
            "differences": v.differences,
            "numbers": _numbers_json(v.parts),
            "limits": _limits_json(v.parts),
            "confirmed numbers": _numbers_json(v.confirmed.parts) if v.confirmed else "",
        }
        for v in verdicts
    ]
    return pd.DataFrame(rows)


_CAUSES_NOTE = """\
*Hangs on*: choices under which the claim was judged again by the same criterion, each part by its whole 95 % interval.
A choice under which a claim holds suffices for it; that the authors made it is not shown."""
_CONFIRMED_NOTE = """\
*Confirmed*: the verdict with fresh seeds and a number of repetitions that a power calculation fixed beforehand."""


def claims_markdown(verdicts: Sequence[Verdict]) -> str:
    """Write claims as a Markdown table under a count, criteria below; a column that says nothing is left out."""
    with_causes, with_confirmed = any(v.hangs_on for v in verdicts), any(v.confirmed for v in verdicts)
    heads = ["claim", "where", "verdict", *(["confirmed"] if with_confirmed else []), "evidence"]
    lines = [[*heads, *(["hangs on"] if with_causes else [])]]
    for v in verdicts:
        line = [f"**{markdown(v.id)}**: {markdown(v.text)}", markdown(v.where), _marked(v.verdict)]
        line += [_marked(v.confirmed.outcome) if v.confirmed else ""] if with_confirmed else []
        line += [markdown(_evidence(v))] + ([markdown(v.hangs_on)] if with_causes else [])
        lines.append(line)
    criteria = "\n".join(f"- **{markdown(v.id)}**: {markdown(v.criterion)}" for v in verdicts if v.criterion)
    parts = ["# Claims", f"{_count(verdicts)}."]
    parts += [_CAUSES_NOTE] if with_causes else []
    parts += [_CONFIRMED_NOTE] if with_confirmed else []
    parts.append(markdown_table(lines, numbers=False))
    return "\n\n".join([*parts, *(["## Criteria", criteria] if criteria else [])]) + "\n"


def _marked(outcome: Judgement) -> str:
    return f"{MARKS[outcome]} {outcome}"


def _evidence(v: Verdict) -> str:
    sentences = [f"{v.evidence}."]
    sentences += [f"In the units of the measure: {v.differences}."] if v.differences else []
    sentences += [f"Confirming run: {v.confirmed.evidence}."] if v.confirmed else []
    return " ".join([*sentences, *([v.reason] if v.reason else [])])


def claims_text(verdicts: Sequence[Verdict], width: int = 100) -> str:
    """Write claims for the terminal."""
    lines = [f"Claims: {_count(verdicts)}"]
    for verdict in verdicts:
        sentence = f"{MARKS[verdict.verdict]} {verdict.id}: {verdict.text} ({verdict.where})"
        lines += textwrap.wrap(sentence, width, subsequent_indent="  ")
        confirmed = f" (confirmed: {verdict.confirmed.outcome})" if verdict.confirmed else ""
        rest = [f"{verdict.verdict}{confirmed}: {_evidence(verdict)}"]
        rest += [f"hangs on: {verdict.hangs_on}"] if verdict.hangs_on else []
        for text in rest:
            lines += textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def write_claims(verdicts: Sequence[Verdict], folder: str | Path) -> list[Path]:
    """Write ``claims.csv`` and ``claims.md``; return their paths."""
    paths = [Path(folder) / "claims.csv", Path(folder) / "claims.md"]
    atomic_write_text(paths[0], csv_text(claims_table(verdicts)))
    atomic_write_text(paths[1], claims_markdown(verdicts))
    return paths


def _count(verdicts: Sequence[Verdict]) -> str:
    counts = {outcome: sum(verdict.verdict == outcome for verdict in verdicts) for outcome in MARKS}
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count) or "none"


def _numbers_json(parts: Sequence[Part]) -> str:
    # JSON has no infinity: an end that is open is null.
    estimates = {part.name: part.estimate for part in parts}
    return _compact(
        {name: [_finite(e.value), _finite(e.low), _finite(e.high), e.n, e.missing] for name, e in estimates.items()}
    )


def _limits_json(parts: Sequence[Part]) -> str:
    return _compact({part.name: [_finite(part.least), _finite(part.most), part.outcome] for part in parts})


def _compact(content: Mapping[str, list[float | str | None]]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
