"""What a simulated body is made of, as plain numbers."""

import math
from dataclasses import dataclass, field
from pathlib import Path

from devices.errors import DeviceError
from devices.interface import Support
from devices.sim.description import (
    BODY_SHAPES,
    BOOT_SHELLS,
    FEMUR_SHELLS,
    BootShell,
    FemurShell,
    Point,
    Shape,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Noise:
    """How far the sensors err.

    Attributes:
        encoder_bits: positions are rounded to one turn / 2^bits.
        velocity: white noise of joint velocities, rms [rad/s].
        torque: white noise of the torque estimate, rms relative to the torque.
        torque_floor: white noise of the torque estimate of an idle joint, rms relative to
            its stall torque.
        gyro: white noise of the gyro, rms a 1 kHz sample [rad/s].
        gyro_bias: standard deviation of the gyro's bias when switched on [rad/s].
        gyro_walk: growth of that bias, rms [rad/s/√s].
        accel: white noise of the accelerometer, rms a 1 kHz sample [m/s²].
        accel_bias: standard deviation of the accelerometer's bias when switched on [m/s²].
        accel_walk: growth of that bias, rms [m/s²/√s].
        contact_on: normal force that closes a contact switch [N].
        contact_off: normal force below which it opens again [N].
        debounce_ticks: for so many ticks a switch must have changed before it is reported.
    """

    encoder_bits: int = 16
    velocity: float = 0.01
    torque: float = 0.02
    torque_floor: float = 0.001
    gyro: float = 9e-4
    gyro_bias: float = 1e-3
    gyro_walk: float = 5e-5
    accel: float = 0.02
    accel_bias: float = 0.025
    accel_walk: float = 5e-4
    contact_on: float = 15.0
    contact_off: float = 8.0
    debounce_ticks: int = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Handlers:
    """The people who hold the robot on its feet while it has no torque.

    Attributes:
        present: whether there are any.
        fade_s: how long they take to let go [s].
        tilt: they take hold only of a torso that leans less than this [rad].
        speed: they take hold only of a torso slower than this [m/s].
        rise_m: they take hold only of a torso not higher than this above its first height [m].
    """

    present: bool = True
    fade_s: float = 1.2
    tilt: float = 0.3
    speed: float = 0.3
    rise_m: float = 0.05


@dataclass(frozen=True, kw_only=True)
class SimSettings:
    """A robot, its actuators and the room it stands in. Joint values in the profile's order.

    Attributes:
        model_path: the robot's MJCF.
        joint_names: every joint (n).
        stall_torque: of each joint at the nominal voltage, behind its gear (n) [N·m].
        no_load_speed: of each joint at the nominal voltage, behind its gear (n) [rad/s].
        torque_constant: torque of each joint behind its gear by motor current (n) [N·m/A].
        friction_coulomb: dry friction of each joint (n) [N·m].
        friction_viscous: viscous friction of each joint (n) [N·m·s/rad].
        initial_q: posture at the start (n) [rad].
        contact_geoms: left heel, left toe, right heel, right toe in the model.
        damping: of each joint whose windings are shorted (n) [N·m·s/rad]; empty: the slope
            of its torque–speed line, which is what a shorted motor gives.
        nominal_voltage: for which stall torque and no-load speed hold [V].
        timestep_s: one tick [s].
        support: what carries the robot besides its feet.
        slope_deg: the floor rises toward +x by this angle [°].
        bump_height_m: height of the flat bumps strewn on the floor, 0 for none [m].
        bump_seed: where the bumps lie.
        friction: coefficient of friction between robot and floor.
        payload_kg: mass added to one hand [kg].
        payload_body: the hand that carries it.
        rope_slack_m: how far the robot may sink before the gantry's rope is taut [m].
        rope_point: where the rope holds the torso [m].
        imu_site: the IMU's place in the model.
        battery_charge: at the start, 0 to 1.
        battery_capacity_ah: of all packs together [A·h].
        battery_resistance_ohm: of all packs and their leads [Ω].
        ambient_c: temperature of the room and of cold windings [°C].
        noise: how far the sensors err.
        handlers: the people who hold the robot.
        shapes: what of the robot touches the floor besides its soles.
        boot_shells: soft shells of the boots.
        femur_shells: where the thighs meet the body's shell.
    """

    model_path: Path
    joint_names: tuple[str, ...]
    stall_torque: tuple[float, ...]
    no_load_speed: tuple[float, ...]
    torque_constant: tuple[float, ...]
    friction_coulomb: tuple[float, ...]
    friction_viscous: tuple[float, ...]
    initial_q: tuple[float, ...]
    contact_geoms: tuple[str, str, str, str] = ("left_heel", "left_toe", "right_heel", "right_toe")
    damping: tuple[float, ...] = ()
    nominal_voltage: float = 22.2
    timestep_s: float = 0.001
    support: Support = Support.FLOOR
    slope_deg: float = 0.0
    bump_height_m: float = 0.0
    bump_seed: int = 0
    friction: float = 0.8
    payload_kg: float = 0.0
    payload_body: str = "right_hand"
    rope_slack_m: float = 0.08
    rope_point: Point = (0.0, 0.0, 0.42)
    imu_site: str = "imu"
    battery_charge: float = 0.95
    battery_capacity_ah: float = 10.0
    battery_resistance_ohm: float = 0.05
    ambient_c: float = 25.0
    noise: Noise = field(default_factory=Noise)
    handlers: Handlers = field(default_factory=Handlers)
    shapes: tuple[Shape, ...] = BODY_SHAPES
    boot_shells: tuple[BootShell, ...] = BOOT_SHELLS
    femur_shells: tuple[FemurShell, ...] = FEMUR_SHELLS

    def __post_init__(self) -> None:
        """Refuse what no simulation can be made of.

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
        ):
            values: tuple[float, ...] = getattr(self, name)
            if len(values) != n and not (name == "damping" and not values):
                raise _refusal(
                    name, f"has {len(values)} values", f"give one for each of {n} joints"
                )
            for joint, value in zip(self.joint_names, values, strict=False):
                if not (math.isfinite(value) and value >= lower):
                    raise _refusal(name, f"is {value} for {joint}", f"give a number from {lower:g}")
        for name, lower, upper in (
            ("nominal_voltage", 1.0, 1000.0),
            ("timestep_s", 1e-4, 2e-3),
            ("slope_deg", -20.0, 20.0),
            ("bump_height_m", 0.0, 0.05),
            ("friction", 0.01, 5.0),
            ("payload_kg", 0.0, 20.0),
            ("rope_slack_m", 0.0, 0.5),
            ("battery_charge", 0.0, 1.0),
            ("battery_capacity_ah", 0.1, 1000.0),
            ("battery_resistance_ohm", 1e-4, 1.0),
            ("ambient_c", -40.0, 80.0),
        ):
            value = getattr(self, name)
            if not (math.isfinite(value) and lower <= value <= upper):
                raise _refusal(name, f"is {value}", f"give a number from {lower:g} to {upper:g}")


def _refusal(name: str, what: str, remedy: str) -> DeviceError:
    return DeviceError("simulator", f"the setting {name} {what}; {remedy}")
