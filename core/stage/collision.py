"""Self-collision of the arms: capsules around their links, against each other, head and torso."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from devices.interface import Floats

RADIUS_SHARE = 85.0  # percentile of a link's points that its capsule holds: soft shells may dent
CLOUD_POINTS = 400
SIDES = ("left", "right")
LINKS = ("upper_arm", "forearm", "hand")
# The upper arm hangs in its shoulder, a part of the torso: only what can be folded is checked.
FIXED = (("torso", ("forearm", "hand")), ("head", LINKS))
COLLIDING = frozenset({"torso", "head", *(f"{side}_{link}" for side in SIDES for link in LINKS)})


@dataclass(frozen=True, slots=True)
class Capsule:
    """A link's hull: every point within `radius` of a line, in the link's frame [m]."""

    begin: Floats
    end: Floats
    radius: float


@dataclass(frozen=True, slots=True)
class Contact:
    """Two parts that come too near.

    Attributes:
        parts: their names.
        depth_m: how deep one is in the other; negative is the room between them [m].
        sample: when, as the number of the placement.
    """

    parts: tuple[str, str]
    depth_m: float
    sample: int


def fit_capsule(points: Floats) -> Capsule:
    """Return the capsule along the longest axis of points (k, 3) [m]."""
    centre = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - centre, full_matrices=False)
    along = (points - centre) @ axes[0]
    across = np.linalg.norm((points - centre) - along[:, None] * axes[0], axis=1)
    radius = float(np.percentile(across, RADIUS_SHARE))
    low, high = float(along.min()) + radius, float(along.max()) - radius
    if low > high:
        low = high = 0.5 * (low + high)
    return Capsule(centre + low * axes[0], centre + high * axes[0], radius)


class CollisionModel:
    """Capsules of the arms' links, and points on the head and the torso.

    Args:
        shapes: body name to points on its surface, in its frame (k, 3) [m].
        placements: each body's frame in the torso frame at rest, where the hulls of two parts
            may overlap without touching: that much is forgiven.
    """

    def __init__(self, shapes: Mapping[str, Floats], placements: Mapping[str, Floats]) -> None:
        names = [f"{side}_{link}" for side in SIDES for link in LINKS]
        self._capsules = {name: fit_capsule(shapes[name]) for name in names if name in shapes}
        rng = np.random.default_rng(0)
        self._clouds: dict[str, Floats] = {}
        for name, _ in FIXED:
            if name in shapes:
                cloud = shapes[name]
                chosen = rng.permutation(len(cloud))[:CLOUD_POINTS]
                self._clouds[name] = cloud[chosen]
        self._forgiven = {
            pair: max(depth[0], 0.0) for pair, depth in self._depths([placements]).items()
        }

    def __bool__(self) -> bool:
        """There is something to check."""
        return bool(self._capsules)

    def deepest(self, placements: Sequence[Mapping[str, Floats]]) -> list[Contact]:
        """Return for each pair of parts when it is nearest.

        Args:
            placements: each body's frame in the torso frame (4, 4), one mapping a sample.
        """
        contacts = []
        for pair, depth in self._depths(placements).items():
            sample = int(np.argmax(depth))
            contacts.append(Contact(pair, float(depth[sample]) - self._forgiven[pair], sample))
        return contacts

    def _depths(self, placements: Sequence[Mapping[str, Floats]]) -> dict[tuple[str, str], Floats]:
        """Return how deep each pair overlaps at each sample [m]."""
        lines = {
            name: (
                np.stack([_move(p[name], capsule.begin) for p in placements]),
                np.stack([_move(p[name], capsule.end) for p in placements]),
            )
            for name, capsule in self._capsules.items()
        }
        depths: dict[tuple[str, str], Floats] = {}
        for fixed, links in FIXED:
            if fixed not in self._clouds:
                continue
            cloud = [_move(p[fixed], self._clouds[fixed]) for p in placements]
            for name, (begin, end) in lines.items():
                if name.partition("_")[2] in links:
                    near = [_to_points(*line) for line in zip(begin, end, cloud, strict=True)]
                    depths[name, fixed] = self._capsules[name].radius - np.array(near)
        for left in (n for n in lines if n.startswith("left_")):
            for right in (n for n in lines if n.startswith("right_")):
                gap = _between(*lines[left], *lines[right])
                thick = self._capsules[left].radius + self._capsules[right].radius
                depths[left, right] = thick - gap
        return depths


def _move(placement: Floats, points: Floats) -> Floats:
    """Return points (..., 3) of a frame in the frame that its placement (4, 4) is given in."""
    moved: Floats = points @ placement[:3, :3].T + placement[:3, 3]
    return moved


def _to_points(begin: Floats, end: Floats, points: Floats) -> float:
    """Return the smallest distance from a line (3), (3) to points (k, 3) [m]."""
    span = end - begin
    squared = float(span @ span)
    along = np.clip((points - begin) @ span / squared, 0.0, 1.0) if squared > 0.0 else 0.0
    nearest = begin + np.multiply.outer(along, span) if squared > 0.0 else begin
    return float(np.sqrt(((points - nearest) ** 2).sum(axis=1).min()))


def _between(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Return the smallest distances between lines ab and cd (k, 3) [m].

    The nearest points of two segments: the inner solution, clamped, then the other end again
    (Ericson, Real-Time Collision Detection, 5.1.9).
    """
    u, v, w = b - a, d - c, a - c
    uu, vv, uv = (u * u).sum(1), (v * v).sum(1), (u * v).sum(1)
    uw, vw = (u * w).sum(1), (v * w).sum(1)
    tiny = 1e-12
    determinant = uu * vv - uv * uv
    s = np.where(determinant > tiny, (uv * vw - vv * uw) / np.maximum(determinant, tiny), 0.0)
    s = np.clip(s, 0.0, 1.0)
    t = np.where(vv > tiny, (uv * s + vw) / np.maximum(vv, tiny), 0.0)
    t = np.clip(t, 0.0, 1.0)
    s = np.where(uu > tiny, (uv * t - uw) / np.maximum(uu, tiny), 0.0)
    s = np.clip(s, 0.0, 1.0)
    gap: Floats = np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=1)
    return gap
