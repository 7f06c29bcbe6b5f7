"""Which of the failsafe's rules hold, and what of them was told already."""

import math
from collections.abc import Callable

from core.link.catalogue import safety
from core.link.statement import Severity, Statement
from core.safety.flags import Flag
from core.safety.rules import Action, Rule

REPEAT_S = 5.0  # a warning that comes and goes is told so seldom


class RuleBook:
    """Owns what was told of rules, so that each is told once, and once again when it is over.

    What makes the robot do less is told whenever it begins; a mere warning that comes and goes,
    as of a line with noise on it, would fill the event log.

    Args:
        say: takes actor, statement and severity of a line of the event log.

    Attributes:
        rules: those that hold, the worst first.
        details: of what was raised, which joint or how much.
    """

    def __init__(self, say: Callable[[str, Statement, Severity | None], None]) -> None:
        self.rules: tuple[Rule, ...] = ()
        self.details: dict[Flag, Statement | None] = {}
        self._say = say
        self._told_s: dict[Rule, float] = {}
        self._open: set[Rule] = set()  # told, and not yet told to be over

    def update(
        self, now_s: float, active: tuple[Rule, ...], explain: Callable[[Flag], Statement | None]
    ) -> None:
        """Take which rules hold at a time [s], the worst first, and tell what is new or over."""
        if active == self.rules and len(self._open) == len(active):
            return
        for rule in active:
            if rule not in self.rules:
                self.details[rule.flag] = explain(rule.flag)
            if rule not in self._open and self._is_due(rule, now_s):
                self._told_s[rule] = now_s
                self._open.add(rule)
                detail = self.details[rule.flag]
                said = began(rule, detail)
                severity: Severity = "error" if rule.action >= Action.SETTLE else "warning"
                self._say("core", said, severity)
        for rule in self.rules:
            if rule not in active and rule in self._open:
                self._open.remove(rule)
                self._say("core", safety.FAULT_OVER(fault=rule.fault), None)
        self.rules = active

    def _is_due(self, rule: Rule, now_s: float) -> bool:
        told_s = self._told_s.get(rule, -math.inf)
        return rule.action > Action.WARN or now_s - told_s >= REPEAT_S


def began(rule: Rule, detail: Statement | None) -> Statement:
    """Return that a rule's action begins, with how much or which joint where that is known."""
    action, fault = rule.action.name, rule.fault
    if detail is None:
        return safety.FAULT_BEGAN(action=action, fault=fault)
    return safety.FAULT_BEGAN_WITH(action=action, fault=fault, detail=detail)
