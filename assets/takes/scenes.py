"""The takes: what the person does, in keys. Angles in deg, ways in m, times in s; see person.py."""

from __future__ import annotations

from collections.abc import Iterator

from assets.takes.person import Keys, take
from shows.human import SIDES, HumanTake

Angles = tuple[float, float, float]
STILL: Angles = (0.0, 0.0, 0.0)


def there_and_back(angles: Angles, rise: tuple[float, float], fall: tuple[float, float]) -> Keys:
    """Return keys that lead to angles, hold them, and lead back."""
    return ((rise[0], STILL), (rise[1], angles), (fall[0], angles), (fall[1], STILL))


def mirrored(side: str, angles: Angles) -> Angles:
    """Return the angles of a left limb as those of a side's."""
    sign = 1.0 if side == "left" else -1.0
    return sign * angles[0], angles[1], sign * angles[2]


def t_pose() -> HumanTake:
    """Arms level to the sides, palms down, held for 3 s: the posture of the calibration."""
    arms = {
        f"{side}_upper_arm": there_and_back(
            mirrored(side, (90.0, 0.0, 0.0)), (0.3, 1.2), (4.2, 5.1)
        )
        for side in SIDES
    }
    return take("t_pose", 5.4, arms)


def wave() -> HumanTake:
    """The right hand waves above the shoulder."""
    bent = [(1.1 + 0.3 * i, (0.0, -(55.0 if i % 2 else 105.0), 0.0)) for i in range(7)]
    return take(
        "wave",
        4.0,
        {
            "right_upper_arm": there_and_back((-85.0, 0.0, -90.0), (0.2, 1.1), (2.9, 3.8)),
            "right_lower_arm": ((0.2, STILL), *bent, (3.8, STILL)),
            "left_lower_arm": there_and_back((0.0, -12.0, 0.0), (0.3, 1.2), (2.8, 3.7)),
            "head": there_and_back((4.0, -6.0, -12.0), (0.3, 1.1), (2.9, 3.6)),
            "spine_2": there_and_back((3.0, 0.0, -6.0), (0.2, 1.1), (2.9, 3.8)),
        },
    )


def raise_arms() -> HumanTake:
    """Both arms rise by the sides above the head."""
    upper = {
        f"{side}_upper_arm": there_and_back(
            mirrored(side, (165.0, 0.0, 0.0)), (0.2, 1.6), (2.2, 3.7)
        )
        for side in SIDES
    }
    look = there_and_back((0.0, -18.0, 0.0), (0.4, 1.6), (2.3, 3.4))
    return take("raise_arms", 4.0, {**upper, "head": look})


def bow() -> HumanTake:
    """A bow from the hips, arms along the body."""
    fold = ((0.3, 1.4), (2.0, 3.3))
    arms = {f"{side}_upper_arm": there_and_back((0.0, -22.0, 0.0), *fold) for side in SIDES}
    return take(
        "bow",
        3.6,
        {
            "hips": there_and_back((0.0, 14.0, 0.0), *fold),
            "spine_1": there_and_back((0.0, 18.0, 0.0), *fold),
            "spine_2": there_and_back((0.0, 10.0, 0.0), *fold),
            "head": there_and_back((0.0, 12.0, 0.0), *fold),
            **arms,
        },
        hips=((0.3, STILL), (1.4, (-0.06, 0.0, -0.01)), (2.0, (-0.06, 0.0, -0.01)), (3.3, STILL)),
    )


def punch() -> HumanTake:
    """Both fists at the chest, then the right and the left arm strike forward."""
    guard: Angles = (12.0, -25.0, 0.0)
    out: Angles = (2.0, -84.0, 0.0)
    times = {"right": 1.3, "left": 2.2}
    bones: dict[str, Keys] = {}
    for side, at in times.items():
        drawn, struck = mirrored(side, guard), mirrored(side, out)
        bones[f"{side}_upper_arm"] = (
            (0.2, STILL), (0.9, drawn), (at, drawn), (at + 0.25, struck), (at + 0.4, struck),
            (at + 0.8, drawn), (3.1, drawn), (3.8, STILL),
        )  # fmt: skip
        bent, straight = (0.0, -115.0, 0.0), (0.0, -6.0, 0.0)
        bones[f"{side}_lower_arm"] = (
            (0.2, STILL), (0.9, bent), (at, bent), (at + 0.25, straight), (at + 0.4, straight),
            (at + 0.8, bent), (3.1, bent), (3.8, STILL),
        )  # fmt: skip
    bones["spine_1"] = (
        (0.9, STILL), (1.3, (0.0, 4.0, -8.0)), (1.6, (0.0, 6.0, 22.0)), (2.2, (0.0, 4.0, 8.0)),
        (2.5, (0.0, 6.0, -22.0)), (3.2, STILL),
    )  # fmt: skip
    return take("punch", 4.0, bones)


def step_in_place() -> HumanTake:
    """The weight shifts to the left, to the right and to the left, and the free foot is lifted."""
    hips, feet, swings = [(0.2, STILL)], {"left": [(0.2, STILL)], "right": [(0.2, STILL)]}, []
    for i, (side, sign) in enumerate((("right", 1.0), ("left", -1.0), ("right", 1.0))):
        at = 0.6 + 1.0 * i
        over = (0.0, sign * 0.075, -0.02)
        hips += [(at, over), (at + 0.55, over)]
        feet[side] += [(at, STILL), (at + 0.28, (0.02, 0.0, 0.09)), (at + 0.55, STILL)]
        swings += [(at + 0.28, (0.0, sign * 14.0, 0.0))]
    hips.append((3.6, STILL))
    arms = {
        f"{side}_upper_arm": (
            (0.2, STILL),
            *(
                (at, (0.0, angles[1] * (1.0 if side == "right" else -1.0), 0.0))
                for at, angles in swings
            ),
            (3.6, STILL),
        )
        for side in SIDES
    }
    return take("step_in_place", 3.8, arms, tuple(hips), {s: tuple(k) for s, k in feet.items()})


def side_step() -> HumanTake:
    """One step of 0.2 m to the left, the right foot follows, and all of it back."""
    far, lifted = (0.0, 0.2, 0.0), (0.0, 0.1, 0.05)
    return take(
        "side_step",
        4.8,
        {},
        hips=(
            (0.2, STILL), (0.6, (0.0, -0.07, -0.02)), (1.2, (0.0, 0.1, -0.05)),
            (1.5, (0.0, 0.26, -0.06)), (2.2, (0.0, 0.2, 0.0)), (2.4, (0.0, 0.2, 0.0)),
            (2.8, (0.0, 0.27, -0.02)), (3.4, (0.0, 0.1, -0.05)), (3.7, (0.0, -0.06, -0.06)),
            (4.5, STILL),
        ),
        feet={
            "left": (
                (0.6, STILL), (0.9, lifted), (1.2, far), (3.7, far), (4.0, lifted), (4.3, STILL),
            ),
            "right": (
                (1.5, STILL), (1.8, lifted), (2.1, far), (2.8, far), (3.1, lifted), (3.4, STILL),
            ),
        },
    )  # fmt: skip


def look_around() -> HumanTake:
    """The head turns left and right, then nods; the hands rest on the hips."""
    arms: dict[str, Keys] = {}
    for side in SIDES:
        span = ((0.2, 1.0), (3.4, 4.2))
        arms[f"{side}_upper_arm"] = there_and_back(mirrored(side, (38.0, 22.0, -35.0)), *span)
        arms[f"{side}_lower_arm"] = there_and_back((0.0, -95.0, 0.0), *span)
    head: Keys = (
        (0.8, STILL), (1.3, (0.0, 0.0, 45.0)), (1.6, (0.0, 0.0, 45.0)), (2.2, (0.0, 0.0, -45.0)),
        (2.5, (0.0, 0.0, -45.0)), (2.9, STILL), (3.1, (0.0, 18.0, 0.0)), (3.3, (0.0, -8.0, 0.0)),
        (3.6, STILL),
    )  # fmt: skip
    return take("look_around", 4.4, {**arms, "head": head})


SCENES = (t_pose, wave, raise_arms, bow, punch, step_in_place, side_step, look_around)


def takes() -> Iterator[HumanTake]:
    """Yield every take."""
    for scene in SCENES:
        yield scene()
