"""The field since 2012 beside GDM: sweeps, structure present or not, real text, truth under real words, and ranks.

On simulated documents methods are ranked by the MM distance to the true topics, on real text by document completion.
Each part and swept value is one data set.
"""

from pathlib import Path

import pandas as pd

from experiments.criteria import of
from experiments.pages import table, write_page
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.ranks import Ranks, mean_ranks
from gdmbench.exhibits.tables import csv_text
from gdmbench.files import atomic_write_text

# The figures: each family of parts with the measure that ranks methods there.
FAMILIES = {
    "sweeps": (("lineup_N", "lineup_M", "lineup_eta", "lineup_alpha"), "mm_distance"),
    "structure": (("lineup_structure",), "mm_distance"),
    "truth": (("lineup_truth",), "mm_distance"),
    "real": (("lineup_newsgroups", "lineup_nips"), "completion"),
}
TITLES = {
    "sweeps": "Documents drawn from LDA",
    "structure": "Anchor words, pure documents",
    "truth": "Truth under real words",
    "real": "Real text",
}
_PANELS = {"lineup_newsgroups": "20 Newsgroups", "lineup_nips": "NIPS", "lineup_truth": "20 Newsgroups, redrawn"}
CLAIMS: list[Claim] = []


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw a figure for each family, and write the mean ranks of methods with their critical differences."""
    written: list[Path] = []
    for family, (parts, measure) in FAMILIES.items():
        panels = [Panel(of(frame, part), measure, _PANELS.get(part, "")) for part in parts if len(of(frame, part))]
        if panels:
            written += panel_figure(panels, folder / f"lineup_{family}", columns=2)
    scores = {family: scores_of(frame, family) for family in FAMILIES}
    scores = {family: found for family, found in scores.items() if found.size}
    if not scores:
        return written
    ranks = {"all": mean_ranks(pd.concat(scores.values()))}
    ranks |= {family: mean_ranks(found) for family, found in scores.items()}
    labels = dict(zip(frame["method"], frame["label"], strict=True))
    means = pd.DataFrame({name: each.means for name, each in ranks.items()}).sort_values("all", kind="stable")
    atomic_write_text(folder / "lineup.csv", csv_text(means.reset_index(names="method")))
    return [*written, folder / "lineup.csv", _page(folder / "lineup.md", means, ranks, labels)]


def scores_of(frame: pd.DataFrame, family: str) -> pd.DataFrame:
    """Return the mean score of each method, by column, in each part and swept value of a family."""
    parts, measure = FAMILIES[family]
    mine = of(frame, *parts)
    failed = mine[mine[measure].isna()][["experiment", "value", "method"]].drop_duplicates()
    scores = mine.pivot_table(index=["experiment", "value"], columns="method", values=measure, aggfunc="mean")
    for part, value, method in failed.itertuples(index=False):
        if method in scores and (part, value) in scores.index:
            scores.loc[(part, value), method] = float("nan")  # a method that failed once has no mean
    return scores


def _page(path: Path, means: pd.DataFrame, ranks: dict[str, Ranks], labels: dict[str, str]) -> Path:
    heads = ["method", *("all" if name == "all" else TITLES[name] for name in means.columns)]
    body = [[labels[str(method)], *(format_number(float(x)) for x in row)] for method, *row in means.itertuples()]
    of_tests = [
        ["critical difference", *(format_number(each.critical) for each in ranks.values())],
        ["data sets", *(str(each.n) for each in ranks.values())],
    ]
    p_value = ranks["all"].p_value
    return write_page(
        path,
        "The field: mean ranks",
        "1 is the best. Methods are ranked by MM distance, on real text by document completion, on each part and swept "
        "value, as means over repetitions; a method that failed there comes last. Two methods differ if their mean "
        "ranks are farther apart than the critical difference (Nemenyi's, at 95 %, all pairs together). Data sets of a "
        "sweep are alike, so that the test is generous.",
        table([heads, *body, *of_tests]),
        f"Friedman's test that all methods are alike: p = {p_value:.2g}."
        if p_value >= 1e-6
        else "Friedman's test that all methods are alike: p < 0.000001.",
    )
