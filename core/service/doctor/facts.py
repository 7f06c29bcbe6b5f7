"""Facts for the doctor's checks, as plain data from readers or tests."""

import datetime
from dataclasses import dataclass

from devices.interface import (
    ActuatorFacts,
    HandsetSample,
    LineFacts,
    SoundFacts,
    StopChannel,
    Trouble,
)


@dataclass(frozen=True, slots=True)
class Rights:
    """Permissions of the loop.

    Attributes:
        refused: requests of the loop's start that the system refused; a sentence each.
        fifo_limit: highest FIFO priority that a process of this user may request.
        memlock_limit: bytes that it may lock; -1 is any number.
    """

    refused: tuple[str, ...]
    fifo_limit: int
    memlock_limit: int


@dataclass(frozen=True, slots=True)
class Kernel:
    """The system's kernel and processors.

    Attributes:
        release: name of the kernel.
        real_time: the kernel has PREEMPT_RT.
        processors: number of processors.
        isolated: processors isolated from other programs, as the kernel lists them; empty if none.
        governors: clock rate governor of each processor; empty if the system does not report it.
        swaps: files and partitions for swapping.
    """

    release: str
    real_time: bool
    processors: int
    isolated: str
    governors: tuple[str, ...]
    swaps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clocks:
    """The computer's clocks.

    Attributes:
        resolution_s: resolution of the monotonic clock [s].
        source: source of the kernel's time; empty if unknown.
        synchronised: the wall clock follows a time server.
    """

    resolution_s: float
    source: str
    synchronised: bool


@dataclass(frozen=True, slots=True)
class Disk:
    """The folder of records.

    Attributes:
        folder: the requested folder.
        problem: reason why it is not writable; empty if it is.
        free_bytes: free space.
    """

    folder: str
    problem: str
    free_bytes: int


@dataclass(frozen=True, slots=True)
class Machine:
    """All facts about the computer.

    Attributes:
        rights: see its class; likewise for the other fields.
        missing: names of packages that are not installed.
        wanted_output: name of the selected sound output, None for the default.
    """

    rights: Rights
    kernel: Kernel
    clocks: Clocks
    disk: Disk
    sound: SoundFacts
    missing: tuple[str, ...]
    wanted_output: str | None


@dataclass(frozen=True, slots=True)
class CalibrationFacts:
    """The calibration of the robot's unit.

    Attributes:
        problem: reason why it is unusable, one sentence; empty if it is usable.
        unit: name of its unit.
        date: date of its newest change; None without a change.
        today: the date.
    """

    problem: str
    unit: str
    date: datetime.date | None
    today: datetime.date


@dataclass(frozen=True, slots=True)
class Battery:
    """State of the battery.

    Attributes:
        voltage_v: voltage at its terminals [V].
        charge: remaining charge, 0 to 1.
        low_v: voltage below which the robot warns [V].
        low_charge: charge below which the robot warns.
    """

    voltage_v: float
    charge: float
    low_v: float
    low_charge: float


@dataclass(frozen=True, slots=True)
class Robot:
    """All facts about the robot.

    Attributes:
        lines: every serial line.
        actuators: every actuator whose line could be opened.
        tried_firmware: tested firmware versions of actuators.
        motors_on: the motors have their supply; None if no device reports it.
        calibration: see its class.
        troubles: faults of the other devices, as their drivers report them.
        plates: name and identity of each device that sends one.
        channels: channels of the E-stop chain; empty if no device reads it.
        battery: None if there is no monitor, or its line could not be opened.
        handset: None if there is no handset, or its line could not be opened.
        unseen: which of these two the robot has, on a line that could not be opened.
    """

    lines: tuple[LineFacts, ...]
    actuators: tuple[ActuatorFacts, ...]
    tried_firmware: tuple[str, ...]
    motors_on: bool | None
    calibration: CalibrationFacts
    troubles: tuple[Trouble, ...] = ()
    plates: tuple[tuple[str, str], ...] = ()
    channels: tuple[StopChannel, ...] = ()
    battery: Battery | None = None
    handset: HandsetSample | None = None
    unseen: tuple[str, ...] = ()
