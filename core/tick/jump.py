"""The jumps that an operator asks for by hand."""

from typing import Protocol

from msgspec.structs import astuple

from core.link.catalogue import refusals as why
from core.link.commands import StartJump
from core.link.statement import Statement
from core.safety.modes import Mode
from core.safety.rules import Action
from devices.interface import Support
from shows.gaits import GaitRange, Jump

JUMP_MODES = frozenset({Mode.READY, Mode.WALK})


class Jumper(Protocol):
    """The part of a plant that jumps."""

    support: Support

    @property
    def jumps(self) -> bool:
        """A jump is requested that the robot has not finished."""


class JumpByHand:
    """Owns the jumps that an operator asked for; they count in WALK, which they enter from READY.

    Args:
        gaits: runs and jumps of the robot.
        plant: the body that would jump.

    Attributes:
        asked: the request; None without one.
    """

    def __init__(self, gaits: GaitRange, plant: Jumper) -> None:
        self._gaits, self._plant = gaits, plant
        self._begun = False
        self.asked: Jump | None = None

    def start(self, command: StartJump, mode: Mode, action: Action) -> Statement | None:
        """Ask for jumps, which replace the present ones, or return the reason of the refusal."""
        limits = self._gaits.jump
        if limits is None:
            return why.NO_JUMP(text=self._gaits.refusal("jump"))
        if self._plant.support is Support.SEATED:
            return why.JUMP_SEATED()
        if mode not in JUMP_MODES:
            return why.WRONG_MODE(mode=mode.name)
        if action >= Action.HOLD:
            return why.FAULT_HOLDS()
        for _, reason in limits.faults(command):
            return why.JUMP_BEYOND(text=reason)
        # A new object, also of a command that is sent again: the plant takes it as a new request.
        self.asked, self._begun = Jump(*astuple(command)), False
        return None

    def update(self) -> Jump | None:
        """Return the request of this tick; it ends with the last of its jumps."""
        if self.asked is not None:
            jumps = self._plant.jumps
            if self._begun and not jumps:
                self.asked = None
            self._begun = jumps
        return self.asked

    def end(self) -> None:
        """End the jumps after the flight that has been pushed for; without one nothing happens."""
        self.asked = None
