"""The operator's hands, and what the operator reads: shared by every kind of handset."""

from dataclasses import dataclass, field

BUTTONS = 10
STICKS = ("left_x", "left_y", "right_x", "right_y")


@dataclass(slots=True)
class Operator:
    """What the operator does with the handset in the hand.

    Attributes:
        buttons: bits of those pressed; the first is bit 0.
        sticks: each axis, -1 to 1, as STICKS.
        dead_man: it is held.
        present: the handset is on and in reach; without it there is no radio.
        link_quality: share of its packets that arrive [%].
        battery_v: of the handset [V].
        stop: the stop button of the wireless stop is pressed.
        remote: the wireless stop is on and in reach.
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
        """Tell whether a packet of the handset arrives, by its number."""
        quality = self.link_quality
        return self.present and (packet + 1) * quality // 100 > packet * quality // 100

    def lay_down(self) -> None:
        """Let everything of the handset go; the stop button of the wireless stop stays."""
        self.buttons = 0
        self.sticks[:] = [0.0] * len(STICKS)
        self.dead_man = False


@dataclass(slots=True)
class Screen:
    """What a handset's screen says.

    Attributes:
        lines: of text, by the name of the handset or the row.
        battery_v: of the robot; not there on every handset [V].
        charge: of the robot's battery, 0 to 1.
        severity: of the alarm, 0 to 3.
        updates: how often it was written.
    """

    lines: dict[str, str] = field(default_factory=dict)
    battery_v: float = 0.0
    charge: float = 0.0
    severity: int = 0
    updates: int = 0
