"""Supplement 3: perplexity with projected proportions beside the methods' own."""

from pathlib import Path

import pandas as pd

from experiments.criteria import NAMES, SIMILAR, of
from experiments.figure_2 import panel
from gdmbench.exhibits.claim_wording import limit_of
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding, Part, all_hold, judged
from gdmbench.exhibits.panels import panel_figure
from gdmbench.exhibits.statistics import ratio

_SWEEPS = ("vary_N", "vary_M", "vary_M_short")
_OWN = ("vem", "gibbs")  # methods with proportions of their own; the others' are projected anyway


def with_projected(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the records of the methods with proportions of their own, and again with projected ones.

    The latter are methods named ``..._projected``, whose perplexity is the projected one.
    """
    own = frame[frame["method"].isin(_OWN)]
    projected = own.assign(
        method=[f"{method}_projected" for method in own["method"]],
        label=[f"{label}, projected" for label in own["label"]],
        perplexity=own["perplexity_projected"],
    )
    return pd.concat([own, projected], ignore_index=True)


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the three panels, projected proportions hollow."""
    both = with_projected(of(frame, *_SWEEPS))
    return panel_figure([panel(both, sweep, "perplexity") for sweep in _SWEEPS], folder / "projection")


def _projection(frame: pd.DataFrame) -> Finding:
    parts: list[Part] = []
    factor = limit_of(SIMILAR)
    for sweep in _SWEEPS:
        mine = with_projected(of(frame, sweep))
        for method in _OWN:
            found = ratio(mine, "perplexity", f"{method}_projected", method)
            name = f"perplexity {NAMES[method]} projected / own in {sweep}"
            parts.append(judged(name, found, least=1 / factor, most=factor))
    found = ratio(with_projected(of(frame, "vary_M_short")), "perplexity", "gibbs_projected", "vem")
    parts.append(judged("perplexity Gibbs projected / VEM own in vary_M_short", found, most=1))
    return all_hold(parts)


CLAIMS = [
    Claim(
        "projection",
        "Perplexity with projected proportions closely follows the methods' own, and beats VEM on short documents.",
        "Supp. 3",
        _projection,
        f"For Gibbs and VEM, projected and own proportions give perplexities within a factor {SIMILAR} in each of the "
        "three sweeps; at 50 words a document, Gibbs' topics with projected proportions are below VEM with its own.",
        "Projection costs a few percent on short documents, and VEM, the best of three starts, has topics as good as "
        "Gibbs' and proportions of its own.",
    )
]
