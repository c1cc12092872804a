"""Claims that were judged, as files and for the terminal: ``claims.csv``, ``claims.md`` and plain text."""

import json
import math
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from gdmbench.exhibits.causes import tried_in_words
from gdmbench.exhibits.claims import Verdict
from gdmbench.exhibits.escape import markdown
from gdmbench.exhibits.findings import MARKS, Part, marked
from gdmbench.exhibits.tables import csv_text, markdown_table
from gdmbench.files import atomic_write_text


def write_claims(verdicts: Sequence[Verdict], folder: str | Path) -> list[Path]:
    """Write ``claims.csv`` and ``claims.md``; return their paths."""
    paths = [Path(folder) / "claims.csv", Path(folder) / "claims.md"]
    atomic_write_text(paths[0], csv_text(claims_table(verdicts)))
    atomic_write_text(paths[1], claims_markdown(verdicts))
    return paths


def claims_table(verdicts: Sequence[Verdict]) -> pd.DataFrame:
    """Make the table that ``claims.csv`` holds; numbers and limits are compact JSON."""
    rows = [
        {
            "id": v.id,
            "claim": v.claim.text,
            "where": v.claim.where,
            "criterion": v.claim.criterion,
            "verdict": v.finding.words,
            "evidence": v.evidence,
            "reason": v.reason,
            "holds if": v.holds_if,
            "explanation": v.explained,
            "other readings": " ".join(f"If {r.words}: {r.finding.words} ({r.finding.evidence})." for r in v.read),
            "tried": tried_in_words(v.tried),
            "confirmed": v.confirmed.words if v.confirmed else "",
            "confirmed evidence": v.confirmed.evidence if v.confirmed else "",
            "differences": v.differences,
            "numbers": _numbers_json(v.parts),
            "limits": _limits_json(v.parts),
            "confirmed numbers": _numbers_json(v.confirmed.parts) if v.confirmed else "",
        }
        for v in verdicts
    ]
    return pd.DataFrame(rows)


_KEY = """\
## How to read this page

- **Verdicts**: ✓ reproduced, every part of the claim holds. ◐ partly reproduced (k of n), k of its n parts hold and
  at least one is refuted. ✗ not reproduced, at least one part is refuted and none holds. ? not enough evidence, no
  part is refuted and at least one is open.
- **Evidence**: each estimate is one part of the claim and has its own mark. ✓: the whole interval is on the claim's
  side of the limit. ✗: the whole interval is on the other side. ?: the interval reaches both sides. The limits are
  listed under *Criteria*.
- **Brackets**: 1.41 [1.26, 1.56] is an estimate with its 95 % interval. Without brackets stand the largest of many
  numbers, and estimates from one corpus, such as the NIPS papers: their repetitions are splits of the same
  documents or runs on them, and tell nothing of other corpora. The mark of such an estimate follows the spread over
  its repetitions.
- **n**: how many observations an estimate rests on. For a ratio these are pairs of repetitions on the same
  documents, over all swept values; for a comparison of two swept values the repetitions at both; for an exponent or
  a power the swept values; for a share of panels the panels; for the largest of many numbers these. *Missing* ones
  failed.
- **A / B** is A divided by B, a geometric mean over repetitions: below 1, A is the smaller. *Last / first M*
  compares the two ends of the sweep over M.
- **Measures**: MM is the minimum-matching distance between topics found and true topics, perplexity says how
  surprising held-out documents are, and time is that of the fit; less is better for all three. Perplexity needs the
  topic proportions of a document: the method's *own*, or *projected* onto the polytope of its topics. *Spread* is a
  standard deviation over repetitions, the *sine* that of the largest angle between two subspaces, a *nat* the unit
  of natural logarithms.
- **In the units of the measure** stand differences of two methods, and what share they are of the panel's span,
  from the least to the largest mean in its figure. They are not judged.
- **Symbols**: M is the number of documents, N the number of words in each, V the size of the vocabulary, K the
  number of topics; alpha and eta are the parameters of the Dirichlet priors of proportions and of topics. Names
  such as vary_N are sweeps, experiments that vary one of these.
- **Methods**: GDM is Geometric Dirichlet Means; tGDM has tuned extensions, nGDM finds the number of topics. Gibbs
  is collapsed Gibbs sampling, VEM variational expectation-maximisation, RecoverKL a method of anchor words, and KL
  DP-means a clustering of documents. docs/glossary.md has more."""
_CONFIRMED_KEY = """\
- **Confirmed**: the verdict with fresh seeds and a number of repetitions that a power calculation fixed beforehand."""
_HOLDS_KEY = """\
- **Holds if**: a change that an author could have made, of a setting or of a reading, with the verdict under it by
  the same criterion, and in brackets the experiment that makes it. That the authors made it is not shown."""


def claims_markdown(verdicts: Sequence[Verdict]) -> str:
    """Write claims as a Markdown page: a count, how to read it, a table, and what stands behind that below it."""
    confirmed, change = any(v.confirmed for v in verdicts), any(v.holds_if for v in verdicts)
    heads = ["claim", "where", "verdict", *(["confirmed"] if confirmed else []), "evidence"]
    lines = [[*heads, *(["holds if"] if change else [])]]
    for v in verdicts:
        line = [f"**{markdown(v.id)}**: {markdown(v.claim.text)}", markdown(v.claim.where), marked(v.finding.words)]
        line += [marked(v.confirmed.words) if v.confirmed else ""] if confirmed else []
        line += [markdown(_evidence(v))] + ([markdown(v.holds_if)] if change else [])
        lines.append(line)
    key = "\n".join([_KEY, *([_CONFIRMED_KEY] if confirmed else []), *([_HOLDS_KEY] if change else [])])
    parts = ["# Claims", f"{_count(verdicts)}.", key, "## Verdicts", markdown_table(lines, numbers=False)]
    return "\n\n".join([*parts, *_readings(verdicts), *_explanations(verdicts), *_criteria(verdicts)]) + "\n"


def _readings(verdicts: Sequence[Verdict]) -> list[str]:
    lines = [["claim", "if", "verdict", "evidence"]]
    for v in verdicts:
        for read in v.read:
            found = read.finding
            lines.append([markdown(v.id), markdown(read.words), marked(found.words), markdown(found.evidence)])
    if not lines[1:]:
        return []
    told = "Added after the runs: the paper's words read another way. The verdicts above do not depend on these."
    return ["## Other readings", told, markdown_table(lines, numbers=False)]


def _explanations(verdicts: Sequence[Verdict]) -> list[str]:
    told = "Changes under which a claim holds, but which no author could have made: they show why it fails."
    items = "\n".join(f"- **{markdown(v.id)}**: {markdown(v.explained)}" for v in verdicts if v.explained)
    return ["## Explanations", told, items] if items else []


def _criteria(verdicts: Sequence[Verdict]) -> list[str]:
    items = "\n".join(f"- **{markdown(v.id)}**: {markdown(v.claim.criterion)}" for v in verdicts if v.claim.criterion)
    return ["## Criteria", items] if items else []


def _evidence(v: Verdict) -> str:
    sentences = [f"{v.evidence}."]
    sentences += [f"In the units of the measure: {v.differences}."] if v.differences else []
    sentences += [f"Confirming run: {v.confirmed.evidence}."] if v.confirmed else []
    return " ".join([*sentences, *([v.reason] if v.reason else [])])


def claims_text(verdicts: Sequence[Verdict], width: int = 100) -> str:
    """Write claims for the terminal."""
    lines = [f"Claims: {_count(verdicts)}"]
    for v in verdicts:
        sentence = f"{MARKS[v.verdict]} {v.id}: {v.claim.text} ({v.claim.where})"
        lines += textwrap.wrap(sentence, width, subsequent_indent="  ")
        confirmed = f" (confirmed: {v.confirmed.words})" if v.confirmed else ""
        rest = [f"{v.finding.words}{confirmed}: {_evidence(v)}"]
        rest += [f"Holds if {v.holds_if}."] if v.holds_if else []
        for text in rest:
            lines += textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def _count(verdicts: Sequence[Verdict]) -> str:
    counts = {outcome: sum(v.verdict == outcome for v in verdicts) for outcome in MARKS}
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
