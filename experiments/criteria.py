"""What the exhibits share: the records of a sweep, and the paper's words as limits on ratios.

Errors, perplexities and times are compared as ratios with 95 % intervals (`gdmbench.exhibits.statistics`); a limit
counts as kept when the whole interval keeps it, as broken when the whole interval breaks it. The limits say what the
words mean, were fixed before the reference run, and are the same for every claim; `limit_of` puts another reading's in
their place.
"""

import math
from typing import Any

import pandas as pd

from gdmbench.exhibits.claim_wording import limit_of
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.estimates import LEVEL, NOTHING, Estimate, Judgement
from gdmbench.exhibits.findings import Part, judged
from gdmbench.exhibits.statistics import difference, ratio, ratio_at_each
from gdmbench.exhibits.style import axis_of
from gdmbench.records.frame import value_text
from gdmbench.records.record import column_of

ALIKE = 1.25  # errors "almost identical": within this factor, the usual margin of equivalence studies
COMPARABLE = 2.0  # errors "comparable": within this factor
SIMILAR = 1.1  # perplexities "similar", "close" or "good": within this factor
SMALL_ALPHA, LARGE_ALPHA = 0.1, 0.5  # "small" is the paper's default or less; "larger" is well above it

FIGURE_2 = ("vary_N", "vary_M", "vary_M_short", "vary_eta")  # the sweeps of panels a to d

# What claims call methods, the paper's as the paper does, whatever label a config gives them in figures.
NAMES = {
    "gdm": "GDM",
    "gdm_unweighted": "unweighted GDM",
    "tgdm": "tGDM",
    "tgdm_unweighted": "unweighted tGDM",
    "ngdm": "nGDM",
    "vem": "VEM",
    "gibbs": "Gibbs",
    "recover_kl": "RecoverKL",
    "kl_dp_means": "KL DP-means",
    "cosac": "CoSAC",
    "gibbs_from_vlad": "Gibbs from VLAD",
    "vem_from_gdm": "VEM from GDM",
    "vem_from_vlad": "VEM from VLAD",
    "ngdm_split": "nGDM with the penalty by the first division",
    "vlad": "VLAD",
    "refined_gdm": "refined GDM",
    "gibbs_from_tfidf": "Gibbs from tf-idf",
    "refined_gdm_learned": "refined GDM with alpha learned",
    "center": "the centre",
}


def of(frame: pd.DataFrame, *experiments: str) -> pd.DataFrame:
    """Return the records of some experiments."""
    return frame[frame["experiment"].isin(experiments)]


def where(frame: pd.DataFrame, low: Any = -math.inf, high: Any = math.inf) -> pd.DataFrame:
    """Return the records whose swept value lies between two numbers, both included."""
    values = pd.to_numeric(frame["value"], errors="coerce")
    return frame[(values >= low) & (values <= high)]


def setting(frame: pd.DataFrame, *keys: str) -> str:
    """Say in the paper's symbols what the data of a sweep have in common, as the records have it."""
    data = next((data for data in frame["data"] if isinstance(data, dict)), {})
    symbols = {key: axis_of(f"data.{key}").symbol.strip("$") for key in keys if key in data}
    return ", ".join(f"${symbol} = {value_text(data[key])}$" for key, symbol in symbols.items())


def less(frame: pd.DataFrame, measure: str, a: str, b: str, *, limit: float = 1.0, at: str = "") -> Part:
    """Judge that ``a`` over ``b`` is less than a limit."""
    return judged(name(measure, a, b, at), ratio(frame, measure, a, b), most=limit)


def near(frame: pd.DataFrame, measure: str, a: str, b: str, factor: float, *, at: str = "") -> Part:
    """Judge that ``a`` and ``b`` are within a factor of each other."""
    factor = limit_of(factor)
    return judged(name(measure, a, b, at), ratio(frame, measure, a, b), least=1 / factor, most=factor)


def apart(frame: pd.DataFrame, measure: str, a: str, b: str, *, at: str = "", panel: pd.DataFrame | None = None) -> str:
    """Tell the difference of two methods in the units of the measure, and as a share of what the panel spans.

    The panel, which may be more than the records compared, spans the methods' means at all swept values, from the
    lowest to the highest. No verdict rests on this: the worse the worst method, the smaller is any share.
    """
    found = difference(frame, measure, a, b)
    panel = frame if panel is None else panel
    means = panel.groupby(["method", "value"], dropna=False)[measure].mean()
    span = float(means.max() - means.min())
    share = f", {100 * abs(found.value) / span:.2g} % of the panel's {format_number(span)}" if span > 0 else ""
    words = f"{NAMES[a]} − {NAMES[b]}{' ' if at else ''}{at}"
    return f"{words} {found}{share}" if found.n else f"{words} no records"


def less_each(frame: pd.DataFrame, measure: str, a: str, b: str, symbol: str) -> list[Part]:
    """Judge that ``a`` is less than ``b`` at each swept value, a number."""
    parts: list[Part] = []
    for value, together in ratio_at_each(frame, measure, a, b).items():
        alone = ratio(where(frame, value, value), measure, a, b)
        words = name(measure, a, b, f"at {symbol} = {value_text(value)}")
        parts.append(Part(words, alone, less_jointly(alone, together), most=1))
    return parts or [judged(name(measure, a, b), NOTHING, most=1)]


def less_jointly(alone: Estimate, together: Estimate) -> Judgement:
    """Judge "less" as one of several statements that must all be true.

    Confirming all of them needs each at its own level only (an intersection-union test); but among many some interval
    is off by chance, so that none is refuted but at the stricter level at which all intervals hold together.
    """
    if alone.below(1) == "reproduced":
        return "reproduced"
    return "not reproduced" if together.below(1) == "not reproduced" else "not enough evidence"


def relative_to(frame: pd.DataFrame, measure: str, method: str, base: str) -> pd.DataFrame:
    """Return a method's records with a measure divided by that of another method on the same documents."""
    mine, other = (frame[frame["method"] == each] for each in (method, base))
    keys = ["experiment", "value", "repetition"]
    both = mine.merge(other[[*keys, measure]], on=keys, suffixes=("", "_of_base"))
    return both.assign(**{measure: both[measure] / both[f"{measure}_of_base"]})


def ratio_of_values(
    frame: pd.DataFrame, measure: str, method: str, a: float, b: float, *, level: float = LEVEL
) -> Estimate:
    """Estimate the ratio of a method at one swept value to the same at another, where both see the same documents.

    So they do when the sweep changes the method only; repetitions are then pairs.
    """
    mine = frame[frame["method"] == method]
    values = mine.assign(method=[f"at {value_text(value)}" for value in mine["value"]], value=None)
    return ratio(values, measure, f"at {value_text(a)}", f"at {value_text(b)}", level=level)


def name(measure: str, a: str, b: str, at: str = "") -> str:
    """Name a ratio: what is compared, of which methods, where."""
    column = column_of(measure)
    return f"{column.short or column.label} {NAMES[a]} / {NAMES[b]}{' ' if at else ''}{at}"
