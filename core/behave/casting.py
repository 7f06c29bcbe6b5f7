"""Makes the piece that plays a clip as requested, or refuses the request."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.joints import UpperJoints
from core.behave.pieces import ClipPiece
from devices.interface import Floats
from shows.joints import POSITION_SLACK_RAD

SLOWEST, FASTEST = 0.05, 5.0
POSE = "pose"
"""Name of the clip that keeps a pose."""
POSE_RATE_HZ = 10.0


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """The parameters of playing a clip.

    Attributes:
        speed: 1 is as authored.
        loop: the clip plays until it is cancelled.
        start_s: time in the clip at which it starts [s].
        leave_s: duration of the transition to rest after the clip [s].
        beat_s: time of the core's clock at which its beginning is due, however long the transition
            to it takes; None: it starts when the transition ends [s].
        size: of the motion, from the rest posture, at most 1, as authored.
    """

    speed: float
    loop: bool
    start_s: float
    leave_s: float
    beat_s: float | None = None
    size: float = 1.0


def pose_clip(angles: Mapping[str, float], present: Floats, joints: UpperJoints) -> Clip:
    """Return the clip of a pose that does not move.

    Args:
        angles: joint positions by name [rad, or m for a length of the body].
        present: positions that the other joints of these limbs keep (u), likewise.
        joints: the joints of the upper body.

    Raises:
        BehaveError: a joint is unknown, or its angle is beyond its limits.
    """
    q = present.copy()
    for name, angle in angles.items():
        column = joints.index.get(name)
        if column is None:
            raise BehaveError(name, "is no joint that a pose can move; name joints of the limbs")
        lower, upper = float(joints.lower[column]), float(joints.upper[column])
        if not lower - POSITION_SLACK_RAD <= angle <= upper + POSITION_SLACK_RAD:
            unit = joints.units[column]
            reason = (
                f"at {angle:.3f} {unit} is outside its limits {lower:.3f} to {upper:.3f} {unit}"
            )
            raise BehaveError(name, f"{reason}; keep the pose within them")
        q[column] = angle
    moved = {joints.index[name] for name in angles}
    chosen = tuple(
        column
        for span in joints.columns
        if moved & set(range(span.start, span.stop))
        for column in range(span.start, span.stop)
    )
    still = np.zeros(len(chosen))
    return Clip(POSE, chosen, POSE_RATE_HZ, np.array((q[list(chosen)], still) * 2))


def limbs_of(clip: Clip, names: Sequence[str] | None, joints: UpperJoints) -> tuple[int, ...]:
    """Return the indices of the limbs that play a clip; None means every limb that it moves.

    Raises:
        BehaveError: the clip was made for another robot, or does not move one of the limbs.
    """
    if clip.joints[-1] >= len(joints):
        raise BehaveError(clip.name, "was made for another robot; prepare the show again")
    moved = [
        limb
        for limb, columns in enumerate(joints.columns)
        if any(columns.start <= joint < columns.stop for joint in clip.joints)
    ]
    limbs = joints.numbers(names) if names is not None else tuple(moved)
    for limb in limbs:
        if limb not in moved:
            raise BehaveError(
                clip.name, f"does not move {joints.limb_names[limb]}; choose other limbs"
            )
    return limbs


def cast(
    clip: Clip,
    limbs: tuple[int, ...],
    request: PlayRequest,
    joints: UpperJoints,
    rest_q: Floats,
    seam_limit: Floats,
) -> ClipPiece:
    """Return the piece that plays a clip on some limbs.

    Args:
        clip: the clip; joints of the limbs that it does not move stay at rest.
        limbs: indices of the limbs that play it, ascending.
        request: the parameters of playing it.
        joints: the joints of the upper body.
        rest_q: rest posture in upper order (u) [rad].
        seam_limit: largest speeds on the way from a loop's end to its beginning (u) [rad/s].

    Raises:
        BehaveError: the request cannot be met.
    """
    speed, start_s = request.speed, request.start_s
    if not (math.isfinite(speed) and SLOWEST <= speed <= FASTEST):
        raise BehaveError(
            clip.name, f"speed {speed} is not within {SLOWEST} to {FASTEST}; choose another"
        )
    if not 0.0 <= start_s < clip.duration_s:
        raise BehaveError(clip.name, f"cannot start at {start_s} s, after its end; start earlier")
    own = [range(joints.columns[limb].start, joints.columns[limb].stop) for limb in limbs]
    picked = tuple(joint for span in own for joint in span)
    if request.loop or not set(picked) <= set(clip.joints):
        clip = clip.covering(picked, rest_q)
    # A long clip is not copied for a part of its limbs: that would take longer than a tick.
    place = {joint: column for column, joint in enumerate(clip.joints)}
    columns = {
        limb: slice(place[span[0]], place[span[-1]] + 1)
        for limb, span in zip(limbs, own, strict=True)
    }
    for joint in picked:
        limit = float(joints.velocity_limit[joint])
        peak = float(clip.peak_velocity[place[joint]]) * speed * request.size
        if peak > limit * (1.0 + 1e-6):
            raise BehaveError(
                clip.name,
                f"{joints.names[joint]} would move at {peak:.1f} {joints.units[joint]}/s, "
                f"above its limit of {limit:.1f} {joints.units[joint]}/s; play it slower",
            )
    if request.loop:
        clip = clip.looped(seam_limit[list(picked)])
    piece = ClipPiece(clip, columns, speed, start_s, request.loop, request.leave_s, request.beat_s)
    if request.size != 1.0:
        piece.resize(request.size, rest_q[list(clip.joints)])
    return piece
