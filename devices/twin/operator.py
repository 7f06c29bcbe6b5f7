"""The operator's controls and screen, common to every kind of handset."""

from dataclasses import dataclass, field

BUTTONS = 10
STICKS = ("left_x", "left_y", "right_x", "right_y")


@dataclass(slots=True)
class Operator:
    """State of the handset in the operator's hands.

    Attributes:
        buttons: bits of the pressed buttons; the first is bit 0.
        sticks: each axis, -1 to 1, as STICKS.
        dead_man: the dead-man switch is held.
        present: the handset is on and in range; without it there is no radio.
        link_quality: fraction of its packets that arrive [%].
        battery_v: battery of the handset [V].
        stop: the stop button of the wireless stop is pressed.
        remote: the wireless stop is on and in range.
    """

    buttons: int = 0
    sticks: list[float] = field(default_factory=lambda: [0.0] * len(STICKS))
    dead_man: bool = False
    present: bool = True
    link_quality: int = 100
    battery_v: float = 3.9
    stop: bool = False
    remote: bool = True

    def heard(self, packet: int) -> bool:
        """Return whether a packet of the handset arrives, by its number."""
        quality = self.link_quality
        return self.present and (packet + 1) * quality // 100 > packet * quality // 100

    def lay_down(self) -> None:
        """Release all controls of the handset; the wireless stop's button keeps its state."""
        self.buttons = 0
        self.sticks[:] = [0.0] * len(STICKS)
        self.dead_man = False


@dataclass(slots=True)
class Screen:
    """Content of a handset's screen.

    Attributes:
        lines: lines of text, by the name of the handset or the row.
        battery_v: voltage of the robot's battery; not on every handset [V].
        charge: charge of the robot's battery, 0 to 1.
        severity: severity of the alarm, 0 to 3.
        updates: number of updates.
    """

    lines: dict[str, str] = field(default_factory=dict)
    battery_v: float = 0.0
    charge: float = 0.0
    severity: int = 0
    updates: int = 0
