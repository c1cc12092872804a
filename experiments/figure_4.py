"""Figure 4: GDM and tGDM against RecoverKL, with anchor words inserted and with long documents."""

from pathlib import Path

import pandas as pd

from experiments.criteria import ALIKE, COMPARABLE, SIMILAR, less, less_each, near, of, setting, where
from gdmbench.exhibits.causes import OtherReading
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding, Part, all_hold
from gdmbench.exhibits.panels import Panel, panel_figure

_ANCHORS, _LONG = "vary_eta_anchors", "vary_N_long"
_SPARSE, _FLAT = 0.3, 0.5  # the paper's two ranges of eta end and begin here


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw MM distance (a, b) and perplexity (c, d)."""
    titles = {
        _ANCHORS: f"anchors, {setting(of(frame, _ANCHORS), 'doc_length')}",
        _LONG: setting(of(frame, _LONG), "n_docs"),
    }
    panels = [
        Panel(of(frame, sweep), measure, title)
        for measure in ("mm_distance", "perplexity")
        for sweep, title in titles.items()
    ]
    return panel_figure(panels, folder / "figure_4")


def _anchors(frame: pd.DataFrame) -> Finding:
    mine = of(frame, _ANCHORS)
    sparse, flat = where(mine, high=_SPARSE), where(mine, low=_FLAT)
    return all_hold(
        less_each(sparse, "mm_distance", "tgdm", "recover_kl", "eta"),
        less_each(flat, "mm_distance", "recover_kl", "tgdm", "eta"),
    )


def _long_documents(frame: pd.DataFrame, comparable: float = COMPARABLE) -> Finding:
    mine = of(frame, _LONG)
    return all_hold(
        less_each(mine, "mm_distance", "tgdm", "recover_kl", "N"),
        near(mine, "mm_distance", "gdm", "recover_kl", comparable),
    )


def _long_documents_alike(frame: pd.DataFrame) -> Finding:
    return _long_documents(frame, ALIKE)


def _perplexity_near(frame: pd.DataFrame) -> Finding:
    parts: list[Part] = []
    for sweep in (_ANCHORS, _LONG):
        mine = of(frame, sweep)
        for a, b in (("gdm", "recover_kl"), ("tgdm", "recover_kl"), ("tgdm", "gdm")):
            parts.append(near(mine, "perplexity", a, b, SIMILAR, at=f"in {sweep}"))
    both = of(frame, _ANCHORS, _LONG)
    return all_hold(parts, [less(both, "perplexity", "tgdm", rival) for rival in ("gdm", "recover_kl")])


CLAIMS = [
    Claim(
        "anchors",
        "With anchors inserted tGDM is better for eta ≤ 0.3, RecoverKL for eta ≥ 0.5.",
        "Fig. 4a",
        _anchors,
        "tGDM's MM distance is below RecoverKL's at every eta up to 0.3, and above it at every eta from 0.5 "
        "on; refuted only where all intervals hold together.",
    ),
    Claim(
        "long-documents",
        "tGDM stays ahead of RecoverKL from 50 to 10,000 words a document; GDM is comparable to RecoverKL.",
        "Fig. 4b",
        _long_documents,
        "tGDM's MM distance is below RecoverKL's at every document length, and GDM's is within a factor "
        f"{COMPARABLE} of RecoverKL's over the sweep.",
        readings=[OtherReading(f'"comparable" means within a factor {ALIKE}', _long_documents_alike)],
    ),
    Claim(
        "perplexity-near",
        "RecoverKL, GDM and tGDM have similar perplexity, with a slight edge to tGDM.",
        "Fig. 4c,d",
        _perplexity_near,
        f"In both sweeps any two of the three have perplexities within a factor {SIMILAR}; over both, tGDM's is below "
        "the other two.",
    ),
]
