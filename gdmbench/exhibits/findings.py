"""What records say of a statement: estimates, each judged, and an outcome for all of them together."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gdmbench.exhibits.estimates import Estimate, Judgement, all_of

MARKS: Mapping[str, str] = {"reproduced": "✓", "not reproduced": "✗", "not enough evidence": "?"}


class Part(NamedTuple):
    """One statement of a claim: its name, what was estimated, how that was judged, and the limits it was held to."""

    name: str
    estimate: Estimate
    outcome: Judgement
    least: float = -math.inf
    most: float = math.inf


def judged(name: str, estimate: Estimate, *, least: float = -math.inf, most: float = math.inf) -> Part:
    """Judge that an estimate is between two limits, or on one side of the only one."""
    return Part(name, estimate, estimate.within(least, most), least, most)


@dataclass(frozen=True)
class Finding:
    """What records say of a claim: its outcome, the evidence in words, and the parts that it rests on.

    A finding made by hand need not have parts.
    """

    outcome: Judgement
    evidence: str
    parts: tuple[Part, ...] = ()

    @property
    def numbers(self) -> dict[str, Estimate]:
        """The estimate of each part."""
        return {part.name: part.estimate for part in self.parts}

    @property
    def outcomes(self) -> dict[str, Judgement]:
        """The outcome of each part."""
        return {part.name: part.outcome for part in self.parts}


def all_hold(*parts: Part | list[Part]) -> Finding:
    """Make a finding of parts and lists of parts that must all hold.

    The evidence lists every estimate, and marks the parts that don't hold where others do.
    """
    flat = [part for some in parts for part in (some if isinstance(some, list) else [some])]
    outcome = all_of([part.outcome for part in flat])
    marks = ["" if part.outcome == outcome else f" {MARKS[part.outcome]}" for part in flat]
    words = [f"{part.name} {part.estimate}{mark}" for part, mark in zip(flat, marks, strict=True)]
    return Finding(outcome, "; ".join(words), tuple(flat))
