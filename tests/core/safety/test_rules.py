"""The table of rules: complete, ordered, with readable sentences."""

import pytest

from core.link import wording
from core.link.catalogue import faults
from core.link.statement import Sentence
from core.safety.failsafe import Failsafe
from core.safety.flags import Flag, Flags
from core.safety.rules import RULES, Action, Clears, Rule, rehearsal_rules


def test_severity_is_the_order() -> None:
    assert list(Action) == sorted(Action)
    assert [action.name for action in Action] == ["NONE", "WARN", "HOLD", "SETTLE", "DAMP", "CUT"]


@pytest.mark.parametrize("flag", Flag)
def test_every_flag_has_a_consequence_that_only_grows(flag: Flag) -> None:
    rows = [rule for rule in RULES if rule.flag is flag]
    assert rows
    assert [r.after_s for r in rows] == sorted({r.after_s for r in rows})
    assert [r.action for r in rows] == sorted({r.action for r in rows})


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.flag.name}-{rule.action.name}")
def test_what_takes_torque_latches_and_what_moves_never_comes_back_alone(rule: Rule) -> None:
    expected = {
        Action.WARN: Clears.WHEN_HEALTHY,
        Action.HOLD: Clears.BY_OPERATOR,
        Action.SETTLE: Clears.BY_OPERATOR,
        Action.DAMP: Clears.ON_RESET,
        Action.CUT: Clears.ON_RESET,
    }
    assert rule.clears is expected[rule.action]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.flag.name}-{rule.action.name}")
def test_the_catalogue_has_a_sentence_and_an_advice(rule: Rule) -> None:
    for words in (wording.sentence(rule.fault), wording.advice(rule.fault)):
        assert words[0].isupper() and words.endswith(".") and len(words) < 90


def test_the_catalogue_has_no_fault_beside_the_rules() -> None:
    known = {value.code for value in vars(faults).values() if isinstance(value, Sentence)}
    assert known == {rule.fault.code for rule in RULES}


def test_a_lost_link_holds_500_ms_after_it_fell_silent() -> None:
    """The flag is raised after 250 ms."""
    for flag in (Flag.OPERATOR_SILENT, Flag.HANDSET_SILENT):
        hold = next(r for r in RULES if r.flag is flag and r.action is Action.HOLD)
        assert hold.after_s == 0.25


def test_in_a_rehearsal_only_the_hold_of_a_late_console_ends_by_itself() -> None:
    changed = [
        (live.flag, live.action, rehearsed.clears)
        for live, rehearsed in zip(RULES, rehearsal_rules(), strict=True)
        if live != rehearsed
    ]
    assert changed == [(Flag.OPERATOR_SILENT, Action.HOLD, Clears.WHEN_HEALTHY)]
    failsafe = Failsafe(rehearsal_rules())
    late = Flags.of(Flag.OPERATOR_SILENT)
    failsafe.update(0.0, late)
    assert failsafe.update(0.3, late) is Action.HOLD
    assert failsafe.update(0.4, Flags()) is Action.NONE
    failsafe.update(1.0, late)
    assert failsafe.update(31.0, late) is Action.SETTLE
    assert failsafe.update(31.1, Flags()) is Action.SETTLE  # until an operator acts
