"""A robot's Pinocchio model: joints, limits, axes; checked against the profile."""

import math
from itertools import pairwise

import pinocchio as pin

from core.errors import ProfileError
from core.robot.couplings import eliminate, read_couplings
from core.robot.profile import Profile
from devices.interface import Floats

_FILE = "profile.toml"
_ROUNDING = 1e-9  # rounding error of degrees in radians [rad]


def load_pinocchio(profile: Profile) -> pin.Model:
    """Return the Pinocchio model with the hands locked at zero; their mass remains.

    Raises:
        ProfileError: the model cannot be read, or the profile does not fit it.
    """
    full = load_whole(profile)
    locked = [full.getJointId(name) for name in profile.light_joints]
    return pin.buildReducedModel(full, locked, pin.neutral(full))


def joint_limits(profile: Profile) -> tuple[Floats, Floats]:
    """Return every joint's lower and upper limit in the profile's order (n) [rad].

    Raises:
        ProfileError: the model cannot be read, or the profile does not fit it.
    """
    return _limits(profile, load_whole(profile))


def joint_axes(profile: Profile) -> dict[str, tuple[Floats, Floats]]:
    """Return the axis of each joint and the centre of the mass that it moves, robot upright.

    Returns:
        By joint, both in the base's axes (x forward, y left, z up) and at rest: the axis (3), and
        the vector from the joint to the centre of mass of all that it moves (3) [m].

    Raises:
        ProfileError: the model cannot be read, or the profile does not fit it.
    """
    full = load_whole(profile)
    data = full.createData()
    q = pin.neutral(full)
    for name, angle in zip(profile.joint_names, profile.posture("rest"), strict=True):
        q[full.joints[full.getJointId(name)].idx_q] = angle
    pin.computeJointJacobians(full, data, q)
    pin.centerOfMass(full, data, q, True)
    found = {}
    for name in profile.joint_names:
        number = full.getJointId(name)
        jacobian = pin.getJointJacobian(full, data, number, pin.LOCAL_WORLD_ALIGNED)
        axis: Floats = jacobian[3:, full.joints[number].idx_v].copy()
        lever: Floats = data.oMi[number].rotation @ data.com[number]
        found[name] = axis, lever
    return found


def check_against_model(profile: Profile, full: pin.Model) -> None:
    """Refuse a profile whose joints or postures do not fit its model.

    Raises:
        ProfileError: a joint is missing, unknown or out of order, or a posture is beyond a limit.
    """
    names = profile.joint_names
    hinges = zip(list(full.names)[1:], list(full.joints)[1:], strict=True)  # after the universe
    known = [name for name, joint in hinges if joint.nq == 1]
    rows = "joints.rows"
    for name in names:
        if name not in known:
            reason = f"{profile.model} has no such joint; spell it as it is there"
            raise ProfileError(_FILE, f"{rows}, {name}", reason)
    missing = [name for name in known if name not in names]
    if missing:
        raise ProfileError(_FILE, rows, f"the joint {missing[0]!r} is missing; add its row")
    place = {name: known.index(name) for name in names}
    for before, after in pairwise(profile.joints.rows):
        if before.limb == after.limb and place[before.name] > place[after.name]:
            reason = f"comes before {before.name!r} in {profile.model}; keep that order"
            raise ProfileError(_FILE, f"{rows}, {after.name}", reason)
    frames = {frame.name for frame in full.frames}
    wanted = [(f"contacts, {contact.name}", contact.frame) for contact in profile.contacts]
    wanted += [(f"grips, {grip.limb}", grip.body) for grip in profile.grips]
    wanted += [("imu.frame", profile.imu.frame)] if profile.imu is not None else []
    if profile.inertia is not None:
        ends = (("swing", profile.inertia.swing), ("stance", profile.inertia.stance))
        wanted += [(f"inertia.{end}", name) for end, name in ends if name]
    for variant, settings in profile.variants.items():
        wanted += [(f"variants.{variant}.masses", link) for link in settings.masses]
    for where, name in wanted:
        if name not in frames:
            reason = f"{profile.model} has no site or body {name!r}; spell it as it is there"
            raise ProfileError(_FILE, where, reason)
    lower, upper = _limits(profile, full)
    for posture in profile.postures:
        for name, angle, low, high in zip(
            names, profile.posture(posture), lower, upper, strict=True
        ):
            if not low - _ROUNDING <= angle <= high + _ROUNDING:
                within = f"{math.degrees(low):g} to {math.degrees(high):g}"
                reason = f"{math.degrees(angle):g} deg is outside its limits; choose {within}"
                raise ProfileError(_FILE, f"postures.{posture}, {name}", reason)


def load_whole(profile: Profile) -> pin.Model:
    """Return the model of all independent joints after checking that the profile fits it.

    Raises:
        ProfileError: the model cannot be read, or the profile does not fit it.
    """
    try:
        full = pin.buildModelFromMJCF(str(profile.model_path))
    except (RuntimeError, ValueError) as error:
        cause = " ".join(str(error).split()).removeprefix(f"{profile.model_path}")
        reason = f"is not a valid model ({cause.lstrip(': ')}); correct it"
        raise ProfileError(profile.model, "file", reason) from error
    full = eliminate(full, read_couplings(profile.model_path), profile.model)
    check_against_model(profile, full)
    return full


def _limits(profile: Profile, full: pin.Model) -> tuple[Floats, Floats]:
    index = [full.joints[full.getJointId(name)].idx_q for name in profile.joint_names]
    return full.lowerPositionLimit[index].copy(), full.upperPositionLimit[index].copy()
