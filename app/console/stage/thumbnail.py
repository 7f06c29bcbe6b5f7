"""A picture of the robot in a pose without OpenGL: its surface as points, the nearest seen."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from app.console.stage.camera import Camera
from app.console.stage.mesh import Floats32, merged
from app.console.stage.robot_tree import RobotTree
from shows.motion import Motion

OVERSAMPLING = 2
CROWDING = 0.8  # points a pixel of the oversampled picture
MARGIN = 0.03  # share of the picture that stays empty at each side
EYE = Camera((0.0, 0.0, 0.1), 30.0, math.radians(14.0), 0.06)
SUN = np.array([0.45, -0.25, 0.86], dtype=np.float32)
AMBIENT = 0.42
SEED = 1
SIDE = 192  # of a gesture's picture [px]
HIPS_M = -0.10


@dataclass(frozen=True, eq=False)
class _Cloud:
    """Points on the surface of a robot, in their bodies' frames, body after body.

    Attributes:
        starts: where each body's points begin, and the end of the last.
        places: (n, 3) [m].
        normals: (n, 3).
        colours: (n, 3), 0 to 255.
    """

    starts: list[int]
    places: Floats32
    normals: Floats32
    colours: Floats32


def motion_thumbnail(tree: RobotTree, motion: Motion) -> QImage:
    """Return the pose at a motion's thumbnail time, from the hips up; safe in any thread."""
    row = min(round(motion.thumbnail_s * motion.rate_hz), len(motion.positions) - 1)
    q = dict(zip(motion.joint_names, motion.positions[row].tolist(), strict=True))
    return render_thumbnail(tree, q, QSize(SIDE, SIDE), HIPS_M)


def render_thumbnail(
    tree: RobotTree, q: Mapping[str, float], size: QSize, lowest_m: float = -math.inf
) -> QImage:
    """Return the robot in a pose on a transparent ground, as large as the picture allows.

    Args:
        tree: the robot.
        q: joint angles by name [rad]; others are at zero.
        size: of the picture [pixels].
        lowest_m: what is below this height over the torso's origin is cut off [m].
    """
    width, height = max(2, size.width()) * OVERSAMPLING, max(2, size.height()) * OVERSAMPLING
    poses = tree.forward_kinematics(q).astype(np.float32)
    axes = EYE.axes().astype(np.float32)
    cloud = _cloud(tree, _fineness(height, 0.75 if math.isfinite(lowest_m) else 1.2))
    if not len(cloud.places):
        return _blank(size)
    facing = [
        start + np.flatnonzero(cloud.normals[start:end] @ (pose[:3, :3].T @ axes[2]) > 0.0)
        for start, end, pose in zip(cloud.starts, cloud.starts[1:], poses, strict=False)
    ]
    places = np.concatenate(
        [
            cloud.places[seen] @ (axes @ pose[:3, :3]).T + axes @ pose[:3, 3]
            for seen, pose in zip(facing, poses, strict=True)
        ]
    )
    points = np.concatenate(facing)
    if math.isfinite(lowest_m):
        kept = places[:, 1] > lowest_m
        places, points = places[kept], points[kept]
    if not len(points):
        return _blank(size)
    low, high = places.min(axis=0), places.max(axis=0)
    extent = np.maximum(high - low, 1e-3)
    scale = (1.0 - 2.0 * MARGIN) * min(width / extent[0], height / extent[1])
    middle = (low + high) / 2.0
    x = ((places[:, 0] - middle[0]) * scale + width / 2.0).astype(np.int32)
    y = (height / 2.0 - (places[:, 1] - middle[1]) * scale).astype(np.int32)
    depth = ((places[:, 2] - low[2]) * (65535.0 / extent[2])).astype(np.uint16)
    order = np.argsort(depth, kind="stable")  # of 16 bits: numpy sorts them by radix
    corner = (y * width + x)[order]
    nearest = np.full(height * width, -1, dtype=np.int64)
    # The last to be written stays: the nearest. Each point fills two by two pixels.
    pixels = np.stack([corner, corner + 1, corner + width, corner + width + 1], axis=1)
    nearest[pixels.ravel()] = np.repeat(points[order], 4)
    filled = np.flatnonzero(nearest >= 0)
    winners = nearest[filled]
    owners = np.searchsorted(np.array(cloud.starts), winners, side="right") - 1
    suns = np.einsum("nji,j->ni", poses[:, :3, :3], SUN)
    shades = np.einsum("ni,ni->n", cloud.normals[winners], suns[owners])
    light = AMBIENT + (1.0 - AMBIENT) * np.maximum(shades, 0.0)
    canvas = np.zeros((height * width, 4), dtype=np.float32)
    canvas[filled, :3] = cloud.colours[winners] * light[:, None]
    canvas[filled, 3] = 1.0
    return _picture(canvas.reshape(height, width, 4))


def _picture(canvas: Floats32) -> QImage:
    """Return the canvas at its final size, with soft edges."""
    height, width = canvas.shape[0] // OVERSAMPLING, canvas.shape[1] // OVERSAMPLING
    blocks = canvas.reshape(height, OVERSAMPLING, width, OVERSAMPLING, 4).mean(axis=(1, 3))
    rows = np.empty((height, width, 4), dtype=np.uint8)
    rows[..., :3] = np.minimum(blocks[..., :3], 255.0 * blocks[..., 3:])
    rows[..., 3] = 255.0 * blocks[..., 3]
    form = QImage.Format.Format_RGBA8888_Premultiplied
    return QImage(rows.tobytes(), width, height, 4 * width, form).copy()


def _blank(size: QSize) -> QImage:
    image = QImage(size, QImage.Format.Format_RGBA8888_Premultiplied)
    image.fill(0)
    return image


def _fineness(height: int, metres: float) -> int:
    """Return points a metre for a picture of some height [pixels], in steps of a quarter."""
    steps = math.ceil(4.0 * math.log2(max(height / metres, 1.0)))
    return round(math.exp2(steps / 4.0))


@lru_cache(maxsize=4)
def _cloud(tree: RobotTree, per_m: int) -> _Cloud:
    """Return points spread evenly over a robot's surface."""
    patches = [(i, patch) for i, body in enumerate(tree.bodies) for patch in body.patches]
    if not patches:
        nothing = np.zeros((0, 3), np.float32)
        return _Cloud([0] * (len(tree.bodies) + 1), nothing, nothing, nothing)
    surface = merged([patch.mesh for _, patch in patches])
    sizes = [len(patch.mesh.triangles) for _, patch in patches]
    owner = np.repeat([i for i, _ in patches], sizes)
    colours = np.repeat(np.array([patch.colour for _, patch in patches], np.float32), sizes, axis=0)
    a, b, c = (surface.positions[surface.triangles[:, k]] for k in range(3))
    first, second = b - a, c - a
    area = 0.5 * np.linalg.norm(np.cross(first, second), axis=1)
    chance = np.random.default_rng(SEED)
    each = np.floor(area * CROWDING * per_m**2 + chance.random(len(area))).astype(np.int64)
    which = np.repeat(np.arange(len(each)), each)
    u, v = chance.random((2, len(which), 1), dtype=np.float32)
    over = u + v > 1.0
    u, v = np.where(over, 1.0 - u, u), np.where(over, 1.0 - v, v)
    normals = surface.normals[surface.triangles].mean(axis=1)
    starts = np.searchsorted(owner[which], np.arange(len(tree.bodies) + 1))
    return _Cloud(
        starts.tolist(),
        a[which] + u * first[which] + v * second[which],
        normals[which],
        np.float32(255.0) * colours[which],
    )
