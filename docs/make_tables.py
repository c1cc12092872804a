"""What the pages say of the reference run, written from what it left in results/reference; `make_pages.py` calls this.

A part that is written stands between two comments in its page, `<!-- name -->` and `<!-- end of name -->`. The words
around it are written by hand, and a part whose results are not there stays as it is.
"""

import json
import math
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from gdmbench.execute.progress import in_words
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.findings import MARKS, REFUTED, marked, outcome_of

DOCS = Path(__file__).parent
REFERENCE = DOCS.parent / "results" / "reference"
_WIDTH = 130  # of lines in the README
_DEPENDS_ON = "causes.md#what-each-claim-depends-on"
_TEXTS = ("confirmed", "confirmed evidence", "holds if", "explanation", "other readings", "tried")


def fill(text: str, name: str, content: str) -> str:
    """Put a part between its two comments, if the text has these."""
    enclosed = rf"(?<=<!-- {name} -->\n\n).*?(?=<!-- end of {name} -->)"
    return re.sub(enclosed, lambda _: f"{content.strip()}\n\n", text, flags=re.DOTALL)


def table(rows: list[list[str]], head: list[str]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def claims_of(reference: Path, exhibit: str = "paper") -> pd.DataFrame:
    """Return what claims.csv holds, empty cells and columns of later versions as empty strings."""
    claims = pd.read_csv(reference / exhibit / "claims.csv", keep_default_na=False)
    return claims.assign(**{name: "" for name in _TEXTS if name not in claims})


def deciding(evidence: str, most: int = 3, *, intervals: bool = False) -> str:
    """Return the first of the numbers that decide: the refuted parts, else those that are open, else all."""
    parts = evidence.split("; ")
    for mark in (MARKS["not reproduced"], MARKS["not enough evidence"]):
        if any(part.endswith(mark) for part in parts):
            parts = [part for part in parts if part.endswith(mark)]
            break
    numbers = parts if intervals else [re.sub(r"( \[[^]]*\])? \(n = [^)]*\)(?= .$)", "", part) for part in parts]
    return "; ".join(numbers[:most]) + (f"; and {len(parts) - most} more" if len(parts) > most else "")


# --- The README: cells, minutes, verdicts, and how long each exhibit takes


def readme(text: str, reference: Path = REFERENCE) -> str:
    """Return the README with the reference run's counts and times."""
    text = fill(text, "counts", textwrap.fill(counts(reference), _WIDTH, break_on_hyphens=False))
    sweep = in_words(_seconds(reference, "vary_M"))
    text = re.sub(r"(?<=# the same at the paper's size, ).*?(?= on two cores)", sweep, text)
    return with_times(text, reference)


def counts(reference: Path) -> str:
    """Say how large the run is and how many claims hold."""
    total = json.loads((reference / "paper" / "provenance.json").read_text("utf-8"))["total"]
    claims = claims_of(reference)
    outcomes = claims["verdict"].map(outcome_of)
    verdicts = {outcome: int((outcomes == outcome).sum()) for outcome in MARKS}
    words = [
        f"The reference run has every exhibit at the paper's size: {total['cells']} cells, "
        f"{total['seconds'] / 60:.0f} minutes on two cores. Of the paper's {len(claims)} claims "
        f"{_are(verdicts['reproduced'])} reproduced, {_are(verdicts['partly reproduced'])} partly reproduced, "
        f"{_are(verdicts['not reproduced'])} not, and "
        f"{_are(verdicts['not enough evidence'])} left open by the paper's five repetitions."
    ]
    again = claims.loc[claims["confirmed"] != "", "confirmed"].map(outcome_of)
    if len(again):
        found = [f"{(again == outcome).sum()} {outcome}" for outcome in MARKS if (again == outcome).any()]
        words.append(
            f"The {len(again)} that a first run left open were judged [once more with up to 200]"
            f"(docs/causes.md#confirming-runs): {', '.join(found)}."
        )
    refuted = claims[outcomes.isin(REFUTED)]
    if (refuted["holds if"] != "").any():
        changes = refuted.loc[refuted["holds if"] != "", "holds if"]
        settings = changes.str.replace("(another reading): reproduced", "").str.contains(": reproduced").sum()
        words.append(
            f"Of the {len(refuted)} that are not or only partly reproduced, {len(changes)} would hold after [a change "
            f"that an author could have made](docs/{_DEPENDS_ON}): {settings} with another setting, "
            f"{len(changes) - settings} if the sentence is read another way."
        )
    return " ".join(words)


def _are(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


_ROW = re.compile(r"^(\| ([^|]+?) \| `python -m gdmbench \+experiment=(\w+)` \| )[^|]*( \|)$", flags=re.MULTILINE)


def with_times(text: str, reference: Path) -> str:
    """Write behind each command of a table how long its sweeps ran; an exhibit may need none but an earlier one's."""
    before: dict[str, set[str]] = {}

    def row(found: re.Match[str]) -> str:
        start, label, name, end = found.groups()
        if not (reference / name / "provenance.json").exists():
            return f"{start}–{end}"
        mine = {run.get("sweep", name) for run in _runs(reference, name)}
        other = next((earlier for earlier, sweeps in before.items() if mine <= sweeps), None)
        before[label.partition(":")[0]] = mine
        return f"{start}{f'with {other}' if other else in_words(_seconds(reference, name))}{end}"

    return _ROW.sub(row, text)


def _runs(reference: Path, name: str) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = json.loads((reference / name / "provenance.json").read_text("utf-8"))["runs"]
    return runs


def _seconds(reference: Path, name: str) -> float:
    return sum(run["seconds"] or 0.0 for run in _runs(reference, name))


# --- claims.md and causes.md: one row per claim


def claims_page(text: str, reference: Path = REFERENCE) -> str:
    """Return claims.md with its tables."""
    claims = claims_of(reference)
    told = rows_of(claims[claims["other readings"] != ""])
    read = [[row["id"], marked(row["verdict"]), row["other readings"]] for row in told]
    if read:
        text = fill(text, "readings", table(read, ["claim", "verdict", "read another way"]))
    return fill(text, "claims", claims_digest(claims))


def claims_digest(claims: pd.DataFrame) -> str:
    """Return the table of claims: the numbers that decide, without intervals. Empty columns are left out."""
    columns = {
        "claim": [f"{claim['id']}: {claim['claim']}" for _, claim in claims.iterrows()],
        "paper": list(claims["where"]),
        "ours": [deciding(evidence) for evidence in claims["evidence"]],
        "verdict": [marked(verdict) for verdict in claims["verdict"]],
        "confirmed": [marked(verdict) for verdict in claims["confirmed"]],
        "holds if": list(claims["holds if"]),
    }
    told = {name: cells for name, cells in columns.items() if any(cells)}
    return table([list(row) for row in zip(*told.values(), strict=True)], list(told))


def causes_page(text: str, reference: Path = REFERENCE) -> str:
    """Return causes.md with what each claim depends on and what the confirming runs decide."""
    claims = claims_of(reference)
    refuted = claims["verdict"].map(outcome_of).isin(REFUTED)
    told = claims[(claims["tried"] != "") | refuted]
    if claims["tried"].any():
        rows = [
            [row["id"], marked(row["verdict"]), row["holds if"], row["explanation"], row["tried"] or "nothing"]
            for row in rows_of(told)
        ]
        text = fill(text, "causes", table(rows, ["claim", "verdict", "holds if", "explanation", "all that was tried"]))
    again = claims[claims["confirmed"] != ""]
    if len(again):
        rows = []
        for row in rows_of(again):
            numbers = deciding(row["confirmed evidence"], intervals=True)
            rows.append([row["id"], marked(row["verdict"]), marked(row["confirmed"]), numbers])
        text = fill(text, "confirmed", table(rows, ["claim", "five repetitions", "confirming run", "by these numbers"]))
    return text


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table as dicts."""
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


# --- which_method.md: accuracy against time


def which_method_page(text: str, reference: Path = REFERENCE) -> str:
    """Return which_method.md with the ratios to Gibbs' and what became of our own claims."""
    path = reference / "frontier" / "frontier.csv"
    if not path.exists():
        return text
    text = fill(text, "frontier", frontier_table(pd.read_csv(path)))
    exhibits = sorted(path.parent.name for path in reference.glob("*/claims.csv"))
    claims = pd.concat([claims_of(reference, name) for name in exhibits], ignore_index=True)
    ours = claims[claims["where"].str.startswith("ours")]
    return fill(text, "ours", claims_digest(ours.assign(where="")))


def frontier_table(ratios: pd.DataFrame) -> str:
    """Return one row per method: ratios to Gibbs' over all settings, and in how many of them no other beats it."""
    ratios = ratios[ratios["n"] > 0]
    rows = []
    for method, mine in ratios.groupby("method", sort=False):
        cells = [_over_settings(mine.loc[mine["measure"] == m, "ratio"]) for m in ("mm_distance", "fit_cpu_seconds")]
        of = mine["experiment"].nunique()
        front = mine.loc[mine["on_front"], "experiment"].nunique()
        rows.append([f"{mine['label'].iloc[0]} (`{method}`)", *cells, f"{front} of {of}"])
    return table(rows, ["method", "MM distance / Gibbs'", "CPU time / Gibbs'", "settings where it is on the front"])


def _over_settings(ratios: "pd.Series[float]") -> str:
    """Write the geometric mean with the least and the most."""
    mean = format_number(round(math.exp(sum(map(math.log, ratios)) / len(ratios)), 12))  # so that Gibbs' is 1
    if math.isclose(ratios.min(), ratios.max()):
        return mean
    return f"{mean} ({format_number(ratios.min())} to {format_number(ratios.max())})"


PAGES: dict[str, Callable[[str], str]] = {
    "../README.md": readme,
    "claims.md": claims_page,
    "causes.md": causes_page,
    "which_method.md": which_method_page,
}
