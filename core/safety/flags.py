"""Health flags: each names one fault; no raised flag means a healthy robot."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, auto
from typing import Self


class Flag(IntEnum):
    """The faults that health detects. The value is the flag's bit in the record."""

    ESTOP_OPEN = 0
    STOP_PRESSED = auto()
    FALLEN = auto()
    STATE_INVALID = auto()
    COMMAND_INVALID = auto()
    QP_UNSOLVED = auto()
    QP_FAILED = auto()
    ESTIMATOR_DIVERGED = auto()
    IMU_LATE = auto()
    IMU_LOST = auto()
    IMU_LOST_STEPPING = auto()
    JOINT_SILENT = auto()
    LEG_SILENT = auto()
    MINOR_JOINT_SILENT = auto()
    WINDING_WARM = auto()
    WINDING_HOT = auto()
    WINDING_OVERHEATED = auto()
    BATTERY_LOW = auto()
    BATTERY_CRITICAL = auto()
    BATTERY_FLAT = auto()
    TICK_LATE = auto()
    TICK_STALLED = auto()
    OPERATOR_SILENT = auto()
    HANDSET_SILENT = auto()
    WATCHDOG_LOST = auto()
    SIBLING_LOST = auto()
    SOUND_LOST = auto()
    DEVICE_TROUBLED = auto()
    DEVICE_LOST = auto()
    LEG_WARM = auto()


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags that are raised in one tick. It is false if the robot is healthy.

    Attributes:
        bits: one bit for each raised Flag.
    """

    bits: int = 0

    @classmethod
    def of(cls, *flags: Flag) -> Self:
        """Return flags of which the given ones are raised."""
        return cls(sum({1 << flag for flag in flags}))

    def __contains__(self, flag: Flag) -> bool:
        return bool(self.bits >> flag & 1)

    def __iter__(self) -> Iterator[Flag]:
        return (flag for flag in Flag if flag in self)

    def __bool__(self) -> bool:
        return self.bits != 0


HEALTHY = Flags()
