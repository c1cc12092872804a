"""Cause: how far GDM extends its centroids, beside the extensions that would be right.

GDM extends a centroid as far as the farthest document of its cluster. Sampling noise puts that document beyond the
topic, the farther the more documents there are and the shorter they are. Right is where the ray through the centroid
comes nearest to the true topic.
"""

from pathlib import Path

import pandas as pd

from experiments import figure_2, supplement_2
from experiments.criteria import of, where
from experiments.pages import verdicts_table, write_page
from experiments.propositions import extras
from experiments.stand_ins import LDAC, Switch, in_place, right_extensions, together
from gdmbench.exhibits.causes import Cause
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.statistics import fit_exponent
from gdmbench.exhibits.style import axis_of
from gdmbench.records.frame import swept_values, value_text

CLAIMS: list[Claim] = []
TITLE = "GDM's overshoot"

_RATES = {"overshoot_N": "vary_N", "overshoot_M": "vary_M"}
_ACCURACY = {**_RATES, "overshoot_M_short": "vary_M_short"}
_ALPHA = {"overshoot_alpha": "vary_alpha"}
_GDM, _TGDM = (f"{words} extensions are read off the true topics" for words in ("GDM's", "tGDM's"))
_BOTH = "GDM's and tGDM's extensions are read off the true topics"
_NEEDS_TRUTH = "No method could do that; it shows that overshoot explains the failure."
_ALPHA_LDAC = in_place("vem", "vem_ldac", {"vary_alpha_ldac": "vary_alpha"})


def _cause(choice: str, *changes: Switch, shown_by: str = "cause_overshoot") -> Cause:
    return Cause(choice, shown_by, together(*changes), _NEEDS_TRUTH)


CAUSES = {
    "rates": [
        _cause(_GDM, right_extensions("gdm", _RATES)),
        _cause(_BOTH, right_extensions("gdm", _RATES), right_extensions("tgdm", _RATES)),
    ],
    "accuracy": [_cause(_TGDM, right_extensions("tgdm", _ACCURACY))],
    "weights": [_cause(_TGDM, right_extensions("tgdm", {"overshoot_lengths": "varying_lengths"}))],
    "alpha": [
        _cause(_GDM, right_extensions("gdm", _ALPHA)),
        _cause(f"{_GDM} and {LDAC}", right_extensions("gdm", _ALPHA), _ALPHA_LDAC, shown_by="causes"),
    ],
}
_JUDGED = [claim for exhibit in (figure_2, supplement_2) for claim in exhibit.CLAIMS if claim.id in CAUSES]
_EXTENSION, _RIGHT = "mean extension", "with the right extensions"
_SHOWN = ("overshoot_N", "overshoot_M", "overshoot_alpha")


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the extensions and the MM distances that they give, GDM's and the right ones."""
    extensions = [Panel(_extensions(frame, sweep), _EXTENSION) for sweep in _SHOWN]
    distances = [Panel(_distances(frame, sweep), "mm_distance") for sweep in _SHOWN]
    page = write_page(folder / "cause_overshoot.md", TITLE, sentence(frame), verdicts_table(_JUDGED, CAUSES, frame))
    return [page, *panel_figure([*extensions, *distances], folder / "cause_overshoot", columns=len(_SHOWN))]


def _extensions(frame: pd.DataFrame, sweep: str) -> pd.DataFrame:
    """Return the extensions, GDM's and the right ones, as methods with a measure."""
    both = extras(frame, sweep, extension="GDM", right_extension=_RIGHT)
    names = {"extension": "gdm", "right_extension": "gdm_right"}
    return both.assign(method=both["method"].map(names)).rename(columns={"number": _EXTENSION})


def _distances(frame: pd.DataFrame, sweep: str) -> pd.DataFrame:
    """Return the MM distances that both give."""
    right = extras(frame, sweep, right_mm_distance=_RIGHT).assign(method="gdm_right")
    mine = of(frame, sweep).assign(method="gdm")
    return pd.concat([mine, right.assign(mm_distance=right["number"])], ignore_index=True)


def sentence(frame: pd.DataFrame) -> str:
    """Say how far GDM overshoots at both ends of each sweep, and how fast the error falls without that."""
    words = []
    for sweep in _SHOWN:
        both = _extensions(frame, sweep)
        if both[_EXTENSION].isna().all():
            continue
        values = swept_values(both)
        symbol = axis_of(next((axis for axis in both["axis"] if isinstance(axis, str)), None)).plain
        ends = " and ".join(f"{_overshoot(both, at)} at {symbol} = {value_text(at)}" for at in (values[0], values[-1]))
        words.append(f"GDM's mean extension over the right one is {ends}")
        if sweep in _RATES:
            power = fit_exponent(_distances(frame, sweep), "mm_distance", "gdm_right")
            words[-1] += f", and with the right ones the error falls with exponent {power}"
    return f"{'; '.join(words)}." if words else ""


def _overshoot(both: pd.DataFrame, value: float) -> str:
    means = where(both, value, value).groupby("method")[_EXTENSION].mean()
    return format_number(float(means["gdm"] / means["gdm_right"]))
