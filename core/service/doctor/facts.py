"""What the doctor knows before it judges: plain facts, which readers bring and tests make up."""

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
    """What the system lets the loop do.

    Attributes:
        refused: what it refused of what the loop asks for when it starts; a sentence each.
        fifo_limit: highest FIFO priority that a process of this user may ask for.
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
        real_time: it is one with PREEMPT_RT.
        processors: how many there are.
        isolated: which are kept free of other programs, in the kernel's words; empty if none.
        governors: who sets the clock rate of each processor; empty if the system does not tell.
        swaps: files and partitions that memory may be moved to.
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
        resolution_s: of the monotonic clock [s].
        source: of the kernel's time; empty if it does not tell.
        synchronised: the wall clock follows a time server.
    """

    resolution_s: float
    source: str
    synchronised: bool


@dataclass(frozen=True, slots=True)
class Disk:
    """Where records are written.

    Attributes:
        folder: as it was asked for.
        problem: why nothing can be written there; empty if it can.
        free_bytes: what is left.
    """

    folder: str
    problem: str
    free_bytes: int


@dataclass(frozen=True, slots=True)
class Machine:
    """Everything about the computer.

    Attributes:
        rights: as the class says; so are the others.
        missing: names of packages that are not installed.
        wanted_output: name of the sound output that shall be used, None for the default.
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
        problem: why it cannot be used, one sentence; empty if it can.
        unit: which one it is of.
        date: of its newest change; None if there is none.
        today: the date.
    """

    problem: str
    unit: str
    date: datetime.date | None
    today: datetime.date


@dataclass(frozen=True, slots=True)
class Battery:
    """What the pack says of itself.

    Attributes:
        voltage_v: at its terminals [V].
        charge: what is left, 0 to 1.
        low_v: below this the robot warns [V].
        low_charge: likewise.
    """

    voltage_v: float
    charge: float
    low_v: float
    low_charge: float


@dataclass(frozen=True, slots=True)
class Robot:
    """Everything about the robot.

    Attributes:
        lines: every serial line.
        actuators: every actuator whose line could be opened.
        tried_firmware: versions of actuators that were tried on the bench.
        motors_on: their supply is on; None if nobody tells.
        calibration: as the class says.
        troubles: what the drivers of the other devices say is wrong.
        plates: device and what it says of itself, for each that does.
        channels: of the E-stop chain; empty if nobody reads it.
        battery: None if there is no monitor, or its line could not be opened.
        handset: likewise.
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
