"""Cause: how NIPS papers are scored, and by which RecoverKL and VEM; the order of methods under every combination.

Proportions are the methods' own or projected; tokens of probability 0 raised by the authors' rule or left out; anchors
of RecoverKL in at least 100 documents or 20; VEM ours or with R topicmodels' defaults. The first of each is what the
claim is judged by.
"""

from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from experiments import table_1
from experiments.criteria import NAMES, of, where
from experiments.pages import table, write_page
from experiments.stand_ins import Switch, beside, in_place, together
from gdmbench.exhibits.causes import Cause
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.findings import marked
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.records.frame import swept_values, value_text

CLAIMS: list[Claim] = []
TITLE = "How NIPS papers are scored"

_COLUMNS = {
    ("own", "raised"): "perplexity",
    ("own", "left out"): "perplexity_nonzero",
    ("projected", "raised"): "perplexity_projected",
    ("projected", "left out"): "perplexity_projected_nonzero",
}
_STAND_INS = {"nips_ldac": "nips", "nips_anchors": "nips"}
_ORDER = ("gibbs", "gdm", "recover_kl", "vem")


class Combination(NamedTuple):
    """One choice of each."""

    proportions: str = "own"
    zeros: str = "raised"
    anchors: str = "≥ 100"
    vem: str = "ours"

    def switch(self) -> Switch:
        """Return the switch that makes these choices."""
        switches: list[Switch] = [self._score]
        if self.anchors != "≥ 100":
            switches.append(in_place("recover_kl", "recover_kl_rare", {"nips_anchors": "nips"}))
        if self.vem != "ours":
            switches.append(in_place("vem", "vem_ldac", {"nips_ldac": "nips"}))
        return together(*reversed(switches))  # the score of stand-ins too

    def _score(self, frame: pd.DataFrame) -> pd.DataFrame | None:
        column = _COLUMNS[self.proportions, self.zeros]
        mine = frame["experiment"] == "nips"
        if not mine.any():
            return None
        return frame.assign(perplexity=frame["perplexity"].where(~mine, frame[column]))

    def __str__(self) -> str:
        """Name the choices that are not those of the claim."""
        words = {
            "proportions": f"{self.proportions} proportions",
            "zeros": f"zeros {self.zeros}",
            "anchors": f"anchors in {self.anchors} documents",
            "vem": f"{self.vem} VEM",
        }
        return ", ".join(words[name] for name in self.changed()) or "as judged"

    def changed(self) -> list[str]:
        """List the choices that are not those of the claim."""
        return [name for name in self._fields if getattr(self, name) != Combination._field_defaults[name]]


_CHOICES = product(("own", "projected"), ("raised", "left out"), ("≥ 100", "≥ 20"), ("ours", "R topicmodels'"))
COMBINATIONS = sorted((Combination(*each) for each in _CHOICES), key=lambda each: len(each.changed()))
CAUSES = {
    "nips-order": [Cause(f"papers are scored with {each}", "cause_nips", each.switch()) for each in COMBINATIONS[1:]]
}
(_CLAIM,) = [claim for claim in table_1.CLAIMS if claim.id == "nips-order"]


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw perplexities under the four ways to score, and write the order of methods in every combination."""
    shown = beside(frame, _STAND_INS)
    shown = shown[shown["method"] != "tgdm"]  # which the paper's table has not
    drawn = pd.concat([shown, _unigram_at_each(frame, swept_values(shown) or table_1.TOPICS)], ignore_index=True)
    panels = [
        Panel(drawn.assign(perplexity=drawn[column]), "perplexity", f"{proportions}, zeros {zeros}")
        for (proportions, zeros), column in _COLUMNS.items()
    ]
    page = write_page(folder / "cause_nips.md", TITLE, sentence(frame), _orders(frame), _perplexities(frame, shown))
    return [page, *panel_figure(panels, folder / "cause_nips")]


def _unigram_at_each(frame: pd.DataFrame, values: Sequence[Any]) -> pd.DataFrame:
    """Return what word frequencies alone give, which no number of topics changes, at each number of topics."""
    unigram = of(frame, "nips_unigram")
    return pd.concat([unigram.assign(axis="model.n_topics", value=value) for value in values])


def sentence(frame: pd.DataFrame) -> str:
    """Say whether any combination gives the paper's order, and which comes nearest."""
    orders = {each: order for each in COMBINATIONS if (order := _order(frame, each))}
    if not orders:
        return ""
    whole = [each for each, order in orders.items() if all(order[topics] == _printed(topics) for topics in order)]
    kept = {each: sum(_kept(order[topics], topics) for topics in order) for each, order in orders.items()}
    best = max(kept, key=kept.__getitem__)
    words = (
        f"Of {len(orders)} combinations {len(whole)} give the paper's order of methods at every K. Most of it, "
        f"{kept[best]} of {3 * len(orders[best])} neighbours, is kept with: {best}."
    )
    unigram = of(frame, "nips_unigram")["perplexity"].mean()
    printed = [f"{value} at K = {topics}" for topics, value in table_1.PAPER["vem"].items() if value > unigram]
    if printed:
        words += f" Word frequencies alone have {format_number(unigram)}; the paper's VEM has {', '.join(printed)}."
    return words


def _kept(order: tuple[str, ...], topics: int) -> int:
    """Count the neighbours in the paper's order that stand in that order here."""
    return sum(order.index(better) < order.index(worse) for better, worse in pairwise(_printed(topics)))


def _order(frame: pd.DataFrame, combination: Combination) -> dict[int, tuple[str, ...]]:
    changed = combination.switch()(frame)
    if changed is None:
        return {}
    orders = {}
    for topics in table_1.TOPICS:
        means = where(of(changed, "nips"), topics, topics).groupby("method")["perplexity"].mean()
        if set(_ORDER) <= set(means.dropna().index):
            orders[topics] = tuple(sorted(_ORDER, key=means.__getitem__))
    return orders


def _printed(topics: int) -> tuple[str, ...]:
    """Return the paper's order at one K."""
    return tuple(sorted(_ORDER, key=lambda method: table_1.PAPER[method][topics]))


def _orders(frame: pd.DataFrame) -> str:
    """Write the order of methods by their means in every combination, with the verdict by the claim's criterion."""
    heads = ["proportions", "zeros", "anchors", "VEM", *(f"K = {topics}" for topics in table_1.TOPICS), "verdict"]
    lines = [heads]
    for each in COMBINATIONS:
        order, changed = _order(frame, each), each.switch()(frame)
        if changed is not None and order:
            cells = [_told(order[topics], topics) if topics in order else "–" for topics in table_1.TOPICS]
            lines.append([*each, *cells, marked(_CLAIM.judge(changed).words)])
    written = table(lines, numbers=False)
    return f"## Order of methods by mean perplexity, ✓ where it is the paper's\n\n{written}" if written else ""


def _told(order: tuple[str, ...], topics: int) -> str:
    words = " < ".join(NAMES[method] for method in order)
    return f"{words} ✓" if order == _printed(topics) else words


def _perplexities(frame: pd.DataFrame, shown: pd.DataFrame) -> str:
    """Write the means under the four ways to score beside the paper's, and those of word frequencies alone."""
    ways = [f"{proportions}, zeros {zeros}" for proportions, zeros in _COLUMNS]
    lines = [["method", "K", *ways, "paper"]]
    everything = pd.concat([shown, of(frame, "nips_unigram")], ignore_index=True)
    for (method, label, topics), group in everything.groupby(["method", "label", "value"], sort=False, dropna=False):
        means = [format_number(float(group[column].mean())) for column in _COLUMNS.values()]
        printed = table_1.PAPER.get(str(method), {}).get(topics)
        lines.append([str(label), value_text(topics), *means, str(printed or "–")])
    return f"## Mean perplexities\n\n{table(lines)}"
