"""Where a person stands in the picture of a robot: pure functions, live and in a recorded run."""

import math
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QSize

from app.picture.camera import Camera
from app.picture.protocol import Pose2
from app.picture.skeleton import SKULL_M, joints_of, skull
from core.link.message import Vector3

AHEAD_M = 2.0  # of the robot stands the person
OLD_S = 0.5  # an older picture is not shown
ABOVE_M = 0.12  # of the head is the label
COVERED_RAD = math.radians(15.0)  # between the robot and a person who hides it


@dataclass(frozen=True, slots=True)
class Placing:
    """The robot's place before which the person stands.

    Attributes:
        place: x, y [m] and heading [rad] of the robot when it was noted; None before.
        calibrated: the person was calibrated then.
        number: of the order to follow then.
    """

    place: Pose2 | None = None
    calibrated: bool = False
    number: int = 0

    def noted(self, robot: Pose2, calibrated: bool, number: int) -> "Placing":
        """Return the place after a moment: a new one when a calibration or following begins.

        Args:
            robot: x, y [m] and heading [rad] of the robot's place on the floor.
            calibrated: the person is calibrated.
            number: of the newest order to follow.
        """
        begins = (calibrated and not self.calibrated) or number != self.number
        if math.isfinite(sum(robot)) and (self.place is None or begins):
            return Placing(robot, calibrated, number)
        return self if calibrated else replace(self, calibrated=False)


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


def in_sight(
    place: Pose2 | None, positions: tuple[Vector3, ...], robot: Pose2, camera: Camera
) -> tuple[Vector3, ...]:
    """Return the joints of a person in the world (22, 3) [m]; empty if none is to be shown.

    Args:
        place: of the robot when it was noted; None before.
        positions: see `before`.
        robot: x, y [m] and heading [rad] of the robot's place on the floor now.
        camera: the eye, to which the person must not hide the robot.
    """
    if place is None or joints_of(positions) is None:
        return ()
    shown = before(place, positions)
    return () if covers(camera, shown[0], robot) else shown


def label_of(shown: tuple[Vector3, ...], camera: Camera, size: QSize) -> QPointF | None:
    """Return where a person's label is in the picture [pixels]; None without a person.

    Args:
        shown: joints in the world (22, 3) [m].
        camera: the eye.
        size: of the picture [pixels].
    """
    joints = joints_of(shown)
    if joints is None:
        return None
    place = skull(joints)
    place[2] += SKULL_M + ABOVE_M
    pixel = camera.pixel(place, size.width(), size.height())
    return None if pixel is None else QPointF(*pixel)
