"""Touches in a duel at a distance: judged by geometry, for the picture only.

Robot and person stand 2 m apart in the picture, and never meet. For the judge the person has the
robot's size and stands so near that the fist of its straight arm reaches the surface of a trunk
like its own. A touch is a hand with its forearm, or a foot, of one at trunk or head of the other.
A forearm that meets one of the other is parried, and does not touch.
"""

import math
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np

from app.console.stage.placing import AHEAD_M
from app.picture.capsules import Capsules, RobotCapsules, bones
from app.picture.protocol import Pose2
from app.picture.robot_tree import Floats, RobotTree
from app.picture.skeleton import radius_of
from core.link.hello import Hello
from core.link.message import Vector3
from shows.human import BONES, INDEX, PARENTS, SIDES

Who: TypeAlias = Literal["person", "robot"]
Limb: TypeAlias = tuple[Who, str]
SHOWN_S: Final = 1.5  # as long a touch is marked
AGAIN_S: Final = 0.4  # least time between two touches of one limb
PARRIED_S: Final = 0.3  # as long a limb that was parried does not touch
AWAY_M: Final = 0.03  # as far a limb must leave before it touches anew
_TRUNK: Final = tuple(name for name in BONES if name.startswith("spine") or name == "head")
_ARMS: Final = {f"{side}_arm": (f"{side}_hand",) for side in SIDES}  # ends: elbow and hand
_LEGS: Final = {f"{side}_leg": (f"{side}_foot", f"{side}_toe") for side in SIDES}
_BESIDE: Final = ("arm", "hand", "leg")  # kinds of limbs that are neither trunk nor head


@dataclass(frozen=True, slots=True, eq=False)
class Fighter:
    """What one of both strikes with, and what the other may strike.

    Attributes:
        limbs: capsules of each limb that strikes, by its name.
        arms: those of `limbs` that parry, and are parried.
        trunk: trunk and head.
    """

    limbs: dict[str, Capsules]
    arms: frozenset[str]
    trunk: Capsules


@dataclass(frozen=True, slots=True)
class Touch:
    """A touch.

    Attributes:
        by: who touched.
        time_s: when [s].
        place: in the world of the judge [m].
    """

    by: Who
    time_s: float
    place: Vector3


@dataclass(frozen=True, slots=True)
class Bout:
    """The touches so far.

    Attributes:
        person: number of touches by the person.
        robot: number of touches by the robot.
        newest: touches that are still marked, the oldest first.
        inside: limbs that have not left the other's trunk since they came there.
        free_s: from when on each limb may touch again [s].
    """

    person: int = 0
    robot: int = 0
    newest: tuple[Touch, ...] = ()
    inside: frozenset[Limb] = frozenset()
    free_s: dict[Limb, float] = field(default_factory=dict)


def judged(bout: Bout, time_s: float, person: Fighter, robot: Fighter) -> Bout:
    """Return a bout after a moment.

    Args:
        bout: before it.
        time_s: of the moment [s].
        person: the person, brought near.
        robot: the robot.
    """
    counts: dict[Who, int] = {"person": bout.person, "robot": bout.robot}
    newest = [touch for touch in bout.newest if 0.0 <= time_s - touch.time_s < SHOWN_S]
    inside, free_s = set(bout.inside), dict(bout.free_s)
    pairs: tuple[tuple[Who, Fighter, Fighter], ...] = (
        ("person", person, robot),
        ("robot", robot, person),
    )
    for by, one, other in pairs:
        guards = [other.limbs[name] for name in sorted(other.arms)]
        for name, limb in one.limbs.items():
            key, least_s = (by, name), free_s.get((by, name), -math.inf)
            if name in one.arms and any(limb.gap(guard)[0] < 0.0 for guard in guards):
                least_s = free_s[key] = max(least_s, time_s + PARRIED_S)
            gap_m, place = limb.gap(other.trunk)
            if gap_m > AWAY_M:
                inside.discard(key)
            elif gap_m < 0.0 and key not in inside:
                inside.add(key)
                if time_s >= least_s:
                    counts[by] += 1
                    newest.append(Touch(by, time_s, place))
                    free_s[key] = time_s + AGAIN_S
    return Bout(counts["person"], counts["robot"], tuple(newest), frozenset(inside), free_s)


@dataclass(frozen=True, slots=True)
class Sparring:
    """How near the person is brought.

    Attributes:
        place: x, y [m] and heading [rad] of the robot before which the person stands.
        scale: height of the robot by that of the person.
        reach_m: distance of both [m].
    """

    place: Pose2
    scale: float
    reach_m: float

    @staticmethod
    def of(place: Pose2, scale: float, joints: Floats) -> "Sparring":
        """Return the distance at which a straight arm of a person just touches.

        Args:
            place: of the robot.
            scale: height of the robot by that of the person.
            joints: of the person, as in `before` (22, 3) [m].
        """
        arms = [INDEX[f"{side}_{part}"] for side in SIDES for part in ("lower_arm", "hand")]
        lengths = np.linalg.norm(joints[arms] - joints[[PARENTS[arm] for arm in arms]], axis=1)
        reach_m = scale * (0.5 * float(lengths.sum()) + radius_of(_TRUNK[0]))
        return Sparring(place, scale, reach_m)

    def person(self, joints: Floats) -> Fighter:
        """Return the person, brought near.

        Args:
            joints: as in `before` (22, 3) [m].
        """
        x, y, yaw = self.place
        cosine, sine = math.cos(yaw), math.sin(yaw)
        turn = np.array([[-cosine, sine, 0.0], [-sine, -cosine, 0.0], [0.0, 0.0, 1.0]])
        origin = np.array([x + self.reach_m * cosine, y + self.reach_m * sine, 0.0])
        near = origin + self.scale * joints @ turn.T
        limbs = {name: bones(near, ends, self.scale) for name, ends in (_ARMS | _LEGS).items()}
        return Fighter(limbs, frozenset(_ARMS), bones(near, _TRUNK, self.scale))

    def drawn(self, touch: Touch) -> Vector3:
        """Return where a touch is in the picture: at the robot, or at the person 2 m ahead [m]."""
        if touch.by == "person":
            return touch.place
        x, y, yaw = self.place
        cosine, sine = math.cos(yaw), math.sin(yaw)
        dx, dy, z = touch.place[0] - x, touch.place[1] - y, touch.place[2] / self.scale
        ahead = AHEAD_M + (cosine * dx + sine * dy - self.reach_m) / self.scale
        left = (cosine * dy - sine * dx) / self.scale
        return x + cosine * ahead - sine * left, y + sine * ahead + cosine * left, z


class RobotFighter:
    """A robot as a fighter: what the last joint of an arm moves strikes and parries.

    Args:
        hello: names of its limbs.
        tree: its bodies.
    """

    def __init__(self, hello: Hello, tree: RobotTree) -> None:
        self._capsules = RobotCapsules(tree)
        kinds = {limb.name: limb.kind for limb in hello.limbs}
        limb_of = dict(zip(hello.joint_names, hello.joint_limbs, strict=False))
        owners: list[str] = []  # of each body
        arm_of: list[str] = []  # of each body that the last joint of an arm moves
        for body in tree.bodies:
            inherited = owners[body.parent] if body.parent >= 0 else ""
            owners.append(limb_of.get(body.joint, inherited))
        last = {
            owner: index for index, owner in enumerate(owners) if kinds.get(owner) == "arm"
        }  # a body stands after its parent
        for index, body in enumerate(tree.bodies):
            inherited = arm_of[body.parent] if body.parent >= 0 else ""
            own = owners[index]
            arm_of.append(own if last.get(own) == index else inherited)
        drawn = self._capsules.bodies.tolist()
        self._arms = {
            arm: np.array([i for i, index in enumerate(drawn) if arm_of[index] == arm], np.intp)
            for arm in last
        }
        self._trunk = np.array(
            [place for place, index in enumerate(drawn) if kinds.get(owners[index]) not in _BESIDE],
            dtype=np.intp,
        )

    def at(self, poses: Floats) -> Fighter:
        """Return the robot with the poses of its bodies in the world (n, 4, 4)."""
        limbs = {name: self._capsules.at(poses, some) for name, some in self._arms.items()}
        return Fighter(limbs, frozenset(limbs), self._capsules.at(poses, self._trunk))
