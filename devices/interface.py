"""What the core knows of a body: plain arrays, and protocols without an implementation.

Joint arrays have one entry a joint in the order of the robot's profile: first the joints
that the whole-body controller drives, then the hands'. SI units throughout.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]


class Support(StrEnum):
    """What carries the robot besides its contacts."""

    SEATED = "seated"
    GANTRY = "gantry"
    FLOOR = "floor"
    MOUNTED = "mounted"  # a base that does not move


@dataclass(slots=True)
class Sample:
    """One reading of a body. The body owns the arrays and overwrites them at the next read.

    Attributes:
        stamp_s: when it was measured, on the body's clock [s].
        q: joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        tau: joint torques as the actuators estimate them (n) [N·m].
        winding_c: winding temperatures, not a number where none is told (n) [°C].
        joint_age_s: time since each joint's last valid reply (n) [s].
        gyro: angular velocity of the IMU, in the IMU frame (3) [rad/s].
        accel: specific force at the IMU, in the IMU frame (3) [m/s²].
        imu_age_s: time since the last valid IMU packet, infinite without an IMU [s].
        contacts: whether each contact switch touches the ground, in the profile's order (k).
        contact_age_s: time since each switch's last valid reading, which `contacts` keeps (k) [s].
        battery_v: voltage of the battery, or of the mains supply [V].
        battery_a: supply current, positive when it discharges the battery [A].
        battery_charge: remaining charge of the battery, 0 to 1; 1 on mains.
        estop_closed: every channel of the hardware E-stop chain is closed.
    """

    stamp_s: float
    q: Floats
    dq: Floats
    tau: Floats
    winding_c: Floats
    joint_age_s: Floats
    gyro: Floats
    accel: Floats
    imu_age_s: float
    contacts: Bools
    contact_age_s: Floats
    battery_v: float
    battery_a: float
    battery_charge: float
    estop_closed: bool

    @classmethod
    def zeros(cls, joint_count: int, contact_count: int) -> Self:
        """Return a sample of a cold, still body that was never read."""
        n = joint_count
        return cls(
            stamp_s=0.0,
            q=np.zeros(n),
            dq=np.zeros(n),
            tau=np.zeros(n),
            winding_c=np.full(n, 25.0),
            joint_age_s=np.full(n, np.inf),
            gyro=np.zeros(3),
            accel=np.zeros(3),
            imu_age_s=np.inf,
            contacts=np.zeros(contact_count, dtype=np.bool_),
            contact_age_s=np.full(contact_count, np.inf),
            battery_v=0.0,
            battery_a=0.0,
            battery_charge=0.0,
            estop_closed=True,
        )


@dataclass(slots=True)
class JointCommand:
    """What each actuator shall do: tau_ff + kp (q - q_measured) + kd (dq - dq_measured).

    Attributes:
        q: desired positions (n) [rad].
        dq: desired velocities (n) [rad/s].
        tau: feed-forward torques (n) [N·m].
        kp: stiffness (n) [N·m/rad].
        kd: damping (n) [N·m·s/rad].
    """

    q: Floats
    dq: Floats
    tau: Floats
    kp: Floats
    kd: Floats

    @classmethod
    def zeros(cls, joint_count: int) -> Self:
        """Return a command of no torque at all."""
        return cls(*(np.zeros(joint_count) for _ in range(5)))


@dataclass(slots=True)
class Truth:
    """What only a simulator knows. World frame; the body overwrites the arrays.

    Attributes:
        q: joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        tau_applied: joint torques after the actuators' limits and friction (n) [N·m].
        base_position: origin of the base frame (3) [m].
        base_velocity: linear velocity of the base frame's origin (3) [m/s].
        base_rpy: roll, pitch and yaw of the base (3) [rad].
        base_spin: angular velocity of the base, in the base frame (3) [rad/s].
        com: centre of mass of the robot (3) [m].
        com_velocity: its velocity (3) [m/s].
        contacts: whether each contact switch touches the ground (k).
        contact_force: force of the ground at each contact switch (k, 3) [N].
        external_force: force of every push on the robot (3) [N].
    """

    q: Floats
    dq: Floats
    tau_applied: Floats
    base_position: Floats
    base_velocity: Floats
    base_rpy: Floats
    base_spin: Floats
    com: Floats
    com_velocity: Floats
    contacts: Bools
    contact_force: Floats
    external_force: Floats


class Clock(Protocol):
    """The time that a body lives in."""

    def now_s(self) -> float:
        """Return the monotonic time [s]."""

    def wait_until(self, stamp_s: float) -> float:
        """Wait for an absolute time [s] and return how late it is [s]."""


class Timekeeper(Clock, Protocol):
    """The time that real devices live in; a twin's stands still while nobody waits."""

    def wait_readable(self, descriptors: Sequence[int], until_s: float) -> bool:
        """Wait until one of these file descriptors has bytes, or until a time [s]; tell which.

        A descriptor that was hung up counts as readable.
        """


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong with a device, while it is.

    Attributes:
        device: which one, as the technician calls it ("left leg bus").
        text: what is wrong and what to do, one sentence.
        grave: the robot shall not move on its own until it is mended.
    """

    device: str
    text: str
    grave: bool = False


@dataclass(frozen=True, slots=True)
class StopChannel:
    """One channel of the hardware E-stop chain, as it is read; unknown is open."""

    name: str
    closed: bool


@dataclass(slots=True)
class HandsetSample:
    """What the operator's handset says. The handset owns it and overwrites it at the next read.

    Attributes:
        age_s: since its last valid frame; infinite if there never was one [s].
        dead_man: it is held.
        buttons: which are pressed (10).
        sticks: left x, left y, right x, right y; right and up are positive, -1 to 1 (4).
        battery_v: of the handset; not a number if it does not tell [V].
        quality: share of its frames that arrive, 0 to 1.
    """

    age_s: float
    dead_man: bool
    buttons: Bools
    sticks: Floats
    battery_v: float
    quality: float

    @classmethod
    def silent(cls) -> Self:
        """Return what a handset says that was never heard."""
        return cls(np.inf, False, np.zeros(10, dtype=np.bool_), np.zeros(4), np.nan, 0.0)


@dataclass(frozen=True, slots=True)
class HandsetScreen:
    """What the operator reads on the handset.

    Attributes:
        mode: of the robot.
        charge: of its battery, 0 to 1.
        battery_v: its voltage [V].
        alarm: the worst one; empty if there is none.
        severity: of that alarm, 0 (none) to 3 (the worst).
    """

    mode: str
    charge: float
    battery_v: float
    alarm: str = ""
    severity: int = 0


class Handset(Protocol):
    """The operator's handset. No method waits or raises."""

    @property
    def authenticated(self) -> bool:
        """Its frames prove who sends them."""

    def read(self, now_s: float) -> HandsetSample:
        """Return what it says by now [s]."""

    def show(self, screen: HandsetScreen) -> None:
        """Send this to its screen as soon as the link has room."""

    def troubles(self) -> tuple[Trouble, ...]:
        """Return what is wrong with it and its receiver."""


class Body(Protocol):
    """A robot's actuators and sensors, one command and one sample a tick."""

    clock: Clock

    def read(self) -> Sample:
        """Return the newest sample within its deadline; ages tell what is missing."""

    def write(self, command: JointCommand) -> None:
        """Send a command to every joint; a bus that is gone is told by ages and troubles.

        Raises:
            DeviceError: the command holds no numbers, or the body is closed or has failed.
        """

    def damp(self) -> None:
        """Let every joint resist motion and nothing else."""

    def stop(self) -> None:
        """Take the torque from every joint. Never raises, never waits, may be repeated."""

    def troubles(self) -> tuple[Trouble, ...]:
        """Return what is wrong with its devices, each thing once."""

    def stop_channels(self) -> tuple[StopChannel, ...]:
        """Return the channels of the hardware E-stop chain, as they were last read."""

    def powered(self) -> bool:
        """Tell whether the motors have their supply."""

    def restore(self) -> None:
        """Give the motors their supply, as a person has asked with RESET. Never raises or waits.

        Whatever takes it away again ends the wish.
        """

    def close(self) -> None:
        """Stop and release every device."""


@runtime_checkable
class Simulated(Protocol):
    """A body that knows the truth about itself."""

    def truth(self) -> Truth:
        """Return the true state at the last sample's time."""

    def push(self, force_in_world: Floats, duration_s: float, hand: str = "") -> None:
        """Push the torso with a constant force [N] for a time, starting now.

        A push ends one by the same hand that still lasts; those of no hand add up.
        """


@dataclass(frozen=True, slots=True)
class LineFacts:
    """A serial line as it was found before a show.

    Attributes:
        device: what hangs on it, as the technician calls it.
        path: where it should be.
        baud: its speed.
        troubles: what is wrong with it; empty if it was opened and is as it should be.
        holder: whose it is, if another program has it and the system tells which.
        held_by_core: that program is a core of ours.
        timer_ms: how long its adapter holds replies back; 0 if it does not tell [ms].
        spare: the robot can do without it.
    """

    device: str
    path: str
    baud: int
    troubles: tuple[str, ...] = ()
    holder: str = ""
    held_by_core: bool = False
    timer_ms: int = 0
    spare: bool = False


@dataclass(frozen=True, slots=True)
class ActuatorFacts:
    """An actuator as it was found before a show.

    Attributes:
        joint: it moves.
        device: its line, as the technician calls it.
        id: on that line.
        versions: of hardware and firmware, as it tells them; empty if it did not answer.
        faults: what it says is wrong with it, and what to do; a sentence each.
        winding_c: temperature of its winding; not a number if it does not tell [°C].
        input_v: voltage of its supply, likewise [V].
        unsupplied: the first of its faults is what it says, too, while its motor has no supply.
    """

    joint: str
    device: str
    id: int
    versions: str
    faults: tuple[str, ...] = ()
    winding_c: float = float("nan")
    input_v: float = float("nan")
    unsupplied: bool = False


@dataclass(frozen=True, slots=True)
class SoundFacts:
    """The sound outputs of the computer.

    Attributes:
        problem: why nothing can be played at all; empty if something can.
        default: name of the default output; empty if there is none.
        outputs: name of every output.
    """

    problem: str
    default: str = ""
    outputs: tuple[str, ...] = ()
