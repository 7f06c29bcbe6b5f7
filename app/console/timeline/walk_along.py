"""Walks along a path: legs and arcs that a robot can walk, fitted to points that were drawn."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.console.timeline.trimming import ms
from shows.document import WalkBounds, WalkClip

TOLERANCE_M = 0.04  # largest distance of the drawn points from the legs
CORNER_M = 0.08  # largest distance of an arc from its corner
LEAST_RADIUS_M = 0.10  # of an arc; a tighter corner is turned in place
SHARPEST = math.radians(110.0)
LEAST_TURN = math.radians(2.0)
SHARE = 0.8  # of the show's bounds
BLEND_S = 0.5  # at the beginning and the end of a walk
LEAST_S = 0.2
LEAST_M = 0.01

Floats = npt.NDArray[np.float64]


def walk_along(
    points: Sequence[tuple[float, float]], start_s: float, bounds: WalkBounds
) -> tuple[WalkClip, ...]:
    """Return walk clips that follow a path without a gap.

    The path is simplified to straight legs; at their corners the robot walks an arc that begins and
    ends along them, or turns in place where the corner is sharp. Nothing walks faster than SHARE of
    the show's bounds.

    Args:
        points: in the heading frame of the robot's place at the start (k, 2) [m].
        start_s: when the first clip starts [s].
        bounds: of the show.
    """
    corners = _simplified(_apart(np.asarray(points, dtype=np.float64)))
    if len(corners) < 2:
        return ()
    legs = np.diff(corners, axis=0)
    lengths = np.hypot(legs[:, 0], legs[:, 1])
    headings = np.arctan2(legs[:, 1], legs[:, 0])
    clips: list[WalkClip] = []
    turn = _wrapped(float(headings[0]))
    if abs(turn) > LEAST_TURN:
        clips.append(_turn(turn, bounds))
    begun_m = 0.0  # of this leg, walked on the arc before it
    for i, length in enumerate(lengths.tolist()):
        turn = cut_m = 0.0
        if i + 1 < len(lengths):
            turn = _wrapped(float(headings[i + 1] - headings[i]))
            cut_m = _cut(turn, 0.5 * length, 0.5 * float(lengths[i + 1]))
        straight_m = length - begun_m - cut_m
        if straight_m > LEAST_M:
            clips.append(_arc(straight_m, 0.0, bounds))
        if cut_m:
            clips.append(_arc(cut_m / math.tan(0.5 * abs(turn)) * abs(turn), turn, bounds))
        elif abs(turn) > LEAST_TURN:
            clips.append(_turn(turn, bounds))
        begun_m = cut_m
    return _timed(clips, start_s)


def _apart(points: Floats) -> Floats:
    """Return the points that are not at the place of the one before."""
    kept = [points[0]]
    for point in points[1:]:
        if math.dist(point, kept[-1]) >= LEAST_M:
            kept.append(point)
    return np.array(kept)


def _simplified(points: Floats) -> Floats:
    """Return the corners of a polyline: Ramer, Douglas and Peucker's reduction."""
    if len(points) < 3:
        return points
    along = points[-1] - points[0]
    away = points - points[0]
    length = math.hypot(*along)
    if length < 1e-9:
        gaps = np.hypot(away[:, 0], away[:, 1])
    else:
        gaps = np.abs(along[0] * away[:, 1] - along[1] * away[:, 0]) / length
        beyond = (away @ along < 0.0) | (away @ along > length * length)
        ends = np.minimum(np.hypot(away[:, 0], away[:, 1]), np.hypot(*(points - points[-1]).T))
        gaps = np.where(beyond, ends, gaps)
    worst = int(np.argmax(gaps))
    if gaps[worst] <= TOLERANCE_M:
        return points[[0, -1]]
    return np.concatenate([_simplified(points[: worst + 1])[:-1], _simplified(points[worst:])])


def _cut(turn: float, *room_m: float) -> float:
    """Return how much of both legs the arc of a corner replaces; 0: it is turned in place [m]."""
    if not LEAST_TURN < abs(turn) < SHARPEST:
        return 0.0
    # The arc passes the corner at a distance of cut * tan(turn / 4).
    cut_m = min(*room_m, CORNER_M / math.tan(0.25 * abs(turn)))
    radius_m = cut_m / math.tan(0.5 * abs(turn))
    return cut_m if radius_m >= LEAST_RADIUS_M else 0.0


def _wrapped(angle: float) -> float:
    return math.remainder(angle, math.tau)


def _turn(angle: float, bounds: WalkBounds) -> WalkClip:
    """Return a turn in place; its blends are set later."""
    rate = max(SHARE * bounds.turning, 1e-3)
    length_s = max(abs(angle) / rate, LEAST_S)
    return WalkClip(length_s=length_s, yaw_rate=angle / length_s, blend_in_s=0.0, blend_out_s=0.0)


def _arc(length: float, turn: float, bounds: WalkBounds) -> WalkClip:
    """Return a walk along an arc; its blends are set later."""
    length_s = max(
        length / max(SHARE * bounds.forward, 1e-3),
        abs(turn) / max(SHARE * bounds.turning, 1e-3),
        LEAST_S,
    )
    return WalkClip(
        length_s=length_s,
        vx=length / length_s,
        yaw_rate=turn / length_s,
        blend_in_s=0.0,
        blend_out_s=0.0,
    )


def _timed(clips: Sequence[WalkClip], start_s: float) -> tuple[WalkClip, ...]:
    """Return clips one after the other; the first and the last are longer by half their blends."""
    found: list[WalkClip] = []
    time_s = ms(start_s)
    for i, clip in enumerate(clips):
        into = BLEND_S if i == 0 else 0.0
        out = BLEND_S if i + 1 == len(clips) else 0.0
        length_s = clip.length_s + 0.5 * (into + out)
        # Of a short walk the ramps meet.
        length_s = ms(max(length_s, into + out))
        scale = clip.length_s / (length_s - 0.5 * (into + out))
        found.append(
            WalkClip(
                start_s=time_s,
                length_s=length_s,
                vx=round(clip.vx * scale, 6),
                yaw_rate=round(clip.yaw_rate * scale, 6),
                blend_in_s=into,
                blend_out_s=out,
            )
        )
        time_s = ms(time_s + length_s)
    return tuple(found)


def slowed(clips: Sequence[WalkClip], length_s: float) -> tuple[WalkClip, ...]:
    """Return walks that take longer in all, each as much slower; they are never faster.

    Args:
        clips: one after the other without a gap.
        length_s: how long they take in all [s].
    """
    if not clips:
        return ()
    start_s = clips[0].start_s
    whole_s = clips[-1].start_s + clips[-1].length_s - start_s
    factor = length_s / whole_s
    if factor <= 1.0:
        return tuple(clips)
    found: list[WalkClip] = []
    for clip in clips:
        begin_s = ms(start_s + factor * (clip.start_s - start_s))
        end_s = ms(start_s + factor * (clip.start_s + clip.length_s - start_s))
        longer_s = ms(end_s - begin_s)
        into, out = clip.blend_in_s, clip.blend_out_s
        scale = (clip.length_s - 0.5 * (into + out)) / (longer_s - 0.5 * (into + out))
        found.append(
            WalkClip(
                start_s=begin_s,
                length_s=longer_s,
                vx=round(clip.vx * scale, 6),
                yaw_rate=round(clip.yaw_rate * scale, 6),
                blend_in_s=into,
                blend_out_s=out,
            )
        )
    return tuple(found)
