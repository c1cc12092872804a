"""How many topics to ask for: document completion against K, one sentence of advice, and other measures beside it."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from experiments.criteria import of
from gdmbench.exhibits.choice import Difference, advice, best_method, differences
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.tables import csv_text, markdown_table
from gdmbench.files import atomic_write_text
from gdmbench.records.frame import swept_values

CLAIMS: list[Claim] = []  # this is about a user's corpus, of which the paper says nothing

_SWEEP, _FINDERS = "choose_k_sweep", "choose_k_found"
_PANELS = ("completion", "coherence", "diversity", "stability", "fit_seconds")
_NOTE = (
    "Each document is divided in two: its proportions are inferred from one half, and the other half is predicted. "
    "Numbers are compared document by document; ± is one standard error. Stability is 1 where all repetitions find the "
    "same topics. What else was looked at does not enter the advice."
)
_STABLE = 0.9  # of the best stability: what counts as nearly as stable


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the measures against K, and write the advice with what it rests on; `advice.json` opens the page."""
    sweep = with_stability(of(frame, _SWEEP))
    if sweep.empty:
        return []
    panels = [Panel(sweep, name) for name in _PANELS if sweep[name].notna().any()]
    method = best_method(sweep)
    mine = sweep[sweep["method"] == method]
    compared = differences(sweep, method)
    sentence = advice(compared)
    table = _compared_table(compared, str(mine["label"].iloc[0]), _means(mine, "stability"))
    beside = pd.DataFrame(elsewhere(mine, of(frame, _FINDERS)), columns=["what else was looked at", "number of topics"])
    path = folder / "choose_k.md"
    parts = ["# How many topics?", sentence, *map(_markdown, (table, beside)), _NOTE]
    atomic_write_text(path, "\n\n".join(part for part in parts if part) + "\n")
    atomic_write_text(folder / "choose_k.csv", csv_text(table))
    told = {"advice": sentence, "tables": [_lines(each) for each in (table, beside) if len(each)], "note": _NOTE}
    atomic_write_text(folder / "advice.json", json.dumps(told))
    print(sentence)
    drawn = panel_figure(panels, folder / "choose_k", columns=3) if panels else []
    return [*drawn, path, folder / "choose_k.csv", folder / "advice.json"]


def _compared_table(compared: list[Difference], label: str, stability: dict[int, float]) -> pd.DataFrame:
    """Say of each number of topics how much higher its completion perplexity is than the best one's, and how stable."""
    above, stable = f"completion perplexity of {label}, above the best by", "stability of its topics"
    rows = [
        {
            "number of topics": each.n_topics,
            above: f"{_percent(each.loss)} ± {_percent(each.error)}" if each.loss else "the best",
            stable: f"{stability[each.n_topics]:.2f}" if each.n_topics in stability else "–",
        }
        for each in compared
    ]
    return pd.DataFrame(rows, columns=["number of topics", above, *([stable] if stability else [])])


def _percent(loss: float) -> str:
    return f"{format_number(100 * float(np.expm1(loss)))} %"


def _markdown(table: pd.DataFrame) -> str:
    return markdown_table(_lines(table)) if len(table) else ""


def _lines(table: pd.DataFrame) -> list[list[str]]:
    """Return the heads and rows of a table as text."""
    return [list(table.columns), *([str(cell) for cell in row] for row in table.itertuples(index=False))]


def with_stability(frame: pd.DataFrame) -> pd.DataFrame:
    """Add the column `stability`: how alike a repetition's topics are to those of the others, each on its own half.

    The topics of two repetitions are matched so that the sum of the cosines of their leading words is largest; the
    mean of these cosines over topics and over the other repetitions is the stability, 1 where all find the same.
    """
    stability = pd.Series(np.nan, index=frame.index)
    for _, group in frame[frame["status"] == "ok"].groupby(["method", "value"], sort=False, dropna=False):
        named = group[group["top_words"].notna()]
        alike: dict[Any, list[float]] = {row: [] for row in named.index}
        for a, b in combinations(named.index, 2):
            cosine = matched_cosine(named["top_words"][a], named["top_words"][b])
            alike[a].append(cosine)
            alike[b].append(cosine)
        for row, cosines in alike.items():
            if cosines:
                stability[row] = float(np.mean(cosines))
    return frame.assign(stability=stability)


def matched_cosine(a: Any, b: Any) -> float:
    """Return the mean cosine of two sets of topics by their leading words, matched as well as can be."""
    words = {
        word: place
        for place, word in enumerate(dict.fromkeys(word for topics in (a, b) for t in topics for word, _ in t))
    }
    first, second = (_unit_rows(topics, words) for topics in (a, b))
    cosines = first @ second.T
    return float(cosines[linear_sum_assignment(-cosines)].sum() / max(len(first), len(second)))


def _unit_rows(topics: Any, words: dict[str, int]) -> np.ndarray:
    rows = np.zeros((len(topics), len(words)))
    for row, topic in zip(rows, topics, strict=True):
        for word, probability in topic:
            row[words[word]] = probability
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(float).tiny)


def elsewhere(mine: pd.DataFrame, finders: pd.DataFrame) -> list[tuple[str, int]]:
    """Return the number of topics that coherence, stability and methods which find it would suggest."""
    found: list[tuple[str, int]] = []
    coherence, stability = (_means(mine, name) for name in ("coherence", "stability"))
    if coherence:
        found.append(("the highest coherence", max(coherence, key=lambda value: coherence[value])))
    if stability:
        limit = _STABLE * max(stability.values())
        most = max(value for value, mean in stability.items() if mean >= limit)
        found.append(("the most topics that are nearly as stable as the most stable", most))
    fine = finders[finders["status"] == "ok"]
    for name, group in fine.groupby("label", sort=False):
        found.append((f"found by {name}, the median over repetitions", round(float(group["n_topics"].median()))))
    return found


def _means(frame: pd.DataFrame, measure: str) -> dict[int, float]:
    """Return the mean at each K that has any number."""
    numbers = {value: frame.loc[[other == value for other in frame["value"]], measure] for value in swept_values(frame)}
    return {int(value): float(found.mean()) for value, found in numbers.items() if found.notna().any()}
