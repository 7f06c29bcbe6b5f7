"""A stage fighter: motions with a manner by a seed, and a whole performance made of them.

Every motion begins and ends upright with hanging arms, so that motions follow each other. Angles
are in deg, ways in m, times in s; see person.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from assets.takes.person import Keys, take
from assets.takes.scenes import STILL, Angles, mirrored, there_and_back
from shows.human import SIDES, HumanTake

PACE, SIZE = 0.12, 0.1
"""Largest change of the duration and of a bone's angles by a manner, as shares."""
PAUSE_S = 0.6  # of a demonstration, before and after the motion


@dataclass(frozen=True)
class Part:
    """A keyed motion.

    Attributes:
        duration_s: its length [s].
        bones: angles of bones.
        hips: way of the hips.
        feet: way of each side's foot.
    """

    duration_s: float
    bones: Mapping[str, Keys] = field(default_factory=dict)
    hips: Keys = ()
    feet: Mapping[str, Keys] = field(default_factory=dict)


def in_manner(part: Part, seed: int) -> Part:
    """Return a motion as the fighter makes it another time: each bone more or less, in its pace."""
    draw = np.random.default_rng(seed)
    pace = 1.0 + draw.uniform(-PACE, PACE)

    def manner(keys: Keys) -> Keys:
        size = 1.0 + draw.uniform(-SIZE, SIZE)
        return tuple((at * pace, tuple(size * value for value in values)) for at, values in keys)

    return Part(
        pace * part.duration_s,
        {bone: manner(keys) for bone, keys in part.bones.items()},
        manner(part.hips),
        {side: manner(keys) for side, keys in part.feet.items()},
    )


def joined(name: str, duration_s: float, parts: Sequence[tuple[float, Part]]) -> HumanTake:
    """Return a take of parts, each with its start, which do not overlap.

    Raises:
        ValueError: two parts overlap, or the last one ends too late.
    """
    ends = [start_s + part.duration_s for start_s, part in parts]
    starts = [start_s for start_s, _ in parts]
    for end_s, next_s in zip(ends, [*starts[1:], duration_s], strict=True):
        if next_s < end_s:
            raise ValueError(f"{name}: a part ends at {end_s:.2f} s, after {next_s:.2f} s")

    def later(at: str, key: str = "") -> Keys:
        found = []
        for start_s, part in parts:
            keys = getattr(part, at) if not key else getattr(part, at).get(key, ())
            found += [(start_s + time_s, values) for time_s, values in keys]
        return tuple(found) or ((0.0, STILL),)

    bones = sorted(set(chain.from_iterable(part.bones for _, part in parts)))
    return take(
        name,
        duration_s,
        {bone: later("bones", bone) for bone in bones},
        later("hips"),
        {side: later("feet", side) for side in SIDES},
    )


def demonstration(name: str, part: Part, seed: int) -> HumanTake:
    """Return a take of one motion in a manner, between two pauses."""
    shown = in_manner(part, seed)
    return joined(name, shown.duration_s + 2.0 * PAUSE_S, [(PAUSE_S, shown)])


def t_pose(hold_s: float) -> Part:
    """Begin in the T-pose, hold it, and lower the arms."""
    arms = {side: mirrored(side, (90.0, 0.0, 0.0)) for side in SIDES}
    bones = {
        f"{side}_upper_arm": ((0.0, arms[side]), (hold_s, arms[side]), (hold_s + 1.4, STILL))
        for side in SIDES
    }
    return Part(hold_s + 1.4, bones)


def idle() -> Part:
    """Wait: the weight moves a little to both sides, and the arms hang loosely."""
    arms: dict[str, Keys] = {
        f"{side}_upper_arm": (
            (0.0, STILL), (1.2, mirrored(side, (4.0, -5.0, 0.0))),
            (2.4, mirrored(side, (2.0, 3.0, 0.0))), (3.6, STILL),
        )
        for side in SIDES
    }  # fmt: skip
    head: Keys = ((0.3, STILL), (1.3, (0.0, 3.0, 6.0)), (2.4, (0.0, 0.0, -5.0)), (3.5, STILL))
    hips: Keys = (
        (0.0, STILL), (1.2, (0.0, 0.015, -0.002)), (2.4, (0.0, -0.015, -0.002)), (3.6, STILL),
    )  # fmt: skip
    return Part(3.6, {**arms, "head": head}, hips)


def punch() -> Part:
    """Both fists rise to the chest, and the right one strikes forward."""
    drawn, struck = (14.0, -28.0, 0.0), (3.0, -86.0, 0.0)
    bent, straight = (0.0, -112.0, 0.0), (0.0, -8.0, 0.0)
    right = mirrored("right", drawn)
    return Part(
        2.8,
        {
            "right_upper_arm": (
                (0.0, STILL), (0.6, right), (0.9, right), (1.2, mirrored("right", struck)),
                (1.4, mirrored("right", struck)), (1.8, right), (2.8, STILL),
            ),
            "right_lower_arm": (
                (0.0, STILL), (0.6, bent), (0.9, bent), (1.2, straight),
                (1.4, straight), (1.8, bent), (2.8, STILL),
            ),
            "left_upper_arm": there_and_back(drawn, (0.0, 0.6), (1.8, 2.8)),
            "left_lower_arm": there_and_back(bent, (0.0, 0.6), (1.8, 2.8)),
            "spine_1": ((0.6, STILL), (1.2, (0.0, 4.0, 16.0)), (1.5, (0.0, 4.0, 16.0)),
                (2.4, STILL)),
        },
    )  # fmt: skip


def parry() -> Part:
    """The left forearm sweeps up before the face and out."""
    up, out = (20.0, -70.0, 0.0), (62.0, -58.0, 0.0)
    return Part(
        2.6,
        {
            "left_upper_arm": ((0.0, STILL), (0.7, up), (1.2, out), (1.6, out), (2.6, STILL)),
            "left_lower_arm": (
                (0.0, STILL), (0.7, (0.0, -95.0, 0.0)), (1.6, (0.0, -95.0, 0.0)), (2.6, STILL),
            ),
            "right_upper_arm": there_and_back((-30.0, 24.0, 0.0), (0.1, 0.8), (1.6, 2.5)),
            "head": there_and_back((0.0, 4.0, 8.0), (0.2, 0.9), (1.6, 2.4)),
        },
    )  # fmt: skip


def wave(side: str = "right") -> Part:
    """A hand waves above the shoulder."""
    bent = [(0.8 + 0.28 * i, (0.0, -(58.0 if i % 2 else 102.0), 0.0)) for i in range(5)]
    return Part(
        2.9,
        {
            f"{side}_upper_arm": there_and_back(
                mirrored(side, (85.0, 0.0, 90.0)), (0.0, 0.8), (2.0, 2.9)
            ),
            f"{side}_lower_arm": ((0.0, STILL), *bent, (2.9, STILL)),
            "head": there_and_back((0.0, -5.0, 8.0 if side == "left" else -8.0), (0.1, 0.9),
                (2.0, 2.7)),
        },
    )  # fmt: skip


def raise_arms() -> Part:
    """Both arms rise by the sides above the head."""
    arms = {
        f"{side}_upper_arm": there_and_back(
            mirrored(side, (160.0, 0.0, 0.0)), (0.0, 1.2), (1.6, 2.8)
        )
        for side in SIDES
    }
    return Part(2.9, {**arms, "head": there_and_back((0.0, -12.0, 0.0), (0.2, 1.2), (1.7, 2.7))})


def bow() -> Part:
    """A bow from the hips, the hands behind the thighs."""
    fold = ((0.0, 1.0), (1.5, 2.6))
    arms = {f"{side}_upper_arm": there_and_back((0.0, -20.0, 0.0), *fold) for side in SIDES}
    leans = {
        bone: there_and_back((0.0, pitch, 0.0), *fold)
        for bone, pitch in (("hips", 13.0), ("spine_1", 16.0), ("spine_2", 9.0), ("head", 10.0))
    }
    way = (-0.055, 0.0, -0.01)
    return Part(2.7, {**arms, **leans}, there_and_back(way, *fold))


def arms_level(angles: Angles, hold_s: float) -> Part:
    """Both arms rise to angles of the left one, stay, and sink."""
    fold = ((0.0, 1.3), (1.3 + hold_s, 2.6 + hold_s))
    bones = {f"{side}_upper_arm": there_and_back(mirrored(side, angles), *fold) for side in SIDES}
    return Part(2.6 + hold_s, bones)


def look(yaw: float, pitch: float) -> Part:
    """The head turns to a direction and back."""
    return Part(2.6, {"head": there_and_back((0.0, pitch, yaw), (0.0, 0.9), (1.6, 2.5))})


def lean(side: float, forward: float) -> Part:
    """The weight moves to a side and forward, the trunk after it, and back [m]."""
    fold = ((0.0, 1.4), (2.4, 3.8))
    hips = there_and_back((forward, side, -0.01), *fold)
    spine = there_and_back((-80.0 * side, 120.0 * forward, 0.0), *fold)
    return Part(3.8, {"spine_1": spine}, hips)


def steps_in_place(count: int) -> Part:
    """The weight shifts from side to side, and the free foot is lifted; the right one first."""
    hips: list[tuple[float, Angles]] = [(0.0, STILL)]
    feet: dict[str, list[tuple[float, Angles]]] = {side: [] for side in SIDES}
    every_s = 1.3
    for i in range(count):
        side, sign = ("left", -1.0) if i % 2 else ("right", 1.0)
        at = 0.7 + every_s * i
        over = (0.0, sign * 0.075, -0.02)
        hips += [(at, over), (at + 0.5, over)]
        feet[side] += [(at, STILL), (at + 0.24, (0.0, 0.0, 0.08)), (at + 0.48, STILL)]
    length_s = 0.7 + every_s * count + 0.4
    hips.append((length_s, STILL))
    return Part(length_s, {}, tuple(hips), {side: tuple(keys) for side, keys in feet.items()})


def side_step(way: float) -> Part:
    """One step to the left by a way, or to the right if it is negative, the other foot follows."""
    sign = 1.0 if way > 0.0 else -1.0
    first, second = ("left", "right") if way > 0.0 else ("right", "left")
    far, between = (0.0, way, 0.0), (0.0, 0.5 * way, 0.06)
    hips: Keys = (
        (0.0, STILL), (0.7, (0.0, -sign * 0.075, -0.02)), (1.2, (0.0, 0.5 * way, -0.04)),
        (1.9, (0.0, way + sign * 0.075, -0.03)), (2.5, (0.0, way + sign * 0.075, -0.03)),
        (3.2, far),
    )  # fmt: skip
    feet: dict[str, Keys] = {
        first: ((0.7, STILL), (0.95, between), (1.2, far)),
        second: ((1.95, STILL), (2.2, between), (2.45, far)),
    }
    return Part(3.3, {}, hips, feet)


def and_back(part: Part, back: Part, pause_s: float) -> Part:
    """Return a way with its way back, after a pause: it ends where it began."""
    begin_s = part.duration_s + pause_s
    end = part.hips[-1][1]

    def then(keys: Keys, others: Keys) -> Keys:
        moved = [
            (begin_s + at, tuple(a + b for a, b in zip(values, end, strict=True)))
            for at, values in others
        ]
        return (*keys, *moved)

    feet = {side: then(part.feet[side], back.feet[side]) for side in SIDES}
    return Part(begin_s + back.duration_s, {}, then(part.hips, back.hips), feet)


MOTIONS: Mapping[str, Part] = {
    "idle": idle(),
    "punch": punch(),
    "parry": parry(),
    "wave": wave(),
    "raise_arms": raise_arms(),
    "bow": bow(),
}
"""What the robot knows of the fighter."""
