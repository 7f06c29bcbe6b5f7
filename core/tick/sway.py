"""The sway that an operator asks for by hand."""

from core.link.catalogue import refusals as why
from core.link.commands import StartSway
from core.link.statement import Statement
from core.plants.interface import Plant, Sway
from core.safety.modes import Mode
from core.safety.rules import Action
from devices.interface import Support
from shows.joints import SwayRange


class SwayByHand:
    """Owns the sway that an operator asked for; it counts in READY only.

    Args:
        limits: range of the robot; None: it does not sway.
        plant: the body that would sway.

    Attributes:
        asked: the request; None without one.
    """

    def __init__(self, limits: SwayRange | None, plant: Plant) -> None:
        self._limits, self._plant = limits, plant
        self.asked: Sway | None = None

    def start(
        self, command: StartSway, mode: Mode, action: Action, follows: bool, led: bool
    ) -> Statement | None:
        """Ask for a sway, which replaces the present one, or return the reason of the refusal.

        Args:
            command: the sway.
            mode: present mode.
            action: present action of the failsafe.
            follows: a person leads the body.
            led: a stick leads the body.
        """
        limits = self._limits
        if limits is None:
            return why.NO_SWAY()
        if self._plant.support is Support.SEATED:
            return why.SWAY_SEATED()
        if mode is not Mode.READY:
            return why.WRONG_MODE(mode=mode.name)
        if action >= Action.HOLD:
            return why.FAULT_HOLDS()
        if follows:
            return why.SWAY_FOLLOWS()
        if led:
            return why.SWAY_LED()
        sway = Sway(command.direction, command.amplitude_m, command.frequency_hz, command.cycles)
        for _, reason in limits.faults(sway.direction, sway.amplitude_m, sway.frequency_hz):
            return why.SWAY_BEYOND(text=reason)
        self.asked = sway
        return None

    def end(self) -> None:
        """End the sway; without one nothing happens."""
        self.asked = None
