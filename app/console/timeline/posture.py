"""The posture that a cue asks for at a moment, for the ghost in the 3-D view."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from app.console.timeline.curves import walk_path
from app.console.timeline.material import Material
from core.link.approach import Goal, way
from core.link.hello import WalkRange
from shows.check_clips import Stock
from shows.document import (
    Clip,
    Cue,
    GestureClip,
    HandClip,
    HeadClip,
    JumpClip,
    MarkClip,
    WalkClip,
)
from shows.errors import ShowError
from shows.hands import hands_of, pose_angles
from shows.marks import ORIGIN, Mark, Place
from shows.motion import Motion, mirror_motion

DEFAULT_BLEND_S = 0.3


@dataclass(slots=True)
class Postures:
    """Computes postures; it keeps the mirrored motions.

    The core blends between present motion and clip; the ghost shows the clips' own poses, scaled by
    their blends.
    """

    _mirrored: dict[Motion, Motion] = field(default_factory=dict)

    def at(self, cue: Cue, time_s: float, stock: Stock, material: Material) -> dict[str, float]:
        """Return the joint angles by name that the playing clips ask for [rad]."""
        found: dict[str, float] = {}
        here = [
            clip for clip in cue.playing_clips() if clip.start_s <= time_s < material.end_s(clip)
        ]
        for clip in sorted(here, key=lambda clip: clip.start_s):
            elapsed_s = time_s - clip.start_s
            share = _share(clip, elapsed_s, material)
            if isinstance(clip, GestureClip):
                angles = self._gesture(clip, elapsed_s, stock)
            elif isinstance(clip, HeadClip) and stock.joints.gaze is not None:
                gaze = stock.joints.gaze
                angles = {gaze.yaw: clip.yaw, gaze.pitch: clip.pitch}
            elif isinstance(clip, HandClip):
                angles = _hand(clip, stock)
            else:
                continue
            for joint, angle in angles.items():
                before = found.get(joint, 0.0)
                found[joint] = before + share * (angle - before)
        return found

    def _gesture(self, clip: GestureClip, elapsed_s: float, stock: Stock) -> dict[str, float]:
        motion = stock.motions.get(clip.motion)
        if motion is None:
            return {}
        limbs = set(stock.limbs(clip))
        if clip.mirror:
            motion = self._mirror(motion, stock)
        if clip.freeze_at_s is not None and elapsed_s > clip.freeze_at_s:
            elapsed_s = max(clip.freeze_at_s, elapsed_s - clip.freeze_s)
        at_s = clip.offset_s + elapsed_s * clip.speed
        at_s = at_s % motion.duration_s if clip.loop else min(at_s, motion.duration_s)
        place = at_s * motion.rate_hz
        row = min(int(place), len(motion.positions) - 2)
        share = min(1.0, place - row)
        q = (1.0 - share) * motion.positions[row] + share * motion.positions[row + 1]
        return {
            joint: angle
            for joint, angle in zip(motion.joint_names, q.tolist(), strict=True)
            if stock.joints.limb_of.get(joint) in limbs
        }

    def _mirror(self, motion: Motion, stock: Stock) -> Motion:
        if motion not in self._mirrored:
            try:
                self._mirrored[motion] = mirror_motion(motion, stock.joints)
            except ShowError:  # it is marked as a conflict
                self._mirrored[motion] = motion
        return self._mirrored[motion]


def _hand(clip: HandClip, stock: Stock) -> dict[str, float]:
    pose = stock.hand_poses.get(clip.pose) if isinstance(clip.pose, str) else clip.pose
    found: dict[str, float] = {}
    if pose is None:
        return found
    for hand in hands_of(clip.hand, stock.joints):
        names = stock.joints.joints_of[hand]
        try:
            found |= dict(zip(names, pose_angles(pose, hand, stock.joints), strict=True))
        except (KeyError, ValueError):  # it is marked as a conflict
            continue
    return found


def _share(clip: Clip, elapsed_s: float, material: Material) -> float:
    """Return the share of a clip in the posture: its blends are smooth steps."""
    if not isinstance(clip, (GestureClip, HeadClip, HandClip)):
        return 1.0
    into = DEFAULT_BLEND_S if clip.blend_in_s is None else clip.blend_in_s
    out = 0.0 if clip.blend_out_s is None or isinstance(clip, GestureClip) else clip.blend_out_s
    left_s = material.length_s(clip) - elapsed_s
    share = min(1.0, elapsed_s / into if into > 0.0 else 1.0)
    share = min(share, left_s / out if out > 0.0 else 1.0)
    return share * share * (3.0 - 2.0 * share)


@dataclass(frozen=True, slots=True)
class Start:
    """Where the robot begins a cue, for its walks to marks.

    Attributes:
        place: where it stands, frame of the stage.
        marks: the show's marks by name.
        pace: the robot's largest velocities; None: walks to marks are left out.
    """

    place: Place = ORIGIN
    marks: Mapping[str, Mark] = field(default_factory=dict)
    pace: WalkRange | None = None


NOWHERE = Start()


def walked(cue: Cue, time_s: float, start: Start = NOWHERE) -> tuple[float, float, float]:
    """Return where walks, runs and jumps of a cue lead until a time: x, y [m], heading [rad].

    The origin is the pose at the cue's start, x is ahead.
    """
    x, y, heading = _path(cue, start, time_s)[-1]
    return float(x), float(y), float(heading)


def floor_path(cue: Cue, start: Start = NOWHERE) -> tuple[tuple[float, float], ...]:
    """Return the path of all walks, runs and jumps of a cue (k, 2) [m]; empty without any."""
    path = _path(cue, start)
    return tuple((float(x), float(y)) for x, y, _ in path) if len(path) > 1 else ()


def _path(cue: Cue, start: Start, until_s: float = math.inf) -> list[tuple[float, float, float]]:
    """Return the poses on the floor until a time (k, 3), from that at the cue's start on."""
    legs = (c for c in cue.playing_clips() if isinstance(c, (WalkClip, JumpClip, MarkClip)))
    poses = [(0.0, 0.0, 0.0)]
    for clip in sorted(legs, key=lambda clip: clip.start_s):
        left_s = until_s - clip.start_s
        if left_s <= 0.0:
            break
        x, y, heading = poses[-1]
        cos, sin = math.cos(heading), math.sin(heading)
        for dx, dy, turn in _leg(clip, left_s, Place(*poses[-1]).beyond(start.place), start):
            poses.append((x + cos * dx - sin * dy, y + sin * dx + cos * dy, heading + turn))
    return poses


def _leg(
    clip: WalkClip | JumpClip | MarkClip, left_s: float, place: Place, start: Start
) -> Iterable[tuple[float, float, float]]:
    """Return the poses of a clip within a time, as seen from its beginning.

    Args:
        clip: the clip.
        left_s: time since it began [s].
        place: of the robot at its beginning, frame of the stage.
        start: of the cue.
    """
    if isinstance(clip, MarkClip):
        mark = start.marks.get(clip.mark)
        if mark is None or start.pace is None:
            return ()
        rounded = Place(*(round(value, 2) for value in place))
        steps = _way(mark.place, start.pace, rounded)
        last_s = min(left_s, clip.length_s)
        return tuple(pose for time_s, pose in steps if time_s <= last_s)
    path = walk_path([clip])
    if left_s < clip.length_s:
        path = path[: max(1, round(left_s / clip.length_s * (len(path) - 1)) + 1)]
    return (tuple(pose) for pose in path.tolist())


@lru_cache(maxsize=64)
def _way(goal: Place, pace: WalkRange, place: Place) -> tuple[tuple[float, Place], ...]:
    """Return the way of a walk to a mark: times [s], and places as seen from its beginning."""
    return tuple((time_s, at.within(place)) for time_s, at in way(Goal(goal), pace, place))
