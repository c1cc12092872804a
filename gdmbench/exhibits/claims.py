"""Claims of the paper, judged by records: each with its criterion, a verdict and the numbers behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from gdmbench.exhibits.causes import Cause, OtherReading, Read, Switched, explained, holds_if, try_causes
from gdmbench.exhibits.findings import REFUTED, Finding, Outcome, Part


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper and how records decide it.

    Attributes
    ----------
    id : str
        Short name.
    text : str
        What the paper says, in our words.
    where : str
        Figure, table or theorem.
    judge : callable
        From the records of all experiments, as a frame, to a `Finding`.
    criterion : str
        What ``judge`` demands, in words, fixed by what the paper says.
    reason : str
        Why the claim is not or only partly reproduced, where that is known; shown only when it is so.
    causes : sequence of Cause
        Choices under which the claim is judged again, by the same criterion.
    readings : sequence of OtherReading
        Other readings of the paper's words, added after the runs; the verdict does not depend on them.
    confirm : callable, optional
        From the records of all experiments to those of a confirming run with fresh seeds and as many repetitions as
        the claim needs to be decided, put in place of the paper's; None where it has not been run.
    differences : callable, optional
        From the records to sentences on differences in the units of the measure, for a claim that two methods are
        almost identical; no verdict depends on them.
    """

    id: str
    text: str
    where: str
    judge: Callable[[pd.DataFrame], Finding]
    criterion: str = ""
    reason: str = ""
    causes: Sequence[Cause] = ()
    readings: Sequence[OtherReading] = ()
    confirm: Callable[[pd.DataFrame], pd.DataFrame | None] | None = None
    differences: Callable[[pd.DataFrame], list[str]] | None = None


@dataclass(frozen=True)
class Verdict:
    """A claim that was judged."""

    claim: Claim
    finding: Finding
    tried: Sequence[Switched] = ()
    read: Sequence[Read] = ()
    confirmed: Finding | None = None
    differences: str = ""

    @property
    def id(self) -> str:
        """The claim's short name."""
        return self.claim.id

    @property
    def verdict(self) -> Outcome:
        """The outcome, without the number of parts that hold."""
        return self.finding.outcome

    @property
    def evidence(self) -> str:
        """Every estimate with its mark."""
        return self.finding.evidence

    @property
    def parts(self) -> Sequence[Part]:
        """The parts of the claim."""
        return self.finding.parts

    @property
    def reason(self) -> str:
        """Why the claim does not hold as a whole; empty where it does or is open."""
        return self.claim.reason if self.verdict in REFUTED else ""

    @property
    def holds_if(self) -> str:
        """Changes that an author could have made, under which the claim holds."""
        return holds_if(self.finding, self.tried, self.read)

    @property
    def explained(self) -> str:
        """Changes that no author could have made, under which the claim holds, and what they explain."""
        return explained(self.finding, self.tried)


def judge_claims(claims: Sequence[Claim], frame: pd.DataFrame) -> list[Verdict]:
    """Judge every claim by the records of all experiments; those lacking make for too little evidence."""
    return [_judge(claim, frame) for claim in claims]


def _judge(claim: Claim, frame: pd.DataFrame) -> Verdict:
    found = claim.judge(frame)
    fresh = claim.confirm(frame) if claim.confirm else None
    return Verdict(
        claim,
        found,
        try_causes(claim.causes, claim.judge, frame, found),
        [Read(reading.words, reading.judge(frame)) for reading in claim.readings],
        claim.judge(fresh) if fresh is not None else None,
        "; ".join(claim.differences(frame)) if claim.differences else "",
    )
