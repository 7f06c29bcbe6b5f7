"""From flags and time to the one action that wins: a pure function, and who remembers for it."""

import math
from dataclasses import dataclass
from enum import IntEnum

from core.safety.flags import HEALTHY, Flags
from core.safety.rules import RULES, Action, Clears, Rule


class Release(IntEnum):
    """What a person did about it."""

    NONE = 0
    ACKNOWLEDGE = 1  # asked for something anew
    RESET = 2  # a reset that the mode machine has granted


@dataclass(frozen=True, slots=True)
class Memory:
    """What the failsafe must remember between two judgements.

    Attributes:
        since_s: for each rule, since when its flag is raised; infinite if it is not [s].
        active: for each rule, whether its action holds.
        action: the worst of them.
        flags: what was raised.
        waiting: some rule's flag is raised whose time has not come yet.
    """

    since_s: tuple[float, ...]
    active: tuple[bool, ...]
    action: Action
    flags: Flags
    waiting: bool


def calm_memory(rules: tuple[Rule, ...] = RULES) -> Memory:
    """Return the memory of a life without faults."""
    return Memory((math.inf,) * len(rules), (False,) * len(rules), Action.NONE, HEALTHY, False)


def judge(
    memory: Memory,
    now_s: float,
    flags: Flags,
    release: Release = Release.NONE,
    rules: tuple[Rule, ...] = RULES,
) -> Memory:
    """Return what to remember, and with it the action. Pure: same arguments, same result.

    Args:
        memory: of the previous judgement under the same rules.
        now_s: [s].
        flags: what is raised now.
        release: what a person did since; it ends only actions whose flag is down.
        rules: what leads to what.
    """
    if flags.bits == memory.flags.bits and not memory.waiting and release is Release.NONE:
        return memory
    since: list[float] = []
    active: list[bool] = []
    worst = Action.NONE
    waiting = False
    for i, rule in enumerate(rules):
        if rule.flag in flags:
            # A clock that jumps back must not extend anybody's grace.
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
    """Tell whether an action whose flag is down ends."""
    if clears is Clears.WHEN_HEALTHY:
        return True
    if clears is Clears.BY_OPERATOR:
        return release >= Release.ACKNOWLEDGE
    return release is Release.RESET


class Failsafe:
    """Owns the memory that `judge` needs."""

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
        """Rules whose action holds, the worst first."""
        holding = [r for r, on in zip(self._rules, self._memory.active, strict=True) if on]
        return tuple(sorted(holding, key=lambda rule: -rule.action))

    @property
    def worst(self) -> Rule | None:
        """The rule behind the action, or None."""
        return self.active[0] if self.action else None

    @property
    def stuck(self) -> tuple[Rule, ...]:
        """Rules of DAMP or CUT whose flag is still raised, so that a reset is of no use."""
        flags = self._memory.flags
        return tuple(r for r in self.active if r.action >= Action.DAMP and r.flag in flags)

    def acknowledge(self) -> None:
        """Note, for the next update, that the operator asked for something anew."""
        self._release = max(self._release, Release.ACKNOWLEDGE)

    def reset(self) -> None:
        """Note, for the next update, that a reset was granted."""
        self._release = Release.RESET

    def update(self, now_s: float, flags: Flags) -> Action:
        """Return the worst action at a time [s]."""
        self._memory = judge(self._memory, now_s, flags, self._release, self._rules)
        self._release = Release.NONE
        return self._memory.action
