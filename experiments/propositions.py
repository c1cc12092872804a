"""Propositions 1 and 2: bounds on the likelihood, and the span of the centroids."""

from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.linalg import subspace_angles
from scipy.sparse.linalg import LinearOperator, eigsh

from experiments.criteria import Part, holds, of
from gdmbench.exhibits.claims import Claim, Finding
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.statistics import NOTHING, Estimate, Outcome, trend
from gdmbench.geometry import GDM, project
from gdmbench.geometry.base import check_counts
from gdmbench.geometry.counts import normalise_rows
from gdmbench.measures import likelihood_bounds

_CENTER_SHARE = 0.01  # of the centre in every topic: the proposition asks for positive probabilities
_SINGLE_DOCUMENTS = 200  # that are a corpus of their own each
_LEAST_RECORDS = 10  # that a statement about every corpus must survive
_ROUNDING = 1e-6


class BoundedGDM(GDM):
    """GDM that leaves in its record how far the likelihood is from the bounds of Proposition 1.

    The proposition holds for any polytope and proportions that give observed words positive probability: here GDM's
    topics with a hundredth of the centre mixed in, and projected proportions.

    Attributes
    ----------
    record_ : dict
        ``upper``, ``lower`` and ``lower_printed``: distances from the bounds in nats a token, negative where a bound
        is broken; ``broken_...``: the share of documents that break it as corpora of one document.
    """

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics and measure the distances from the bounds."""
        super().fit(X)
        topics = (1 - _CENTER_SHARE) * self.components_ + _CENTER_SHARE * self.center_
        proportions = project(X, topics)
        self.record_ = _slacks(X, topics, proportions)
        alone = [
            _slacks(X[[m]], topics, proportions[[m]])
            for m in np.flatnonzero(np.diff(X.indptr))[:_SINGLE_DOCUMENTS].tolist()
        ]
        for bound in ("upper", "lower", "lower_printed"):
            self.record_[f"broken_{bound}"] = float(np.mean([slack[bound] < -_ROUNDING for slack in alone]))
        return self


class SpannedGDM(GDM):
    """GDM that leaves in its record how far its centroids' span is from the leading singular subspace.

    Attributes
    ----------
    record_ : dict
        Sines of the largest angle between two subspaces. ``centroids``: the span of the k-means centroids, and the
        leading right singular vectors of the weighted documents. ``relaxed``: that of the centroids of relaxed
        k-means, whose cluster indicators are the leading eigenvectors of the documents' Gram matrix, and the same.
    """

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics and measure the angles."""
        super().fit(X)
        points, lengths = normalise_rows(check_counts(X))
        weighted = sparse.csr_array(points.multiply(np.sqrt(lengths)[:, None]))
        leading = _leading_eigenvectors(weighted.T @ weighted, self.n_topics)
        n_docs = weighted.shape[0]
        gram = LinearOperator((n_docs, n_docs), matvec=lambda v: weighted @ (weighted.T @ v), dtype=np.float64)
        indicators = _leading_eigenvectors(gram, self.n_topics)
        self.record_ = {
            "centroids": _sine(self.centroids_.T, leading),
            "relaxed": _sine(weighted.T @ indicators, leading),
        }
        return self


def _slacks(X: Any, topics: Any, proportions: Any) -> dict[str, float]:
    bounds = likelihood_bounds(X, topics, proportions)
    tokens = float(X.sum())
    return {
        "upper": (bounds.upper - bounds.likelihood) / tokens,
        "lower": (bounds.likelihood - bounds.lower) / tokens,
        "lower_printed": (bounds.likelihood - bounds.lower_printed) / tokens,
    }


def _leading_eigenvectors(matrix: Any, count: int) -> Any:
    return eigsh(matrix, k=count, which="LM", v0=np.ones(matrix.shape[0]), tol=1e-12)[1]


def _sine(a: Any, b: Any) -> float:
    return float(np.sin(subspace_angles(a, b).max()))


def extras(records: pd.DataFrame, experiment: str, **columns: str) -> pd.DataFrame:
    """Return a sweep's records once for each of some numbers in their extras, as methods with a measure.

    Parameters
    ----------
    records : DataFrame
    experiment : str
    **columns : str
        Each number and its label.
    """
    mine = of(records, experiment)
    extra = [extra if isinstance(extra, dict) else {} for extra in mine["extra"]]
    numbers = [
        mine.assign(method=column, label=label, number=[float(found.get(column, np.nan)) for found in extra])
        for column, label in columns.items()
    ]
    return pd.concat(numbers, ignore_index=True)


def draw(records: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the documents that break a bound, and the angle between the centroids' span and the singular subspace."""
    share, sine = "share of documents that break it", "sine of largest angle"
    bounds = {
        "broken_upper": "upper bound",
        "broken_lower_printed": "lower bound as printed",
        "broken_lower": "lower bound over all words",
    }
    broken = extras(records, "proposition_1", **bounds).rename(columns={"number": share})
    angles = extras(records, "proposition_2", centroids="span of centroids").rename(columns={"number": sine})
    panels = [Panel(broken, share, "Proposition 1"), Panel(angles, sine, "Proposition 2")]
    return panel_figure(panels, folder / "propositions")


def _bounds(records: pd.DataFrame) -> Finding:
    parts: list[Part] = []
    for bound, words in (("upper", "upper bound"), ("lower_printed", "lower bound as printed")):
        whole = extras(records, "proposition_1", **{bound: words})["number"].dropna()
        alone = extras(records, "proposition_1", **{f"broken_{bound}": words})["number"].dropna()
        parts.append(_never_positive(-whole, f"most beyond the {words} in any corpus, nats a token"))
        parts.append(_never_positive(alone, f"largest share of documents beyond the {words}"))
    return holds(parts)


def _never_positive(numbers: "pd.Series[float]", words: str) -> Part:
    """Judge that a number is never above 0: one that is refutes it, and a few that are not prove nothing."""
    if not len(numbers):
        return words, NOTHING, "not enough evidence"
    most = float(numbers.max())
    outcome: Outcome = "reproduced" if len(numbers) >= _LEAST_RECORDS else "not enough evidence"
    outcome = "not reproduced" if most > _ROUNDING else outcome
    return words, Estimate(most, most, most, len(numbers)), outcome


def _subspace(records: pd.DataFrame) -> Finding:
    sines = extras(records, "proposition_2", centroids="k-means", relaxed="relaxed k-means")
    relaxed = sines.loc[sines["method"] == "relaxed", "number"].dropna()
    change = trend(sines, "number", "centroids")
    exact = _never_positive(relaxed, "largest sine of relaxed k-means")
    return holds(exact, ("sine of k-means, last / first N", change.overall, change.falls()))


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
    ),
]
