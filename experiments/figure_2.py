"""Figure 2: MM distance against document length, number of documents and eta."""

from itertools import product
from pathlib import Path

import pandas as pd

from experiments.criteria import (
    ALIKE,
    COMPARABLE,
    FIGURE_2,
    NAMES,
    SIMILAR,
    apart,
    less,
    less_each,
    near,
    of,
    relative_to,
    setting,
    where,
)
from gdmbench.exhibits.causes import OtherReading
from gdmbench.exhibits.claim_wording import limit_of
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.estimates import NOTHING, Estimate, all_of
from gdmbench.exhibits.findings import Finding, Part, all_hold, judged
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.statistics import fit_exponent, ratio, spread_ratio, trend

SETTINGS = {
    "vary_N": ("n_docs",),
    "vary_M": ("doc_length",),
    "vary_M_short": ("doc_length",),
    "vary_eta": ("doc_length", "n_docs"),
}
_SHORT, _LONG = 50, 1000  # words in a document of Figure 2c, and by default
_RATE_MARGIN = 0.4  # an interval around an exponent of exactly 1/2 never lies above 1/2


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the four panels, the theoretical rates in (a) and (b)."""
    return panel_figure(
        [panel(frame, sweep, "mm_distance", rate=sweep in ("vary_N", "vary_M")) for sweep in FIGURE_2],
        folder / "figure_2",
    )


def panel(frame: pd.DataFrame, sweep: str, measure: str, *, rate: bool = False) -> Panel:
    """Return a panel of one of the four sweeps, titled by its setting."""
    mine = of(frame, sweep)
    return Panel(mine, measure, setting(mine, *SETTINGS[sweep]), rate=rate)


def _accuracy(frame: pd.DataFrame, measure: str = "mm_distance", limit: float = ALIKE) -> Finding:
    sweeps = FIGURE_2[:3]
    alike = [near(of(frame, sweep), measure, "tgdm", "gibbs", limit, at=f"in {sweep}") for sweep in sweeps]
    mine = of(frame, *sweeps)
    best = [less(mine, measure, a, b) for a, b in product(("tgdm", "gibbs"), ("gdm", "recover_kl", "vem"))]
    return all_hold(alike, best)


def _accuracy_differences(frame: pd.DataFrame) -> list[str]:
    return [apart(of(frame, sweep), "mm_distance", "tgdm", "gibbs", at=f"in {sweep}") for sweep in FIGURE_2[:3]]


def _accuracy_in_perplexity(frame: pd.DataFrame) -> Finding:
    return _accuracy(frame, "perplexity", SIMILAR)


def _speed(frame: pd.DataFrame, slower: tuple[str, ...] = ("tgdm", "gibbs", "vem")) -> Finding:
    mine = of(frame, *FIGURE_2)
    pairs = product(("gdm", "recover_kl"), slower)
    return all_hold(
        [less(mine, "fit_seconds", a, b) for a, b in pairs],
        near(mine, "mm_distance", "gdm", "recover_kl", COMPARABLE),
    )


def _speed_without_tgdm(frame: pd.DataFrame) -> Finding:
    return _speed(frame, ("gibbs", "vem"))


def _vem_unstable(frame: pd.DataFrame) -> Finding:
    others = ("gdm", "tgdm", "gibbs", "recover_kl")
    mine = of(frame, *FIGURE_2)
    spreads: list[Part] = []
    for other in others:
        found = spread_ratio(mine, "mm_distance", "vem", other)
        spreads.append(judged(f"spread of log MM VEM / {NAMES[other]}", found, least=1))
    share = _share_worst(frame, others)
    return all_hold(judged("share of panels where VEM is worst", share, least=0.5), spreads)


def _share_worst(frame: pd.DataFrame, others: tuple[str, ...]) -> Estimate:
    """Share of panels where VEM is certainly the worst, up to where it may be."""
    seen = worst = refuted = 0
    for sweep, measure in product(FIGURE_2, ("mm_distance", "perplexity")):
        mine = of(frame, sweep)
        if not (mine["method"] == "vem").any():
            continue
        outcome = all_of([ratio(mine, measure, "vem", other).above(1) for other in others])
        seen, worst = seen + 1, worst + (outcome == "reproduced")
        refuted += outcome == "not reproduced"
    if not seen:
        return NOTHING
    # Panels without records may turn out either way.
    total = 2 * len(FIGURE_2)
    return Estimate(worst / seen, worst / total, (total - refuted) / total, seen, total - seen)


def _short_documents(frame: pd.DataFrame) -> Finding:
    mine = of(frame, "vary_M_short")
    parts: list[Part] = []
    for method in ("gdm", "tgdm"):
        error, words = trend(mine, "mm_distance", method), trend(mine, "perplexity", method)
        parts.append(Part(f"MM {NAMES[method]}, last / first M", error.overall, error.falls(), most=1))
        parts.append(judged(f"perplexity {NAMES[method]}, last / first M", words.overall, most=limit_of(SIMILAR)))
    return all_hold(parts)


def _short_against_long(frame: pd.DataFrame) -> Finding:
    """Judge that at one number of documents GDM's error is no larger where these are short."""
    return all_hold([_of_lengths(of(frame, "vary_N"), method) for method in ("gdm", "tgdm")])


def _short_against_long_beside_gibbs(frame: pd.DataFrame) -> Finding:
    """Judge that GDM's error is no larger a multiple of Gibbs' where documents are short."""
    mine = of(frame, "vary_N")
    parts: list[Part] = []
    for method in ("gdm", "tgdm"):
        short, long = (ratio(where(mine, n, n), "mm_distance", method, "gibbs").value for n in (_SHORT, _LONG))
        told = f" / Gibbs ({format_number(short)} / {format_number(long)})"
        parts.append(_of_lengths(relative_to(mine, "mm_distance", method, "gibbs"), method, told))
    return all_hold(parts)


def _of_lengths(frame: pd.DataFrame, method: str, beside: str = "") -> Part:
    two = pd.concat([where(frame, length, length) for length in (_LONG, _SHORT)])
    change = trend(two, "mm_distance", method).overall
    return judged(f"MM {NAMES[method]}{beside}, N = {_SHORT} / {_LONG}", change, most=limit_of(ALIKE))


def _rates(frame: pd.DataFrame) -> Finding:
    parts: list[Part] = []
    for sweep, method in product(("vary_N", "vary_M"), ("gdm", "tgdm", "gibbs")):
        exponent = fit_exponent(of(frame, sweep), "mm_distance", method)
        parts.append(judged(f"exponent of {NAMES[method]} in {sweep}", exponent, least=_RATE_MARGIN))
    return all_hold(parts)


def _tuning(frame: pd.DataFrame) -> Finding:
    return all_hold(less(of(frame, *FIGURE_2), "mm_distance", "tgdm", "gdm", limit=1 / limit_of(ALIKE)))


def _no_anchors(frame: pd.DataFrame) -> Finding:
    return all_hold(less_each(of(frame, "vary_eta"), "mm_distance", "tgdm", "recover_kl", "eta"))


CLAIMS = [
    Claim(
        "accuracy",
        "Gibbs and tGDM are the most accurate, and almost identical.",
        "Fig. 2a–c",
        _accuracy,
        f"tGDM's MM distance is within a factor {ALIKE} of Gibbs' in each of the three sweeps; over all three, each of "
        "the two is below GDM, RecoverKL and VEM.",
        "Tuning narrows GDM's distance to Gibbs, which is given the true hyperparameters, but does not close it; and "
        "VEM, the best of three starts with learned hyperparameters, is as accurate as Gibbs.",
        readings=[
            OtherReading(
                f"accuracy is measured by perplexity, in which things are alike within a factor {SIMILAR}",
                _accuracy_in_perplexity,
            )
        ],
        differences=_accuracy_differences,
    ),
    Claim(
        "speed",
        "RecoverKL and GDM are the fastest, at comparable accuracy.",
        "Fig. 2, text",
        _speed,
        "Over the four sweeps GDM and RecoverKL each need less time than tGDM, Gibbs and VEM, and their MM distances "
        f"are within a factor {COMPARABLE} of each other.",
        "The claim compares implementations. Our k-means ends its restarts where they find the same optima again, so "
        "that tGDM takes less time than RecoverKL; the first reference run, without that, had the paper's order.",
        readings=[OtherReading("RecoverKL and GDM are compared with Gibbs and VEM only", _speed_without_tgdm)],
    ),
    Claim(
        "vem-unstable",
        "VEM is the worst in most scenarios, from its instability.",
        "Fig. 2, 3",
        _vem_unstable,
        "VEM is above every other method in more than half of the eight panels, and its log MM distance spreads more "
        "over repetitions than any other method's (ratio of standard deviations, bootstrap interval).",
        "VEM's result depends on its start: some starts end with two topics merged. Here the best of three by the "
        "bound is kept and alpha and eta are learned, after which it is nearly always as good as Gibbs.",
    ),
    Claim(
        "short-documents",
        "Short documents do not degrade GDM: at 50 words its error falls as documents are added.",
        "Fig. 2c, 3c",
        _short_documents,
        "Along M at 50 words, the MM distances of GDM and tGDM fall, with no step clearly up, and their perplexities "
        f"end below {SIMILAR} times where they began.",
        readings=[
            OtherReading(
                f"short documents are compared with long ones: at M = 1000 the MM distance with {_SHORT} words is "
                f"below {ALIKE} times that with {_LONG}",
                _short_against_long,
            ),
            OtherReading(
                f"short documents are compared with long ones beside Gibbs: at M = 1000 the MM distance, as a multiple "
                f"of Gibbs', is with {_SHORT} words below {ALIKE} times that with {_LONG}",
                _short_against_long_beside_gibbs,
            ),
        ],
    ),
    Claim(
        "rates",
        "Errors shrink at least as fast as (log M/M)^½ and (log N/N)^½.",
        "Fig. 2a,b",
        _rates,
        f"The exponent e in MM ∝ (log v/v)^e, fitted to each sweep, is above {_RATE_MARGIN} for GDM, tGDM and Gibbs: "
        "½ less a margin, as no interval around exactly ½ lies above it.",
        "GDM's topics reach as far as the farthest document of a cluster, which at a fixed length sampling noise puts "
        "beyond the vertex, the farther the more documents there are; with tuned extensions the error goes on falling.",
    ),
    Claim(
        "tuning",
        "Tuning the extensions improves GDM considerably.",
        "Fig. 2",
        _tuning,
        f"Over the four sweeps tGDM's MM distance is below {1 / ALIKE:g} times GDM's.",
    ),
    Claim(
        "no-anchors",
        "Without inserted anchors tGDM beats RecoverKL in MM distance for every eta.",
        "Fig. 2d",
        _no_anchors,
        "tGDM's MM distance is below RecoverKL's at every eta; refuted only where all intervals hold together.",
    ),
]
