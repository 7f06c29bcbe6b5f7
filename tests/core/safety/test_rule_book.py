"""Events of rules: each begin and end once, and a flickering warning rarely."""

from core.link.catalogue import safety
from core.link.statement import Severity, Statement
from core.safety.flags import Flag
from core.safety.rule_book import REPEAT_S, RuleBook
from core.safety.rules import RULES, Action, Rule


def rule_of(flag: Flag, action: Action) -> Rule:
    return next(rule for rule in RULES if rule.flag is flag and rule.action is action)


WARNING = rule_of(Flag.IMU_LATE, Action.WARN)
UNSURE = rule_of(Flag.ESTIMATOR_DIVERGED, Action.HOLD)


class Told:
    """A rule book and its events."""

    def __init__(self) -> None:
        self.lines: list[tuple[Statement, Severity | None]] = []
        self.book = RuleBook(lambda actor, said, severity: self.lines.append((said, severity)))

    def after(self, now_s: float, *active: Rule) -> list[str]:
        """Return the action of each fault that began at a time [s], and "over" for each end."""
        before = len(self.lines)
        self.book.update(now_s, active, lambda flag: safety.AGE(age_s=now_s))
        assert self.book.rules == active
        return [str(said.fields.get("action", "over")) for said, _ in self.lines[before:]]


def test_a_rule_and_its_end_are_told_once_with_what_is_known() -> None:
    told = Told()
    assert told.after(0.0) == []
    assert told.after(1.0, UNSURE, WARNING) == ["HOLD", "WARN"]
    assert [severity for _, severity in told.lines] == ["warning", "warning"]
    detail = safety.AGE(age_s=1.0)
    said = safety.FAULT_BEGAN_WITH(action="HOLD", fault=UNSURE.fault, detail=detail)
    assert told.lines[0][0] == said
    assert told.book.details == {UNSURE.flag: detail, WARNING.flag: detail}
    assert told.after(2.0, UNSURE, WARNING) == []
    assert told.after(3.0, UNSURE) == ["over"]
    assert told.lines[-1] == (safety.FAULT_OVER(fault=WARNING.fault), None)
    assert told.after(4.0) == ["over"]
    assert told.after(5.0) == []


def test_a_warning_that_flickers_is_told_again_when_it_lasts() -> None:
    told = Told()
    assert told.after(0.0, WARNING) == ["WARN"]
    assert told.after(0.01) == ["over"]
    for tick in range(2, 100, 2):
        assert told.after(0.01 * tick, WARNING) == []
        assert told.after(0.01 * tick + 0.01) == []
    assert told.after(1.0, WARNING) == []
    assert told.after(REPEAT_S - 0.1, WARNING) == []
    assert told.after(REPEAT_S, WARNING) == ["WARN"]
    assert told.after(REPEAT_S + 0.1) == ["over"]


def test_what_makes_the_robot_do_less_is_told_each_time() -> None:
    told = Told()
    for time in range(3):
        assert told.after(0.1 * time, UNSURE) == ["HOLD"]
        assert told.after(0.1 * time + 0.05) == ["over"]


def test_graver_than_hold_is_an_error() -> None:
    told = Told()
    told.after(0.0, rule_of(Flag.ESTIMATOR_DIVERGED, Action.SETTLE))
    assert told.lines[0][1] == "error"
