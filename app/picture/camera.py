"""The camera of the 3-D view: presets, and its motion by mouse and keys."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

FIELD_OF_VIEW = 34.0  # of the height [deg]
NEAREST_M, FARTHEST_M = 0.6, 20.0
STEEPEST = math.radians(88.0)
USUAL_HEIGHT_M = 1.5  # of a performer that the presets show whole

Floats = npt.NDArray[np.float64]


class Preset(StrEnum):
    """Whose eyes the robot is seen with."""

    AUDIENCE = "audience"
    OPERATOR = "operator"
    FOLLOW = "follow"
    PAIR = "pair"
    TOP = "top"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Camera:
    """An eye that looks at a point; z is up.

    Attributes:
        target: the point (3) [m].
        distance: of the eye from it [m].
        yaw: direction from the target to the eye about z; 0 sees the robot's face [rad].
        pitch: how much the eye looks down [rad].
    """

    target: tuple[float, float, float] = (0.0, 0.0, 0.75)
    distance: float = 3.4
    yaw: float = 0.0
    pitch: float = 0.12

    @classmethod
    def kept(cls, numbers: Sequence[float]) -> "Camera":
        """Return the camera of its six numbers, within the range of the mouse."""
        x, y, z, distance, yaw, pitch = numbers
        near = cls((x, y, z), distance, yaw, pitch)
        return near.panned(0.0, 0.0).zoomed(1.0).orbited(0.0, 0.0)

    def numbers(self) -> tuple[float, float, float, float, float, float]:
        """Return target (3) [m], distance [m], yaw and pitch [rad], to be kept."""
        return *self.target, self.distance, self.yaw, self.pitch

    def axes(self) -> Floats:
        """Return the eye's right, up and backward directions as rows (3, 3)."""
        back = np.array(
            [
                math.cos(self.pitch) * math.cos(self.yaw),
                math.cos(self.pitch) * math.sin(self.yaw),
                math.sin(self.pitch),
            ]
        )
        right = np.array([-math.sin(self.yaw), math.cos(self.yaw), 0.0])
        return np.stack([right, np.cross(back, right), back])

    def eye(self) -> Floats:
        """Return where the eye is (3) [m]."""
        place: Floats = np.asarray(self.target) + self.distance * self.axes()[2]
        return place

    def orbited(self, yaw: float, pitch: float) -> "Camera":
        """Return the eye moved around its target by angles [rad]."""
        steep = min(STEEPEST, max(-0.1, self.pitch + pitch))
        return replace(self, yaw=math.remainder(self.yaw + yaw, math.tau), pitch=steep)

    def panned(self, right: float, up: float) -> "Camera":
        """Return the eye and its target moved sideways and up by shares of the picture's height."""
        axes, scale = self.axes(), self.picture_height()
        moved = np.asarray(self.target) + scale * (right * axes[0] + up * axes[1])
        x, y, z = np.clip(moved, -50.0, 50.0).tolist()
        return replace(self, target=(x, y, min(3.0, max(0.0, z))))

    def zoomed(self, factor: float) -> "Camera":
        """Return the eye at a multiple of its distance."""
        return replace(self, distance=min(FARTHEST_M, max(NEAREST_M, self.distance * factor)))

    def scaled(self, factor: float) -> "Camera":
        """Return the eye for a performer of another size: target and distance times a factor."""
        x, y, z = self.target
        return replace(self, target=(x, y, z * factor), distance=self.distance * factor)

    def picture_height(self) -> float:
        """Return how much of the target's plane the picture's height shows [m]."""
        return 2.0 * self.distance * math.tan(math.radians(FIELD_OF_VIEW) / 2.0)

    def ray(self, x: float, y: float, width: float, height: float) -> Floats:
        """Return the direction of length 1 (3) in which a point of the picture lies [pixels]."""
        slope = 2.0 * math.tan(math.radians(FIELD_OF_VIEW) / 2.0) / max(height, 1.0)
        local = np.array([(x - width / 2.0) * slope, (height / 2.0 - y) * slope, -1.0])
        direction = local @ self.axes()
        length: Floats = direction / np.linalg.norm(direction)
        return length

    def pixel(self, point: Floats, width: float, height: float) -> tuple[float, float] | None:
        """Return where a point (3) [m] is in the picture [pixels]; None behind the eye."""
        local = self.axes() @ (point - self.eye())
        if local[2] > -0.05:
            return None
        scale = height / (2.0 * math.tan(math.radians(FIELD_OF_VIEW) / 2.0)) / -local[2]
        return width / 2.0 + local[0] * scale, height / 2.0 - local[1] * scale


AUDIENCE = Camera((0.0, 0.0, 0.74), 3.2, 0.0, 0.05)
OPERATOR = Camera((0.0, 0.0, 0.70), 3.8, math.radians(-58.0), 0.30)
FOLLOW = Camera((0.0, 0.0, 0.70), 3.0, math.radians(28.0), 0.22)
PAIR = Camera((1.0, 0.0, 0.85), 4.9, math.radians(-90.0), 0.10)  # a metre ahead of the robot
TOP = Camera((0.0, 0.0, 0.0), 6.0, math.pi, STEEPEST)  # ahead of the robot's start is up


def placed(
    preset: Preset, free: Camera, x: float, y: float, yaw: float, height_m: float = USUAL_HEIGHT_M
) -> Camera:
    """Return the camera of a preset.

    Args:
        preset: the chosen preset.
        free: the camera that the operator has set by mouse and keys.
        x: of the robot [m].
        y: of the robot [m].
        yaw: heading of the robot [rad].
        height_m: of the robot with all joints at zero [m].
    """
    scale = height_m / USUAL_HEIGHT_M
    if preset is Preset.FREE:
        return free
    if preset is Preset.TOP:
        return replace(TOP, target=(x, y, 0.0))
    if preset is Preset.PAIR:
        ahead, _, height = PAIR.target
        between = x + ahead * math.cos(yaw), y + ahead * math.sin(yaw), height
        return replace(PAIR, target=between, yaw=PAIR.yaw + yaw)
    if preset is Preset.FOLLOW:
        behind = FOLLOW.scaled(scale)
        return replace(behind, target=(x, y, behind.target[2]), yaw=behind.yaw + yaw)
    seat = (AUDIENCE if preset is Preset.AUDIENCE else OPERATOR).scaled(scale)
    # A person stays in the seat, turns the head, and makes room for a robot that comes near.
    target = np.array([x, y, seat.target[2]])
    back = seat.eye() - target
    distance = float(np.linalg.norm(back))
    if distance < NEAREST_M:
        return replace(seat, target=(x, y, seat.target[2]))
    return Camera(
        (x, y, seat.target[2]),
        max(distance, seat.distance),
        math.atan2(back[1], back[0]),
        math.asin(max(-1.0, min(1.0, back[2] / distance))),
    )
