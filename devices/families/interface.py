"""The interface of a family of actuators: settings, driver, bench tool and twin."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import msgspec
from msgspec import Meta

from devices.interface import Bools, Floats, JointCommand, Sample, Timekeeper, Trouble
from devices.real.port import Port
from devices.real.tables import Name, Table

if TYPE_CHECKING:  # the robot's computer has no simulator
    from devices.sim.settings import SimSettings

Gear = Annotated[float, Meta(ge=0.1, le=1000.0)]


class ActuatorRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """One actuator of the hardware file.

    Attributes:
        joint: joint that the actuator moves.
        line: line that the actuator is connected to.
        id: address on that line.
        gear: turns of the actuator per turn of the joint.
        sign: 1, or -1 if the joint turns against the actuator.
    """

    joint: Name
    line: Name
    id: Annotated[int, Meta(ge=0, le=255)]
    gear: Gear
    sign: Annotated[int, Meta(ge=-1, le=1)]


COLUMNS = ActuatorRow.__struct_fields__


class ActuatorTable(Table, frozen=True):
    """Table `[actuators.FAMILY]` of the hardware file; each family's subclass adds its settings.

    Attributes:
        columns: names of the columns of the rows.
        rows: one row for each actuator.
        firmware: firmware versions that passed the bench tests; others are reported.
    """

    columns: tuple[str, ...]
    rows: Annotated[tuple[ActuatorRow, ...], Meta(min_length=1)]
    firmware: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse columns in another order."""
        if self.columns != COLUMNS:
            raise ValueError(f"the columns are {', '.join(COLUMNS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedActuator:
    """One actuator as it is built into a robot unit.

    Attributes:
        joint: joint that the actuator moves.
        place: index of that joint in every joint array.
        line: line that the actuator is connected to.
        id: address on that line.
        gear: turns of the actuator per turn of the joint.
        sign: 1, or -1 if the joint turns against the actuator.
        zero_rad: position of the actuator at which the joint's position is 0 [rad].
        stall_torque: stall torque at the joint [N·m].
        torque_constant: torque of the joint by motor current [N·m/A].
        kp: default stiffness of the joint [N·m/rad].
        kd: default damping of the joint [N·m·s/rad].
    """

    joint: str
    place: int
    line: str
    id: int
    gear: float
    sign: int
    zero_rad: float
    stall_torque: float
    torque_constant: float
    kp: float
    kd: float


class Actuators(Protocol):
    """Driver of all actuators of a family.

    A tick calls `read_into`, then one of `write`, `damp` and `stop`.
    """

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Process the replies received by now [s]; write the joints' elements of the sample."""

    def write(self, command: JointCommand, now_s: float) -> None:
        """Send every actuator its set-points; the command is finite."""

    def damp(self, now_s: float) -> None:
        """Let every actuator only resist motion."""

    def stop(self, now_s: float) -> None:
        """Take the torque from every actuator. Never raises, never waits."""

    def troubles(self, powered: bool) -> tuple[Trouble, ...]:
        """Return the faults of lines and actuators; if unpowered, a missing supply is no fault."""

    def close(self) -> None:
        """Release the lines."""


@dataclass(frozen=True, slots=True)
class Found:
    """An actuator that answered a search.

    Attributes:
        id: address of the actuator.
        versions: versions of firmware and hardware; empty if its answer was garbled, as it is when
            two actuators have one id.
    """

    id: int
    versions: str


@dataclass(frozen=True, slots=True)
class Condition:
    """State of an actuator before a show.

    Attributes:
        versions: versions of firmware and hardware.
        faults: faults that it reports, each with its remedy in one sentence.
        unsupplied: the first fault is expected while the motor has no supply.
        winding_c: temperature of its winding; NaN if unknown [°C].
        input_v: voltage of its supply; NaN if unknown [V].
    """

    versions: str
    faults: tuple[str, ...] = ()
    unsupplied: bool = False
    winding_c: float = math.nan
    input_v: float = math.nan


class Bench(Protocol):
    """Bench tool that questions the actuators of one line one at a time and waits for each answer.

    It switches no torque on. Every method raises DeviceError if the line is lost.
    """

    @property
    def garbled(self) -> bool:
        """Whether the last answer to `condition` was unreadable."""

    def discover(
        self, ids: Iterable[int], progress: Callable[[int], None] | None = None
    ) -> tuple[Found, ...]:
        """Return the actuators with these ids that answer."""

    def condition(self, actuator_id: int) -> Condition | None:
        """Return the state of an actuator, or None if it does not answer; changes nothing."""

    def change_id(self, old: int, new: int) -> None:
        """Give an actuator another id and save it."""

    def position_rad(self, actuator_id: int) -> float:
        """Return the position of an actuator that stands still with its torque off [rad]."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """One actuator of the twin and its mounting.

    The actuator's position is sign * gear * q + zero_rad, its current sign * tau / torque_constant.

    Attributes:
        joint: name of the joint.
        line: line that the actuator is connected to.
        id: address on that line.
        sign: 1, or -1 if the actuator turns against the joint.
        zero_rad: position of the actuator at which the joint's position is 0 [rad].
        gear: turns of the actuator per turn of the joint.
        torque_constant: torque of the joint by the actuator's current [N·m/A].
    """

    joint: str
    line: str
    id: int
    sign: int = 1
    zero_rad: float = 0.0
    gear: float = 1.0
    torque_constant: float = 1.0


class Device(Protocol):
    """A device on a line of the twin, at the level of bytes."""

    @property
    def asked(self) -> bool:
        """Whether a request waits for its reply."""

    def take(self, data: bytes, now_us: int) -> None:
        """Interpret bytes received from the line at a time [µs]."""

    def answer(self) -> bytes:
        """Return the replies to the requests, with the state of the last step."""

    def tell(self, now_us: int) -> bytes:
        """Return the unsolicited bytes of the tick that began at a time [µs]."""


class TwinActuators(Protocol):
    """All actuators of a family in the twin."""

    def device(self, line: str) -> Device:
        """Return the actuators of one line as a device."""

    def pull(self, q: Floats, dq: Floats, tau: Floats) -> bool:
        """Write the torque of each actuator; return whether an actuator of a leg is driven.

        Args:
            q: true positions of all joints (n) [rad].
            dq: true velocities (n) [rad/s].
            tau: torques; elements of joints of other families are left unchanged (n) [N·m].
        """

    def supply(self, powered: bool) -> None:
        """Switch the motors' supply on or off."""

    def feel(self, sample: Sample, motor_v: float, now_us: int) -> None:
        """Update each actuator's measurements at a time [µs], with a supply voltage [V]."""

    def torque(self) -> dict[str, int]:
        """Return each joint's torque switch: 0 is off."""

    def received(self) -> dict[str, dict[str, float]]:
        """Return the values that each joint's actuator was given, by the names of its registers."""

    def inject(self, joint: str, what: str, value: int) -> None:
        """Cause a fault: `dead`, `alive`, `restart`, `fault` with a mask, or `number` with an id.

        Raises:
            DeviceError: the family has no such fault.
        """


TwinFactory = Callable[["TwinBuild"], TwinActuators]


@dataclass(frozen=True, slots=True)
class TwinBuild:
    """Arguments of a family's twin.

    Attributes:
        seats: the actuators, ordered by line.
        traits: assumptions about the actuators that no source states; None for the defaults.
        sim: the simulated robot.
        legs: whether each joint belongs to a leg (n).
    """

    seats: tuple[Seat, ...]
    traits: Any
    sim: "SimSettings"
    legs: Bools


Opener = Callable[
    [Any, Sequence[FittedActuator], Mapping[str, Port], Timekeeper],
    Actuators,
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActuatorFamily:
    """One family of actuators, as the registry lists it.

    Attributes:
        table: type of its table in the hardware file.
        ids: ids that its actuators may have.
        open: creates the driver of a table's actuators and sends nothing. Raises DeviceError if a
            line has more actuators than it can serve.
        bench: creates the bench tool of one line.
        traits: returns the traits of the twin's actuators that a table determines.
        twin: creates the twin of the actuators.
    """

    table: type[ActuatorTable]
    ids: range
    open: Opener
    bench: Callable[[Port, Timekeeper], Bench]
    traits: Callable[[Any], Any]
    twin: TwinFactory
