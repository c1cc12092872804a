"""How many topics a corpus has: five measures against K, and one sentence of advice."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from experiments.criteria import of
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.tables import csv_text, markdown_table
from gdmbench.files import atomic_write_text
from gdmbench.records.frame import swept_values

CLAIMS: list[Claim] = []  # this is about a user's corpus, of which the paper says nothing

_SWEEP, _FINDERS = "choose_k_sweep", "choose_k_found"
_PANELS = ("perplexity", "coherence", "diversity", "stability", "fit_seconds")
_STABLE = 0.9  # of the best stability: what counts as nearly as stable
_AGREE = 1.5  # suggestions within this factor agree


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the measures against K, and write what they suggest as a table and a sentence."""
    sweep = with_stability(of(frame, _SWEEP))
    if sweep.empty:
        return []
    panels = [Panel(sweep, name) for name in _PANELS if sweep[name].notna().any()]
    found = suggestions(sweep, of(frame, _FINDERS))
    table = pd.DataFrame(found, columns=["looked at", "number of topics"])
    path = folder / "choose_k.md"
    lines = [list(table.columns), *([str(what), str(number)] for what, number in found)]
    sentence = advice(found)
    atomic_write_text(path, f"# How many topics?\n\n{sentence}\n\n{markdown_table(lines)}\n")
    atomic_write_text(folder / "choose_k.csv", csv_text(table))
    print(sentence)
    return [*panel_figure(panels, folder / "choose_k", columns=3), path, folder / "choose_k.csv"]


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


def suggestions(sweep: pd.DataFrame, finders: pd.DataFrame) -> list[tuple[str, int]]:
    """Return the number of topics that each way of looking at the records suggests."""
    best = _best_method(sweep)
    mine = sweep[sweep["method"] == best]
    label = mine["label"].iloc[0]
    found: list[tuple[str, int]] = []
    perplexity, coherence, stability = (_by_value(mine, name) for name in ("perplexity", "coherence", "stability"))
    if perplexity:
        lowest = min(perplexity.values())
        least = min(value for value, (mean, _) in perplexity.items() if mean <= lowest[0] + lowest[1])
        found.append((f"held-out perplexity of {label}: the fewest within a standard error of the lowest", least))
    if coherence:
        highest = max(coherence, key=lambda value: coherence[value][0])
        found.append((f"coherence of {label}: the highest", highest))
    if stability:
        limit = _STABLE * max(mean for mean, _ in stability.values())
        most = max(value for value, (mean, _) in stability.items() if mean >= limit)
        found.append((f"stability of {label}: the most that are nearly as stable as the best", most))
    fine = finders[finders["status"] == "ok"]
    for name, group in fine.groupby("label", sort=False):
        found.append((f"found by {name}: the median over repetitions", round(float(group["n_topics"].median()))))
    return found


def advice(found: list[tuple[str, int]]) -> str:
    """Say in one sentence how many topics to ask for, and how sure that is."""
    if not found:
        return "There are no records to judge by."
    numbers = sorted(number for _, number in found)
    middle = round(float(np.exp(np.median(np.log(numbers)))))
    low, high = numbers[0], numbers[-1]
    agreeing = sum(middle / _AGREE <= number <= middle * _AGREE for number in numbers)
    if agreeing == len(numbers):
        sure = "all ways of looking agree on about that"
    elif agreeing > len(numbers) / 2:
        sure = f"{agreeing} of {len(numbers)} ways of looking agree on about that, the others say {low} to {high}"
    else:
        sure = f"but this is a guess: the ways of looking suggest anything from {low} to {high}"
    return f"About {middle} topics: {sure}."


def _best_method(sweep: pd.DataFrame) -> str:
    means = sweep.groupby("method")["perplexity"].mean()
    return str(means.idxmin()) if means.notna().any() else str(sweep["method"].iloc[0])


def _by_value(frame: pd.DataFrame, measure: str) -> dict[int, tuple[float, float]]:
    """Return the mean and the standard error at each K that has any number."""
    found = {}
    for value in swept_values(frame):
        numbers = frame.loc[[other == value for other in frame["value"]], measure].dropna().to_numpy(dtype=float)
        if len(numbers):
            error = numbers.std(ddof=1) / np.sqrt(len(numbers)) if len(numbers) > 1 else 0.0
            found[int(value)] = (float(numbers.mean()), float(error))
    return found
