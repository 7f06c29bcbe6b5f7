"""A pose: one angle for each of some joints, its file and its checks."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

import msgspec
import numpy as np

from shows.errors import ShowError
from shows.fields import Name, Text
from shows.files import read_capped
from shows.joints import JointTable
from shows.json_places import place_of
from shows.jsonfile import decode
from shows.motion import Motion, Source

SCHEMA = 1
MAX_POSE_BYTES = 2**18
STILL_RATE_HZ = 50.0


class _PoseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    schema: Literal[1]
    name: Name
    title: Text = ""
    source: Source = "keyed"
    tags: Annotated[tuple[Text, ...], msgspec.Meta(max_length=100)] = ()
    angles: Annotated[dict[str, float], msgspec.Meta(min_length=1, max_length=256)]


@dataclass(frozen=True, eq=False)
class Pose:
    """Angles of some joints.

    Attributes:
        name: snake case; the file's name without its ending.
        angles: angle by joint, read-only [rad].
        title: label that an operator reads.
        source: recorded, keyed or imported.
        tags: search words.

    Raises:
        ShowError: there is no joint, or an angle is not finite.
    """

    name: str
    angles: Mapping[str, float] = field(repr=False)
    title: str = ""
    source: Source = "keyed"
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Take a read-only copy of the angles."""
        if not self.angles:
            raise ShowError(self.name, "angles", "names no joint", "give at least one angle")
        angles = {joint: float(angle) for joint, angle in self.angles.items()}
        for joint, angle in angles.items():
            if not np.isfinite(angle):
                advice = "give every angle in radians"
                raise ShowError(self.name, f"angles, {joint}", "is not a finite number", advice)
        object.__setattr__(self, "angles", MappingProxyType(angles))

    @property
    def label(self) -> str:
        """The name on screen."""
        return self.title or self.name.replace("_", " ").capitalize()

    @cached_property
    def still(self) -> Motion:
        """The pose as a motion that stands still; always the same one, for its picture."""
        return Motion(
            self.name,
            tuple(self.angles),
            STILL_RATE_HZ,
            np.tile(list(self.angles.values()), (2, 1)),
            self.title,
        )


def load_pose(path: Path, joints: JointTable, label: str = "") -> Pose:
    """Return the pose of a file, checked against the joints' limits.

    Args:
        path: `NAME.json`.
        joints: the robot's joints and limits.
        label: name of the file in errors; by default its own.

    Raises:
        ShowError: with the file, the line, the joint and the limit.
    """
    label = label or path.name
    data = read_capped(path, MAX_POSE_BYTES, label)
    raw = decode(data, _PoseFile, label)
    if raw.name != path.stem:
        raise ShowError(
            label,
            place_of(data, "$.name"),
            f"the pose is named {raw.name!r}, its file {path.stem!r}",
            "give both the same name",
        )
    pose = Pose(raw.name, raw.angles, raw.title, raw.source, raw.tags)
    check_pose(pose, joints, label, data)
    return pose


def encode_pose(pose: Pose) -> bytes:
    """Return a pose as the text of its file; angles are rounded to a microradian.

    Raises:
        ShowError: reading would refuse the text.
    """
    label = f"{pose.name}.json"
    document = {
        "schema": SCHEMA,
        "name": pose.name,
        "title": pose.title,
        "source": pose.source,
        "tags": pose.tags,
        "angles": {joint: round(angle, 6) + 0.0 for joint, angle in pose.angles.items()},
    }
    try:
        data = (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError as error:
        raise ShowError(label, "", "holds text that is not UTF-8", "retype it") from error
    decode(data, _PoseFile, label)
    return data


def check_pose(pose: Pose, joints: JointTable, label: str = "", data: bytes | None = None) -> None:
    """Refuse a pose that the robot cannot take.

    Args:
        pose: the pose to check.
        joints: names and limits of the robot's joints.
        label: name of the file in the error.
        data: the file's text, so that the error can name the line.

    Raises:
        ShowError: with the joint, the angle and its limits.
    """
    label = label or pose.name
    for joint, angle in pose.angles.items():
        place = f"angles, {joint}" if data is None else place_of(data, f"$.angles.{joint}")
        if joint not in joints.index:
            reason = f"{joints.robot} has no joint {joint!r}"
            raise ShowError(label, place, reason, "name joints of its profile")
        if joint not in joints.limb_of:
            reason = f"{joint} belongs to a leg, which a pose cannot move"
            limbs = ", ".join(joints.joints_of)
            raise ShowError(label, place, reason, f"move joints of {limbs} only")
        fault = joints.angle_fault(joint, angle)
        if fault is not None:
            raise ShowError(label, place, fault, "keep the pose within the limits")


def mirror_pose(pose: Pose, joints: JointTable) -> Pose:
    """Return the mirror image of a pose (see `JointTable.mirror`).

    Raises:
        ShowError: a joint has no counterpart on the other side.
    """
    for joint in pose.angles:
        if joint not in joints.mirror:
            reason = f"cannot be mirrored: {joint} has no counterpart"
            raise ShowError(pose.name, "", reason, "leave its limb out of the pose")
    return replace(pose, angles=mirrored_angles(pose.angles, pose.angles, joints))


def mirrored_angles(
    angles: Mapping[str, float], moved: Iterable[str], joints: JointTable
) -> dict[str, float]:
    """Return the mirror images of some joints' angles, within limits [rad].

    Args:
        angles: angle by joint [rad].
        moved: the joints; those without an angle or a counterpart are left out.
        joints: the robot's joints.
    """
    found = {}
    for joint in moved:
        other = joints.mirror.get(joint)
        if other is None or joint not in angles:
            continue
        angle = -angles[joint] if joints.flips(joint) else angles[joint]
        i = joints.index[other]
        found[other] = float(np.clip(angle, joints.lower[i], joints.upper[i]))
    return found
