"""Findings: how a sentence is split, and when a show may begin."""

import pytest

from core.service.doctor.finding import Finding, State, nothing_wrong, summary, told


def of(*states: State) -> list[Finding]:
    return [Finding("a thing", state, "so it is") for state in states]


def test_a_drivers_sentence_has_a_fault_and_a_remedy() -> None:
    found = told("left leg bus", State.WRONG, "unplugged; check the plug; then the cable")
    assert found == Finding(
        "left leg bus", State.WRONG, "unplugged", "check the plug; then the cable"
    )
    assert told("IMU", State.NOTE, "warm") == Finding("IMU", State.NOTE, "warm", "")


@pytest.mark.parametrize("state", [State.WRONG, State.UNSEEN])
def test_one_thing_that_is_wrong_or_was_not_seen_is_enough(state: State) -> None:
    findings = of(State.WELL, State.NOTE, state, State.WELL)
    assert not nothing_wrong(findings)
    assert summary(findings) == f"1 {state.value.lower()}: repair before the show"


def test_notes_are_no_failures() -> None:
    assert nothing_wrong(of(State.WELL, State.NOTE))
    assert summary(of(State.WELL, State.NOTE)) == "nothing is wrong"


def test_wrong_and_unseen_are_counted_apart() -> None:
    findings = of(State.WRONG, State.UNSEEN, State.WRONG, State.NOTE)
    assert summary(findings).startswith("2 wrong and 1 not seen:")


def test_every_state_is_a_word_of_its_own() -> None:
    assert len({state.value.lower() for state in State}) == len(State)
