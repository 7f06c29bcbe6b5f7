"""Compiles the kernels of the partner before its first posture."""

import contextlib

import numpy as np

from core.errors import ProfileError
from core.mimesis.features import RATE_HZ, SIZE
from core.mimesis.hidden_markov import STATES, learn
from core.mimesis.recogniser import Recogniser
from core.partner.follower import Follower
from core.partner.robot import Robot, robot_of
from core.robot.profile import Profile
from devices.interface import Floats, PoseFrame
from shows.human import BONES, PARENTS, SIDES


def warm_up_partner(profile: Profile) -> None:
    """Compile them for a robot; nothing if nobody can lead it."""
    with contextlib.suppress(ProfileError):
        warm_up(robot_of(profile))


def warm_up(robot: Robot) -> None:
    """Follow a person who stands still, and recognise a motion."""
    points = _standing()
    lengths = np.linalg.norm(points - points[np.maximum(PARENTS, 0)], axis=1)
    follower = Follower(robot, lengths, 1.0)
    turns = np.tile(np.eye(3), (len(BONES), 1, 1))
    for mirror in (False, True):
        follower.restart(mirror)
        for tick in range(round(RATE_HZ)):
            stamp_s = tick / RATE_HZ
            follower.follow([PoseFrame(stamp_s, stamp_s, points, turns)], 0)
    ways = np.linspace(0.0, 1.0, 2 * STATES)[:, None] * np.ones(SIZE)
    recogniser = Recogniser([learn([ways, ways])])
    for sample in ways:
        recogniser.watch(sample)


def _standing() -> Floats:
    """Return where the joints of a person are who stands with hanging arms (22, 3) [m]."""
    points = np.zeros((len(BONES), 3))
    steps = {"shoulder": 0.05, "upper_arm": 0.15, "upper_leg": 0.1}
    for index, (bone, parent) in enumerate(zip(BONES, PARENTS, strict=True)):
        side, _, part = bone.partition("_")
        step = np.array([0.0, 0.0, 0.1 if parent >= 0 else 1.0])
        if side in SIDES:
            way = (1.0 if side == "left" else -1.0) * steps.get(part, 0.0)
            down = 0.0 if way else -0.3
            step = np.array([0.1 if part == "toe" else 0.0, way, down])
        points[index] = step + (points[parent] if parent >= 0 else 0.0)
    return points
