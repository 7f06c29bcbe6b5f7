"""The robot as preflight needs it: limits, torque, balance and collisions."""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from core.behave.joints import UpperJoints
from core.behave.settings import MotionSettings
from core.plants.pace import Pace
from core.robot.collision import CollisionModel, read_shapes
from core.robot.dynamics import PinocchioDynamics, UpperDynamics
from core.robot.joint_table import joint_table
from core.robot.model import load_whole
from core.robot.profile import REST, Profile
from core.stage.gait_check import GaitCheck
from core.stage.squat import Squat
from devices.interface import Floats
from shows.body_limb import without_body
from shows.joints import JointTable


@dataclass(frozen=True, slots=True)
class Footing:
    """Where the feet of a standing robot are, from the middle between the soles.

    Attributes:
        heel_m, toe_m: x of the ends of the feet [m].
        half_width_m: half of the width of the support [m].
    """

    heel_m: float
    toe_m: float
    half_width_m: float


@dataclass(frozen=True, slots=True, eq=False)
class WalkLimits:
    """The limits of the gait.

    Attributes:
        pace: as the profile has them.
        speed: largest vx, vy, yaw rate (3) [m/s, m/s, rad/s].
        acceleration: their largest rates (3) [m/s², m/s², rad/s²].
    """

    pace: Pace
    speed: Floats
    acceleration: Floats


@dataclass(frozen=True, eq=False)
class PreflightBody:
    """A robot as preflight needs it. Arrays are in upper order, without the body.

    Attributes:
        table: the robot's joints, with the coordinates of the body.
        rest_q: rest posture in the table's order (n) [rad].
        motion: settings of the motion manager.
        upper: the upper body's joints.
        stall_torque: torque at standstill (u) [N·m].
        no_load_speed: speed at which no torque is left (u) [rad/s].
        friction_coulomb: dry friction of the actuators (u) [N·m].
        friction_viscous: viscous friction of the actuators (u) [N·m·s/rad].
        walk: None if the robot does not walk.
        footing: None if the robot does not stand on feet.
        dynamics: torque, balance and placements.
        collision: None if the profile has no pairs of bodies to keep apart.
        squat: the legs at a height; None if the robot does not sway.
        gait: plans runs and jumps; None if the robot has no planner of them.
        whole: placements of all bodies by all joints (n); None beside `gait`.
        chooses_foot: it chooses the foot of its last step.
    """

    table: JointTable
    rest_q: Floats
    motion: MotionSettings
    upper: UpperJoints
    stall_torque: Floats
    no_load_speed: Floats
    friction_coulomb: Floats
    friction_viscous: Floats
    walk: WalkLimits | None
    footing: Footing | None
    dynamics: UpperDynamics
    collision: CollisionModel | None
    squat: Squat | None = None
    gait: GaitCheck | None = None
    whole: UpperDynamics | None = None
    chooses_foot: bool = False


def body_from_profile(profile: Profile) -> PreflightBody:
    """Return a robot's data for preflight, from its profile and model.

    Raises:
        ProfileError: the model cannot be read, or the profile does not fit it.
    """
    table = joint_table(profile)
    upper = UpperJoints.from_table(without_body(table))
    picked = list(upper.table_index)
    rest_q = profile.posture(REST)
    model = load_whole(profile)
    dynamics = PinocchioDynamics(model, profile, upper.names)
    collision = None
    if profile.collisions is not None:
        shapes = read_shapes(profile, model)
        rest = dynamics.placements(rest_q[picked])
        collision = CollisionModel(shapes, profile.collisions, rest)
    return PreflightBody(
        table=table,
        rest_q=rest_q,
        motion=profile.motion,
        upper=upper,
        stall_torque=profile.actuator_column("stall_torque")[picked],
        no_load_speed=profile.no_load_speed()[picked],
        friction_coulomb=profile.actuator_column("friction_coulomb")[picked],
        friction_viscous=profile.actuator_column("friction_viscous")[picked],
        walk=_walk_limits(profile),
        footing=_footing(profile),
        dynamics=dynamics,
        collision=collision,
        squat=_squat(profile, model),
        gait=None if profile.runner is None else GaitCheck(profile, table, upper),
        whole=None
        if profile.runner is None
        else PinocchioDynamics(model, profile, profile.joint_names),
        chooses_foot=profile.biped is not None,
    )


def _squat(profile: Profile, model: pin.Model) -> Squat | None:
    """Return the legs at a height, if the robot sways."""
    if profile.biped is None or profile.biped.sway is None:
        return None
    return Squat(model, profile, profile.biped)


def _walk_limits(profile: Profile) -> WalkLimits | None:
    """Return the limits of the gait, if the robot walks."""
    pace = profile.pace
    if pace is None:
        return None
    return WalkLimits(
        pace,
        np.array([pace.max_speed_forward, pace.max_speed_sideways, pace.max_yaw_rate]),
        np.array([pace.acceleration, pace.acceleration, pace.yaw_acceleration]),
    )


def _footing(profile: Profile) -> Footing | None:
    """Return where the feet are, if the robot stands on feet."""
    if not (profile.step_width and profile.contacts):
        return None
    return Footing(
        heel_m=max(contact.heel for contact in profile.contacts),
        toe_m=min(contact.toe for contact in profile.contacts),
        half_width_m=0.5 * profile.step_width
        + min(contact.half_width for contact in profile.contacts),
    )
