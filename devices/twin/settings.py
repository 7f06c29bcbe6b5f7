"""What a twin is made of, as plain values."""

from dataclasses import dataclass, field
from enum import StrEnum

from devices.errors import DeviceError
from devices.families.crsf.wire.channels import Layout
from devices.sim.settings import SimSettings


class Family(StrEnum):
    """What a line's other end speaks."""

    BEARS = "bears"
    IMU = "imu"
    BOARDS = "boards"
    RECEIVER = "receiver"
    NATIVE_HANDSET = "native_handset"
    SAFE_REMOTE = "safe_remote"


@dataclass(frozen=True, kw_only=True, slots=True)
class LineSettings:
    """One serial line.

    Attributes:
        name: of the line, which is that of its link in the run's folder.
        family: what its other end speaks.
        baud: how fast its bytes go.
        turnaround_us: from the last byte of a question to the first of its answer [µs].
    """

    name: str
    family: Family
    baud: int = 1_000_000
    turnaround_us: int = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """Where a joint's actuator is and how it is built in.

    Its own position is sign * gear * q + zero_rad, and its current sign * tau / torque_constant.

    Attributes:
        joint: the joint's name.
        line: the line that it hangs on.
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


@dataclass(frozen=True, kw_only=True, slots=True)
class BearTraits:
    """What no source tells of the actuators (packaging/wiring/bench_questions.md), as assumed.

    Attributes:
        watchdog_unit_us: what one count of the watchdog is [µs].
        watchdog_modes: the control modes in which it acts.
        config_while_enabled: configuration may be written while the torque is on.
        damping_raises_fault: the error byte has the watchdog's bit while it damps.
        keeps_logic: it answers while the contactor is open.
        clear_us: from torque off to the end of a latched fault [µs].
        firmware: what it answers to a ping, firmware first (4).
    """

    watchdog_unit_us: int = 1000
    watchdog_modes: tuple[int, ...] = (0,)
    config_while_enabled: bool = False
    damping_raises_fault: bool = True
    keeps_logic: bool = True
    clear_us: int = 10_000
    firmware: bytes = bytes((1, 3, 2, 1))


@dataclass(frozen=True, kw_only=True, slots=True)
class ContactSeat:
    """A contact board: line, number as source, and which of the four contacts it has."""

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


@dataclass(frozen=True, kw_only=True)
class TwinSettings:
    """A robot, what hangs on which line, and how it behaves.

    Attributes:
        sim: the robot and the room.
        lines: every serial line.
        seats: every BEAR actuator.
        seed: of all noise and faults.
        traits: of the actuators.
        contacts: the contact boards.
        hands: the hand boards.
        batteries: the battery monitors.
        supervisor: the power supervisor; without one the motors always have their supply.
        channels: where the handset's controls lie among the receiver's channels.
        key: of the native handset.
        imu_drift: how much faster than ours the unit's clock goes, as a share.
        imu_started_s: for how long the unit was on when the twin starts [s].
    """

    sim: SimSettings
    lines: tuple[LineSettings, ...]
    seats: tuple[Seat, ...] = ()
    seed: int = 0
    traits: BearTraits = field(default_factory=BearTraits)
    contacts: tuple[ContactSeat, ...] = ()
    hands: tuple[HandSeat, ...] = ()
    batteries: tuple[BatterySeat, ...] = ()
    supervisor: SupervisorSeat | None = None
    channels: Layout = field(default_factory=Layout)
    key: bytes = bytes(range(32))
    imu_drift: float = 2e-5
    imu_started_s: float = 7.0

    def __post_init__(self) -> None:
        """Refuse what does not fit together.

        Raises:
            DeviceError: a line or a joint is unknown or named twice.
        """
        names = [line.name for line in self.lines]
        if len(set(names)) != len(names):
            raise DeviceError("twin", f"a line is named twice among {', '.join(names)}")
        family = {line.name: line.family for line in self.lines}
        hanging = [(seat.line, Family.BEARS) for seat in self.seats]
        for boards in (self.contacts, self.hands, self.batteries):
            hanging += [(board.line, Family.BOARDS) for board in boards]
        if self.supervisor is not None:
            hanging.append((self.supervisor.line, Family.BOARDS))
        for name, asked in hanging:
            if family.get(name) is not asked:
                raise DeviceError("twin", f"something hangs on {name!r}, which is no {asked} line")
        joints = [seat.joint for seat in self.seats]
        joints += [motor.joint for hand in self.hands for motor in hand.motors]
        unknown = [joint for joint in joints if joint not in self.sim.joint_names]
        if unknown or len(set(joints)) != len(joints):
            raise DeviceError("twin", f"joints are unknown or driven twice: {unknown or joints}")
