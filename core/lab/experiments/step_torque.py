"""Torques of the legs while stepping in place, and those that a conventional hip would need."""

import math

import numpy as np
import pinocchio as pin

from core.errors import CoreError
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.measure.gait import cycles
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.plants.biped.settings import Lean
from core.robot.model import load_whole
from core.robot.profile import Profile
from core.run.launch import WalkOrder
from devices.interface import Floats
from shows.limbs import Limb

LEAD_S = 2.0  # of stepping before anything counts
LEARNING = 3.0  # time constants in which the torso learns its lean; reported, not judged
LENGTH_S = 20.0
CURVE_S = 4.0  # of stepping that is drawn
AT_LIMIT = 0.94  # fraction of the stall torque
PAPER = ("3.93 (hip yaw)", "3.98 (hip roll)")  # of the right leg's crossed joints [N·m]
PAPER_UNLIKE = "0.013"


def legs(profile: Profile) -> list[Limb]:
    """Return the legs, the right one first."""
    found = [limb for limb in profile.limbs if limb.kind == "leg"]
    return sorted(found, key=lambda limb: limb.side != "right")


def joint_of(profile: Profile, leg: Limb, role: str) -> int:
    """Return the index of the joint that has a role in a leg."""
    return next(
        index
        for index, joint in enumerate(profile.joints.rows)
        if joint.limb == leg.name and joint.role == role
    )


def lean_of(profile: Profile) -> Lean:
    """Return how the torso of a robot leans.

    Raises:
        CoreError: it does not lean.
    """
    lean = profile.as_biped.lean
    if lean is None:
        reason = "choose a robot whose profile has [biped.lean]"
        raise CoreError(f"{profile.title} does not share the torque of hips by leaning; {reason}")
    return lean


def roles(profile: Profile) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the roles of the crossed hip joints, and those of a leg's other joints."""
    crossed = lean_of(profile).joints
    leg = legs(profile)[0]
    own = [joint.role for joint in profile.joints.rows if joint.limb == leg.name]
    return crossed, tuple(role for role in own if role not in crossed)


def axis_angles(profile: Profile, leg: Limb) -> list[float]:
    """Return the angles of the crossed axes in the roll-yaw plane, all joints at zero [rad]."""
    model = load_whole(profile)
    data = model.createData()
    q = pin.neutral(model)
    pin.computeJointJacobians(model, data, q)
    angles = []
    for role in lean_of(profile).joints:
        number = model.getJointId(profile.joint_names[joint_of(profile, leg, role)])
        jacobian = pin.getJointJacobian(model, data, number, pin.LOCAL_WORLD_ALIGNED)
        x, _, z = jacobian[3:, model.joints[number].idx_v]
        angles.append(math.atan2(z, x))
    return angles


def conventional(first: Floats, second: Floats, angles: list[float]) -> tuple[Floats, Floats]:
    """Return the torques of a roll and a yaw joint that make the same moment [N·m].

    The axes of the pair lie at two angles [rad] in the plane of the roll and the yaw axis, at
    right angles to each other; near the upright posture moments add up as vectors.
    """
    roll = math.cos(angles[0]) * first + math.cos(angles[1]) * second
    yaw = math.sin(angles[0]) * first + math.sin(angles[1]) * second
    return roll, yaw


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    profile = lab.profile
    step_s = profile.as_biped.gait.step_s
    learning_s = LEARNING / lean_of(profile).pitch_share * 2.0 * step_s
    length_s = LEAD_S + learning_s + LENGTH_S
    done = lab.run(seed, Script(length_s, [WalkOrder(dur=length_s, step=True)]))
    rows = done.rows[done.rows["t"] >= START_S + LEAD_S]
    figures: Figures = {"falls": float(done.failed)}
    settled = rows["t"] >= START_S + LEAD_S + learning_s
    _add_early(figures, profile, rows[~settled])
    rows = rows[settled]
    found = cycles(rows)
    if found.start_s.size:  # whole cycles only
        end_s = found.start_s[-1] + found.duration_s[-1]
        rows = rows[(rows["t"] >= found.start_s[0]) & (rows["t"] < end_s)]
    for leg in legs(profile):
        _add_leg(figures, profile, leg, rows)
    figures["cycle_s"] = float(found.duration_s.mean()) if found.duration_s.size else math.nan
    kept = rows[: round(CURVE_S / profile.tick_s)]
    leg = legs(profile)[0]
    curves = {"t": kept["t"] - kept["t"][0]}
    for name in profile.joints_of(leg.name):
        torque = kept["tau_applied"][:, profile.joint_names.index(name)].astype(float)
        curves[f"torque_{name}"] = torque
    return Measured(figures, curves)


def _add_leg(figures: Figures, profile: Profile, leg: Limb, rows: Rows) -> None:
    """Note the torques of one leg."""
    crossed, others = roles(profile)
    stall = profile.actuator_column("stall_torque")
    applied = {
        role: rows["tau_applied"][:, joint_of(profile, leg, role)].astype(float)
        for role in (*crossed, *others)
    }
    for role, signed in applied.items():
        torque, limit = np.abs(signed), AT_LIMIT * stall[joint_of(profile, leg, role)]
        figures[f"{leg.side}_{role}_mean"] = float(torque.mean())
        figures[f"{leg.side}_{role}_peak"] = float(torque.max())
        figures[f"{leg.side}_{role}_at_limit"] = float((torque > limit).mean())
    one, two = (figures[f"{leg.side}_{role}_mean"] for role in crossed)
    figures[f"{leg.side}_unlike"] = abs(one - two) / max(one, two)
    first, second = (applied[role] for role in crossed)
    roll, yaw = conventional(first, second, axis_angles(profile, leg))
    for kind, values in (("roll", roll), ("yaw", yaw)):
        figures[f"{leg.side}_{kind}_mean"] = float(np.abs(values).mean())
        figures[f"{leg.side}_{kind}_peak"] = float(np.abs(values).max())


def _add_early(figures: Figures, profile: Profile, rows: Rows) -> None:
    """Note the mean torques of the crossed joints while the lean is being learned."""
    crossed, _ = roles(profile)
    for leg in legs(profile):
        for role in crossed:
            torque = rows["tau_applied"][:, joint_of(profile, leg, role)].astype(float)
            mean = float(np.abs(torque).mean()) if torque.size else math.nan
            figures[f"{leg.side}_{role}_early"] = mean


def _robot_bars(profile: Profile) -> tuple[Bar, ...]:
    """Return the rows of the robot's legs."""
    crossed, others = roles(profile)
    bars = [Bar("falls", "falls", at_most=0.0)]
    for leg in legs(profile):
        side, first = leg.side, leg == legs(profile)[0]
        for role, paper in zip(crossed, PAPER, strict=True):
            what = f"mean |τ|, {side} {role.replace('_', ' ')}"
            told = paper if first else ""
            bars.append(Bar(f"{side}_{role}_mean", what, "N·m", told, at_most=5.0, at_least=3.0))
            what = "before that, while the torso learns to lean"
            bars.append(Bar(f"{side}_{role}_early", what, "N·m"))
        what = f"their difference, {side}, as a share"
        bars.append(Bar(f"{side}_unlike", what, "", PAPER_UNLIKE if first else "", 0.05))
        for role in crossed:
            what = f"largest |τ|, {side} {role.replace('_', ' ')}"
            bars.append(Bar(f"{side}_{role}_peak", what, "N·m"))
            bars.append(Bar(f"{side}_{role}_at_limit", "of the time at its limit"))
        for kind in ("roll", "yaw"):
            what = f"{side} {kind} joint of a 0°/90° hip"
            bars.append(Bar(f"{side}_{kind}_mean", f"{what}, mean |τ|", "N·m"))
            bars.append(Bar(f"{side}_{kind}_peak", f"{what}, largest", "N·m"))
        for role in others:
            what = f"{side} {role.replace('_', ' ')}"
            bars.append(Bar(f"{side}_{role}_mean", f"mean |τ|, {what}", "N·m"))
            bars.append(Bar(f"{side}_{role}_peak", f"largest |τ|, {what}", "N·m"))
    bars.append(Bar("cycle_s", "gait cycle", "s"))
    return tuple(bars)


EXPERIMENT = Experiment(
    "step-torque",
    "torques of the legs while stepping in place",
    run,
    (),
    robot_bars=_robot_bars,
)
