"""Make the gestures of the two arms: `python -m assets.gestures.two_arms [FOLDER]`.

A pose is (base yaw, shoulder pitch, upper arm roll, elbow, forearm roll, wrist pitch, hand roll)
of one arm [deg]; equal angles of both arms are mirrored. A gripper is (inner, outer finger) [deg].
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from assets.gestures.score import FINE_HZ, LEAD_IN_S, RATE_HZ, monotone, smooth
from shows.folders import ROBOTS
from shows.motion import Motion, save_motion

ARM = (
    "base_yaw",
    "shoulder_pitch",
    "upper_arm_roll",
    "elbow",
    "forearm_roll",
    "wrist_pitch",
    "hand_roll",
)
GRIPPER = ("inner_finger", "outer_finger")
REST = (-12.0, -42.0, 0.0, -128.0, 0.0, 124.0, 0.0)
UPRIGHT = (0.0, 0.0, 0.0, -20.0, 0.0, 110.0, 0.0)
SHUT, WIDE = (-8.0, -8.0), (15.0, 15.0)

Keys = Sequence[tuple[float, Sequence[float]]]


def turned(pose: Sequence[float], **changes: float) -> tuple[float, ...]:
    """Return a pose of an arm with some joints at other angles [deg]."""
    return tuple(changes.get(role, angle) for role, angle in zip(ARM, pose, strict=True))


def motion(name: str, title: str, **limbs: Keys) -> Motion:
    """Return a motion from the keys of each limb: time [s] and angles [deg].

    Limbs are `left_arm`, `right_arm`, `left_gripper` and `right_gripper`.
    """
    end_s = max(keys[-1][0] for keys in limbs.values())
    samples = int(np.ceil((end_s + 2.0 * LEAD_IN_S) * RATE_HZ)) + 1
    stride = round(FINE_HZ / RATE_HZ)
    fine_s = np.arange((samples - 1) * stride + 1) / FINE_HZ - LEAD_IN_S
    joints, columns = [], []
    for limb, keys in limbs.items():
        side, _, part = limb.partition("_")
        for i, role in enumerate(ARM if part == "arm" else GRIPPER):
            joints.append(f"{side}_{role}")
            curve = smooth(monotone([(time_s, pose[i]) for time_s, pose in keys], fine_s))
            columns.append(np.round(np.radians(curve[::stride]), 5))
    return Motion(name, tuple(joints), RATE_HZ, np.stack(columns, axis=1), title=title)


def swung(
    pose: Sequence[float], role: str, angles: Sequence[float], start_s: float, step_s: float
) -> list[tuple[float, Sequence[float]]]:
    """Return keys that turn one joint of a pose through angles [deg]."""
    return [(start_s + step_s * i, turned(pose, **{role: angle})) for i, angle in enumerate(angles)]


def wave() -> Motion:
    """Wave: the right arm rises and its forearm swings."""
    keys = swung(UPRIGHT, "forearm_roll", (0, 35, -35, 35, -35, 0), 2.2, 0.9)
    arm = [(0.0, REST), *keys, (9.2, REST)]
    grip = [(0.0, SHUT), (2.2, WIDE), (7.0, WIDE), (9.2, SHUT)]
    return motion("arm_wave", "Wave", right_arm=arm, right_gripper=grip)


def greeting() -> Motion:
    """Greeting: both arms rise, the wrists bow and rise again."""
    keys = swung(UPRIGHT, "wrist_pitch", (110, 50, 50, 110), 2.4, 1.2)
    arm = [(0.0, REST), *keys, (8.6, REST)]
    return motion("arm_greeting", "Greeting", left_arm=arm, right_arm=arm)


def drumming() -> Motion:
    """Drumming: the wrists beat alternately."""
    ready = turned(REST, elbow=-110.0)
    left = swung(ready, "wrist_pitch", (124, 100, 124, 124, 124, 100, 124, 124), 1.2, 0.6)
    right = swung(ready, "wrist_pitch", (124, 124, 124, 100, 124, 124, 124, 100), 1.2, 0.6)
    return motion(
        "arm_drumming",
        "Drumming",
        left_arm=[(0.0, REST), *left, (7.2, REST)],
        right_arm=[(0.0, REST), *right, (7.2, REST)],
    )


def hand_over() -> Motion:
    """Hand over: the left arm reaches out and its gripper opens; the right arm follows."""
    offered = turned(REST, shoulder_pitch=-10.0, elbow=-90.0)
    grip = [(0.0, SHUT), (2.4, SHUT), (3.4, WIDE), (4.4, WIDE), (5.6, SHUT)]
    return motion(
        "arm_hand_over",
        "Hand over",
        left_arm=[(0.0, REST), (2.2, offered), (4.4, offered), (6.4, REST)],
        left_gripper=grip,
        right_arm=[(0.0, REST), (1.0, REST), (3.2, offered), (4.4, offered), (6.4, REST)],
        right_gripper=[(0.0, SHUT), (2.0, WIDE), (3.4, WIDE), (4.4, SHUT), (5.6, SHUT)],
    )


def clap() -> Motion:
    """Clap: the grippers open and close, four times."""
    beats = [(0.6 * i, WIDE if i % 2 else SHUT) for i in range(9)]
    return motion("gripper_clap", "Clap", left_gripper=beats, right_gripper=beats)


def finale() -> Motion:
    """Finale: both arms rise, turn outward and open their grippers."""
    wide = turned(UPRIGHT, base_yaw=35.0, forearm_roll=30.0)
    arm = [(0.0, REST), (2.4, UPRIGHT), (3.8, wide), (5.6, wide), (7.0, UPRIGHT), (9.4, REST)]
    grip = [(0.0, SHUT), (3.0, SHUT), (4.0, WIDE), (6.0, WIDE), (7.4, SHUT)]
    return motion(
        "arm_finale",
        "Finale",
        left_arm=arm,
        right_arm=arm,
        left_gripper=grip,
        right_gripper=grip,
    )


GESTURES: Mapping[str, Motion] = {
    made.name: made for made in (wave(), greeting(), drumming(), hand_over(), clap(), finale())
}


def build(folder: Path) -> None:
    """Write every gesture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, made in GESTURES.items():
        save_motion(made, folder / f"{name}.json")


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROBOTS / "two_arms" / "gestures")
