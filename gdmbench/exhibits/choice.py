"""Which number of topics, and which method: the choice by document completion, with errors of paired differences.

Models are compared document by document on the words that their proportions were not inferred from. What all models
find hard in a document cancels, so that differences are known far better than the models' perplexities are.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gdmbench.records.frame import swept_values

_CLEAR = 2.0  # standard errors that make a model clearly worse than the best

Documents = dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]]  # log-likelihoods and words by repetition


@dataclass(frozen=True)
class Difference:
    """How much worse a number of topics predicts unseen words than the best one.

    Attributes
    ----------
    n_topics : int
    loss : float
        Mean log-likelihood of a word under the best model minus that under this one; 0 for the best.
    error : float
        Its standard error.
    """

    n_topics: int
    loss: float
    error: float

    @property
    def near(self) -> bool:
        """Whether it is within one standard error of the best."""
        return self.loss <= self.error

    @property
    def clearly_worse(self) -> bool:
        """Whether it is more than two standard errors worse than the best."""
        return self.loss > _CLEAR * self.error


def best_method(frame: pd.DataFrame) -> str:
    """Return the method with the lowest mean completion perplexity at any value; the first one where none has any."""
    means = frame.groupby(["method", "value"], dropna=False, sort=False)["completion"].mean()
    lowest: Any = means.idxmin() if means.notna().any() else (frame["method"].iloc[0], None)
    return str(lowest[0])


def best_model(frame: pd.DataFrame) -> tuple[str, Any, str]:
    """Return the method to keep and its swept value, and where that is a number of topics a sentence of advice."""
    method = best_method(frame)
    mine = frame[frame["method"] == method].dropna(subset="completion")
    if mine["axis"].iloc[0] == "model.n_topics" and mine["value"].notna().all():
        found = differences(mine, method)
        return method, chosen(found), advice(found) if len(found) > 1 else ""
    means = {
        value: mine.loc[[other == value for other in mine["value"]], "completion"].mean()
        for value in swept_values(mine)
    }
    return method, min(means, key=lambda value: means[value]), ""


def differences(frame: pd.DataFrame, method: str) -> list[Difference]:
    """Compare every number of topics of a method with its best one, on the documents that both were scored on."""
    mine = frame[frame["method"] == method]
    scores = {int(value): _documents(mine[[other == value for other in mine["value"]]]) for value in swept_values(mine)}
    scores = {value: documents for value, documents in scores.items() if documents}
    if not scores:
        return []
    most = max(map(len, scores.values()))
    complete = [value for value in scores if len(scores[value]) == most]  # a number that failed at times can't be best
    best = max(
        complete, key=lambda value: np.mean([found.sum() / words.sum() for found, words in scores[value].values()])
    )
    shared = {value: sorted(documents.keys() & scores[best].keys()) for value, documents in scores.items()}
    return [Difference(value, *_paired(scores[best], scores[value], both)) for value, both in shared.items() if both]


def compared(frame: pd.DataFrame, method: str, other: str) -> tuple[float, float]:
    """Return how much less likely a method makes an unseen word than another does, in logarithms, and its error.

    Both are compared on the documents of the repetitions that both have; NaN where there are none.
    """
    ours, theirs = (_documents(frame[frame["method"] == name]) for name in (method, other))
    both = sorted(ours.keys() & theirs.keys())
    return _paired(theirs, ours, both) if both else (math.nan, math.nan)


def chosen(found: Sequence[Difference]) -> int:
    """Return the smallest number of topics within one standard error of the best."""
    return min(each.n_topics for each in found if each.near)


def advice(found: Sequence[Difference]) -> str:
    """Say how many topics to ask for, which other numbers do as well, and where the data do not tell."""
    if not found:
        return "No number of topics can be recommended: no record tells how well unseen words were predicted."
    tried = sorted(found, key=lambda each: each.n_topics)
    numbers = [each.n_topics for each in tried]
    best = next(each.n_topics for each in tried if each.loss == 0.0)
    if len(tried) > 1 and not any(each.clearly_worse for each in tried):
        return (
            "These data do not tell how many topics to ask for: all numbers tried, from "
            f"{numbers[0]} to {numbers[-1]}, predict unseen words about equally well."
        )
    take = chosen(tried)
    why = f"the fewest that predict unseen words as well as {best} do, within one standard error"
    sentences = [f"Ask for {take} topics" + (f": {why}." if take != best else ": they predict unseen words best.")]
    low, high = limits(tried)
    worse = [f"{low} or fewer"] * (low is not None) + [f"{high} or more"] * (high is not None)
    if worse:
        sentences.append(f"Of the numbers tried, {' and '.join(worse)} predict them clearly worse.")
    if best == numbers[-1]:
        sentences.append(f"The best was the largest number tried: try more than {best}.")
    elif take == numbers[0] > 2:
        sentences.append(f"It is the smallest number tried: try fewer than {take}.")
    return " ".join(sentences)


def limits(found: Sequence[Difference]) -> tuple[int | None, int | None]:
    """Return the largest number of topics that is clearly too few, and the smallest that is clearly too many."""
    well = [each.n_topics for each in found if not each.clearly_worse]
    few = [each.n_topics for each in found if each.n_topics < min(well)]
    many = [each.n_topics for each in found if each.n_topics > max(well)]
    return max(few, default=None), min(many, default=None)


def _documents(records: pd.DataFrame) -> Documents:
    """Return log-likelihoods and numbers of words of the documents that each repetition held out."""
    found: Documents = {}
    for repetition, extra in zip(records["repetition"], records["extra"], strict=True):
        scored: Any = extra.get("completion") if isinstance(extra, Mapping) else None
        if scored:
            found[int(repetition)] = (np.array(scored["log_likelihoods"]), np.array(scored["tokens"]))
    return found


def _paired(best: Documents, other: Documents, repetitions: Sequence[int]) -> tuple[float, float]:
    """Return the mean loss for each word and its standard error.

    The error is the larger of two: that of documents, as if the same models were tried on other documents, and that of
    repetitions, whose models were fitted to other documents too.
    """
    means, variances = [], []
    for r in repetitions:
        loss, words = best[r][0] - other[r][0], best[r][1]
        mean = loss.sum() / words.sum()
        means.append(mean)
        variances.append(((loss - mean * words) ** 2).sum() / words.sum() ** 2)
    n = len(means)
    by_documents = math.sqrt(sum(variances)) / n
    by_repetitions = float(np.std(means, ddof=1)) / math.sqrt(n) if n > 1 else 0.0
    return float(np.mean(means)), max(by_documents, by_repetitions)
