"""What a claim depends on: the same criterion judged with one choice changed, or the paper's words read another way.

A change that an author could have made, of a setting or of a reading, counts as one under which the claim would hold. A
change that nobody could make, such as one that needs the truth, explains why a claim fails. That the authors made a
choice is not shown by either, and no sentence here says it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from gdmbench.exhibits.findings import Finding, Outcome


@dataclass(frozen=True)
class Cause:
    """A change that a claim may depend on.

    Attributes
    ----------
    choice : str
        What is changed, as a clause that follows "if".
    shown_by : str
        The experiment that makes the change.
    switch : callable
        From the records of all experiments to those that the claim is judged by under this choice; None where the
        experiment has not been run.
    explains : str
        Why no author could have made the change, and what it explains; empty for one that they could have made.
    """

    choice: str
    shown_by: str
    switch: Callable[[pd.DataFrame], pd.DataFrame | None]
    explains: str = ""


@dataclass(frozen=True)
class OtherReading:
    """Another way to read the paper's words, thought of after the runs.

    Attributes
    ----------
    words : str
        How they are read, as a clause that follows "if".
    judge : callable
        From the records of all experiments to a finding.
    """

    words: str
    judge: Callable[[pd.DataFrame], Finding]


@dataclass(frozen=True)
class Read:
    """What became of a claim under another reading."""

    words: str
    finding: Finding


@dataclass(frozen=True)
class Switched:
    """What became of a claim under a choice.

    Attributes
    ----------
    cause : Cause
    finding : Finding
        Under the choice, by the claim's own criterion.
    failed : int
        Parts of the claim that did not hold before.
    gained : int
        Those of them that hold under the choice.
    refuted, lost : int
        Parts that the records refute under the choice; and those that held before and no longer do.
    """

    cause: Cause
    finding: Finding
    failed: int
    gained: int
    refuted: int
    lost: int

    @property
    def outcome(self) -> Outcome:
        """The verdict under the choice."""
        return self.finding.outcome


def try_causes(
    causes: Sequence[Cause], judge: Callable[[pd.DataFrame], Finding], frame: pd.DataFrame, before: Finding
) -> list[Switched]:
    """Judge a claim under each choice of which there are records, by its own criterion."""
    tried = []
    for cause in causes:
        records = cause.switch(frame)
        if records is not None:
            tried.append(_switched(cause, before, judge(records)))
    return tried


def _switched(cause: Cause, before: Finding, after: Finding) -> Switched:
    failed = [name for name, outcome in before.outcomes.items() if outcome != "reproduced"]
    holding = {name for name, outcome in after.outcomes.items() if outcome == "reproduced"}
    gained = sum(name in holding for name in failed)
    lost = sum(name not in holding for name in before.outcomes if name not in failed)
    refuted = sum(outcome == "not reproduced" for outcome in after.outcomes.values())
    return Switched(cause, after, len(failed), gained, refuted, lost)


def holds_if(before: Finding, tried: Sequence[Switched], read: Sequence[Read]) -> str:
    """Say under which changes that an author could have made a claim holds that does not hold as judged."""
    if before.outcome == "reproduced":
        return ""
    choices = [
        f"{each.cause.choice} ({each.cause.shown_by})" for each in tried if not each.cause.explains and _held(each)
    ]
    readings = [f"{each.words} (another reading)" for each in read if each.finding.outcome == "reproduced"]
    return "; or if ".join(f"{words}: reproduced" for words in [*choices, *readings])


def explained(before: Finding, tried: Sequence[Switched]) -> str:
    """Say what explains that a claim fails: changes that no author could have made, under which it holds."""
    if before.outcome == "reproduced":
        return ""
    enough = [each.cause for each in tried if each.cause.explains and _held(each)]
    return " ".join(f"Holds if {cause.choice} ({cause.shown_by}). {cause.explains}" for cause in enough)


def _held(each: Switched) -> bool:
    return each.outcome == "reproduced"


def tried_in_words(tried: Sequence[Switched]) -> str:
    """Tell of every change that was tried, those that change most first, and how many parts of the claim turn."""
    nearest = sorted(tried, key=lambda each: (each.lost - each.gained, each.refuted, -each.gained))
    return " ".join(_told(each) for each in nearest)


def _told(each: Switched) -> str:
    words = [f"{each.gained} of the {each.failed} parts that did not hold before do"] if each.failed else []
    words += [f"{each.refuted} refuted"] if each.refuted else []
    words += [f"{each.lost} that held no longer do"] if each.lost else []
    sure = ", ".join(words) or f"all {len(each.finding.parts)} parts hold"
    return f"If {each.cause.choice} ({each.cause.shown_by}): {each.finding.words}; {sure}."
