"""Joints that follow another joint, as the two hinges of a rolling contact do.

A coupling is an `equality/joint` of the robot's MJCF model. Above the model, everything sees
independent joints only.
"""

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import NamedTuple

import pinocchio as pin

from core.errors import ProfileError

_PLACE = "equality"


class Coupling(NamedTuple):
    """A joint that turns in proportion to another.

    Attributes:
        follower: name of the joint that follows.
        primary: name of the independent joint.
        ratio: angle of the follower by angle of the primary.
    """

    follower: str
    primary: str
    ratio: float


def read_couplings(path: Path) -> tuple[Coupling, ...]:
    """Return the couplings of an MJCF model.

    Raises:
        ProfileError: the file cannot be read, or a coupling is not a proportion between two joints.
    """
    try:
        root = ET.parse(path).getroot()
    except (OSError, ET.ParseError) as error:
        raise ProfileError(path.name, "file", f"is not valid XML ({error}); correct it") from error
    found: list[Coupling] = []
    for element in root.iterfind("equality/joint"):
        if element.get("active", "true") == "true":
            found.append(_coupling(path.name, element))
    followers = [coupling.follower for coupling in found]
    for name in followers:
        if followers.count(name) > 1:
            reason = "follows two joints; couple it to one"
            raise ProfileError(path.name, f"{_PLACE}, {name}", reason)
    for coupling in found:
        if coupling.primary in followers:
            reason = f"follows {coupling.primary!r}, which follows another; name that one"
            raise ProfileError(path.name, f"{_PLACE}, {coupling.follower}", reason)
    return tuple(found)


def _coupling(file: str, element: ET.Element) -> Coupling:
    follower, primary = element.get("joint1", ""), element.get("joint2", "")
    place = f"{_PLACE}, {follower or 'joint'}"
    if not (follower and primary):
        raise ProfileError(file, place, "couples one joint; name joint1 and joint2")
    try:
        offset, ratio, *rest = map(float, element.get("polycoef", "0 1 0 0 0").split())
    except ValueError:
        raise ProfileError(file, place, "has a wrong polycoef; give five numbers") from None
    if offset or any(rest) or not 0.01 <= abs(ratio) <= 100.0:
        reason = "is not proportional; give polycoef the form '0 RATIO 0 0 0'"
        raise ProfileError(file, place, reason)
    return Coupling(follower, primary, ratio)


def eliminate(model: pin.Model, couplings: tuple[Coupling, ...], file: str) -> pin.Model:
    """Return a model whose followers have no degree of freedom of their own.

    Pinocchio discards the rotor inertia of a joint that it lets follow another: the primary gets
    it, times the square of the ratio.

    Args:
        model: of all joints.
        couplings: of the model.
        file: name of the model's file, for an error.

    Raises:
        ProfileError: a coupled joint is missing, is no hinge or slide, or its primary comes later.
    """
    for follower, primary, ratio in couplings:
        place = f"{_PLACE}, {follower}"
        for name in (follower, primary):
            if not model.existJointName(name) or model.joints[model.getJointId(name)].nq != 1:
                raise ProfileError(file, place, f"there is no joint {name!r} of one angle")
        first, second = model.getJointId(primary), model.getJointId(follower)
        if first > second:
            reason = f"comes before {primary!r}, which it follows; couple them the other way round"
            raise ProfileError(file, place, reason)
        armature = float(model.armature[model.joints[second].idx_v])
        model = pin.transformJointIntoMimic(model, first, second, ratio, 0.0)
        independent = model.joints[model.getJointId(primary)].idx_v
        rotors = model.armature.copy()
        rotors[independent] += ratio * ratio * armature
        model.armature = rotors
    return model


def followers(model: pin.Model) -> dict[int, tuple[int, float]]:
    """Return by joint that follows another its primary joint, and the ratio of their angles."""
    pairs = zip(model.mimicking_joints, model.mimicked_joints, strict=True)
    return {
        int(follower): (int(primary), float(model.joints[follower].extract().scaling))
        for follower, primary in pairs
    }
