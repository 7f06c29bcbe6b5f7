"""Results of checks, for readers and programs."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec


class State(StrEnum):
    """State of a checked item, as a word, so that no reader depends on colours."""

    WELL = "well"
    NOTE = "note"  # for information; a show may begin
    UNSEEN = "not seen"  # could not be checked, so it does not count as well
    WRONG = "WRONG"


class Finding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Result of one check.

    Attributes:
        what: checked item.
        state: its state.
        found: description of the state.
        todo: remedy; empty if none is needed.
    """

    what: str
    state: State
    found: str
    todo: str = ""


def told(what: str, state: State, sentence: str) -> Finding:
    """Return the finding of a sentence with a fault and, after a semicolon, its remedy.

    The sentences of drivers and core have this form.
    """
    found, _, todo = sentence.partition("; ")
    return Finding(what, state, found, todo)


def nothing_wrong(findings: Iterable[Finding]) -> bool:
    """Return whether a show may begin: no fault was found, and every item was checked."""
    return all(finding.state in (State.WELL, State.NOTE) for finding in findings)


def summary(findings: Iterable[Finding]) -> str:
    """Return the findings in one sentence."""
    states = [finding.state for finding in findings]
    wrong, unseen = states.count(State.WRONG), states.count(State.UNSEEN)
    if not wrong and not unseen:
        return "nothing is wrong"
    parts = [f"{wrong} wrong"] * bool(wrong) + [f"{unseen} not seen"] * bool(unseen)
    return f"{' and '.join(parts)}: repair before the show"
