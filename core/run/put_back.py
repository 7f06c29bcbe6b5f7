"""Puts a simulated robot back on its feet: places it, then requests RESET and STAND UP."""

import math
from collections.abc import Sequence

from core.link.catalogue import refusals as why
from core.link.commands import Command, Head, Push, PutBack, Reset, StandUp, Volume, Walk
from core.link.statement import Statement
from core.safety.modes import TORQUE, Mode
from core.tick.performer import Performer
from devices.interface import Simulated

SENDER = "put back"
PATIENCE_S = 10.0  # longest time until the conditions of a reset are met
RESET_EVERY_S = 0.5  # period of RESET until the motors have their supply
_STREAMED = (Walk, Head, Volume, Push)  # these do not show that an operator has decided otherwise


class PutBackSequence:
    """Owns the steps after a PUT BACK; every other command of an operator ends them.

    Failsafe and modes judge its requests like those of an operator.

    Args:
        performer: of the robot.
        simulated: the body; None for a real one, which nobody can place.
    """

    def __init__(self, performer: Performer, simulated: Simulated | None) -> None:
        self._performer, self._simulated = performer, simulated
        self._since_s: float | None = None
        self._next_reset_s = -math.inf

    def update(
        self, now_s: float, commands: Sequence[tuple[str, Command]]
    ) -> list[tuple[str, Command]]:
        """Return the requests at a time.

        Args:
            now_s: present time [s].
            commands: the operators' commands of this tick.
        """
        for _, command in commands:
            if isinstance(command, PutBack):
                self._begin(now_s)
            elif not isinstance(command, _STREAMED):
                self._since_s = None
        return [] if self._since_s is None else self._proceed(now_s, self._since_s)

    def _begin(self, now_s: float) -> None:
        mode = self._performer.mode
        if self._simulated is None:
            self._refuse(why.ONLY_SIMULATED())
        elif mode in TORQUE:
            self._refuse(why.LIMP_FIRST(mode=mode.name))
        else:
            self._simulated.put_back()
            self._performer.put_back()
            self._since_s = now_s

    def _proceed(self, now_s: float, since_s: float) -> list[tuple[str, Command]]:
        modes, facts = self._performer.modes, self._performer.mode_facts
        reason = why.NOT_READABLE()
        if modes.needs_reset(facts):
            unmet = [c for c in modes.reset_conditions(now_s, facts) if not c.holds]
            if unmet:
                reason = unmet[0].refusal
            elif now_s >= self._next_reset_s:
                self._next_reset_s = now_s + RESET_EVERY_S
                return [(SENDER, Reset())]
        elif modes.mode is Mode.DAMPED:
            self._since_s = None
            return [(SENDER, StandUp())]
        if now_s - since_s > PATIENCE_S:
            self._since_s = None
            self._refuse(reason)
        return []

    def _refuse(self, reason: Statement) -> None:
        self._performer.say("core", why.REFUSED(command="put_back", reason=reason))
