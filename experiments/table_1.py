"""Table 1: perplexity on the NIPS corpus by number of topics, beside the paper's, under two rules for zeros."""

from itertools import pairwise
from pathlib import Path

import pandas as pd

from experiments import timing
from experiments.criteria import NAMES, less_jointly, of, ratio_of_values, where
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_mean
from gdmbench.exhibits.escape import markdown
from gdmbench.exhibits.estimates import LEVEL
from gdmbench.exhibits.findings import Finding, Part, all_hold
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.statistics import ratio
from gdmbench.exhibits.style import in_order
from gdmbench.exhibits.summary import summarise
from gdmbench.exhibits.tables import csv_text, latex_text, markdown_table
from gdmbench.files import atomic_write_text

TOPICS = (5, 10, 15, 20)
PAPER: dict[str, dict[object, int]] = {
    "gdm": dict(zip(TOPICS, (1269, 1061, 957, 763), strict=True)),
    "recover_kl": dict(zip(TOPICS, (1378, 1235, 1409, 1586), strict=True)),
    "vem": dict(zip(TOPICS, (1980, 1953, 1545, 1352), strict=True)),
    "gibbs": dict(zip(TOPICS, (1168, 924, 802, 704), strict=True)),
}
_RULES = {
    "perplexity": "The authors' rule: every document gets its own smallest positive probability added everywhere, "
    "where proportions are projected, or once one token has probability 0",
    "perplexity_nonzero": "Without the tokens whose probability is 0",
}


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Write the table under both rules, as Markdown, CSV and LaTeX, and draw it; then the times."""
    mine = of(frame, "nips")
    written: list[Path] = []
    if len(mine):
        summary = summarise(mine, list(_RULES))
        texts = {
            "table_1.md": _markdown(summary),
            "table_1.csv": csv_text(summary),
            "table_1.tex": latex_text(summary, "NIPS corpus"),
        }
        for name, text in texts.items():
            atomic_write_text(folder / name, text)
        left_out = mine.assign(perplexity=mine["perplexity_nonzero"])
        panels = [Panel(mine, "perplexity", "zeros raised"), Panel(left_out, "perplexity", "zeros left out")]
        written = [*(folder / name for name in texts), *panel_figure(panels, folder / "table_1")]
    return written + timing.draw(frame, folder)


def _markdown(summary: pd.DataFrame) -> str:
    parts = ["# Table 1: perplexity on the NIPS corpus", "Ours, mean ± standard error over repetitions (the paper's)."]
    for rule, meaning in _RULES.items():
        table = summary[summary["measure"] == rule]
        methods = in_order(table["method"].unique())
        labels = dict(zip(table["method"], table["label"], strict=True))
        lines = [["K", *(markdown(str(labels[method])) for method in methods)]]
        for topics, row in table.groupby("value", sort=False):
            cells = [_cell(row[row["method"] == method], method, topics) for method in methods]
            lines.append([str(topics), *cells])
        parts += [f"## {meaning}", markdown_table(lines)]
    return "\n\n".join(parts) + "\n"


def _cell(row: pd.DataFrame, method: str, topics: object) -> str:
    ours = format_mean(float(row["mean"].iloc[0]), float(row["se"].iloc[0])) if len(row) else "–"
    printed = PAPER.get(method, {}).get(topics)
    return f"{ours} ({printed})" if printed else ours


def _nips_order(frame: pd.DataFrame) -> Finding:
    mine = of(frame, "nips")
    parts: list[Part] = []
    # The corpus is one: intervals over its splits decide, as the criterion has it, but say nothing of other corpora.
    level = 1 - (1 - LEVEL) / 13  # four values of K with three comparisons each, and the change: all together
    for topics in TOPICS:
        at = where(mine, topics, topics)
        order = ("gibbs", "gdm", "recover_kl", "vem") if topics < 20 else ("gibbs", "gdm", "vem", "recover_kl")
        for better, worse in pairwise(order):
            alone, together = (ratio(at, "perplexity", better, worse, level=each) for each in (LEVEL, level))
            words = f"{NAMES[better]} / {NAMES[worse]} at K = {topics}"
            parts.append(Part(words, alone, less_jointly(alone, together), most=1).without_interval())
    alone, together = (ratio_of_values(mine, "perplexity", "recover_kl", 10, 20, level=each) for each in (LEVEL, level))
    change = Part("RecoverKL at K = 10 / at 20", alone, less_jointly(alone, together), most=1)
    parts.append(change.without_interval())
    return all_hold(*parts)


CLAIMS = [
    Claim(
        "nips-order",
        "Perplexity on NIPS: Gibbs < GDM < RecoverKL < VEM for K = 5, 10, 15, RecoverKL last at 20; RecoverKL worsens "
        "from K = 10 on.",
        "Table 1",
        _nips_order,
        "Each method's perplexity, under the authors' rule for zeros, is below the next one's at each K, and "
        "RecoverKL's at K = 10 is below that at K = 20, paired over repetitions; refuted only where all intervals hold "
        "together.",
        "GDM's topics have exact zeros, which the authors' rule makes costly on held-out words: without these tokens "
        "GDM is below RecoverKL, as a second table shows. VEM, the best of three starts with learned hyperparameters, "
        "is second only to Gibbs, and RecoverKL improves with K. Our corpus approximates the paper's, whose "
        "preprocessing is not published.",
    ),
    *timing.CLAIMS,
]
