"""From a take to a motion: its limbs' joints at a constant rate, and the walking beside them."""

from collections.abc import Sequence

import numpy as np

from shows.document import WalkClip
from shows.errors import ShowError
from shows.fields import MAX_MOTION_S
from shows.joints import Floats, JointTable
from shows.motion import Marker, Motion
from shows.take import Take

STILL = 0.01  # velocity of walking below which the robot stands [m/s, rad/s]
STEP_S = 0.25  # shortest walk clip
ALIKE = 0.04  # change of the velocity that begins another walk clip [m/s, rad/s]
FIRST_PART = 256  # rows that are searched at first for such a change


def motion_of_take(take: Take, joints: JointTable, limbs: Sequence[str] = ()) -> Motion:
    """Return a take's motion at the take's nominal rate; missing samples are bridged by lines.

    Args:
        take: the take.
        joints: joints of the robot.
        limbs: limbs whose joints it gets; none: the limbs that the take is about.

    Raises:
        ShowError: the take is of another robot, too short, too long, or of none of these limbs.
    """
    label, head = f"{take.name}.take", take.head
    if head.robot != joints.robot:
        text = f"was recorded with {head.robot}, not with {joints.robot}"
        raise ShowError(label, "", text, "connect that robot, or choose another take")
    rate_hz = head.rate_hz
    count = int(round((take.duration_s - _first_s(take)) * rate_hz)) + 1
    if len(take.time_s) < 2 or count < 2:
        raise ShowError(label, "", "has fewer than two samples", "record it again")
    if (count - 1) / rate_hz > MAX_MOTION_S:
        text = f"lasts {take.duration_s:.0f} s, more than a motion's {MAX_MOTION_S:.0f} s"
        raise ShowError(label, "", text, "record shorter takes")
    wanted = tuple(limbs) or head.limbs
    names = [name for name in head.joint_names if joints.limb_of.get(name) in wanted]
    if not names:
        raise ShowError(label, "", "is about no limb of this robot", "choose limbs for it")
    columns = [head.joint_names.index(name) for name in names]
    times_s = _first_s(take) + np.arange(count) / rate_hz
    positions = np.empty((count, len(names)))
    for place, column in enumerate(columns):
        positions[:, place] = np.interp(times_s, take.time_s, take.positions[:, column])
    end_s = (count - 1) / rate_hz
    markers = (Marker(min(max(0.0, m.time_s), end_s), m.name) for m in take.markers)
    return Motion(
        name=take.name,
        joint_names=tuple(names),
        rate_hz=rate_hz,
        positions=positions,
        markers=tuple(markers),
        source="recorded",
    )


def walk_of_take(take: Take) -> tuple[WalkClip, ...]:
    """Return the walking of a take as clips of constant velocity, from the take's beginning.

    A clip begins where the velocity has changed by ALIKE, and lasts STEP_S at least.
    """
    if not len(take.time_s):
        return ()
    clips: list[WalkClip] = []
    start, count = 0, len(take.time_s)
    while start < count:
        end = _change(take, start)
        mean = take.velocity[start:end].mean(axis=0)
        start_s = float(take.time_s[start])
        length_s = float(take.time_s[min(end, count - 1)]) - start_s
        if length_s > 0.0 and np.abs(mean).max() >= STILL:
            clips.append(_walk(start_s, length_s, mean))
        start = end
    return tuple(clips)


def _change(take: Take, start: int) -> int:
    """Return the first row whose velocity differs from the mean since a row, or the row count.

    Rows within STEP_S of that row do not count. Parts of growing length are searched, so that
    the time is proportional to the number of rows.
    """
    velocity, count = take.velocity, len(take.time_s)
    at = start + int(np.searchsorted(take.time_s[start:], take.time_s[start] + STEP_S))
    total, length = velocity[start:at].sum(axis=0), FIRST_PART
    while at < count:
        part = velocity[at : at + length]
        before = total + np.cumsum(part, axis=0) - part
        means = before / np.arange(at - start, at - start + len(part))[:, None]
        differing = np.flatnonzero(np.abs(part - means).max(axis=1) >= ALIKE)
        if len(differing):
            return at + int(differing[0])
        total, at, length = total + part.sum(axis=0), at + len(part), 2 * length
    return count


def _walk(start_s: float, length_s: float, velocity: Floats) -> WalkClip:
    vx, vy, yaw_rate = (round(float(value), 3) for value in velocity)
    return WalkClip(
        start_s=round(start_s, 3), length_s=round(length_s, 3), vx=vx, vy=vy, yaw_rate=yaw_rate
    )


def _first_s(take: Take) -> float:
    return float(take.time_s[0]) if len(take.time_s) else 0.0
