"""A studio: a robot on a floor in soft light, drawn without a display."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from app.film.raster import Floats32, Integers, Light, ShadowMap, View, fill, shade
from app.picture.camera import FIELD_OF_VIEW, Camera
from app.picture.mesh import merged
from app.picture.robot_tree import RobotTree

Image: TypeAlias = npt.NDArray[np.uint8]
Paper: TypeAlias = Literal["light", "dark"]
Angle: TypeAlias = Literal["front", "left", "right", "back", "above"]

EYES: dict[Angle, tuple[float, float]] = {
    "front": (12.0, 4.0),
    "left": (62.0, 6.0),
    "right": (-62.0, 6.0),
    "back": (192.0, 6.0),
    "above": (25.0, 42.0),
}
"""Where the eye is: about the robot to its left, and above it [deg]."""
PAPERS: dict[Paper, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "light": ((0.78, 0.80, 0.83), (0.90, 0.91, 0.93)),
    "dark": ((0.17, 0.19, 0.22), (0.075, 0.085, 0.10)),
}
"""Colours of floor and backdrop, as a screen shows them."""
GAMMA = 2.2
SHADOW_PX = 768
SHADOW_M = 0.35  # of floor around the robot that its shadow may reach
MARGIN = 0.07  # empty border at each side, as a share of the picture
NEAREST_M = 0.4
SUN = np.array([0.50, 0.38, 0.92])
FILLING = np.array([0.45, -0.75, 0.25])
_LOOKS = 40  # poses by which a camera is placed


@dataclass(frozen=True, eq=False)
class _Surface:
    """All surfaces of a robot, body after body.

    Attributes:
        places: corners in their bodies' frames (n, 3) [m].
        normals: at the corners (n, 3).
        colours: at the corners, linear (n, 3).
        triangles: three corners each (m, 3).
        starts: index of each body's first corner, and the number of corners (bodies + 1).
    """

    places: Floats32
    normals: Floats32
    colours: Floats32
    triangles: Integers
    starts: tuple[int, ...]


class Studio:
    """Draws one robot; it stands where its lowest part in a given pose touches the floor.

    Args:
        tree: the robot.
        standing: joint positions by name in which it stands [rad, m]; others are at zero.
        paper: light for documents, dark for screens.
    """

    def __init__(self, tree: RobotTree, standing: Mapping[str, float], paper: Paper) -> None:
        self._tree, self._standing = tree, dict(standing)
        self._surface = _surface_of(tree)
        floor, backdrop = PAPERS[paper]
        self._light = _light(floor, backdrop)
        places, _ = self._posed({})
        self._ground = float(places[:, 2].min()) if len(places) else 0.0

    def camera(
        self, angle: Angle, poses: Sequence[Mapping[str, float]], width: int, height: int
    ) -> Camera:
        """Return the camera that shows the whole robot in all these poses.

        Args:
            angle: from where.
            poses: joint positions by name [rad, m].
            width: of the picture [pixels].
            height: of the picture [pixels].
        """
        yaw, pitch = (math.radians(value) for value in EYES[angle])
        axes = Camera((0.0, 0.0, 0.0), 1.0, yaw, pitch).axes()
        chosen = poses[:: max(1, len(poses) // _LOOKS)]
        clouds = [self._posed(pose)[0][::7] for pose in (*chosen, {})]
        points = np.concatenate(clouds).astype(np.float64)
        if not len(points):
            points = np.zeros((1, 3))
        local = points @ axes.T
        middle = (local.max(axis=0) + local.min(axis=0)) / 2.0
        slope = math.tan(math.radians(FIELD_OF_VIEW) / 2.0) * (1.0 - 2.0 * MARGIN)
        # The eye is far enough away when every point, by its own distance, is inside the picture.
        away = np.abs(local - middle)
        needed = np.maximum(away[:, 0] / (slope * width / height), away[:, 1] / slope)
        distance = float((needed + local[:, 2] - middle[2]).max())
        x, y, z = (middle @ axes).tolist()
        return Camera((x, y, z), max(NEAREST_M, distance), yaw, pitch)

    def draw(
        self, pose: Mapping[str, float], camera: Camera, width: int, height: int, smooth: int = 2
    ) -> Image:
        """Return a picture (height, width, 3).

        Args:
            pose: joint positions by name [rad, m]; others are as it stands.
            camera: see `camera`.
            width: of the picture [pixels].
            height: of the picture [pixels].
            smooth: each pixel is the mean of so many by so many.
        """
        places, normals = self._posed(pose)
        wide, high = width * smooth, height * smooth
        focus = 0.5 * high / math.tan(math.radians(FIELD_OF_VIEW) / 2.0)
        eye, axes = camera.eye().astype(np.float32), camera.axes().astype(np.float32)
        seen = (places - eye) @ axes.T
        with np.errstate(divide="ignore", over="ignore"):
            nearness = np.where(seen[:, 2] < -0.05, -1.0 / seen[:, 2], -1.0).astype(np.float32)
        x = 0.5 * wide + focus * seen[:, 0] * nearness
        y = 0.5 * high - focus * seen[:, 1] * nearness
        depth = np.zeros((high, wide), np.float32)
        owner = np.full((high, wide), -1, np.int32)
        triangles = self._surface.triangles
        fill(x.astype(np.float32), y.astype(np.float32), nearness, triangles, depth, owner)
        canvas = np.empty((high, wide, 3), np.float32)
        shade(
            owner,
            triangles,
            places,
            normals,
            self._surface.colours,
            View(eye, axes, float(focus)),
            self._light,
            self._shadow(places),
            self._ground,
            canvas,
        )
        mean = canvas.reshape(height, smooth, width, smooth, 3).mean(axis=(1, 3))
        result: Image = (255.0 * np.clip(mean, 0.0, 1.0) ** (1.0 / GAMMA) + 0.5).astype(np.uint8)
        return result

    def _posed(self, pose: Mapping[str, float]) -> tuple[Floats32, Floats32]:
        """Return the corners in the world (n, 3) [m] and their normals (n, 3)."""
        surface = self._surface
        places, normals = np.empty_like(surface.places), np.empty_like(surface.normals)
        bodies = self._tree.forward_kinematics(self._standing | dict(pose)).astype(np.float32)
        spans = zip(surface.starts, surface.starts[1:], strict=False)
        for body, (start, end) in zip(bodies, spans, strict=True):
            turn = body[:3, :3].T
            places[start:end] = surface.places[start:end] @ turn + body[:3, 3]
            normals[start:end] = surface.normals[start:end] @ turn
        return places, normals

    def _shadow(self, places: Floats32) -> ShadowMap:
        """Return how far what is lit is from the sun."""
        light = self._light
        if not len(places):
            return ShadowMap(np.full((1, 1), -1e9, np.float32), 0.0, 0.0, 1.0)
        across, upward = places @ light.sun_right, places @ light.sun_up
        left, bottom = float(across.min()) - SHADOW_M, float(upward.min()) - SHADOW_M
        size = max(float(across.max()) - left, float(upward.max()) - bottom) + SHADOW_M
        scale = SHADOW_PX / size
        depth = np.zeros((SHADOW_PX, SHADOW_PX), np.float32)
        owner = np.full((SHADOW_PX, SHADOW_PX), -1, np.int32)
        # `fill` takes what is nearer to be larger, and positive.
        heights = places @ light.sun
        least = float(heights.min()) - 1.0
        fill(
            ((across - left) * scale).astype(np.float32),
            ((upward - bottom) * scale).astype(np.float32),
            (heights - least).astype(np.float32),
            self._surface.triangles,
            depth,
            owner,
        )
        depth += np.float32(least)
        depth[owner < 0] = -1e9
        return ShadowMap(depth, left, bottom, scale)


def _surface_of(tree: RobotTree) -> _Surface:
    """Return the surfaces of a robot's bodies."""
    patches = [(i, patch) for i, body in enumerate(tree.bodies) for patch in body.patches]
    if not patches:
        nothing = np.zeros((0, 3), np.float32)
        starts = (0,) * (len(tree.bodies) + 1)
        return _Surface(nothing, nothing, nothing, np.zeros((0, 3), np.int32), starts)
    whole = merged([patch.mesh for _, patch in patches])
    sizes = [len(patch.mesh.positions) for _, patch in patches]
    colours = np.array([patch.colour for _, patch in patches], np.float32) ** np.float32(GAMMA)
    owner = np.repeat([i for i, _ in patches], sizes)
    starts = np.searchsorted(owner, np.arange(len(tree.bodies) + 1)).tolist()
    return _Surface(
        np.ascontiguousarray(whole.positions, np.float32),
        np.ascontiguousarray(whole.normals, np.float32),
        np.ascontiguousarray(np.repeat(colours, sizes, axis=0)),
        np.ascontiguousarray(whole.triangles, np.int32),
        tuple(starts),
    )


def _light(floor: Sequence[float], backdrop: Sequence[float]) -> Light:
    sun = SUN / np.linalg.norm(SUN)
    right = np.cross([0.0, 0.0, 1.0], sun)
    right /= np.linalg.norm(right)

    def linear(colour: Sequence[float]) -> Floats32:
        result: Floats32 = np.array(colour, np.float32) ** np.float32(GAMMA)
        return result

    return Light(
        sun.astype(np.float32),
        right.astype(np.float32),
        np.cross(sun, right).astype(np.float32),
        (FILLING / np.linalg.norm(FILLING)).astype(np.float32),
        linear(floor),
        linear(backdrop),
    )
