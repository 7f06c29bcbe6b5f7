"""What a family of actuators has: settings, a driver, a bench and a twin."""

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
        joint: that it moves.
        line: that it is connected to.
        id: on that line.
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
    """Table `[actuators.FAMILY]` of the hardware file; a family's own adds its settings.

    Attributes:
        columns: of the rows.
        rows: one for each actuator.
        firmware: versions that passed the bench tests; others are reported.
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
        joint: that it moves.
        place: of that joint in every joint array.
        line: that it is connected to.
        id: on that line.
        gear: turns of the actuator per turn of the joint.
        sign: 1, or -1 if the joint turns against the actuator.
        zero_rad: position of the actuator where the joint's is 0 [rad].
        stall_torque: of the joint [N·m].
        torque_constant: torque of the joint by motor current [N·m/A].
        kp: usual stiffness of the joint [N·m/rad].
        kd: usual damping of the joint [N·m·s/rad].
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
    """Driver of all actuators of a family. A tick calls `read_into`, then one of the others."""

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Take in the replies that came by now [s] and write them to the joints' places."""

    def write(self, command: JointCommand, now_s: float) -> None:
        """Send every actuator its goals; every number of the command is finite."""

    def damp(self, now_s: float) -> None:
        """Let every actuator resist motion and nothing else."""

    def stop(self, now_s: float) -> None:
        """Take the torque from every actuator. Never raises, never waits."""

    def troubles(self, powered: bool) -> tuple[Trouble, ...]:
        """Return the faults of lines and actuators; without supply, its absence is none."""

    def close(self) -> None:
        """Release the lines."""


@dataclass(frozen=True, slots=True)
class Found:
    """An actuator that answered.

    Attributes:
        id: of it.
        versions: of firmware and hardware; empty if its answer was garbled, as it is when two
            actuators have one id.
    """

    id: int
    versions: str


@dataclass(frozen=True, slots=True)
class Condition:
    """State of an actuator before a show.

    Attributes:
        versions: of firmware and hardware.
        faults: that it reports, each with what to do, one sentence each.
        unsupplied: the first of its faults is expected while its motor has no supply.
        winding_c: temperature of its winding; NaN if unknown [°C].
        input_v: voltage of its supply; NaN if unknown [V].
    """

    versions: str
    faults: tuple[str, ...] = ()
    unsupplied: bool = False
    winding_c: float = math.nan
    input_v: float = math.nan


class Bench(Protocol):
    """Asks the actuators of one line, one at a time, and waits for the answers.

    No torque is switched on. Every method raises DeviceError if the line is lost.
    """

    @property
    def garbled(self) -> bool:
        """The actuator that was asked last for its condition sent an unreadable answer."""

    def discover(
        self, ids: Iterable[int], progress: Callable[[int], None] | None = None
    ) -> tuple[Found, ...]:
        """Return the actuators with these ids that answer."""

    def condition(self, actuator_id: int) -> Condition | None:
        """Return the state of an actuator, None if it does not answer; changes nothing."""

    def change_id(self, old: int, new: int) -> None:
        """Give an actuator another id and save it."""

    def position_rad(self, actuator_id: int) -> float:
        """Return the position of an actuator that is held still, its torque off [rad]."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """Where a joint's actuator is in the twin, and how it is built in.

    Its own position is sign * gear * q + zero_rad, and its current sign * tau / torque_constant.

    Attributes:
        joint: the joint's name.
        line: that it is connected to.
        id: on that line.
        sign: 1, or -1 if it turns the other way.
        zero_rad: its own position where the joint's is 0 [rad].
        gear: its turns for one of the joint.
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
    """What is connected to a line of the twin, as bytes see it."""

    @property
    def asked(self) -> bool:
        """A question waits for its answer."""

    def take(self, data: bytes, now_us: int) -> None:
        """Interpret bytes that came over the line at a time [µs]."""

    def answer(self) -> bytes:
        """Return the answers to the questions, as of the last step."""

    def tell(self, now_us: int) -> bytes:
        """Return the bytes sent without a question in the tick that began at a time [µs]."""


class TwinActuators(Protocol):
    """All actuators of a family in the twin."""

    def device(self, line: str) -> Device:
        """Return the actuators of one line as bytes see them."""

    def pull(self, q: Floats, dq: Floats, tau: Floats) -> bool:
        """Write the torque of each actuator; tell whether a leg's follows its goals.

        Args:
            q: true positions of all joints (n) [rad].
            dq: true velocities (n) [rad/s].
            tau: torques; those of other joints stay (n) [N·m].
        """

    def supply(self, powered: bool) -> None:
        """Switch the motors' supply."""

    def feel(self, sample: Sample, motor_v: float, now_us: int) -> None:
        """Let each measure at a time [µs], with a supply voltage [V]."""

    def torque(self) -> dict[str, int]:
        """Return each joint's torque switch: 0 is off."""

    def inject(self, joint: str, what: str, value: int) -> None:
        """Cause a fault: `dead`, `alive`, `restart`, `fault` with a mask, or `number` with an id.

        Raises:
            DeviceError: the family has no such fault.
        """


TwinFactory = Callable[["TwinBuild"], TwinActuators]


@dataclass(frozen=True, slots=True)
class TwinBuild:
    """What a family's twin is built of.

    Attributes:
        seats: its actuators; those of a line lie together.
        traits: assumptions about them that no source tells; None for the usual ones.
        sim: the robot that they are built into.
        legs: which joints of it carry the robot (n).
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
        table: its table in the hardware file.
        ids: that its actuators may have.
        open: makes the driver of a table's actuators; nothing is sent yet. It raises DeviceError
            for more actuators than a line can serve.
        bench: makes the bench of one line.
        traits: returns what a table says of the twin's actuators.
        twin: makes the twin of its actuators.
    """

    table: type[ActuatorTable]
    ids: range
    open: Opener
    bench: Callable[[Port, Timekeeper], Bench]
    traits: Callable[[Any], Any]
    twin: TwinFactory
