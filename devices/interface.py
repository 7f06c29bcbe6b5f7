"""The interface between core and body: plain arrays and protocols.

Joint arrays have one entry per joint, in the order of the robot's profile. SI units throughout.
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
    """The support that carries the robot besides its contacts."""

    SEATED = "seated"
    GANTRY = "gantry"
    FLOOR = "floor"
    MOUNTED = "mounted"  # a base that does not move


@dataclass(slots=True)
class Sample:
    """One reading of a body. The body owns the arrays and overwrites them at the next read.

    Attributes:
        stamp_s: time of the measurement on the body's clock [s].
        q: joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        tau: joint torques as the actuators estimate them (n) [N·m].
        winding_c: winding temperatures, NaN where unknown (n) [°C].
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
        """Return a sample of a cold body at rest that was never read."""
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
    """The command of every actuator: tau_ff + kp (q - q_measured) + kd (dq - dq_measured).

    A position servo follows q and dq with gains of its own and ignores the torque; a stiffness or
    damping of 0 switches off that part of its loop. A joint whose stiffness, damping and torque
    are 0 is limp: its actuator switches its torque off, if it can do so alone.

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
        """Return a command without torque."""
        return cls(*(np.zeros(joint_count) for _ in range(5)))


@dataclass(slots=True)
class Truth:
    """The true state of a simulated body. World frame; the body overwrites the arrays.

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
    """The clock of a body."""

    def now_s(self) -> float:
        """Return the monotonic time [s]."""

    def wait_until(self, stamp_s: float) -> float:
        """Wait for an absolute time [s] and return how late it is [s]."""


class Timekeeper(Clock, Protocol):
    """The clock of real devices; a twin's clock stands still while no process waits."""

    def wait_readable(self, descriptors: Sequence[int], until_s: float) -> bool:
        """Wait until a file descriptor has bytes or a time is reached [s]; return whether one has.

        A descriptor that was hung up counts as readable.
        """


@dataclass(frozen=True, slots=True)
class Trouble:
    """A present fault of a device.

    Attributes:
        device: the technician's name of the device ("left leg bus").
        text: fault and remedy in one sentence.
        grave: the robot must not move on its own until the fault is repaired.
    """

    device: str
    text: str
    grave: bool = False


@dataclass(frozen=True, slots=True)
class StopChannel:
    """One channel of the hardware E-stop chain as read; an unknown state counts as open."""

    name: str
    closed: bool


@dataclass(frozen=True, slots=True, eq=False)
class HeardBlock:
    """A block of sound as a microphone heard it.

    Attributes:
        stream: number of the stream; another one follows a loss of the device.
        stamp_s: time of its first sample on the host's monotonic clock, as the device told [s].
        samples: -1 to 1, at 48 kHz (n).
    """

    stream: int
    stamp_s: float
    samples: npt.NDArray[np.float32]


class SoundInput(Protocol):
    """A microphone. No method raises, and only `close` waits, for a second at most.

    Attributes:
        devices: names of the microphones that were present when it looked last.
        trouble: reason why nothing is heard, or the microphones cannot be listed, one sentence; or
            empty.
        hears: the chosen microphone delivers sound.
    """

    devices: tuple[str, ...]
    trouble: str
    hears: bool

    def choose(self, device: str | None, look: bool = False) -> None:
        """Listen to a microphone; empty: the system's default; None: to none.

        Args:
            device: its name, or a part of it.
            look: keep the list of microphones up to date while none is chosen.
        """

    def read(self) -> list[HeardBlock]:
        """Return the blocks since the last call."""

    def close(self) -> None:
        """End it."""


@dataclass(slots=True)
class HandsetSample:
    """One reading of the operator's handset, which owns it and overwrites it at the next read.

    Attributes:
        age_s: time since its last valid frame; infinite if there never was one [s].
        dead_man: the dead-man switch is held.
        buttons: whether each button is pressed (10).
        sticks: left x, left y, right x, right y; right and up are positive, -1 to 1 (4).
        battery_v: voltage of the handset's battery; NaN if unknown [V].
        quality: fraction of its frames that arrive, 0 to 1.
    """

    age_s: float
    dead_man: bool
    buttons: Bools
    sticks: Floats
    battery_v: float
    quality: float

    @classmethod
    def silent(cls) -> Self:
        """Return the reading of a handset that was never heard."""
        return cls(np.inf, False, np.zeros(10, dtype=np.bool_), np.zeros(4), np.nan, 0.0)


@dataclass(frozen=True, slots=True)
class HandsetScreen:
    """The text on the handset's screen.

    Attributes:
        mode: mode of the robot, or state of the take that is recorded.
        charge: charge of the robot's battery, 0 to 1.
        battery_v: voltage of the robot's battery [V].
        alarm: the worst alarm; empty without one.
        severity: severity of that alarm, 0 (none) to 3 (worst).
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
        """Whether its frames are authenticated."""

    def read(self, now_s: float) -> HandsetSample:
        """Return the reading at a time [s]."""

    def show(self, screen: HandsetScreen) -> None:
        """Send a screen as soon as the link has room."""

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the present faults of the handset and its receiver."""


class Body(Protocol):
    """A robot's actuators and sensors, one command and one sample a tick."""

    clock: Clock

    def read(self) -> Sample:
        """Return the newest sample within the deadline; its ages mark missing readings."""

    def write(self, command: JointCommand) -> None:
        """Send a command to every joint; ages and troubles report a bus that is gone.

        Raises:
            DeviceError: the command is not finite, or the body is closed or has failed.
        """

    def damp(self) -> None:
        """Let every joint only resist motion."""

    def stop(self) -> None:
        """Take the torque from every joint. Never raises, never waits, may be repeated."""

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the present faults of the devices, each once."""

    def stop_channels(self) -> tuple[StopChannel, ...]:
        """Return the channels of the hardware E-stop chain as last read."""

    def powered(self) -> bool:
        """Return whether the motors have their supply."""

    def restore(self) -> None:
        """Switch on the motors' supply after an operator's RESET. Never raises or waits.

        Any cause that switches it off again ends the request.
        """

    def close(self) -> None:
        """Stop and release every device."""


@runtime_checkable
class Simulated(Protocol):
    """A body with a known true state."""

    def truth(self) -> Truth:
        """Return the true state at the newest sample's time."""

    def push(self, force_in_world: Floats, duration_s: float, hand: str = "") -> None:
        """Push the base with a constant force (3) [N] for a time [s], starting now.

        A push ends an earlier push by the same hand; pushes without a hand add up.
        """

    def pull(
        self,
        link: str,
        point_in_link: Floats,
        target_in_world: Floats,
        duration_s: float,
        hand: str = "",
    ) -> None:
        """Pull a point of a link (3) [m] toward a position (3) [m] for a time [s], as a hand does.

        A pull ends an earlier pull by the same hand.

        Raises:
            DeviceError: there is no such link, or a number is not finite.
        """

    def put_back(self) -> None:
        """Put the robot back where it started, at rest in its initial posture."""


@dataclass(frozen=True, slots=True, eq=False)
class PoseFrame:
    """The posture of a person, as a source of captured motion measured it.

    The world has x forward, y left, z up. The bones are the 22 of shows/human.py, in its order.

    Attributes:
        stamp_s: time of the measurement on the source's clock [s].
        arrival_s: time of its arrival on the host's monotonic clock [s].
        positions: of the bones' joints (22, 3) [m].
        orientations: bone to world (22, 3, 3); the identity is the reference posture of the source
            before a calibration, and that of shows/human.py after it.
    """

    stamp_s: float
    arrival_s: float
    positions: Floats
    orientations: Floats


@dataclass(frozen=True, slots=True)
class LineFacts:
    """The result of examining a serial line.

    Attributes:
        device: the technician's name of the device on the line.
        path: expected path of the line.
        baud: speed of the line.
        troubles: faults of the line; empty if it could be opened and is set up correctly.
        holder: program that holds the line, if the system reports one.
        held_by_core: that program is a Footlight core.
        timer_ms: time for which the adapter holds replies back; 0 if unknown [ms].
        spare: the robot can run without the line.
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
    """The result of examining an actuator.

    Attributes:
        joint: joint that the actuator moves.
        device: the technician's name of its line.
        id: address on that line.
        versions: versions of hardware and firmware; empty if it did not answer.
        faults: faults that it reports, each with its remedy in one sentence.
        winding_c: temperature of its winding; NaN if unknown [°C].
        input_v: voltage of its supply; NaN if unknown [V].
        unsupplied: the first fault may only mean that the motor has no supply.
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
        problem: reason why no sound can be played; empty if there is none.
        default: name of the default output; empty if there is none.
        outputs: name of every output.
    """

    problem: str
    default: str = ""
    outputs: tuple[str, ...] = ()
