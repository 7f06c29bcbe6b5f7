"""The duel counts while a person is followed, anew with each order, and marks what it counted."""

from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtCore import QSize

from app.console.stage.duel import Duel
from app.console.stage.touches import SHOWN_S
from app.picture.camera import AUDIENCE, Camera, Preset, placed
from app.picture.robot_tree import RobotTree, tree_of
from assets.takes.scenes import punch
from core.link.message import Vector3
from core.link.partner import Follow, FollowStatus
from core.link.scene import Scene
from core.report.figure import figure_of
from core.robot.profile import REST
from core.robot.profile_file import load_profile
from tests.app.console.rig import HELLO

PLACE, SCALE, SIZE = (0.0, 0.0, 0.0), 0.65, QSize(900, 600)
EYE: Camera = placed(Preset.PAIR, AUDIENCE, *PLACE)
TAKE = punch().normalised()


@pytest.fixture(scope="module")
def tree() -> RobotTree:
    return tree_of(figure_of(load_profile("kid_cosmo")))


@dataclass
class Ring:
    """A robot that stands at rest before a person who punches twice."""

    duel: Duel
    now_s: float = 0.0

    def fight(self, follow: FollowStatus, touches: int = 99) -> None:
        """Let the person punch, until it has touched so often."""
        profile = load_profile("kid_cosmo")
        q = dict(zip(profile.joint_names, profile.posture(REST).tolist(), strict=True))
        scene = Scene(0.0, tuple(q[n] for n in HELLO.joint_names), base_position=(0.0, 0.0, 0.58))
        for joints in TAKE.positions:
            self.now_s += 1.0 / TAKE.rate_hz
            points: tuple[Vector3, ...] = tuple((x, y, z) for x, y, z in joints.tolist())
            self.duel.judge(self.now_s, follow, PLACE, SCALE, points, scene)
            if self.duel.bout.person == touches:
                return


@pytest.fixture
def ring(tree: RobotTree) -> Ring:
    duel = Duel()
    duel.meet(HELLO, tree)
    return Ring(duel)


def test_it_counts_while_a_person_is_followed(ring: Ring) -> None:
    duel = ring.duel
    ring.fight(FollowStatus(1))
    assert duel.score == "" and duel.sparks(ring.now_s, EYE, SIZE) == ()
    order = Follow()
    ring.fight(FollowStatus(2, order, "followed"), touches=1)
    assert duel.score == "Touches: person 1, robot 0"
    (spark,) = duel.sparks(ring.now_s, EYE, SIZE)
    assert spark.title == "Robot touched"
    robot = EYE.pixel(np.array(duel.bout.newest[0].place), SIZE.width(), SIZE.height())
    assert robot is not None and (spark.place.x(), spark.place.y()) == pytest.approx(robot)
    assert duel.sparks(ring.now_s + SHOWN_S, EYE, SIZE) == ()
    ring.fight(FollowStatus(2, order, "followed"))
    assert duel.score == "Touches: person 3, robot 0"
    ring.fight(FollowStatus(3, order, "followed"))
    assert duel.score == "Touches: person 2, robot 0"


def test_without_a_robot_or_a_person_it_counts_nothing(ring: Ring) -> None:
    duel, follow = ring.duel, FollowStatus(1, Follow(), "followed")
    duel.judge(0.0, follow, PLACE, SCALE, ((0.0, 0.0, 0.0),), Scene(0.0))
    duel.judge(0.0, follow, None, SCALE, (), Scene(0.0))
    duel.meet(HELLO, None)
    ring.fight(follow)
    assert duel.score == ""
