"""Draws the robot in a pose without OpenGL: points on its surface, the nearest in front."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from app.picture.camera import Camera
from app.picture.mesh import Floats32, merged
from app.picture.robot_tree import RobotTree
from shows.motion import Motion

OVERSAMPLING = 2
DENSITY = 0.8  # points per pixel of the oversampled picture
MARGIN = 0.03  # empty border at each side, as a share of the picture
EYE = Camera(yaw=math.radians(14.0), pitch=0.06)  # orthographic: only its axes are used
SUN = np.array([0.45, -0.25, 0.86], dtype=np.float32)
AMBIENT = 0.42
SEED = 1
SIDE = 192  # of a gesture's picture [px]


@dataclass(frozen=True, eq=False)
class _Cloud:
    """Points on the surface of a robot, in their bodies' frames, body after body.

    Attributes:
        starts: index of each body's first point, and the number of points (bodies + 1).
        places: (n, 3) [m].
        normals: (n, 3).
        colours: (n, 3), 0 to 255.
    """

    starts: list[int]
    places: Floats32
    normals: Floats32
    colours: Floats32


def pose_of(motion: Motion) -> dict[str, float]:
    """Return the pose at a motion's thumbnail time, by joint [rad]."""
    row = min(round(motion.thumbnail_s * motion.rate_hz), len(motion.positions) - 1)
    return dict(zip(motion.joint_names, motion.positions[row].tolist(), strict=True))


def motion_thumbnail(tree: RobotTree, motion: Motion) -> QImage:
    """Return the pose at a motion's thumbnail time, without the legs; safe in any thread."""
    return render_thumbnail(tree, pose_of(motion), QSize(SIDE, SIDE), legs_of(tree))


def legs_of(tree: RobotTree) -> frozenset[int]:
    """Return the bodies between the base and the contacts, by index."""
    legs: set[int] = set()
    for index, _ in tree.contacts:
        while tree.bodies[index].parent >= 0:
            legs.add(index)
            index = tree.bodies[index].parent
    return frozenset(legs)


def render_thumbnail(
    tree: RobotTree, q: Mapping[str, float], size: QSize, hidden: frozenset[int] = frozenset()
) -> QImage:
    """Return the robot in a pose on a transparent background, as large as the picture allows.

    Args:
        tree: the robot.
        q: joint positions by name [rad, m]; others are at zero.
        size: of the picture [px].
        hidden: bodies that are not drawn, by index.
    """
    width, height = max(2, size.width()) * OVERSAMPLING, max(2, size.height()) * OVERSAMPLING
    poses = tree.forward_kinematics(q).astype(np.float32)
    axes = EYE.axes().astype(np.float32)
    extent = _extent(tree, hidden)
    if not extent.all():
        return blank(size)
    cloud = _cloud(tree, _resolution(_scale(width, height, extent)))
    spans = zip(cloud.starts, cloud.starts[1:], strict=False)
    facing = [
        start
        + np.flatnonzero(
            (cloud.normals[start:end] @ (pose[:3, :3].T @ axes[2]) > 0.0) & (index not in hidden)
        )
        for index, ((start, end), pose) in enumerate(zip(spans, poses, strict=True))
    ]
    places = np.concatenate(
        [
            cloud.places[seen] @ (axes @ pose[:3, :3]).T + axes @ pose[:3, 3]
            for seen, pose in zip(facing, poses, strict=True)
        ]
    )
    points = np.concatenate(facing)
    if not len(points):
        return blank(size)
    low, high = places.min(axis=0), places.max(axis=0)
    extent = np.maximum(high - low, 1e-3)
    scale = _scale(width, height, extent)
    middle = (low + high) / 2.0
    x = ((places[:, 0] - middle[0]) * scale + width / 2.0).astype(np.int32)
    y = (height / 2.0 - (places[:, 1] - middle[1]) * scale).astype(np.int32)
    depth = ((places[:, 2] - low[2]) * (65535.0 / extent[2])).astype(np.uint16)
    order = np.argsort(depth, kind="stable")  # numpy uses a radix sort for 16 bits
    corner = (y * width + x)[order]
    nearest = np.full(height * width, -1, dtype=np.int64)
    # Written from far to near, so that the nearest stays. Each point fills two by two pixels.
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


def blank(size: QSize) -> QImage:
    """Return a transparent picture."""
    image = QImage(size, QImage.Format.Format_RGBA8888_Premultiplied)
    image.fill(0)
    return image


def _scale(width: int, height: int, extent: Floats32) -> float:
    """Return the largest scale at which an extent (2 or 3) [m] fits a picture [px/m]."""
    return (1.0 - 2.0 * MARGIN) * float(min(width / extent[0], height / extent[1]))


def _resolution(scale: float) -> int:
    """Return a scale [px/m] rounded up to a quarter of an octave, so that few clouds are made."""
    return round(math.exp2(math.ceil(4.0 * math.log2(max(scale, 1.0))) / 4.0))


@lru_cache(maxsize=8)
def _extent(tree: RobotTree, hidden: frozenset[int]) -> Floats32:
    """Return width and height (2) of the picture at joint position zero [m]; 0 for an empty one."""
    axes, poses = EYE.axes()[:2], tree.forward_kinematics({})
    corners = [
        patch.mesh.positions @ (axes @ pose[:3, :3]).T + axes @ pose[:3, 3]
        for index, (body, pose) in enumerate(zip(tree.bodies, poses, strict=True))
        if index not in hidden
        for patch in body.patches
    ]
    if not corners:
        return np.zeros(2, np.float32)
    extent: Floats32 = np.ptp(np.concatenate(corners), axis=0).astype(np.float32)
    return extent


@lru_cache(maxsize=4)
def _cloud(tree: RobotTree, per_m: int) -> _Cloud:
    """Return points spread evenly over a robot's surface, for a scale of `per_m` [px/m]."""
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
    generator = np.random.default_rng(SEED)
    counts = np.floor(area * DENSITY * per_m**2 + generator.random(len(area))).astype(np.int64)
    which = np.repeat(np.arange(len(counts)), counts)
    u, v = generator.random((2, len(which), 1), dtype=np.float32)
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
