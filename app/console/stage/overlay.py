"""What the picture shows beside the robot: coloured triangles, reckoned from the core's scene."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.console.stage.mesh import Floats32
from core.link.messages import Scene

Floats = npt.NDArray[np.float64]
Colour = tuple[float, float, float, float]

NEWTONS_PER_M = 320.0  # length of a force's arrow
LEAST_N = 4.0  # weaker forces are noise
FOOT_M = (0.26, 0.10)  # length and width of a footprint

SUPPORT: Colour = (0.37, 0.83, 0.55, 0.30)
SUPPORT_EDGE: Colour = (0.37, 0.83, 0.55, 0.95)
COM: Colour = (1.0, 0.72, 0.30, 1.0)
CAPTURE: Colour = (1.0, 0.45, 0.85, 1.0)
STEP: Colour = (0.30, 0.64, 1.0, 1.0)
FORCE: Colour = (0.55, 0.95, 0.70, 0.9)
PUSH: Colour = (1.0, 0.42, 0.38, 1.0)
SHADE: Colour = (0.0, 0.0, 0.0, 0.55)
LINES: Colour = (0.21, 0.24, 0.27, 1.0)
AXIS: Colour = (0.38, 0.42, 0.47, 1.0)


class Drawing:
    """Collects triangles; what is not finite is left out."""

    def __init__(self) -> None:
        self._corners: list[Floats] = []
        self._colours: list[Floats] = []

    def triangles(self, corners: Floats, colours: Colour | Floats) -> None:
        """Add triangles, corners (3 m, 3), of one colour or a colour each (3 m, 4)."""
        if np.isfinite(corners).all():
            self._corners.append(corners)
            self._colours.append(np.broadcast_to(np.asarray(colours), (len(corners), 4)))

    def fan(self, rim: Floats, colour: Colour, edge_alpha: float | None = None) -> None:
        """Add a convex face with corners (n, 3), fading to another opacity at its rim."""
        if len(rim) < 3:
            return
        following = np.roll(rim, -1, axis=0)
        middle = np.broadcast_to(rim.mean(axis=0), rim.shape)
        colours = np.tile(np.asarray(colour), (3 * len(rim), 1))
        if edge_alpha is not None:
            colours[1::3, 3] = colours[2::3, 3] = edge_alpha
        self.triangles(np.stack([middle, rim, following], axis=1).reshape(-1, 3), colours)

    def band(self, line: Floats, width_m: float, colour: Colour, closed: bool = True) -> None:
        """Add a flat line on the ground along points (n, 3)."""
        start, end = (line, np.roll(line, -1, axis=0)) if closed else (line[:-1], line[1:])
        along = end - start
        length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
        along = along / length
        side = 0.5 * width_m * np.stack([-along[:, 1], along[:, 0], np.zeros(len(along))], axis=1)
        a, b, c, d = start - side, end - side, end + side, start + side
        self.triangles(np.stack([a, b, c, a, c, d], axis=1).reshape(-1, 3), colour)

    def arrow(self, start: Floats, vector: Floats, width_m: float, colour: Colour) -> None:
        """Add an arrow from a point along a vector [m]."""
        length = float(np.linalg.norm(vector))
        if not math.isfinite(length) or length < 1e-6:
            return
        along = vector / length
        helper = np.array([0.0, 0.0, 1.0]) if abs(along[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
        side = np.cross(along, helper)
        side /= np.linalg.norm(side)
        other = np.cross(along, side)
        neck = start + vector * max(0.0, 1.0 - 2.6 * width_m / length)
        corners, colours = [], []
        for index, (u, v) in enumerate(
            ((side, other), (other, -side), (-side, -other), (-other, side))
        ):
            a, b = (0.5 * width_m * u, 0.5 * width_m * v)
            corners += [start + a, start + b, neck + b, start + a, neck + b, neck + a]
            corners += [neck + 2.6 * a, neck + 2.6 * b, start + vector]
            shade = 0.7 + 0.1 * index
            colours += [(colour[0] * shade, colour[1] * shade, colour[2] * shade, colour[3])] * 9
        self.triangles(np.array(corners), np.array(colours))

    def done(self) -> tuple[Floats32, Floats32]:
        """Return the corners (3 m, 3) [m] and their colours (3 m, 4)."""
        if not self._corners:
            return np.zeros((0, 3), np.float32), np.zeros((0, 4), np.float32)
        return (
            np.concatenate(self._corners).astype(np.float32),
            np.concatenate(self._colours).astype(np.float32),
        )


def circle(x: float, y: float, z: float, radius_m: float, count: int = 20) -> Floats:
    """Return points around a circle that lies on the ground (count, 3)."""
    angles = np.linspace(0.0, math.tau, count, endpoint=False)
    return np.stack(
        [x + radius_m * np.cos(angles), y + radius_m * np.sin(angles), np.full(count, z)], axis=1
    )


def footprint(x: float, y: float, z: float, yaw: float) -> Floats:
    """Return the outline of a foot, counter-clockwise (8, 3)."""
    length, width = FOOT_M[0] / 2.0, FOOT_M[1] / 2.0
    cut = 0.6 * width
    outline = [(length, -cut), (length, cut), (length - cut, width), (cut - length, width)]
    outline += [(-length, cut), (-length, -cut), (cut - length, -width), (length - cut, -width)]
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return np.array([(x + cosine * u - sine * v, y + sine * u + cosine * v, z) for u, v in outline])


def grid(reach: int = 6) -> tuple[Floats32, Floats32]:
    """Return the lines of the floor, a metre apart, finer near the middle."""
    drawing = Drawing()
    for step in range(-4 * reach, 4 * reach + 1):
        whole = step % 4 == 0
        if not whole and abs(step) > 8:
            continue
        at, far = step / 4.0, float(reach) if whole else 2.0
        colour = (AXIS if step == 0 else LINES) if whole else (*LINES[:3], 0.45)
        for ends in ([(at, -far, 0.0), (at, far, 0.0)], [(-far, at, 0.0), (far, at, 0.0)]):
            drawing.band(np.array(ends), 0.009 if whole else 0.005, colour, closed=False)
    return drawing.done()


def ground(scene: Scene, feet: Sequence[Floats], blob: bool) -> tuple[Floats32, Floats32]:
    """Return what lies on the ground.

    Args:
        scene: the core's picture.
        feet: where the soles are (3) [m].
        blob: draw a simple shadow.
    """
    drawing = Drawing()
    if blob:
        x, y, _ = scene.base_position
        drawing.fan(circle(x, y, 0.002, 0.42, 24), SHADE, 0.0)
        for foot in feet:
            size = 0.20 / (1.0 + 4.0 * max(0.0, float(foot[2])))
            drawing.fan(circle(float(foot[0]), float(foot[1]), 0.003, size), SHADE, 0.0)
    if len(scene.support) >= 3:
        corners = np.array(scene.support, dtype=np.float64)
        corners[:, 2] += 0.006
        drawing.fan(corners, SUPPORT)
        drawing.band(corners, 0.010, SUPPORT_EDGE)
    if scene.footstep is not None:
        x, y, z = scene.footstep
        outline = footprint(x, y, z + 0.008, scene.footstep_yaw)
        drawing.fan(outline, (*STEP[:3], 0.25))
        drawing.band(outline, 0.012, STEP)
    return drawing.done()


def points(
    scene: Scene, heels_and_toes: Sequence[Floats], torso: Floats
) -> tuple[Floats32, Floats32]:
    """Return what hovers before everything: centre of mass, capture point and forces.

    Args:
        scene: the core's picture.
        heels_and_toes: where the contact forces attack (3) [m].
        torso: where a push attacks (3) [m].
    """
    drawing = Drawing()
    for place, force in zip(heels_and_toes, scene.contact_forces, strict=False):
        newtons = np.asarray(force)
        if np.linalg.norm(newtons) >= LEAST_N:
            drawing.arrow(place, newtons / NEWTONS_PER_M, 0.014, FORCE)
    com = np.array(scene.com, dtype=np.float64)
    if com.any():
        _centre(drawing, com)
        x, y = scene.capture_point
        drawing.band(circle(x, y, 0.010, 0.035), 0.012, CAPTURE)
        drawing.fan(circle(x, y, 0.010, 0.010, 8), CAPTURE)
    push = np.asarray(scene.external_force, dtype=np.float64)
    if np.linalg.norm(push) >= LEAST_N:
        drawing.arrow(torso, push / (0.5 * NEWTONS_PER_M), 0.03, PUSH)
    return drawing.done()


def _centre(drawing: Drawing, com: Floats) -> None:
    radius = 0.028
    tips = [com + radius * np.array(tip) for tip in ((1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0))]
    for index, (a, b) in enumerate(zip(tips, tips[1:] + tips[:1], strict=True)):
        shade = 0.75 + 0.08 * index
        for pole in (radius, -radius):
            colour = (*(part * (shade if pole > 0 else shade - 0.2) for part in COM[:3]), 1.0)
            drawing.triangles(
                np.array([a, b, com + np.array([0.0, 0.0, pole])]), np.array([colour] * 3)
            )
    foot = np.array([com[0], com[1], 0.010])
    for turn in (1.0, -1.0):
        arm = 0.035 * np.array([math.sqrt(0.5), turn * math.sqrt(0.5), 0.0])
        drawing.band(np.stack([foot - arm, foot + arm]), 0.012, COM, closed=False)
