"""A robot's profile: joints, actuators and tuning, read once and checked."""

import math
import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from core.errors import ProfileError

ROBOTS = Path(__file__).parents[2] / "assets" / "robots"
MAX_PROFILE_BYTES = 1_000_000

Positive = Annotated[float, Meta(gt=0.0, le=1e5)]
NotNegative = Annotated[float, Meta(ge=0.0, le=1e5)]
Fraction = Annotated[float, Meta(gt=0.0, le=1.0)]
Length = Annotated[float, Meta(ge=-10.0, le=10.0)]
Degrees = Annotated[float, Meta(ge=-360.0, le=360.0)]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A TOML table whose keys are all known."""


class Supply(_Table, frozen=True):
    """The battery as the motors see it."""

    nominal_v: Positive
    capacity_ah: Positive
    resistance_ohm: NotNegative


class Actuator(_Table, frozen=True):
    """One actuator type at the joint side of its gears (paper, Table III)."""

    stall_torque: Positive
    torque_constant: Positive
    speed_constant_rpm_per_v: Positive
    friction_coulomb: NotNegative
    friction_viscous: NotNegative

    def no_load_speed(self, supply_v: float) -> float:
        """Return the speed at which the torque-speed line reaches zero [rad/s]."""
        return self.speed_constant_rpm_per_v * supply_v * 2.0 * math.pi / 60.0


class Joint(_Table, frozen=True, array_like=True):
    """One joint: its limb group, actuator, joint gains and named postures."""

    name: str
    group: str
    actuator: str
    kp: NotNegative
    kd: NotNegative
    rest_deg: Degrees
    crouch_deg: Degrees
    seat_deg: Degrees


class Joints(_Table, frozen=True):
    """The joint table, in the order of every joint array."""

    columns: list[str]
    rows: list[Joint]


class Feet(_Table, frozen=True):
    """The line contact of a foot, in the sole frame [m]."""

    heel_from_sole: Length
    toe_from_sole: Length
    ankle_from_sole: Length


class Gait(_Table, frozen=True):
    """How the robot steps."""

    step_s: Annotated[float, Meta(ge=0.2, le=1.0)]
    quick_step_s: Annotated[float, Meta(ge=0.15, le=1.0)]
    min_step_fraction: Fraction
    max_step_fraction: Annotated[float, Meta(ge=1.0, le=2.0)]
    freeze_s: NotNegative
    shift_s: NotNegative
    apex: Positive
    step_width: Positive
    com_height: Positive
    reach_forward: Positive
    reach_out: Positive
    reach_in: Positive
    late_descent_m_s: Positive
    load_s: Positive
    max_speed_forward: Positive
    max_speed_sideways: Positive
    max_yaw_rate: Positive
    acceleration: Positive
    yaw_acceleration: Positive


class Balance(_Table, frozen=True):
    """How the robot stands."""

    capture_gain: Positive
    stand_height: Positive
    crouch_height: Positive
    rise_s: Positive
    support_margin: NotNegative
    step_at: Fraction


class Estimator(_Table, frozen=True):
    """Noise that the state estimator expects."""

    gyro_noise: Positive
    accel_noise: Positive
    gyro_bias_noise: Positive
    accel_bias_noise: Positive
    contact_noise: Positive
    kinematics_noise: Positive
    contact_on_force: Positive
    contact_off_force: Positive
    momentum_gain: Fraction


class Task(_Table, frozen=True):
    """Stiffness [1/s²], damping [1/s] and weight of one task."""

    kp: NotNegative
    kd: NotNegative
    weight: NotNegative


class Tasks(_Table, frozen=True):
    """The whole-body controller's tasks and bounds."""

    contact_weight: Positive
    com_horizontal_weight: NotNegative
    com_vertical: Task
    angular_momentum: Task
    torso_orientation: Task
    torso_yaw: Task
    swing_position: Task
    swing_orientation: Task
    posture: Task
    acceleration_weight: Positive
    force_weight: Positive
    pressure_weight: NotNegative
    effort_weight: NotNegative
    friction: Positive
    force_min: NotNegative
    force_max: Positive
    torque_fraction: Fraction


class QpSettings(_Table, frozen=True):
    """Which solver, and how exactly it solves."""

    solver: str
    eps_abs: Positive
    max_iterations: Annotated[int, Meta(ge=1, le=10_000)]


class Profile(_Table, frozen=True):
    """Everything about one robot that is not in its model."""

    schema: Annotated[int, Meta(ge=1, le=1)]
    name: str
    title: str
    model: str
    tick_s: Annotated[float, Meta(ge=1e-4, le=1e-2)]
    supply: Supply
    actuators: dict[str, Actuator]
    joints: Joints
    feet: Feet
    gait: Gait
    balance: Balance
    estimator: Estimator
    tasks: Tasks
    qp: QpSettings

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Every joint, in the order of every joint array."""
        return tuple(joint.name for joint in self.joints.rows)

    @property
    def model_path(self) -> Path:
        """The robot's MJCF file."""
        return ROBOTS / self.name / self.model

    def column(self, field: str) -> npt.NDArray[np.float64]:
        """Return one numeric column of the joint table (n)."""
        return np.array([getattr(joint, field) for joint in self.joints.rows], dtype=np.float64)

    def posture(self, name: str) -> npt.NDArray[np.float64]:
        """Return the posture `rest`, `crouch` or `seat` (n) [rad]."""
        return np.deg2rad(self.column(f"{name}_deg"))

    def actuator_column(self, field: str) -> npt.NDArray[np.float64]:
        """Return one figure of every joint's actuator (n)."""
        kinds = self.actuators
        return np.array(
            [getattr(kinds[joint.actuator], field) for joint in self.joints.rows],
            dtype=np.float64,
        )

    def no_load_speed(self) -> npt.NDArray[np.float64]:
        """Return every joint's no-load speed at the nominal supply (n) [rad/s]."""
        volts = self.supply.nominal_v
        return np.array(
            [self.actuators[joint.actuator].no_load_speed(volts) for joint in self.joints.rows]
        )


def robot_names() -> list[str]:
    """Return the robots that have a folder in assets/robots."""
    return sorted(path.parent.name for path in ROBOTS.glob("*/profile.toml"))


def load_profile(name: str) -> Profile:
    """Read and check the profile of the robot called `name`.

    Raises:
        ProfileError: no such robot, or its profile cannot be used.
    """
    path = ROBOTS / name / "profile.toml"
    if name not in robot_names():
        known = ", ".join(robot_names())
        raise ProfileError(str(path), "robot", f"no robot is called {name!r}; known are: {known}")
    return read_profile(path)


def read_profile(path: Path) -> Profile:
    """Read and check a profile file.

    Raises:
        ProfileError: the file is unreadable, has unknown or missing keys, or holds a value
            that is not finite, out of range or contradicts another.
    """
    file = path.name
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_PROFILE_BYTES + 1)
    except OSError as error:
        raise ProfileError(file, "file", f"cannot be read ({error.strerror})") from error
    if len(raw) > MAX_PROFILE_BYTES:
        raise ProfileError(file, "file", "is larger than any profile; put the right file there")
    if not raw.endswith(b"\n"):
        raise ProfileError(file, "end", "is cut off: the last line does not end; copy it anew")
    try:
        table: dict[str, Any] = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProfileError(file, "syntax", f"is not valid TOML ({error}); mend it") from error
    try:
        profile = msgspec.convert(table, Profile)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at ")
        raise ProfileError(file, place.strip("`$.") or "top level", reason) from error
    _check_consistency(file, profile)
    return profile


def _check_consistency(file: str, profile: Profile) -> None:
    """Refuse what single values cannot tell."""
    names = profile.joint_names
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        raise ProfileError(file, "joints.rows", f"joint {min(doubled)!r} is listed twice")
    if profile.joints.columns != list(Joint.__struct_fields__):
        fields = ", ".join(Joint.__struct_fields__)
        raise ProfileError(file, "joints.columns", f"the columns must be {fields}")
    for joint in profile.joints.rows:
        if joint.actuator not in profile.actuators:
            place = f"joints.rows, {joint.name}"
            raise ProfileError(file, place, f"no actuator is called {joint.actuator!r}")
    if profile.estimator.contact_off_force >= profile.estimator.contact_on_force:
        raise ProfileError(file, "estimator.contact_off_force", "must be below contact_on_force")
    if profile.feet.heel_from_sole >= profile.feet.toe_from_sole:
        raise ProfileError(file, "feet.heel_from_sole", "must lie behind toe_from_sole")
    if profile.qp.solver not in ("daqp", "proxqp"):
        raise ProfileError(file, "qp.solver", "must be 'daqp' or 'proxqp'")
