"""What a claim hangs on: the same criterion judged with one choice changed.

A choice under which a claim holds suffices for it. That whoever made the claim chose so is not shown by that, and no
sentence here says it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from gdmbench.exhibits.estimates import Judgement
from gdmbench.exhibits.findings import Finding

_MOST_TOLD = 3  # choices that are named: of those that suffice the first; where none does, the nearest


@dataclass(frozen=True)
class Cause:
    """A choice that a claim may hang on.

    Attributes
    ----------
    choice : str
        What is changed, in a few words.
    shown_by : str
        The experiment that makes the change.
    switch : callable
        From the records of all experiments to those that the claim is judged by under this choice; None where the
        experiment has not been run.
    """

    choice: str
    shown_by: str
    switch: Callable[[pd.DataFrame], pd.DataFrame | None]


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
    def outcome(self) -> Judgement:
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


def hangs_on(before: Finding, tried: Sequence[Switched]) -> str:
    """Say in words what a claim hangs on, how sure that is, or what was tried; nothing where nothing was."""
    if not tried:
        return ""
    if before.outcome == "reproduced":
        return " ".join(_told(each) for each in tried)
    enough = [each for each in tried if each.outcome == "reproduced"]
    if enough:
        words = " ".join(f"{_told(each)} It suffices." for each in enough[:_MOST_TOLD])
        return words + _others(len(enough) - _MOST_TOLD, "suffice too")
    nearest = sorted(tried, key=lambda each: (each.lost - each.gained, each.refuted, -each.gained))[:_MOST_TOLD]
    words = " ".join(_told(each) for each in nearest)
    return f"No choice found that suffices. {words}" + _others(len(tried) - _MOST_TOLD, "come no nearer")


def _others(count: int, words: str) -> str:
    return f" Others that {words}: {count}." if count > 0 else ""


def _told(each: Switched) -> str:
    """Name the choice, the verdict under it, and how sure that is: how many parts of the claim now hold."""
    words = [f"{each.gained} of the {each.failed} parts that did not hold before do"] if each.failed else []
    words += [f"{each.refuted} refuted"] if each.refuted else []
    words += [f"{each.lost} that held no longer do"] if each.lost else []
    sure = ", ".join(words) or f"all {len(each.finding.parts)} parts hold"
    return f"{each.cause.choice} ({each.cause.shown_by}): {each.outcome}; {sure}."
