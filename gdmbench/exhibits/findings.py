"""What records say of a statement: estimates, each judged, and an outcome for all of them together."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from gdmbench.exhibits.estimates import Estimate, Judgement, all_of

Outcome = Judgement | Literal["partly reproduced"]
MARKS: Mapping[str, str] = {
    "reproduced": "✓",
    "partly reproduced": "◐",
    "not reproduced": "✗",
    "not enough evidence": "?",
}
REFUTED = ("partly reproduced", "not reproduced")  # at least one part is


class Part(NamedTuple):
    """One statement of a claim: its name, what was estimated, how that was judged, and the limits it was held to."""

    name: str
    estimate: Estimate
    outcome: Judgement
    least: float = -math.inf
    most: float = math.inf

    def without_interval(self) -> "Part":
        """Return the part as it was judged, its estimate without interval, where that stems from one corpus."""
        return self._replace(estimate=self.estimate.without_interval())


def judged(name: str, estimate: Estimate, *, least: float = -math.inf, most: float = math.inf) -> Part:
    """Judge that an estimate is between two limits, or on one side of the only one."""
    return Part(name, estimate, estimate.within(least, most), least, most)


@dataclass(frozen=True)
class Finding:
    """What records say of a claim: its outcome, the evidence in words, and the parts that it rests on.

    A finding made by hand need not have parts.
    """

    outcome: Outcome
    evidence: str
    parts: tuple[Part, ...] = ()

    @property
    def words(self) -> str:
        """The outcome, with the number of parts that hold where only some do."""
        if self.outcome != "partly reproduced":
            return self.outcome
        return f"{self.outcome} ({sum(part.outcome == 'reproduced' for part in self.parts)} of {len(self.parts)})"

    @property
    def numbers(self) -> dict[str, Estimate]:
        """The estimate of each part."""
        return {part.name: part.estimate for part in self.parts}

    @property
    def outcomes(self) -> dict[str, Judgement]:
        """The outcome of each part."""
        return {part.name: part.outcome for part in self.parts}


def all_hold(*parts: Part | list[Part]) -> Finding:
    """Make a finding of parts and lists of parts that must all hold; the evidence lists and marks every estimate."""
    flat = [part for some in parts for part in (some if isinstance(some, list) else [some])]
    words = [f"{part.name} {part.estimate} {MARKS[part.outcome]}" for part in flat]
    return Finding(verdict_on([part.outcome for part in flat]), "; ".join(words), tuple(flat))


def verdict_on(outcomes: Sequence[Judgement]) -> Outcome:
    """Judge a claim by its parts: as `all_of` does, but "partly" where one part is refuted and another holds."""
    found = all_of(outcomes)
    return "partly reproduced" if found == "not reproduced" and "reproduced" in outcomes else found


def outcome_of(words: str) -> str:
    """Return the outcome in the words of a finding, without the number of parts that hold."""
    return words.partition(" (")[0]


def marked(words: str) -> str:
    """Write the words of a finding behind their mark."""
    return f"{MARKS[outcome_of(words)]} {words}" if words else ""
