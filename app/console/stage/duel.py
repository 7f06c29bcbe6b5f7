"""The duel in the picture: judges it while a person is followed, and marks the touches."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QSize

from app.console.stage.touches import SHOWN_S, Bout, RobotFighter, Sparring, judged
from app.picture import posture
from app.picture.camera import Camera
from app.picture.protocol import Pose2
from app.picture.robot_tree import RobotTree
from app.picture.skeleton import joints_of
from core.link.hello import Hello
from core.link.message import Vector3
from core.link.partner import FollowStatus
from core.link.scene import Scene

TOUCHED = {"person": "Robot touched", "robot": "Person touched"}


@dataclass(frozen=True, slots=True)
class Spark:
    """A touch over the picture.

    Attributes:
        place: in the picture [pixels].
        title: who is touched.
    """

    place: QPointF
    title: str


class Duel:
    """Counts the touches of one following; a new one begins with none.

    It only draws: nothing of it leaves the picture.

    Attributes:
        bout: the touches so far.
    """

    def __init__(self) -> None:
        self._robot: RobotFighter | None = None
        self._of: tuple[Hello, RobotTree] | None = None
        self.restart()

    def restart(self) -> None:
        """Begin with no touch."""
        self.bout = Bout()
        self._number = 0
        self._sparring: Sparring | None = None

    def meet(self, hello: Hello | None, tree: RobotTree | None) -> None:
        """Take the robot; None: it is not known yet. One without feet does not fight."""
        self._of = None
        if hello is not None and tree is not None and hello.feet:
            self._of = hello, tree
        self._robot = None if self._of is None else RobotFighter(*self._of)
        self.restart()

    def judge(
        self,
        time_s: float,
        follow: FollowStatus,
        place: Pose2 | None,
        scale: float,
        positions: tuple[Vector3, ...],
        scene: Scene,
    ) -> None:
        """Judge a moment, if a person is followed in it.

        Args:
            time_s: of the moment [s].
            follow: how the robot follows.
            place: x, y [m] and heading [rad] of the robot before which the person stands.
            scale: height of the robot by that of the person.
            positions: of the person's joints, see `before` (22, 3) [m].
            scene: of the robot.
        """
        joints = joints_of(positions)
        if follow.order is None or place is None or joints is None:
            return
        if self._of is None or self._robot is None or not scene.q or not 0.0 < scale < 10.0:
            return
        if follow.number != self._number:
            self.restart()
            self._number = follow.number
        hello, tree = self._of
        base = posture.base(scene, tree, bool(hello.feet))
        poses = tree.forward_kinematics(posture.angles(hello.joint_names, scene.q), base)
        self._sparring = Sparring.of(place, scale, joints)
        person, robot = self._sparring.person(joints), self._robot.at(poses)
        self.bout = judged(self.bout, time_s, person, robot)

    @property
    def score(self) -> str:
        """The touches in words; empty before a person is followed."""
        if self._sparring is None:
            return ""
        return f"Touches: person {self.bout.person}, robot {self.bout.robot}"

    def sparks(self, time_s: float, camera: Camera, size: QSize) -> tuple[Spark, ...]:
        """Return the touches that are marked at a time.

        Args:
            time_s: on the clock of `judge` [s].
            camera: the eye.
            size: of the picture [pixels].
        """
        found: list[Spark] = []
        sparring = self._sparring
        if sparring is None:
            return ()
        for touch in self.bout.newest:
            place = np.array(sparring.drawn(touch))
            pixel = camera.pixel(place, size.width(), size.height())
            if pixel is not None and 0.0 <= time_s - touch.time_s < SHOWN_S:
                found.append(Spark(QPointF(*pixel), TOUCHED[touch.by]))
        return tuple(found)
