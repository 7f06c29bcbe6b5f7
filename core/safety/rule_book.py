"""The rules that hold, and the events of their beginning and end."""

import math
from collections.abc import Callable

from core.link.catalogue import safety
from core.link.statement import Severity, Statement
from core.safety.flags import Flag
from core.safety.rules import Action, Rule

REPEAT_S = 5.0  # shortest time between two events of the same warning


class RuleBook:
    """Emits one event when a rule begins to hold and one when it ends.

    A rule that reduces motion is reported every time it begins. A warning that comes and goes,
    as from a noisy bus, is reported at most every REPEAT_S, so that it does not fill the event log.

    Args:
        say: takes actor, statement and severity of an event.

    Attributes:
        rules: the rules that hold, the most severe first.
        details: for each raised flag, the joint or value behind it.
    """

    def __init__(self, say: Callable[[str, Statement, Severity | None], None]) -> None:
        self.rules: tuple[Rule, ...] = ()
        self.details: dict[Flag, Statement | None] = {}
        self._say = say
        self._reported_s: dict[Rule, float] = {}
        self._open: set[Rule] = set()  # begin was reported, end was not

    def update(
        self, now_s: float, active: tuple[Rule, ...], explain: Callable[[Flag], Statement | None]
    ) -> None:
        """Take the rules that hold at a time [s], the most severe first, and emit events."""
        if active == self.rules and len(self._open) == len(active):
            return
        for rule in active:
            if rule not in self.rules:
                self.details[rule.flag] = explain(rule.flag)
            if rule not in self._open and self._is_due(rule, now_s):
                self._reported_s[rule] = now_s
                self._open.add(rule)
                detail = self.details[rule.flag]
                statement = began(rule, detail)
                severity: Severity = "error" if rule.action >= Action.SETTLE else "warning"
                self._say("core", statement, severity)
        for rule in self.rules:
            if rule not in active and rule in self._open:
                self._open.remove(rule)
                self._say("core", safety.FAULT_OVER(fault=rule.fault), None)
        self.rules = active

    def _is_due(self, rule: Rule, now_s: float) -> bool:
        reported_s = self._reported_s.get(rule, -math.inf)
        return rule.action > Action.WARN or now_s - reported_s >= REPEAT_S


def began(rule: Rule, detail: Statement | None) -> Statement:
    """Return the event of a rule's beginning, with the joint or value if there is one."""
    action, fault = rule.action.name, rule.fault
    if detail is None:
        return safety.FAULT_BEGAN(action=action, fault=fault)
    return safety.FAULT_BEGAN_WITH(action=action, fault=fault, detail=detail)
