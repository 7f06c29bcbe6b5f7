"""The body as an operator leads it by a stick."""

import math

from core.behave.manager import MotionManager
from core.behave.reference import MotionState
from core.link.body import LeadBody
from core.link.catalogue import refusals as why
from core.link.statement import Statement
from core.plants.interface import Plant
from core.safety.modes import Mode
from core.safety.rules import Action
from core.tick.standing import may_move
from devices.interface import Support
from shows.body_limb import KIND

SILENCE_S = 0.5  # coordinates that are not repeated within this time end the lead: chosen


class BodyByStick:
    """Owns the lead of the body by a stick: a stream of coordinates from one sender.

    The first sender has the body until its lead ends. The lead ends with the stream. A stream that
    was refused, or whose lead something else has ended, counts again only after a `ReleaseBody` of
    its sender: whoever holds the stick must let it go first.

    Args:
        manager: owns the body.
        plant: the robot.

    Attributes:
        leads: a stick leads the body.
    """

    def __init__(self, manager: MotionManager, plant: Plant) -> None:
        self._manager, self._plant = manager, plant
        self.leads = False
        self._led = False  # in the last tick
        self._leader = ""
        self._barred: set[str] = set()
        self._heard_s = -math.inf

    def lead(
        self,
        now_s: float,
        sender: str,
        command: LeadBody,
        mode: Mode,
        action: Action,
        follows: bool,
    ) -> Statement | None:
        """Lead the body, or return the reason of the refusal, once for each stream.

        Args:
            now_s: time of the tick [s].
            sender: of the command.
            command: the coordinates.
            mode: present mode.
            action: present action of the failsafe.
            follows: a person leads the body.
        """
        if sender in self._barred:
            return None
        refusal = self._refusal(mode, action, follows)
        if refusal is not None:
            self.end()
        elif self.leads and sender != self._leader:
            refusal = why.BODY_LED()
        if refusal is not None:
            self._barred.add(sender)
            return refusal
        self.leads, self._leader, self._heard_s = True, sender, now_s
        coordinates = (command.roll, command.pitch, command.yaw, command.height, command.left, 0.0)
        self._manager.sticks.lead_body(now_s, coordinates)
        return None

    def release(self, sender: str) -> None:
        """Return the body to the show, whoever leads it; the next stream of the sender counts."""
        self.end()
        self._barred.discard(sender)

    def end(self) -> None:
        """End the lead; its sender must release the body before it counts again."""
        if self.leads:
            self._barred.add(self._leader)
        self.leads = False

    def follow(self, now_s: float, active: bool) -> None:
        """Return the body to the show when nothing leads it any more.

        Args:
            now_s: time of the tick [s].
            active: the mode lets the body move.
        """
        silent = now_s - self._heard_s > SILENCE_S
        if not active or silent or self._was_taken():
            self.end()
        if self._led and not self.leads:
            self._manager.sticks.release_body(now_s)
        self._led = self.leads

    def _was_taken(self) -> bool:
        """Return whether a person or a rest has taken the body from the stick."""
        return self._manager.state(KIND) in (MotionState.LIVE, MotionState.REST)

    def _refusal(self, mode: Mode, action: Action, follows: bool) -> Statement | None:
        if not self._manager.sticks.has_body:
            return why.NO_BODY()
        if self._plant.support is Support.SEATED:
            return why.BODY_SEATED()
        if mode is Mode.RECORD:
            return why.LIMBS_BY_HAND()
        return may_move(mode, action) or (why.BODY_FOLLOWS() if follows else None)
