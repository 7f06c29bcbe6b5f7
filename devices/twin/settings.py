"""Settings of a twin, as plain values."""

from dataclasses import dataclass, field
from typing import Any

from devices.errors import DeviceError
from devices.families.boards.twin.seats import BatterySeat, ContactSeat, HandSeat, SupervisorSeat
from devices.families.crsf.wire.channels import Layout
from devices.families.interface import Seat
from devices.sim.settings import SimSettings

BOARDS, MIP, CRSF = "boards", "mip", "crsf"  # names of the families' folders
NATIVE_HANDSET, SAFE_REMOTE = "native_handset", "safe_remote"


@dataclass(frozen=True, kw_only=True, slots=True)
class LineSettings:
    """One serial line.

    Attributes:
        name: name of the line and of its link in the run's folder.
        family: family of the devices on it.
        baud: speed of the line.
        turnaround_us: time from the last byte of a request to the first of its reply [µs].
    """

    name: str
    family: str
    baud: int = 1_000_000
    turnaround_us: int = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class ActuatorSeats:
    """Actuators of one family.

    Attributes:
        family: name of the family in the registry.
        seats: the actuators.
        traits: assumptions about them, of the family's own type; None for the defaults.
    """

    family: str
    seats: tuple[Seat, ...]
    traits: Any = None


@dataclass(frozen=True, kw_only=True)
class TwinSettings:
    """A robot, its devices and lines, and their properties.

    Attributes:
        sim: the robot and the room.
        lines: every serial line.
        actuators: actuators by family, each family once.
        seed: seed of all noise and faults.
        contacts: the contact boards.
        hands: the hand boards.
        batteries: the battery monitors.
        supervisor: the power supervisor; without one the motors always have their supply.
        channels: channels of the handset's controls at the receiver.
        key: key of the native handset.
        imu_drift: relative rate error of the IMU's clock, positive if fast.
        imu_started_s: time for which the IMU was on when the twin starts [s].
    """

    sim: SimSettings
    lines: tuple[LineSettings, ...]
    actuators: tuple[ActuatorSeats, ...] = ()
    seed: int = 0
    contacts: tuple[ContactSeat, ...] = ()
    hands: tuple[HandSeat, ...] = ()
    batteries: tuple[BatterySeat, ...] = ()
    supervisor: SupervisorSeat | None = None
    channels: Layout = field(default_factory=Layout)
    key: bytes = bytes(range(32))
    imu_drift: float = 2e-5
    imu_started_s: float = 7.0

    def __post_init__(self) -> None:
        """Refuse inconsistent settings.

        Raises:
            DeviceError: a line, a joint or a family is unknown or named twice.
        """
        families = [group.family for group in self.actuators]
        if len(set(families)) != len(families):
            raise DeviceError("twin", f"a family is named twice among {', '.join(families)}")
        names = [line.name for line in self.lines]
        if len(set(names)) != len(names):
            raise DeviceError("twin", f"a line is named twice among {', '.join(names)}")
        family = {line.name: line.family for line in self.lines}
        hanging = [(seat.line, group.family) for group in self.actuators for seat in group.seats]
        for boards in (self.contacts, self.hands, self.batteries):
            hanging += [(board.line, BOARDS) for board in boards]
        if self.supervisor is not None:
            hanging.append((self.supervisor.line, BOARDS))
        for name, asked in hanging:
            if family.get(name) != asked:
                raise DeviceError("twin", f"line {name!r} has no {asked} devices")
        joints = [seat.joint for group in self.actuators for seat in group.seats]
        joints += [motor.joint for hand in self.hands for motor in hand.motors]
        unknown = [joint for joint in joints if joint not in self.sim.joint_names]
        if unknown or len(set(joints)) != len(joints):
            raise DeviceError("twin", f"joints are unknown or driven twice: {unknown or joints}")
