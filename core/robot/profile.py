"""A robot's profile: joints, actuators and tuning, read once and checked."""

import math
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from core.errors import ProfileError
from core.link.handset import HandsetMap
from core.robot import bounds

ROBOTS = Path(__file__).parents[2] / "assets" / "robots"
MAX_PROFILE_BYTES = 1_000_000
GROUPS = ("head", "left_arm", "right_arm", "left_leg", "right_leg", "left_hand", "right_hand")
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PLAIN_XML = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.xml")
_ROW = re.compile(r"joints\.rows\[(\d+)\]\[(\d+)\]")


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A TOML table whose keys are all known."""


class Supply(_Table, frozen=True):
    """The battery as the motors see it."""

    nominal_v: bounds.Volts
    capacity_ah: bounds.AmpereHours
    resistance_ohm: bounds.Ohms


class Actuator(_Table, frozen=True):
    """One actuator type at the joint side of its gears (paper, Table III)."""

    stall_torque: bounds.Torque
    torque_constant: bounds.TorqueConstant
    speed_constant_rpm_per_v: bounds.SpeedConstant
    friction_coulomb: bounds.CoulombFriction
    friction_viscous: bounds.ViscousFriction

    def no_load_speed(self, supply_v: float) -> float:
        """Return the speed at which the torque-speed line reaches zero [rad/s]."""
        return self.speed_constant_rpm_per_v * supply_v * 2.0 * math.pi / 60.0


class Joint(_Table, frozen=True, array_like=True):
    """One joint: its limb group, actuator, joint gains and named postures."""

    name: str
    group: str
    actuator: str
    kp: bounds.JointStiffness
    kd: bounds.JointDamping
    rest_deg: bounds.Degrees
    crouch_deg: bounds.Degrees
    seat_deg: bounds.Degrees


class Joints(_Table, frozen=True):
    """The joint table, in the order of every joint array."""

    columns: list[str]
    rows: list[Joint]


class Feet(_Table, frozen=True):
    """The line contact of a foot, in the sole frame [m]."""

    heel_from_sole: bounds.SoleLength
    toe_from_sole: bounds.SoleLength
    ankle_from_sole: bounds.SoleLength


class Hands(_Table, frozen=True):
    """Where a hand holds a thing: on the z axis of its body's frame [m]."""

    grip_from_hand: bounds.Offset


class Gait(_Table, frozen=True):
    """How the robot steps."""

    step_s: bounds.StepTime
    quick_step_s: bounds.QuickStepTime
    min_step_fraction: bounds.Fraction
    max_step_fraction: Annotated[float, Meta(ge=1.0, le=2.0)]
    freeze_s: bounds.Pause
    shift_s: bounds.Pause
    apex: bounds.Apex
    step_width: bounds.Reach
    com_height: bounds.Height
    reach_forward: bounds.Reach
    reach_out: bounds.Reach
    reach_in: bounds.Reach
    late_descent_m_s: bounds.Speed
    load_s: bounds.LoadTime
    transfer_s: bounds.Pause
    trim_forward: bounds.Offset
    max_speed_forward: bounds.Speed
    max_speed_sideways: bounds.Speed
    max_yaw_rate: bounds.YawRate
    acceleration: bounds.Acceleration
    yaw_acceleration: bounds.Acceleration


class Balance(_Table, frozen=True):
    """How the robot stands."""

    capture_gain: bounds.Pole
    stand_height: bounds.Height
    crouch_height: bounds.Height
    rise_s: bounds.RiseTime
    support_margin: bounds.Margin
    step_at: bounds.Fraction


class Estimator(_Table, frozen=True):
    """Noise that the state estimator expects."""

    gyro_noise: bounds.GyroNoise
    accel_noise: bounds.AccelNoise
    gyro_bias_noise: bounds.GyroBiasNoise
    accel_bias_noise: bounds.AccelBiasNoise
    contact_noise: bounds.ContactNoise
    kinematics_noise: bounds.KinematicsNoise
    contact_on_force: bounds.ContactForce
    contact_off_force: bounds.ContactForce
    momentum_gain: bounds.Fraction


class Task(_Table, frozen=True):
    """Stiffness [1/s²], damping [1/s] and weight of one task."""

    kp: bounds.Stiffness
    kd: bounds.Damping
    weight: bounds.Weight


class YieldingTask(Task, frozen=True):
    """A task that takes what the firmer ones leave; its weight is the smaller."""

    weight: bounds.YieldingWeight


class Tasks(_Table, frozen=True):
    """The whole-body controller's tasks and bounds."""

    contact_weight: bounds.FirmWeight
    com_horizontal_weight: bounds.Weight
    com_vertical: Task
    angular_momentum: YieldingTask
    torso_orientation: Task
    torso_yaw: YieldingTask
    swing_position: Task
    swing_orientation: YieldingTask
    posture: YieldingTask
    acceleration_weight: bounds.Regularisation
    force_weight: bounds.Regularisation
    pressure_weight: bounds.SmallWeight
    effort_weight: bounds.SmallWeight
    friction: bounds.Friction
    force_min: bounds.LeastForce
    force_max: bounds.LargestForce
    torque_fraction: bounds.Fraction


class QpSettings(_Table, frozen=True):
    """Which solver, and how exactly it solves."""

    solver: str
    eps_abs: bounds.Accuracy
    max_iterations: Annotated[int, Meta(ge=1, le=10_000)]


class Handset(_Table, frozen=True):
    """The operator's handset: how fast it may walk the robot, and what its controls do."""

    forward: bounds.Speed
    backward: bounds.Speed
    sideways: bounds.Speed
    turning: bounds.YawRate
    map: HandsetMap


class Profile(_Table, frozen=True):
    """Everything about one robot that is not in its model."""

    schema: Annotated[int, Meta(ge=1, le=1)]
    name: str
    title: str
    model: str
    tick_s: bounds.Tick
    supply: Supply
    actuators: dict[str, Actuator]
    joints: Joints
    feet: Feet
    hands: Hands
    gait: Gait
    balance: Balance
    estimator: Estimator
    tasks: Tasks
    qp: QpSettings
    handset: Handset

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
    profile = read_profile(path)
    if profile.name != name:
        reason = f"is {profile.name!r}, but the folder is called {name!r}; give both one name"
        raise ProfileError(path.name, "name", reason)
    if not profile.model_path.is_file():
        reason = f"there is no file {profile.model!r} in the folder {name!r}; name the one there"
        raise ProfileError(path.name, "model", reason)
    return profile


def read_profile(path: Path) -> Profile:
    """Read and check a profile file; `core.robot.model` checks it against the model.

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
        raise _refusal(file, table, str(error)) from error
    _check_names(file, profile)
    _check_joints(file, profile)
    _check_consistency(file, profile)
    return profile


def _refusal(file: str, table: dict[str, Any], message: str) -> ProfileError:
    """Return the error of a value: which one it is and what to do about it."""
    reason, _, path = message.partition(" - at ")
    place = path.strip("`$.")
    if place.startswith("actuators[...]"):
        place = place.replace("[...]", f".{_bad_actuator(table['actuators'])}", 1)
    cell = _ROW.fullmatch(place)
    if cell is not None:
        row, column = int(cell[1]), int(cell[2])
        joint = table["joints"]["rows"][row][0]
        place += f" ({joint}, {Joint.__struct_fields__[column]})"
    place = " ".join(place.split())  # a key may hold anything
    if "missing required field" in reason:
        advice = "add it"
    elif "unknown field" in reason:
        advice = "spell it right or remove it"
    else:
        advice = "correct it"
    return ProfileError(file, place or "top level", f"{reason}; {advice}".replace("\n", " "))


def _bad_actuator(kinds: dict[str, Any]) -> str:
    """Return the first actuator that is not a proper one."""
    for kind, figures in kinds.items():
        try:
            msgspec.convert(figures, Actuator)
        except msgspec.ValidationError:
            return kind
    return "?"


def _check_names(file: str, profile: Profile) -> None:
    """Refuse names that lead out of the robot's folder or do not fit on a line."""
    if not _PLAIN_NAME.fullmatch(profile.name):
        raise ProfileError(file, "name", _no_name(profile.name))
    if not _PLAIN_XML.fullmatch(profile.model):
        reason = f"{profile.model!r} is not the plain name of an .xml file; give it without folders"
        raise ProfileError(file, "model", reason)
    for kind in profile.actuators:
        if not _PLAIN_NAME.fullmatch(kind):
            raise ProfileError(file, "actuators", _no_name(kind))
    for row, name in enumerate(profile.joint_names):
        if not _PLAIN_NAME.fullmatch(name):
            raise ProfileError(file, f"joints.rows[{row}]", _no_name(name))


def _no_name(text: str) -> str:
    return f"{text!r} is no name; use small letters, digits and underscores"


def _check_joints(file: str, profile: Profile) -> None:
    """Refuse a joint table that contradicts itself; the arrays rely on its order."""
    if profile.joints.columns != list(Joint.__struct_fields__):
        fields = ", ".join(Joint.__struct_fields__)
        raise ProfileError(file, "joints.columns", f"the columns must be {fields}")
    names = profile.joint_names
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        reason = f"joint {min(doubled)!r} is listed twice; keep one"
        raise ProfileError(file, "joints.rows", reason)
    latest = 0
    for joint in profile.joints.rows:
        place = f"joints.rows, {joint.name}"
        if joint.actuator not in profile.actuators:
            known = ", ".join(profile.actuators)
            reason = f"no actuator is called {joint.actuator!r}; known are: {known}"
            raise ProfileError(file, place, reason)
        if joint.group not in GROUPS:
            reason = f"no limb group is called {joint.group!r}; known are: {', '.join(GROUPS)}"
            raise ProfileError(file, place, reason)
        if _side(joint.name) != _side(joint.group):
            reason = f"is not a joint of the {joint.group!r}; mend the name or the group"
            raise ProfileError(file, place, reason)
        if GROUPS.index(joint.group) < latest:
            reason = f"{joint.group!r} comes too late; keep the order {', '.join(GROUPS)}"
            raise ProfileError(file, place, reason)
        latest = GROUPS.index(joint.group)


def _side(name: str) -> str:
    side = name.partition("_")[0]
    return side if side in ("left", "right") else ""


def _check_consistency(file: str, profile: Profile) -> None:
    """Refuse what single values cannot tell."""
    estimator, tasks, balance = profile.estimator, profile.tasks, profile.balance
    if estimator.contact_off_force >= estimator.contact_on_force:
        raise ProfileError(file, "estimator.contact_off_force", "must be below contact_on_force")
    if profile.feet.heel_from_sole >= profile.feet.toe_from_sole:
        raise ProfileError(file, "feet.heel_from_sole", "must lie behind toe_from_sole")
    if tasks.force_min >= tasks.force_max:
        raise ProfileError(file, "tasks.force_min", "must be below force_max")
    if balance.crouch_height >= balance.stand_height:
        raise ProfileError(file, "balance.crouch_height", "must be below stand_height")
    gait, handset = profile.gait, profile.handset
    for field, most in (
        ("forward", gait.max_speed_forward),
        ("backward", gait.max_speed_forward),
        ("sideways", gait.max_speed_sideways),
        ("turning", gait.max_yaw_rate),
    ):
        if getattr(handset, field) > most:
            reason = f"must not exceed what the gait can do, {most:g}"
            raise ProfileError(file, f"handset.{field}", reason)
    for name, kind in profile.actuators.items():
        if kind.friction_coulomb >= kind.stall_torque:
            raise ProfileError(
                file, f"actuators.{name}.friction_coulomb", "must be below stall_torque"
            )
    if profile.qp.solver not in ("daqp", "proxqp"):
        raise ProfileError(file, "qp.solver", "must be 'daqp' or 'proxqp'")
