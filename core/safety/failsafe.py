"""The failsafe: a pure function from flags and time to one action, and the owner of its memory."""

import math
from dataclasses import dataclass
from enum import IntEnum

from core.safety.flags import HEALTHY, Flags
from core.safety.rules import RULES, Action, Clears, Rule


class Release(IntEnum):
    """The operator's answer to a fault."""

    NONE = 0
    ACKNOWLEDGE = 1  # the operator made a new request
    RESET = 2  # the mode machine granted a reset


@dataclass(frozen=True, slots=True)
class Memory:
    """The state of the failsafe between two judgements.

    Attributes:
        since_s: for each rule, the time at which its flag was raised; infinity if it is not [s].
        active: for each rule, whether its action holds.
        action: the most severe active action.
        flags: the raised flags.
        waiting: a flag is raised whose rule has not reached its delay.
    """

    since_s: tuple[float, ...]
    active: tuple[bool, ...]
    action: Action
    flags: Flags
    waiting: bool


def calm_memory(rules: tuple[Rule, ...] = RULES) -> Memory:
    """Return the memory of a run without faults."""
    return Memory((math.inf,) * len(rules), (False,) * len(rules), Action.NONE, HEALTHY, False)


def judge(
    memory: Memory,
    now_s: float,
    flags: Flags,
    release: Release = Release.NONE,
    rules: tuple[Rule, ...] = RULES,
) -> Memory:
    """Return the new memory, which contains the action. Pure function.

    Args:
        memory: memory of the previous judgement, under the same rules.
        now_s: present time [s].
        flags: the flags that are raised now.
        release: the operator's answer since then; it ends only actions whose flag is cleared.
        rules: the rules.
    """
    if flags.bits == memory.flags.bits and not memory.waiting and release is Release.NONE:
        return memory
    since: list[float] = []
    active: list[bool] = []
    worst = Action.NONE
    waiting = False
    for i, rule in enumerate(rules):
        if rule.flag in flags:
            # A clock that jumps back must not extend the delay of a rule.
            began_s = min(memory.since_s[i], now_s)
            holds = memory.active[i] or now_s - began_s >= rule.after_s
        else:
            began_s = math.inf
            holds = memory.active[i] and not _ends(rule.clears, release)
        waiting = waiting or (began_s < math.inf and not holds)
        since.append(began_s)
        active.append(holds)
        if holds and rule.action > worst:
            worst = rule.action
    return Memory(tuple(since), tuple(active), worst, flags, waiting)


def _ends(clears: Clears, release: Release) -> bool:
    """Return whether an action ends whose flag is cleared."""
    if clears is Clears.WHEN_HEALTHY:
        return True
    if clears is Clears.BY_OPERATOR:
        return release >= Release.ACKNOWLEDGE
    return release is Release.RESET


class Failsafe:
    """Owns the memory of `judge`."""

    def __init__(self, rules: tuple[Rule, ...] = RULES) -> None:
        self._rules = rules
        self._memory = calm_memory(rules)
        self._release = Release.NONE

    @property
    def action(self) -> Action:
        """The action of the last update."""
        return self._memory.action

    @property
    def active(self) -> tuple[Rule, ...]:
        """The rules whose action holds, the most severe first."""
        holding = [r for r, on in zip(self._rules, self._memory.active, strict=True) if on]
        return tuple(sorted(holding, key=lambda rule: -rule.action))

    @property
    def worst(self) -> Rule | None:
        """The rule with the most severe action, or None."""
        return self.active[0] if self.action else None

    @property
    def stuck(self) -> tuple[Rule, ...]:
        """The rules of DAMP or CUT whose flag is still raised: a reset would have no effect."""
        flags = self._memory.flags
        return tuple(r for r in self.active if r.action >= Action.DAMP and r.flag in flags)

    def acknowledge(self) -> None:
        """Note, for the next update, that the operator made a new request."""
        self._release = max(self._release, Release.ACKNOWLEDGE)

    def reset(self) -> None:
        """Note, for the next update, that a reset was granted."""
        self._release = Release.RESET

    def update(self, now_s: float, flags: Flags) -> Action:
        """Return the most severe action at a time [s]."""
        self._memory = judge(self._memory, now_s, flags, self._release, self._rules)
        self._release = Release.NONE
        return self._memory.action
