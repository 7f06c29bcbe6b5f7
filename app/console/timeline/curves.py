"""What is drawn inside clips: curves of a motion, the velocity and the path of a walk."""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from shows.document import GestureClip, JumpClip, SwayClip, WalkClip
from shows.gaits import JUMP_REST_S, PUSH_S, JumpRange
from shows.motion import Motion

MOST_CURVES = 4
POINTS = 48  # of one pass of a motion
POINTS_A_JUMP = 9
FLIGHT_S = 0.1  # of a jump that names none, by a robot that is not known
SHOWN_FLIGHT = 0.25  # least share of a jump's time that its arc takes in a picture
POINTS_A_CYCLE, MOST_CYCLES = 24, 200  # of a sway
Floats: TypeAlias = npt.NDArray[np.float64]


class MotionCurves:
    """The joints of a motion that move most, each scaled to its own range.

    Attributes:
        times_s: of the points (k) [s].
        values: of each curve (c, k), 0 to 1.
    """

    def __init__(self, motion: Motion) -> None:
        q = motion.positions
        rows = np.unique(np.linspace(0, len(q) - 1, POINTS).astype(np.int64))
        ranges = q.max(axis=0) - q.min(axis=0)
        order = [int(i) for i in np.argsort(-ranges, kind="stable") if ranges[i] > 1e-3]
        chosen = order[:MOST_CURVES]
        picked = q[rows][:, chosen].T
        low, span = q.min(axis=0)[chosen], ranges[chosen]
        self.times_s: Floats = rows / motion.rate_hz
        self.values: Floats = (picked - low[:, None]) / span[:, None]


def gesture_points(
    clip: GestureClip, length_s: float, curves: MotionCurves
) -> tuple[Floats, Floats]:
    """Return the curves of a clip: times from its start (k) [s], and values (c, k).

    A freeze holds the pose; a loop starts over.
    """
    whole_s = float(curves.times_s[-1])
    times_s, values = curves.times_s, curves.values
    if clip.loop and whole_s > 0.0:
        passes = min(200, math.ceil((length_s * clip.speed + clip.offset_s) / whole_s))
        shifts = whole_s * np.arange(max(passes, 1))
        times_s = (times_s[None, :] + shifts[:, None]).ravel()
        values = np.tile(values, max(passes, 1))
    at_s = (times_s - clip.offset_s) / clip.speed
    if clip.freeze_at_s is not None:
        at_s = np.where(at_s > clip.freeze_at_s, at_s + clip.freeze_s, at_s)
    inside = (at_s >= 0.0) & (at_s <= length_s + 1e-6)
    return at_s[inside], values[:, inside]


def sway_points(clip: SwayClip) -> tuple[Floats, Floats]:
    """Return the sine of a sway over time: times from its start [s], and 0 to 1; 0.5 is at rest.

    The body is at rest after the whole cycles that fit.
    """
    cycles = min(clip.cycles, MOST_CYCLES)
    end_s = cycles / clip.frequency_hz
    times_s = np.linspace(0.0, end_s, 1 + POINTS_A_CYCLE * cycles)
    shares = 0.5 + 0.5 * np.sin(2.0 * np.pi * clip.frequency_hz * times_s)
    return np.append(times_s, max(clip.length_s, end_s)), np.append(shares, 0.5)


def jump_period_s(clip: JumpClip) -> float:
    """Return the time from jump to jump [s]: as the clip says, or as many as fit into it."""
    return clip.period_s or max(0.1, (clip.length_s - JUMP_REST_S) / clip.count)


def jump_points(clip: JumpClip, limits: JumpRange | None = None) -> tuple[Floats, Floats]:
    """Return the arcs of jumps: times from the clip's start [s], and heights, 0 to 1.

    An arc ends at the landing; the arc of a short flight is widened to be seen.

    Args:
        clip: the jumps of a robot that stands.
        limits: of the robot; None: not known.
    """
    usual_s = FLIGHT_S if limits is None else limits.usual_flight_s
    push_s = PUSH_S if limits is None else limits.push_s
    period_s, flight_s = jump_period_s(clip), clip.flight_s or usual_s
    landings_s = push_s + flight_s + period_s * np.arange(clip.count)
    shown_s = min(max(flight_s, SHOWN_FLIGHT * period_s), float(landings_s[0]))
    shares = np.linspace(0.0, 1.0, POINTS_A_JUMP)
    times_s = (landings_s[:, None] - shown_s * (1.0 - shares)).ravel()
    heights = np.tile(4.0 * shares * (1.0 - shares), clip.count)
    ends_s = max(clip.length_s, float(times_s[-1]))
    return np.concatenate(([0.0], times_s, [ends_s])), np.concatenate(([0.0], heights, [0.0]))


def walk_profile(clip: WalkClip) -> tuple[Floats, Floats]:
    """Return the share of a walk's velocity over time: times from its start [s], and 0 to 1."""
    end_s = clip.length_s
    level_s = clip.blend_in_s
    fall_s = max(end_s - clip.blend_out_s, level_s)
    return np.array([0.0, level_s, fall_s, end_s]), np.array([0.0, 1.0, 1.0, 0.0])


def walk_path(clips: Sequence[WalkClip | JumpClip], step_s: float = 0.05) -> Floats:
    """Return the path that walks, runs and jumps command (k, 3): x, y [m] and heading [rad].

    It begins at the origin, looking along x; the clips play one after the other without gaps.
    """
    pose = np.zeros(3)
    points = [pose.copy()]
    for clip in clips:
        if isinstance(clip, JumpClip):
            points += _jump_path(clip, pose, step_s)
            continue
        times_s, shares = walk_profile(clip)
        count = max(1, math.ceil(clip.length_s / step_s))
        dt = clip.length_s / count
        for i in range(count):
            share = float(np.interp((i + 0.5) * dt, times_s, shares))
            heading = pose[2] + 0.5 * dt * share * clip.yaw_rate
            vx, vy = share * clip.vx, share * clip.vy
            pose[0] += dt * (vx * math.cos(heading) - vy * math.sin(heading))
            pose[1] += dt * (vx * math.sin(heading) + vy * math.cos(heading))
            pose[2] += dt * share * clip.yaw_rate
            points.append(pose.copy())
    return np.array(points)


def _jump_path(clip: JumpClip, pose: Floats, step_s: float) -> list[Floats]:
    """Return the points of jumps at equal steps of time, and move a pose (3) along them.

    A jump leads on while the robot is in the air.
    """
    period_s, flight_s = jump_period_s(clip), clip.flight_s or FLIGHT_S
    count = max(1, math.ceil(clip.length_s / step_s))
    begin, points = pose.copy(), []
    for i in range(1, count + 1):
        since_s = i * clip.length_s / count - PUSH_S
        pose[:] = begin
        for jump in range(clip.count):
            share = min(1.0, (since_s - jump * period_s) / flight_s)
            if share <= 0.0:
                break
            heading = pose[2]
            pose[0] += share * (clip.dx * math.cos(heading) - clip.dy * math.sin(heading))
            pose[1] += share * (clip.dx * math.sin(heading) + clip.dy * math.cos(heading))
            pose[2] += share * clip.turn
        points.append(pose.copy())
    return points
