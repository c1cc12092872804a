"""What records say of a statement: estimates, each judged, and an outcome for all of them together."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gdmbench.exhibits.statistics import Estimate, Outcome, all_of

Part = tuple[str, Estimate, Outcome]  # of a claim: its name, what was estimated, and how that was judged

MARKS: Mapping[str, str] = {"reproduced": "✓", "not reproduced": "✗", "not enough evidence": "?"}


@dataclass(frozen=True)
class Finding:
    """What records say of a claim: its outcome, the evidence in words, the estimates behind it and its parts' outcomes.

    A finding made by hand need not have parts.
    """

    outcome: Outcome
    evidence: str
    numbers: Mapping[str, Estimate] = field(default_factory=dict)
    parts: Mapping[str, Outcome] = field(default_factory=dict)


def all_hold(*parts: Part | list[Part]) -> Finding:
    """Make a finding of parts and lists of parts that must all hold.

    The evidence lists every estimate, and marks the parts that don't hold where others do.
    """
    flat = [part for some in parts for part in (some if isinstance(some, list) else [some])]
    outcome = all_of([part for _, _, part in flat])
    words = [f"{name} {estimate}" + ("" if part == outcome else f" {MARKS[part]}") for name, estimate, part in flat]
    numbers = {name: estimate for name, estimate, _ in flat}
    return Finding(outcome, "; ".join(words), numbers, {name: part for name, _, part in flat})
