"""Propositions 1 and 2: bounds on the likelihood, and the span of the centroids."""

from pathlib import Path

import pandas as pd

from experiments.criteria import of
from gdmbench.exhibits.causes import Cause, OtherReading
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.estimates import NOTHING, Estimate, Judgement
from gdmbench.exhibits.findings import Finding, Part, all_hold, judged
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.statistics import trend

_SINGLE_DOCUMENTS = 200  # of each corpus that are a corpus of their own, as `experiments.estimators` has it
_LEAST_RECORDS = 10  # that a statement about every corpus must survive
_ROUNDING = 1e-6


def extras(frame: pd.DataFrame, experiment: str, **columns: str) -> pd.DataFrame:
    """Return a sweep's records once for each of some numbers in their extras, as methods with a measure.

    Parameters
    ----------
    frame : DataFrame
    experiment : str
    **columns : str
        Each number and its label.
    """
    mine = of(frame, experiment)
    extra = [extra if isinstance(extra, dict) else {} for extra in mine["extra"]]
    numbers = []
    for column, label in columns.items():
        number = pd.to_numeric(pd.Series([found.get(column) for found in extra], dtype=object), errors="coerce")
        numbers.append(mine.assign(method=column, label=label, number=number.to_numpy(dtype=float)))
    return pd.concat(numbers, ignore_index=True)


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the documents that break a bound, and the angle between the centroids' span and the singular subspace."""
    share, sine = "share of documents that break it", "sine of largest angle"
    bounds = {
        "broken_upper": "upper bound",
        "broken_lower_printed": "lower bound as printed",
        "broken_lower": "lower bound over all words",
    }
    broken = extras(frame, "proposition_1", **bounds).rename(columns={"number": share})
    angles = extras(frame, "proposition_2", centroids="span of centroids").rename(columns={"number": sine})
    panels = [Panel(broken, share, "Proposition 1"), Panel(angles, sine, "Proposition 2")]
    return panel_figure(panels, folder / "propositions")


def _bounds(frame: pd.DataFrame) -> Finding:
    parts: list[Part] = []
    for bound, words in (("upper", "upper bound"), ("lower_printed", "lower bound as printed")):
        whole = extras(frame, "proposition_1", **{bound: words})["number"].dropna()
        alone = extras(frame, "proposition_1", **{f"broken_{bound}": words})["number"].dropna()
        parts.append(_never_positive(-whole, f"most beyond the {words} in any corpus, nats a token"))
        parts.append(_never_positive(alone, f"largest share of documents beyond the {words}"))
    return all_hold(parts)


def _never_positive(numbers: "pd.Series[float]", words: str) -> Part:
    """Judge that a number is never above 0: one that is refutes it, and a few that are not prove nothing."""
    if not len(numbers):
        return judged(words, NOTHING, most=_ROUNDING)
    most = float(numbers.max())
    outcome: Judgement = "reproduced" if len(numbers) >= _LEAST_RECORDS else "not enough evidence"
    outcome = "not reproduced" if most > _ROUNDING else outcome
    return Part(words, Estimate(most, most, most, len(numbers)), outcome, most=_ROUNDING)


def _subspace(frame: pd.DataFrame) -> Finding:
    sines = extras(frame, "proposition_2", centroids="k-means", relaxed="relaxed k-means")
    relaxed = sines.loc[sines["method"] == "relaxed", "number"].dropna()
    change = trend(sines, "number", "centroids")
    exact = _never_positive(relaxed, "largest sine of relaxed k-means")
    return all_hold(exact, Part("sine of k-means, last / first N", change.overall, change.falls(), most=1))


def _as_printed(frame: pd.DataFrame) -> Finding:
    sines = extras(frame, "proposition_2", centroids="k-means")["number"].dropna()
    return all_hold(_never_positive(sines, "largest sine of k-means"))


def _over_all_words(frame: pd.DataFrame) -> pd.DataFrame | None:
    """Put the lower bound with chi² summed over all words in the place of the printed one."""
    mine = frame["experiment"] == "proposition_1"
    if not mine.any():
        return None
    corrected = [
        {**extra, "lower_printed": extra.get("lower"), "broken_lower_printed": extra.get("broken_lower")}
        if is_mine and isinstance(extra, dict)
        else extra
        for extra, is_mine in zip(frame["extra"], mine, strict=True)
    ]
    return frame.assign(extra=pd.Series(corrected, index=frame.index, dtype=object))


SUM_OVER_ALL_WORDS = Cause(
    "chi² is summed over all words (docs/theory.md)",
    "propositions",
    _over_all_words,
    "That is another inequality than the printed one; it shows what the printed one leaves out.",
)
CLAIMS = [
    Claim(
        "bounds",
        "The likelihood lies between two bounds by squared distances of documents from their probabilities.",
        "Prop. 1",
        _bounds,
        f"In at least {_LEAST_RECORDS} corpora, and in each of {_SINGLE_DOCUMENTS} documents of these as a corpus of "
        "its own, neither bound is broken, as printed.",
        "The lower bound as printed sums chi² over the words of a document only; with all words in the sum, as chi² is "
        "defined, it holds.",
    ),
    Claim(
        "subspace",
        "The centroids of weighted k-means span the leading singular subspace of the weighted documents.",
        "Prop. 2",
        _subspace,
        "As in the proposition's proof, for relaxed k-means: no angle between the two subspaces but rounding, in at "
        f"least {_LEAST_RECORDS} corpora. For k-means itself: the largest angle falls as documents get longer.",
        readings=[OtherReading("it is read as printed, of k-means itself (docs/theory.md disproves it)", _as_printed)],
    ),
]
