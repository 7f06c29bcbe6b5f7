"""Lines, numbers and mounting of Footlight's boards in the twin."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ContactSeat:
    """A contact board: line, number as source, and the indices of its contacts in the robot."""

    line: str
    source: int
    contacts: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Motor:
    """One motor of a hand; its position is sign * q + zero_rad.

    Attributes:
        joint: joint that the motor moves.
        sign: 1, or -1 if the motor turns against the joint.
        zero_rad: position of the motor at which the joint's position is 0 [rad].
        torque_constant: torque of the joint by the motor's current [N·m/A].
        stiffness: stiffness of the board's position loop [N·m/rad].
        damping: damping of the same [N·m·s/rad].
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
        line: line that the monitor is connected to.
        source: number of the monitor.
        pack: number of its pack, 0 for the first.
        packs: number of packs.
        series: the packs are in series: they share the voltage, not the current.
        cells: cells of all packs in series.
    """

    line: str
    source: int
    pack: int = 0
    packs: int = 1
    series: bool = False
    cells: int = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class SupervisorSeat:
    """The power supervisor: line, number as source, and the setting of its stop timer [ms]."""

    line: str
    source: int = 0x66
    stop_set_ms: int = 800
