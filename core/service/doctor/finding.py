"""What a check found, for a person to read and a program to judge."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec


class State(StrEnum):
    """How a thing was found, as a word: nobody has to tell colours apart."""

    WELL = "well"
    NOTE = "note"  # to be known; no reason not to begin
    UNSEEN = "not seen"  # could not be looked at, so nobody can say that it is well
    WRONG = "WRONG"


class Finding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one check found.

    Attributes:
        what: was looked at.
        state: how it was found.
        found: in words.
        todo: what to do; empty if nothing is to be done.
    """

    what: str
    state: State
    found: str
    todo: str = ""


def told(what: str, state: State, sentence: str) -> Finding:
    """Return the finding of a sentence that says what is wrong and, after a semicolon, what to do.

    The drivers' and the core's own sentences are of that form.
    """
    found, _, todo = sentence.partition("; ")
    return Finding(what, state, found, todo)


def nothing_wrong(findings: Iterable[Finding]) -> bool:
    """Tell whether a show may begin: nothing is wrong, and nothing was left unseen."""
    return all(finding.state in (State.WELL, State.NOTE) for finding in findings)


def summary(findings: Iterable[Finding]) -> str:
    """Return the findings in one sentence."""
    states = [finding.state for finding in findings]
    wrong, unseen = states.count(State.WRONG), states.count(State.UNSEEN)
    if not wrong and not unseen:
        return "nothing is wrong"
    parts = [f"{wrong} wrong"] * bool(wrong) + [f"{unseen} not seen"] * bool(unseen)
    return f"{' and '.join(parts)}: no show until that is mended"
