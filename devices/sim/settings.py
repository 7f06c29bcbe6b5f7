"""The settings of a simulated robot and its room, as plain numbers."""

import math
from dataclasses import dataclass
from pathlib import Path

from devices.errors import DeviceError
from devices.interface import Support
from devices.sim.description import BodyDescription, Point
from devices.sim.deviation import Deviation

MAX_TIMESTEP_S = 1e-3  # of the physics; a longer tick takes several steps


@dataclass(frozen=True, kw_only=True, slots=True)
class Pack:
    """The battery, all packs together.

    Attributes:
        capacity_ah: charge of the full battery [A·h].
        resistance_ohm: of packs and wiring [Ω].
        charge: charge at the start, 0 to 1.
    """

    capacity_ah: float
    resistance_ohm: float
    charge: float = 0.95


@dataclass(frozen=True, kw_only=True, slots=True)
class GripPoint:
    """Where a payload is fastened.

    Attributes:
        body: body of the model.
        offset: in the frame of that body (3) [m].
    """

    body: str
    offset: Point


@dataclass(frozen=True, slots=True)
class Transmission:
    """How a motor turns the hinges of a coupled joint.

    Attributes:
        joint: the joint of the profile that it drives.
        hinges: names of hinges, each with the motor's angle by the hinge's.
    """

    joint: str
    hinges: tuple[tuple[str, float], ...]


@dataclass(frozen=True, kw_only=True)
class SimSettings:
    """A robot, its actuators and its room. Joint arrays have the order of the profile.

    Attributes:
        model_path: the robot's MJCF file.
        body: contents of the robot's `body.toml`.
        joint_names: every joint (n).
        stall_torque: of each joint at the nominal voltage, behind its gear (n) [N·m].
        no_load_speed: of each joint at the nominal voltage, behind its gear (n) [rad/s].
        torque_constant: torque of each joint behind its gear by motor current (n) [N·m/A].
        friction_coulomb: dry friction of each joint (n) [N·m].
        friction_viscous: viscous friction of each joint (n) [N·m·s/rad].
        initial_q: posture at the start (n) [rad].
        nominal_voltage: voltage for which stall torque and no-load speed hold [V].
        tick_s: time from one command to the next [s].
        servos: which joints close a position loop of their own (n); empty: none.
        servo_kp: stiffness of those loops (n) [N·m/rad].
        servo_kd: damping of those loops (n) [N·m·s/rad].
        transmissions: motors that do not turn their joint alone.
        contact_geoms: spheres of the model that the contact switches feel, contact by contact.
        imu_site: site of the IMU in the model; None if the robot has none.
        battery: None if mains feed the robot.
        grip: where a payload is fastened; None if the robot cannot hold one.
        damping: of each joint whose windings are shorted (n) [N·m·s/rad]; empty: the slope of its
            torque-speed line, which a shorted motor gives.
        support: what carries the robot besides its contacts.
        slope_deg: angle by which the floor rises toward +x [°].
        bump_height_m: height of the flat bumps on the floor, 0 for none [m].
        bump_seed: seed of the bumps' positions.
        friction: coefficient of friction between robot and floor.
        stiction: dry friction holds a joint at rest, as MuJoCo's friction loss does; else it
            creeps, as a smooth function of the speed does.
        payload_kg: mass fastened to the grip [kg].
        rope_slack_m: how far the robot may sink before the gantry's rope is taut [m].
        ambient_c: temperature of the room and of cold windings [°C].
        deviation: differences between this plant and the model.
    """

    model_path: Path
    body: BodyDescription
    joint_names: tuple[str, ...]
    stall_torque: tuple[float, ...]
    no_load_speed: tuple[float, ...]
    torque_constant: tuple[float, ...]
    friction_coulomb: tuple[float, ...]
    friction_viscous: tuple[float, ...]
    initial_q: tuple[float, ...]
    nominal_voltage: float
    tick_s: float
    servos: tuple[bool, ...] = ()
    servo_kp: tuple[float, ...] = ()
    servo_kd: tuple[float, ...] = ()
    transmissions: tuple[Transmission, ...] = ()
    contact_geoms: tuple[tuple[str, ...], ...] = ()
    imu_site: str | None = None
    battery: Pack | None = None
    grip: GripPoint | None = None
    damping: tuple[float, ...] = ()
    support: Support = Support.FLOOR
    slope_deg: float = 0.0
    bump_height_m: float = 0.0
    bump_seed: int = 0
    friction: float = 0.8
    stiction: bool = False
    payload_kg: float = 0.0
    rope_slack_m: float = 0.08
    ambient_c: float = 25.0
    deviation: Deviation = Deviation()

    def __post_init__(self) -> None:
        """Refuse settings that no simulation can be made of.

        Raises:
            DeviceError: a value is missing, not finite or out of its range.
        """
        try:
            object.__setattr__(self, "support", Support(self.support))
        except ValueError:
            raise _refusal("support", f"is {self.support!r}", "give one of its names") from None
        n = len(self.joint_names)
        for name, lower in (
            ("stall_torque", 1e-6),
            ("no_load_speed", 1e-6),
            ("torque_constant", 1e-6),
            ("friction_coulomb", 0.0),
            ("friction_viscous", 0.0),
            ("initial_q", -math.inf),
            ("damping", 0.0),
            ("servos", 0.0),
            ("servo_kp", 0.0),
            ("servo_kd", 0.0),
        ):
            values: tuple[float, ...] = getattr(self, name)
            may_be_empty = name in ("damping", "servos") or (
                name in ("servo_kp", "servo_kd") and not self.servos
            )
            if len(values) != n and (values or not may_be_empty):
                raise _refusal(
                    name, f"has {len(values)} values", f"give one for each of {n} joints"
                )
            for joint, value in zip(self.joint_names, values, strict=False):
                if not (math.isfinite(value) and value >= lower):
                    raise _refusal(name, f"is {value} for {joint}", f"give a number from {lower:g}")
        for name, lower, upper in (
            ("nominal_voltage", 1.0, 1000.0),
            ("tick_s", 1e-4, 2e-2),
            ("slope_deg", -20.0, 20.0),
            ("bump_height_m", 0.0, 0.05),
            ("friction", 0.01, 5.0),
            ("payload_kg", 0.0, 20.0),
            ("rope_slack_m", 0.0, 0.5),
            ("ambient_c", -40.0, 80.0),
        ):
            _check_range(name, getattr(self, name), lower, upper)
        if self.battery is not None:
            _check_range("battery.charge", self.battery.charge, 0.0, 1.0)
            _check_range("battery.capacity_ah", self.battery.capacity_ah, 0.1, 1000.0)
            _check_range("battery.resistance_ohm", self.battery.resistance_ohm, 0.0, 10.0)
        if self.payload_kg > 0.0 and self.grip is None:
            raise _refusal("payload_kg", "needs a grip", "give the robot one, or no payload")
        self.deviation.check(n)

    @property
    def substeps(self) -> int:
        """Steps of the physics in a tick."""
        return max(math.ceil(self.tick_s / MAX_TIMESTEP_S - 1e-9), 1)

    @property
    def timestep_s(self) -> float:
        """One step of the physics [s]."""
        return self.tick_s / self.substeps

    @property
    def contact_count(self) -> int:
        """Number of contact switches."""
        return sum(len(geoms) for geoms in self.contact_geoms)


def _check_range(name: str, value: float, lower: float, upper: float) -> None:
    if not (math.isfinite(value) and lower <= value <= upper):
        raise _refusal(name, f"is {value}", f"give a number from {lower:g} to {upper:g}")


def _refusal(name: str, fault: str, remedy: str) -> DeviceError:
    return DeviceError("simulator", f"the setting {name} {fault}; {remedy}")
