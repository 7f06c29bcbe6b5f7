"""A motion (gesture): joint positions over time, its file and its checks."""

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from shows.body_limb import COORDINATES
from shows.errors import ShowError
from shows.fields import (
    MAX_MOTION_S,
    MAX_RATE_HZ,
    MIN_RATE_HZ,
    MotionSeconds,
    Name,
    Rate,
    Text,
)
from shows.files import read_capped, write_atomically
from shows.joints import POSITION_SLACK_RAD, Floats, JointTable
from shows.json_places import place_of
from shows.jsonfile import decode

Source: TypeAlias = Literal["recorded", "keyed", "imported"]

SCHEMA = 1
MAX_MOTION_BYTES = 16 * 2**20
ACCELERATION_WINDOW_S = 0.02
"""Interval of the second difference, so that encoder noise at 1 kHz gives no spike [s]."""


class Marker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named moment of a motion.

    Attributes:
        time_s: from the motion's start [s].
        name: label that an operator reads.
    """

    time_s: MotionSeconds
    name: Text


class _MotionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    schema: Literal[1]
    name: Name
    title: Text = ""
    joint_names: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=256)]
    rate_hz: Rate
    positions: Annotated[list[list[float]], msgspec.Meta(min_length=2)]
    markers: Annotated[tuple[Marker, ...], msgspec.Meta(max_length=1000)] = ()
    source: Source = "keyed"
    thumbnail_s: MotionSeconds = 0.0
    tags: Annotated[tuple[Text, ...], msgspec.Meta(max_length=100)] = ()
    needs: Annotated[tuple[str, ...], msgspec.Meta(max_length=256)] = ()


@dataclass(frozen=True, eq=False)
class Motion:
    """Positions of some joints, sampled at a constant rate.

    Attributes:
        name: snake case; the file's name without its ending.
        joint_names: the m joints that it moves.
        rate_hz: sampling rate [Hz].
        positions: (k, m) [rad], read-only; the first row is time zero.
        title: label that an operator reads.
        markers: named moments.
        source: recorded, keyed or imported.
        thumbnail_s: the moment whose pose the thumbnail shows [s].
        tags: search words.
        needs: joints that carry its meaning: a robot that lacks one of them cannot play it, nor
            can it be adapted to that robot.
        bodiless: the file also moves the body, which the robot cannot.

    Raises:
        ShowError: positions are not a finite (k >= 2, m) array, or the rate is out of bounds.
    """

    name: str
    joint_names: tuple[str, ...]
    rate_hz: float
    positions: Floats = field(repr=False)
    title: str = ""
    markers: tuple[Marker, ...] = ()
    source: Source = "keyed"
    thumbnail_s: float = 0.0
    tags: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bodiless: bool = False

    def __post_init__(self) -> None:
        """Take a read-only copy of the positions and check their shape."""
        object.__setattr__(self, "joint_names", tuple(self.joint_names))
        positions = np.array(self.positions, dtype=np.float64, order="C")
        columns = len(self.joint_names)
        if positions.ndim != 2 or positions.shape[0] < 2 or positions.shape[1] != columns:
            raise ShowError(
                self.name,
                "positions",
                f"have shape {positions.shape}, not at least 2 rows of {columns}",
                "give one row a sample and one column a joint",
            )
        if not np.isfinite(positions).all():
            row, column = np.argwhere(~np.isfinite(positions))[0]
            raise ShowError(
                self.name,
                f"positions[{row}][{column}]",
                f"{self.joint_names[column]} is not a finite number",
                "give every position in radians",
            )
        if not MIN_RATE_HZ <= self.rate_hz <= MAX_RATE_HZ:
            raise ShowError(
                self.name,
                "rate_hz",
                f"{self.rate_hz} Hz is not within {MIN_RATE_HZ:g} to {MAX_RATE_HZ:g} Hz",
                "resample it",
            )
        positions.flags.writeable = False
        object.__setattr__(self, "positions", positions)

    @property
    def duration_s(self) -> float:
        """Time from the first to the last sample [s]."""
        return (len(self.positions) - 1) / self.rate_hz

    def accelerations(self) -> tuple[Floats, int]:
        """Return each joint's acceleration (k - 2 stride, m) [rad/s²], and the stride.

        Row i is the second difference over ACCELERATION_WINDOW_S to either side of sample
        i + stride; a shorter motion has no rows.
        """
        stride = max(1, round(ACCELERATION_WINDOW_S * self.rate_hz))
        q = self.positions
        bend = q[2 * stride :] - 2.0 * q[stride:-stride] + q[: -2 * stride]
        return bend * (self.rate_hz / stride) ** 2, stride

    def peak_acceleration(self) -> Floats:
        """Return each joint's largest acceleration (m) [rad/s²]."""
        peak: Floats = np.abs(self.accelerations()[0]).max(axis=0, initial=0.0)
        return peak

    def peak_speed(self) -> Floats:
        """Return each joint's largest speed between samples (m) [rad/s]."""
        peak: Floats = np.abs(np.diff(self.positions, axis=0)).max(axis=0) * self.rate_hz
        return peak


def load_motion(path: Path, joints: JointTable, label: str = "") -> Motion:
    """Return the motion of a file, checked against the joints' limits.

    A robot without a body as a limb gets the motion without the coordinates of the body.

    Args:
        path: `NAME.json`.
        joints: the robot's joints and limits.
        label: name of the file in errors; by default its own.

    Raises:
        ShowError: with the file, the line and the joint and time of the fault.
    """
    label = label or path.name
    motion, data = _read(path, label)
    shown = _for_robot(motion, joints)
    # The text's columns are those of the motion only as long as none is left out.
    check_motion(shown, joints, label, data if shown is motion else None)
    return shown


def load_raw_motion(path: Path, joints: JointTable, label: str = "") -> Motion:
    """Return the motion of a file as it is: it may go beyond the limits of the robot's joints.

    Args:
        path: `NAME.json`.
        joints: the robot's joints.
        label: name of the file in errors; by default its own.

    Raises:
        ShowError: with the file, the line and the fault; a joint is not the robot's.
    """
    label = label or path.name
    motion, data = _read(path, label)
    motion = _for_robot(motion, joints)
    check_joints(motion, joints, label, None if motion.bodiless else data)
    return motion


def _for_robot(motion: Motion, joints: JointTable) -> Motion:
    """Return a motion without the coordinates of the body, if the robot has none and other joints.

    A motion that needs one of them, or moves nothing else, stays as it is, and is refused later.
    """
    body = set(COORDINATES) - joints.index.keys()
    kept = [i for i, joint in enumerate(motion.joint_names) if joint not in body]
    if len(kept) == len(motion.joint_names) or not kept or body & set(motion.needs):
        return motion
    names = tuple(motion.joint_names[i] for i in kept)
    return replace(motion, joint_names=names, positions=motion.positions[:, kept], bodiless=True)


def _read(path: Path, label: str) -> tuple[Motion, bytes]:
    """Return the motion of a file, and the text of the file."""
    data = read_capped(path, MAX_MOTION_BYTES, label)
    raw = decode(data, _MotionFile, label)
    _check_shape(raw, path.stem, data, label)
    motion = Motion(
        name=raw.name,
        joint_names=raw.joint_names,
        rate_hz=raw.rate_hz,
        positions=np.array(raw.positions, dtype=np.float64),
        title=raw.title,
        markers=raw.markers,
        source=raw.source,
        thumbnail_s=raw.thumbnail_s,
        tags=raw.tags,
        needs=raw.needs,
    )
    return motion, data


def save_motion(motion: Motion, path: Path) -> None:
    """Write a motion's file atomically; positions are rounded to a microradian.

    Raises:
        ShowError: `load_motion` would refuse the file, or the disk refused it.
    """
    write_atomically(path, encode_motion(motion))


def encode_motion(motion: Motion) -> bytes:
    """Return a motion as the text of its file, one line for each sample.

    Raises:
        ShowError: reading would refuse the text.
    """
    label = f"{motion.name}.json"
    head = {
        "schema": SCHEMA,
        "name": motion.name,
        "title": motion.title,
        "source": motion.source,
        "tags": motion.tags,
        "thumbnail_s": motion.thumbnail_s,
        "markers": msgspec.to_builtins(motion.markers),
        "rate_hz": motion.rate_hz,
        "joint_names": motion.joint_names,
    }
    if motion.needs:
        head["needs"] = motion.needs
    rows = ",\n".join(json.dumps(row) for row in (motion.positions.round(6) + 0.0).tolist())
    lines = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}," for k, v in head.items()]
    text = "{\n" + "\n".join(lines) + f'\n"positions": [\n{rows}\n]\n}}\n'
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise ShowError(label, "", "holds text that is not UTF-8", "retype it") from error
    if len(data) > MAX_MOTION_BYTES:
        raise ShowError(label, "", "is too long to be saved", "trim or resample it")
    _check_shape(decode(data, _MotionFile, label), motion.name, data, label)
    return data


def check_motion(
    motion: Motion, joints: JointTable, label: str = "", data: bytes | None = None
) -> None:
    """Refuse a motion that the robot's joints cannot follow.

    Checks joint names, positions, the speed between samples and the acceleration over
    ACCELERATION_WINDOW_S; the error names the first fault in time.

    Args:
        motion: the motion to check.
        joints: names and limits of the robot's joints.
        label: name of the file in the error.
        data: the file's text, so that the error can name the line.

    Raises:
        ShowError: with the joint, the time, the value and the limit.
    """
    label = label or motion.name

    def fault(row: int, column: int, reason: str, advice: str) -> ShowError:
        place = f"{motion.joint_names[column]} at {row / motion.rate_hz:.2f} s"
        if data is not None:
            place = f"{place_of(data, f'$.positions[{row}][{column}]')}, {place}"
        return ShowError(label, place, reason, advice)

    check_joints(motion, joints, label, data)

    def unit(column: int) -> str:
        return joints.unit(motion.joint_names[column])

    columns = [joints.index[joint] for joint in motion.joint_names]
    q = motion.positions
    lower, upper = joints.lower[columns], joints.upper[columns]
    outside = (q < lower - POSITION_SLACK_RAD) | (q > upper + POSITION_SLACK_RAD)
    if outside.any():
        row, column = _first(outside)
        raise fault(
            row,
            column,
            f"{q[row, column]:.4g} {unit(column)} is outside its limits {lower[column]:.3f} to "
            f"{upper[column]:.3f} {unit(column)}",
            "keep the pose within the limits",
        )
    speed = np.abs(np.diff(q, axis=0)) * motion.rate_hz
    limit = joints.velocity_limit[columns]
    if (speed > limit).any():
        row, column = _first(speed > limit)
        raise fault(
            row + 1,
            column,
            f"{speed[row, column]:.4g} {unit(column)}/s is more than its limit "
            f"{limit[column]:.3g} {unit(column)}/s",
            "smooth the spike or slow the motion",
        )
    acceleration, stride = motion.accelerations()
    acceleration = np.abs(acceleration)
    limit = joints.acceleration[columns]
    if (acceleration > limit).any():
        row, column = _first(acceleration > limit)
        raise fault(
            row + stride,
            column,
            f"{acceleration[row, column]:.4g} {unit(column)}/s² is more than its limit "
            f"{limit[column]:.3g} {unit(column)}/s²",
            "smooth the spike or slow the motion",
        )


def check_joints(
    motion: Motion, joints: JointTable, label: str = "", data: bytes | None = None
) -> None:
    """Refuse a motion of joints that the robot does not have, or that a gesture cannot move.

    Args:
        motion: the motion to check.
        joints: names of the robot's joints.
        label: name of the file in the error.
        data: the file's text, so that the error can name the line.

    Raises:
        ShowError: with the joint.
    """
    label = label or motion.name
    for i, joint in enumerate(motion.needs):
        if joint not in joints.index:
            place = f"$.needs[{i}]"
            place = place if data is None else place_of(data, place)
            reason = f"{joints.robot} has no joint {joint!r}, which carries its meaning"
            raise ShowError(label, place, reason, "choose another motion")
    for i, joint in enumerate(motion.joint_names):
        place = f"$.joint_names[{i}]"
        if data is not None:
            place = place_of(data, place)
        if joint not in joints.index:
            reason = f"{joints.robot} has no joint {joint!r}"
            raise ShowError(label, place, reason, "name joints of its profile")
        if joint not in joints.limb_of:
            raise ShowError(
                label,
                place,
                f"{joint} belongs to a leg, which a gesture cannot move",
                f"move joints of {', '.join(joints.joints_of)} only",
            )


def motion_name(title: str) -> str:
    """Return a title as the name of a motion's file."""
    name = re.sub(r"[^a-z0-9]+", "_", title.casefold()).strip("_")
    return (name if name[:1].isalpha() else f"take_{name}".strip("_"))[:64]


def mirror_motion(motion: Motion, joints: JointTable) -> Motion:
    """Return the mirror image of a motion (see `JointTable.mirror`).

    Raises:
        ShowError: a joint has no counterpart on the other side.
    """
    for joint in motion.joint_names:
        if joint not in joints.mirror:
            reason = f"cannot be mirrored: {joint} has no counterpart"
            raise ShowError(motion.name, "", reason, "play it as it is")
    signs = [-1.0 if joints.flips(joint) else 1.0 for joint in motion.joint_names]
    names = tuple(joints.mirror[joint] for joint in motion.joint_names)
    needs = tuple(joints.mirror[joint] for joint in motion.needs)
    return replace(motion, joint_names=names, positions=motion.positions * signs, needs=needs)


def limbs_of(motion: Motion, mirror: bool, joints: JointTable) -> tuple[str, ...]:
    """Return the limbs that a motion moves, in the table's order."""
    names = (joints.mirror.get(j, "") if mirror else j for j in motion.joint_names)
    limbs = {joints.limb_of.get(name) for name in names}
    return tuple(limb for limb in joints.joints_of if limb in limbs)


def _check_shape(raw: _MotionFile, stem: str, data: bytes, label: str) -> None:
    """Refuse a wrong name, ragged rows and times outside the motion."""
    columns = len(raw.joint_names)
    duration_s = (len(raw.positions) - 1) / raw.rate_hz

    def fault(path: str, reason: str, advice: str) -> ShowError:
        return ShowError(label, place_of(data, path), reason, advice)

    if raw.name != stem:
        raise fault(
            "$.name",
            f"the motion is named {raw.name!r}, its file {stem!r}",
            "give both the same name",
        )
    if len(set(raw.joint_names)) != columns:
        raise fault("$.joint_names", "a joint is named twice", "name every joint once")
    for i, joint in enumerate(raw.needs):
        if joint not in raw.joint_names:
            reason = f"the motion does not move {joint!r}, which it needs"
            raise fault(f"$.needs[{i}]", reason, "name joints of the motion")
    if duration_s > MAX_MOTION_S:
        raise fault(
            "$.positions",
            f"the motion lasts {duration_s:.0f} s, more than {MAX_MOTION_S:.0f} s",
            "split it",
        )
    for row, values in enumerate(raw.positions):
        if len(values) != columns:
            raise fault(
                f"$.positions[{row}]",
                f"the sample at {row / raw.rate_hz:.2f} s has {len(values)} positions for "
                f"{columns} joints",
                "give one position a joint",
            )
    moments = [("$.thumbnail_s", raw.thumbnail_s)]
    moments += [(f"$.markers[{i}].time_s", m.time_s) for i, m in enumerate(raw.markers)]
    for path, time_s in moments:
        if time_s > duration_s + 1e-9:
            raise fault(
                path,
                f"{time_s:g} s is after the motion's end at {duration_s:.2f} s",
                "move it into the motion",
            )


def _first(mask: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """Return the row and column of the first fault in time."""
    row, column = np.argwhere(mask)[0]
    return int(row), int(column)
