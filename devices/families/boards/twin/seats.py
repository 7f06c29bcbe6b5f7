"""Where boards of our own are in the twin, and how they are built in."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ContactSeat:
    """A contact board: line, number as source, and which of the robot's contacts it has."""

    line: str
    source: int
    contacts: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Motor:
    """One motor of a hand; its own position is sign * q + zero_rad.

    Attributes:
        joint: it moves.
        sign: 1, or -1 if it turns the other way.
        zero_rad: its own position where the joint's is 0 [rad].
        torque_constant: torque of the joint by the motor's current [N·m/A].
        stiffness: of its position loop, which is the board's own [N·m/rad].
        damping: of the same [N·m·s/rad].
    """

    joint: str
    sign: int = 1
    zero_rad: float = 0.0
    torque_constant: float = 0.43
    stiffness: float = 0.5
    damping: float = 0.02


@dataclass(frozen=True, kw_only=True, slots=True)
class HandSeat:
    """A hand board: line, number as source, and its motors in their order."""

    line: str
    source: int
    motors: tuple[Motor, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class BatterySeat:
    """A battery monitor.

    Attributes:
        line: that it hangs on.
        source: its number.
        pack: which one it measures, 0 for the first.
        packs: how many there are.
        series: they share the voltage and not the current.
        cells: of all packs in series.
    """

    line: str
    source: int
    pack: int = 0
    packs: int = 1
    series: bool = False
    cells: int = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class SupervisorSeat:
    """The power supervisor: line, number as source, and what its stop timer is set to [ms]."""

    line: str
    source: int = 0x66
    stop_set_ms: int = 800
