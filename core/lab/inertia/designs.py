"""Designs: a robot as it is, its named variants, and moved masses.

A link whose mass changes while its centre of mass and its inertia about it do not, changes as if a
point mass were added at its centre of mass. So every change is one of point masses.
"""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from core.lab.inertia.poses import StudyError
from core.robot.model import load_whole
from core.robot.profile import Profile
from devices.interface import Floats

ORIGIN = "origin"
"""Behind a link's name and an @: the origin of its frame, which lies on the axis of its joint."""
_LEAST_MOMENT = 1e-9  # [kg·m²]


class Move(NamedTuple):
    """A mass that is moved, as a point, from one link to another.

    Attributes:
        kg: the mass.
        source: name of the link that loses it at its centre of mass, or LINK@origin.
        target: name of the link that gets it, in the same form.
    """

    kg: float
    source: str
    target: str

    def __str__(self) -> str:
        """Return the move in words."""
        return f"{self.kg:g} kg {self.source} → {self.target}"


@dataclass(frozen=True, slots=True)
class Design:
    """A robot with a distribution of its mass.

    Attributes:
        robot: name of the robot.
        title: in words.
        variant: name of the variant; empty for the robot as it is, and with moved masses.
        moves: the moved masses.
        model: with these masses.
    """

    robot: str
    title: str
    variant: str
    moves: tuple[Move, ...]
    model: pin.Model


class _Link(NamedTuple):
    mass: float
    com: Floats


def designs_of(profile: Profile, moves: Sequence[Move] = ()) -> list[Design]:
    """Return the designs of a robot: as it is, its variants by name, and one with moved masses.

    Args:
        profile: of the robot.
        moves: masses that are moved together.

    Raises:
        StudyError: a link is unknown or would lose more than it has.
        ProfileError: the model cannot be read, or the profile does not fit it.
    """
    links = _links(profile)
    robot, title = profile.name, profile.title
    designs = [Design(robot, title, "", (), load_whole(profile))]
    for name, variant in profile.variants.items():
        points = []
        for link, mass in variant.masses.items():
            _known(links, link, profile)
            points.append((link, links[link].com, mass - links[link].mass))
        model = _with_points(profile, points)
        designs.append(Design(robot, f"{title}, {name.replace('_', ' ')}", name, (), model))
    if moves:
        points = []
        for move in moves:
            for place, kg in ((move.source, -move.kg), (move.target, move.kg)):
                points.append((*_place(links, place, profile), kg))
        lost: dict[str, float] = {}
        for link, _, kg in points:
            lost[link] = lost.get(link, 0.0) - kg
        for link, kg in lost.items():
            if kg >= links[link].mass:
                reason = f"has {links[link].mass:g} kg and cannot lose {kg:g} kg"
                raise StudyError(f"{profile.title}: the link {link!r} {reason}")
        text = ", ".join(str(move) for move in moves)
        model = _with_points(profile, points)
        designs.append(Design(robot, f"{title}, {text}", "", tuple(moves), model))
    return designs


def _links(profile: Profile) -> dict[str, _Link]:
    """Return the links of a robot's model with their own masses."""
    found: dict[str, _Link] = {}
    for body in ET.parse(profile.model_path).getroot().iter("body"):
        inertial = body.find("inertial")
        if inertial is not None:
            com = np.array([float(part) for part in inertial.get("pos", "0 0 0").split()])
            found[body.get("name", "")] = _Link(float(inertial.get("mass", "0")), com)
    return found


def _known(links: dict[str, _Link], name: str, profile: Profile) -> None:
    if name not in links:
        known = ", ".join(links)
        raise StudyError(f"{profile.title} has no link {name!r}; choose from {known}")


def _place(links: dict[str, _Link], text: str, profile: Profile) -> tuple[str, Floats]:
    """Return the link of a place, and the place in its frame (3) [m]."""
    name, at, point = text.partition("@")
    _known(links, name, profile)
    if at and point != ORIGIN:
        raise StudyError(f"{text!r} is no place: give LINK or LINK@{ORIGIN}")
    return name, np.zeros(3) if at else links[name].com


def _with_points(profile: Profile, points: Sequence[tuple[str, Floats, float]]) -> pin.Model:
    """Return a robot's model with point masses, which may be negative.

    Args:
        profile: of the robot.
        points: link, place in its frame (3) [m], mass [kg].

    Raises:
        StudyError: what remains is no rigid body.
    """
    model = load_whole(profile)
    changed: dict[int, str] = {}
    for link, place, kg in points:
        frame = model.frames[model.getFrameId(link, pin.BODY)]
        if frame.parentJoint == 0:
            continue  # it is fixed to the world, and does not count
        point = pin.Inertia(1.0, frame.placement.act(place), np.zeros((3, 3)))
        joint = frame.parentJoint
        parameters = model.inertias[joint].toDynamicParameters() + kg * point.toDynamicParameters()
        model.inertias[joint] = pin.Inertia.FromDynamicParameters(parameters)
        changed[joint] = link
    for joint, link in changed.items():
        body = model.inertias[joint]
        moments = np.linalg.eigvalsh(body.inertia)
        if not (moments[0] > _LEAST_MOMENT and moments[2] <= moments[0] + moments[1]):
            reason = "would have moments of inertia that no rigid body has; move less from there"
            raise StudyError(f"{profile.title}: the link {link!r} {reason}")
    return model
