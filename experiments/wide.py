"""A growing vocabulary and short documents: which methods do worse than one topic for all documents, which do not.

Noise moves a document by about 1/√N, whatever the vocabulary, but the topics lie closer together the more words there
are. What a method must beat is the MM distance of topics that are all at the centre of the documents. These claims are
ours; the size of the vocabulary at which they are made was chosen after pilots on other seeds.
"""

from pathlib import Path

import pandas as pd

from experiments.criteria import less, of, setting, where
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding, Part, all_hold
from gdmbench.exhibits.panels import Panel, panel_figure

WIDEST = 20_000  # words: where the claims are made
_AT = f"at V = {WIDEST}"


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw MM distance and CPU time against the size of the vocabulary."""
    mine = of(frame, "wide")
    timed = mine[mine["method"] != "center"]
    panels = [
        Panel(mine, "mm_distance", setting(mine, "n_docs", "doc_length")),
        Panel(timed, "fit_cpu_seconds", setting(mine, "n_topics")),
    ]
    return panel_figure(panels, folder / "wide")


def _below(frame: pd.DataFrame, *pairs: tuple[str, str]) -> Finding:
    widest = where(of(frame, "wide"), low=WIDEST)
    parts: list[Part] = [less(widest, "mm_distance", a, b, at=_AT) for a, b in pairs]
    return all_hold(parts)


def _extension_breaks(frame: pd.DataFrame) -> Finding:
    return _below(frame, ("center", "gdm"), ("center", "tgdm"))


def _refined_holds(frame: pd.DataFrame) -> Finding:
    return _below(frame, *(("refined_gdm", rival) for rival in ("center", "vlad", "gibbs")))


_OURS = "ours: wide"
CLAIMS = [
    Claim(
        "wide-extension",
        "On short documents over a wide vocabulary GDM and tGDM are worse than all topics at the centre.",
        _OURS,
        _extension_breaks,
        f"With {WIDEST:,} words, documents of 100 and 50 topics, the MM distance of the centre is below GDM's and "
        "tGDM's. That size was chosen after seeing pilots on other seeds.",
    ),
    Claim(
        "wide-refined",
        "There a denoised geometric start with likelihood passes is more accurate than Gibbs from random starts.",
        _OURS,
        _refined_holds,
        f"With {WIDEST:,} words, the MM distance of refined GDM is below that of the centre, of VLAD, which is its "
        "start, and of Gibbs. That size was chosen after seeing pilots on other seeds.",
    ),
]
