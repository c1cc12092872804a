"""Supplement 1: perplexity of nGDM and KL DP-means, which find the number of topics, against alpha."""

from pathlib import Path

import pandas as pd

from experiments.criteria import LARGE_ALPHA, SIMILAR, SMALL_ALPHA, apart, less_each, near, of, setting, where
from gdmbench.exhibits.causes import OtherReading
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding, all_hold
from gdmbench.exhibits.panels import Panel, panel_figure

_SMALLEST_ALPHA = 0.01  # the paper's argument is about alpha that goes to 0


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw perplexity as the paper does, and the number of topics found."""
    mine = of(frame, "supplement_1")
    panels = [Panel(mine, "perplexity", f"true {setting(mine, 'n_topics')}"), Panel(mine, "n_topics", "topics found")]
    return panel_figure(panels, folder / "supplement_1")


def _nonparametric(frame: pd.DataFrame, most: float = SMALL_ALPHA) -> Finding:
    mine = of(frame, "supplement_1")
    small, large = where(mine, high=most), where(mine, low=LARGE_ALPHA)
    return all_hold(
        near(small, "perplexity", "ngdm", "kl_dp_means", SIMILAR, at=f"at alpha ≤ {most}"),
        less_each(large, "perplexity", "ngdm", "kl_dp_means", "alpha"),
    )


def _smallest(frame: pd.DataFrame) -> Finding:
    return _nonparametric(frame, _SMALLEST_ALPHA)


def _differences(frame: pd.DataFrame) -> list[str]:
    mine = of(frame, "supplement_1")
    at = f"at alpha ≤ {SMALL_ALPHA}"
    return [apart(where(mine, high=SMALL_ALPHA), "perplexity", "ngdm", "kl_dp_means", at=at, panel=mine)]


CLAIMS = [
    Claim(
        "nonparametric",
        "nGDM and KL DP-means are equal at small alpha; nGDM wins as alpha grows.",
        "Supp. 1",
        _nonparametric,
        f"The perplexities are within a factor {SIMILAR} over alpha ≤ {SMALL_ALPHA}, and nGDM's is the lower one at "
        f"every alpha ≥ {LARGE_ALPHA}.",
        "KL DP-means leaves its topics at the centroids, inside the polytope, where nGDM extends them: the two are "
        "alike at alpha = 0.01, but nGDM is ahead from 0.05 on.",
        readings=[OtherReading(f'"small alpha" is the smallest of the sweep, {_SMALLEST_ALPHA}', _smallest)],
        differences=_differences,
    )
]
