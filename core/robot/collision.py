"""Self-collision: distances between the convex hulls of bodies, computed by coal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import coal
import numpy as np
import pinocchio as pin

from core.errors import ProfileError
from core.robot.profile import Collisions, Profile
from devices.interface import Floats

Shape: TypeAlias = tuple[Any, Floats]
"""A convex geometry of coal, and its placement (4, 4) in the frame of its body."""

_FILE = "profile.toml"
FLAT_M = 1e-6  # points of a smaller extent lie in a plane [m]


@dataclass(frozen=True, slots=True)
class Contact:
    """The least distance of two bodies over a run.

    Attributes:
        bodies: the names of both.
        depth_m: penetration of their hulls beyond that at rest; negative is a distance [m].
        sample: index of the sample at which they are nearest.
        may_touch: the profile allows the two to touch.
    """

    bodies: tuple[str, str]
    depth_m: float
    sample: int
    may_touch: bool


class CollisionModel:
    """The hulls of bodies, and the pairs of bodies to keep apart.

    Args:
        shapes: the convex shapes of each body.
        collisions: the pairs.
        rest: placement of each body at rest (4, 4). A hull is larger than its body: the
            penetration at rest is not counted as a collision.
    """

    def __init__(
        self,
        shapes: Mapping[str, Sequence[Shape]],
        collisions: Collisions,
        rest: Mapping[str, Floats],
    ) -> None:
        self._shapes = shapes
        self._pairs = collisions.pairs
        touching = {frozenset(pair) for pair in collisions.may_touch}
        self._may_touch = np.array([frozenset(pair) in touching for pair in self._pairs], bool)
        self._request = coal.DistanceRequest()
        self._request.enable_signed_distance = True
        self._result = coal.DistanceResult()
        self._depth_at_rest = np.maximum(self._depths(rest), 0.0)
        self._bodies = list(shapes)
        spheres = [_sphere(own) for own in shapes.values()]
        self._centres = np.array([(*centre, 1.0) for centre, _ in spheres])
        place = {body: i for i, body in enumerate(self._bodies)}
        self._ends = np.array([(place[one], place[other]) for one, other in self._pairs])
        radii = np.array([radius for _, radius in spheres])
        self._reach = radii[self._ends].sum(axis=1)

    def deepest(self, placements: Sequence[Mapping[str, Floats]]) -> list[Contact]:
        """Return the least distance of each pair.

        Args:
            placements: placement of each body in one common frame (4, 4), one mapping a sample.
        """
        depths = np.array([self._depths(sample) for sample in placements]) - self._depth_at_rest
        samples = np.argmax(depths, axis=0)
        return [
            Contact(pair, float(depths[at, i]), int(at), bool(self._may_touch[i]))
            for i, (pair, at) in enumerate(zip(self._pairs, samples, strict=True))
        ]

    def depths(self, placements: Mapping[str, Floats]) -> Floats:
        """Return the penetration of each pair beyond that at rest; negative is a distance (p) [m].

        Bodies that may touch are apart without end.
        """
        depths = self._depths(placements) - self._depth_at_rest
        depths[self._may_touch] = -np.inf
        return depths

    def clear(self, placements: Mapping[str, Floats], allowed: Floats) -> bool:
        """Tell whether no pair is deeper than allowed (p) [m]; spheres tell most of them apart."""
        placed = np.array([placements[body] for body in self._bodies])
        centres = np.einsum("bij,bj->bi", placed, self._centres)[:, :3]
        apart = np.linalg.norm(centres[self._ends[:, 0]] - centres[self._ends[:, 1]], axis=1)
        near = (self._reach - apart - self._depth_at_rest > allowed) & ~self._may_touch
        for i in np.flatnonzero(near).tolist():
            one, other = (self._placed(body, placements) for body in self._pairs[i])
            if self._depth(one, other) - self._depth_at_rest[i] > allowed[i]:
                return False
        return True

    def _depths(self, placements: Mapping[str, Floats]) -> Floats:
        """Return the penetration of each pair at one sample [m]."""
        placed = {body: self._placed(body, placements) for body in self._shapes}
        return np.array([self._depth(placed[one], placed[other]) for one, other in self._pairs])

    def _placed(self, body: str, placements: Mapping[str, Floats]) -> list[tuple[Any, Any]]:
        """Return the shapes of a body with their placements, as coal has them."""
        shapes = self._shapes[body]
        return [(shape, _transform(placements[body] @ local)) for shape, local in shapes]

    def _depth(self, one: Sequence[tuple[Any, Any]], other: Sequence[tuple[Any, Any]]) -> float:
        """Return the deepest penetration of any shape of one body in any of the other [m]."""
        deepest = -np.inf
        for shape, placement in one:
            for second, second_placement in other:
                self._result.clear()
                distance = coal.distance(
                    shape, placement, second, second_placement, self._request, self._result
                )
                deepest = max(deepest, -distance)
        return float(deepest)


def read_shapes(profile: Profile, model: pin.Model) -> dict[str, list[Shape]]:
    """Return the convex shapes of each body that may collide.

    The meshes of a body become one hull; a sphere, capsule, box or cylinder stays as it is. The
    visual geometry is used; a body that has none uses its collision geometry.

    Args:
        profile: the robot's profile.
        model: the robot's model, as Pinocchio reads it.

    Raises:
        ProfileError: a pair of the profile names a body that the model lacks or that has no
            geometry.
    """
    if profile.collisions is None:
        return {}
    bodies = sorted({body for pair in profile.collisions.pairs for body in pair})
    pieces: dict[str, list[pin.GeometryObject]] = {}
    for kind in (pin.GeometryType.VISUAL, pin.GeometryType.COLLISION):
        lacking = [body for body in bodies if body not in pieces]
        if lacking:
            geometry = pin.buildGeomFromMJCF(model, str(profile.model_path), kind)
            for piece in geometry.geometryObjects:
                body = model.frames[piece.parentFrame].name
                if body in lacking:
                    pieces.setdefault(body, []).append(piece)
    shapes: dict[str, list[Shape]] = {}
    for body in bodies:
        if body not in pieces:
            reason = f"{profile.model} has no body {body!r} with a geometry; correct the name"
            raise ProfileError(_FILE, "collisions.pairs", reason)
        try:
            shapes[body] = _convex(model, pieces[body])
        except ValueError as error:
            reason = f"the mesh of {body!r} has no volume ({error}); remove the body from the pairs"
            raise ProfileError(_FILE, "collisions.pairs", reason) from error
    return shapes


def _convex(model: pin.Model, pieces: Sequence[pin.GeometryObject]) -> list[Shape]:
    """Return convex shapes that contain the geometry of one body."""
    shapes: list[Shape] = []
    points: list[Floats] = []
    for piece in pieces:
        placement = (model.frames[piece.parentFrame].placement.actInv(piece.placement)).homogeneous
        if isinstance(piece.geometry, coal.BVHModelBase):
            vertices = np.asarray(piece.geometry.vertices())
            points.append(vertices @ placement[:3, :3].T + placement[:3, 3])
        else:
            shapes.append((piece.geometry, placement))
    if points:
        shapes.append((hull(np.concatenate(points)), np.eye(4)))
    return shapes


def hull(points: Floats) -> Any:
    """Return the convex hull of points (k, 3) [m] as a geometry of coal.

    Raises:
        ValueError: the points lie in a plane.
    """
    spread = np.linalg.matrix_rank(points - points.mean(axis=0), tol=FLAT_M)
    if spread < points.shape[1]:
        raise ValueError(f"its {len(points)} points lie in a plane")
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(0, len(points))
    mesh.addVertices(points)
    mesh.endModel()
    mesh.buildConvexHull(True, "Qt")  # with triangles
    return mesh.convex


def _sphere(shapes: Sequence[Shape]) -> tuple[Floats, float]:
    """Return a sphere that contains the shapes of a body: its centre (3) and its radius [m]."""
    corners = []
    for shape, placement in shapes:
        shape.computeLocalAABB()
        box = shape.aabb_local
        low, high = np.asarray(box.min_), np.asarray(box.max_)
        ends = np.array([(*np.where(low_side, low, high), 1.0) for low_side in np.ndindex(2, 2, 2)])
        corners.append((ends @ placement.T)[:, :3])
    points = np.concatenate(corners)
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return centre, float(np.linalg.norm(points - centre, axis=1).max())


def _transform(placement: Floats) -> Any:
    """Return a placement (4, 4) as coal has it."""
    return coal.Transform3s(placement[:3, :3], placement[:3, 3])
