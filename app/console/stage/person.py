"""The person in the 3-D view: placed before the robot, and hidden when the picture is old."""

import math

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QObject, QPointF, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.console.context.context import Context
from app.picture.camera import Camera
from app.picture.protocol import Pose2
from app.picture.skeleton import SKULL_M, joints_of, skull
from core.link.message import Vector3

AHEAD_M = 2.0  # of the robot stands the person
OLD_S = 0.5  # an older picture is not shown
ABOVE_M = 0.12  # of the head is the label
COVERED_RAD = math.radians(15.0)  # between the robot and a person who hides it


class Person(QObject):
    """Where the person is in the world of the picture, and whether it is shown.

    The person stands where the robot's place was when the person was calibrated, or following
    began, and faces it; what the person walks from there is seen, whatever the robot does.

    Attributes:
        action: shows the person, or hides it; for a menu.
    """

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._link, self._preferences = context.link, context.preferences
        self._place: Pose2 | None = None  # of the robot, when it was noted
        self._noted: tuple[bool, int] = False, 0  # calibrated, number of the order to follow
        self._shown: tuple[Vector3, ...] = ()
        self.action = QAction("Show the person in the 3-D view", parent, checkable=True)
        self.action.setChecked(self._preferences.value.show_person)
        self.action.toggled.connect(self._choose)
        self._preferences.changed.connect(self._take_preferences)

    @property
    def shown(self) -> bool:
        """Whether the newest picture has a person."""
        return bool(self._shown)

    @property
    def outdated(self) -> bool:
        """Whether a person is shown whose picture is old."""
        return self.shown and self._link.human_age_s > OLD_S

    def joints(self, robot: Pose2, camera: Camera) -> tuple[Vector3, ...]:
        """Return the joints in the world (22, 3) [m]; empty if no person is to be shown.

        Args:
            robot: x, y [m] and heading [rad] of the robot's place on the floor now.
            camera: the eye, to which the person must not hide the robot.
        """
        self._note(robot)
        human = self._link.human
        there = human is not None and self._link.human_age_s <= OLD_S and self.action.isChecked()
        if human is None or not there or self._place is None:
            self._shown = ()
        else:
            known = joints_of(human.positions) is not None
            self._shown = before(self._place, human.positions) if known else ()
            if self._shown and covers(camera, self._shown[0], robot):
                self._shown = ()
        return self._shown

    def label(self, camera: Camera, size: QSize) -> QPointF | None:
        """Return where the person's label is in the picture [pixels]; None without a person.

        Args:
            camera: the eye.
            size: of the picture [pixels].
        """
        joints = joints_of(self._shown)
        if joints is None:
            return None
        place = skull(joints)
        place[2] += SKULL_M + ABOVE_M
        pixel = camera.pixel(place, size.width(), size.height())
        return None if pixel is None else QPointF(*pixel)

    def _choose(self, shown: bool) -> None:
        """Remember whether the person is shown."""
        self._preferences.change(replace(self._preferences.value, show_person=shown))

    def _take_preferences(self) -> None:
        self.action.setChecked(self._preferences.value.show_person)

    def _note(self, robot: Pose2) -> None:
        """Keep the robot's place when the person is calibrated, or following begins."""
        partner, status = self._link.partner, self._link.status
        calibrated = partner is not None and partner.calibration.state == "done"
        number = 0 if status is None else status.follow.number
        begins = (calibrated and not self._noted[0]) or number != self._noted[1]
        if math.isfinite(sum(robot)) and (self._place is None or begins):
            self._place = robot
            self._noted = calibrated, number
        elif not calibrated:
            self._noted = False, self._noted[1]


def before(robot: Pose2, positions: tuple[Vector3, ...]) -> tuple[Vector3, ...]:
    """Return a person's joints in the world, 2 m ahead of a robot that the person faces.

    It is a turn and a shift, and no mirror image: the person's left stays the person's left.

    Args:
        robot: x, y [m] and heading [rad] of the robot.
        positions: where the person was calibrated is the origin, x is where it faced (k, 3) [m].
    """
    x, y, yaw = robot
    cosine, sine = math.cos(yaw), math.sin(yaw)
    turned = ((AHEAD_M - u, -v, w) for u, v, w in positions)
    return tuple((x + cosine * u - sine * v, y + sine * u + cosine * v, w) for u, v, w in turned)


def covers(camera: Camera, hips: Vector3, robot: Pose2) -> bool:
    """Tell whether a person stands between the eye and the robot.

    Args:
        camera: the eye.
        hips: of the person in the world [m].
        robot: x, y [m] and heading [rad] of the robot.
    """
    eye, (x, y, _) = camera.eye(), robot
    person, seen = np.asarray(hips) - eye, np.array([x, y, hips[2]]) - eye
    near_m, far_m = float(np.linalg.norm(person)), float(np.linalg.norm(seen))
    return near_m < far_m and float(person @ seen) > math.cos(COVERED_RAD) * near_m * far_m
