"""The marks beside the robot in the 3-D view: coloured triangles, from the core's scene."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.picture.mesh import Floats32
from core.link.hello import Foot
from core.link.scene import Scene

Floats = npt.NDArray[np.float64]
Colour = tuple[float, float, float, float]

NEWTONS_PER_M = 320.0  # length of a force's arrow
LEAST_N = 4.0  # weaker forces are noise
STILL_M = 0.0005
LINE_WIDTH = 0.4  # of a footprint to its length, where the contact is a line

SUPPORT: Colour = (0.37, 0.83, 0.55, 0.30)
SUPPORT_EDGE: Colour = (0.37, 0.83, 0.55, 0.95)
COM: Colour = (1.0, 0.72, 0.30, 1.0)
CAPTURE: Colour = (1.0, 0.45, 0.85, 1.0)
STEP: Colour = (0.30, 0.64, 1.0, 1.0)
PATH: Colour = (0.55, 0.85, 0.60, 0.85)
FORCE: Colour = (0.55, 0.95, 0.70, 0.9)
PUSH: Colour = (1.0, 0.42, 0.38, 1.0)
SHADE: Colour = (0.0, 0.0, 0.0, 0.55)
LINES: Colour = (0.21, 0.24, 0.27, 1.0)
AXIS: Colour = (0.38, 0.42, 0.47, 1.0)


class Drawing:
    """Collects triangles; those with a coordinate that is not finite are left out."""

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


def footprint(foot: Foot, x: float, y: float, z: float, yaw: float) -> Floats:
    """Return the outline of a foot whose sole is at a place, counter-clockwise (8, 3) [m]."""
    heel, toe = sorted((foot.heel, foot.toe))
    width = foot.half_width or 0.5 * LINE_WIDTH * (toe - heel)
    cut = min(0.6 * width, 0.3 * (toe - heel))
    side = max(width - cut, 0.4 * width)
    outline = [(toe, -side), (toe, side), (toe - cut, width), (heel + cut, width)]
    outline += [(heel, side), (heel, -side), (heel + cut, -width), (toe - cut, -width)]
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


def ground(
    scene: Scene, feet: Sequence[Foot], path: Sequence[tuple[float, float]] = ()
) -> tuple[Floats32, Floats32]:
    """Return the marks on the ground that change only with a step or an edit.

    Args:
        scene: has the support and the next footstep.
        feet: the robot's contacts.
        path: a path on the floor in the world (k, 2) [m].
    """
    drawing = Drawing()
    if len(path) >= 2:
        _path(drawing, np.array([(x, y, 0.004) for x, y in path]))
    if len(scene.support) >= 3:
        corners = np.array(scene.support, dtype=np.float64)
        corners[:, 2] += 0.006
        drawing.fan(corners, SUPPORT)
        drawing.band(corners, 0.010, SUPPORT_EDGE)
    if scene.footstep is not None and 0 <= scene.swing_side < len(feet):
        x, y, z = scene.footstep
        outline = footprint(feet[scene.swing_side], x, y, z + 0.008, scene.footstep_yaw)
        drawing.fan(outline, (*STEP[:3], 0.25))
        drawing.band(outline, 0.012, STEP)
    return drawing.done()


def _path(drawing: Drawing, line: Floats) -> None:
    """Draw a path with an arrow's head at its end."""
    drawing.band(line, 0.025, PATH, closed=False)
    behind = [p for p in line if np.linalg.norm(line[-1] - p) > 0.05]
    if not behind:
        return
    along = line[-1] - behind[-1]
    along /= np.linalg.norm(along)
    side = np.array([-along[1], along[0], 0.0])
    tip, back = line[-1] + 0.06 * along, line[-1] - 0.03 * along
    drawing.fan(np.array([tip, back + 0.06 * side, back - 0.06 * side]), PATH)


@dataclass(frozen=True, slots=True)
class Mark:
    """The placement of one shape.

    Attributes:
        position: of its origin [m].
        along: direction of an arrow (unit vector); other shapes keep to z.
        length: of an arrow [m]; scale factor of other shapes.
    """

    position: tuple[float, float, float]
    along: tuple[float, float, float] = (0.0, 0.0, 1.0)
    length: float = 1.0

    def near(self, other: "Mark") -> bool:
        """Tell whether the difference to another mark is too small to be visible."""
        gaps = [abs(a - b) for a, b in zip(self.position, other.position, strict=True)]
        gaps += [
            abs(a * self.length - b * other.length)
            for a, b in zip(self.along, other.along, strict=True)
        ]
        return max(gaps) < STILL_M


ARROWS = ("force", "push")
BENEATH = ("shadow", "foot_shadow")  # the robot may hide them


def shape_of(mark: str) -> str:
    """Return the shape of a mark; marks of one shape are numbered."""
    return mark.rstrip("0123456789")


def shapes() -> dict[str, tuple[Floats32, Floats32]]:
    """Return the triangles of every shape; arrows point along z and are 1 m long."""
    force, push, com, plumb, capture = (Drawing() for _ in range(5))
    up = np.array([0.0, 0.0, 1.0])
    force.arrow(np.zeros(3), up, 0.014, FORCE)
    push.arrow(np.zeros(3), up, 0.03, PUSH)
    _octahedron(com, 0.028)
    for turn in (1.0, -1.0):
        arm = 0.035 * np.array([math.sqrt(0.5), turn * math.sqrt(0.5), 0.0])
        plumb.band(np.stack([-arm, arm]), 0.012, COM, closed=False)
    capture.band(circle(0.0, 0.0, 0.0, 0.035), 0.012, CAPTURE)
    capture.fan(circle(0.0, 0.0, 0.0, 0.010, 8), CAPTURE)
    found = {"com": com, "plumb": plumb, "capture": capture, "force": force, "push": push}
    for name, radius in zip(BENEATH, (0.42, 0.20), strict=True):
        found[name] = Drawing()
        found[name].fan(circle(0.0, 0.0, 0.0, radius, 24), SHADE, 0.0)
    return {name: drawing.done() for name, drawing in found.items()}


def marks(scene: Scene, contacts: Sequence[Floats], torso: Floats) -> dict[str, Mark]:
    """Return the marks that are shown, by name.

    Args:
        scene: the core's picture.
        contacts: point of attack of each contact force (3) [m].
        torso: point of attack of a push (3) [m].
    """
    found: dict[str, Mark] = {}
    x, y, _ = scene.base_position
    found["shadow"] = Mark((x, y, 0.002))
    for index, (x, y, z) in enumerate(scene.soles):
        found[f"foot_shadow{index}"] = Mark((x, y, 0.003), length=1.0 / (1.0 + 4.0 * max(0.0, z)))
    if any(scene.com):
        found["com"] = Mark(scene.com)
        found["plumb"] = Mark((*scene.com[:2], 0.010))
        found["capture"] = Mark((*scene.capture_point, 0.010))
    for index, (place, force) in enumerate(zip(contacts, scene.contact_forces, strict=False)):
        _put_arrow(found, f"force{index}", place, force, 1.0 / NEWTONS_PER_M)
    _put_arrow(found, "push", torso, scene.external_force, 2.0 / NEWTONS_PER_M)
    return {
        name: mark
        for name, mark in found.items()
        if all(map(math.isfinite, (*mark.position, *mark.along, mark.length)))
    }


def _put_arrow(
    found: dict[str, Mark],
    name: str,
    place: Floats,
    force: tuple[float, float, float],
    metres_per_n: float,
) -> None:
    newtons = math.hypot(*force)
    if newtons >= LEAST_N:
        x, y, z = (part / newtons for part in force)
        a, b, c = place.tolist()
        found[name] = Mark((a, b, c), (x, y, z), newtons * metres_per_n)


def _octahedron(drawing: Drawing, radius_m: float) -> None:
    tips = [radius_m * np.array(tip) for tip in ((1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0))]
    for index, (a, b) in enumerate(zip(tips, tips[1:] + tips[:1], strict=True)):
        for pole in (radius_m, -radius_m):
            shade = 0.75 + 0.08 * index - (0.0 if pole > 0 else 0.2)
            colour = np.array([*(part * shade for part in COM[:3]), 1.0])
            drawing.triangles(np.array([a, b, [0.0, 0.0, pole]]), np.tile(colour, (3, 1)))
