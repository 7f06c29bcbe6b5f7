"""One human skeleton for every source of captured motion, and a take of a person."""

from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from shows.errors import ShowError
from shows.joints import Floats

SIDES: Final = ("left", "right")

PARENT_OF: Final[dict[str, str]] = {
    "hips": "",
    "spine_1": "hips",
    "spine_2": "spine_1",
    "spine_3": "spine_2",
    "neck": "spine_3",
    "head": "neck",
    "left_shoulder": "spine_3",
    "left_upper_arm": "left_shoulder",
    "left_lower_arm": "left_upper_arm",
    "left_hand": "left_lower_arm",
    "right_shoulder": "spine_3",
    "right_upper_arm": "right_shoulder",
    "right_lower_arm": "right_upper_arm",
    "right_hand": "right_lower_arm",
    "left_upper_leg": "hips",
    "left_lower_leg": "left_upper_leg",
    "left_foot": "left_lower_leg",
    "left_toe": "left_foot",
    "right_upper_leg": "hips",
    "right_lower_leg": "right_upper_leg",
    "right_foot": "right_lower_leg",
    "right_toe": "right_foot",
}
"""The bone from which each bone begins; each stands after its parent."""

BONES: Final[tuple[str, ...]] = tuple(PARENT_OF)
"""The 22 bones, in the order of every bone array; a bone's position is its joint's."""
INDEX: Final[dict[str, int]] = {bone: index for index, bone in enumerate(BONES)}
PARENTS: Final[tuple[int, ...]] = tuple(INDEX.get(parent, -1) for parent in PARENT_OF.values())
"""Index of each bone's parent; -1 for the hips."""

OFFSETS_M: Final[dict[str, tuple[float, float, float]]] = {
    "spine_1": (0.0, 0.0, 0.10),
    "spine_2": (0.0, 0.0, 0.15),
    "spine_3": (0.0, 0.0, 0.22),
    "neck": (0.0, 0.0, 0.08),
    "head": (0.0, 0.0, 0.10),
    "shoulder": (0.0, 0.04, 0.0),
    "upper_arm": (0.0, 0.14, 0.0),
    "lower_arm": (0.0, 0.0, -0.29),
    "hand": (0.0, 0.0, -0.25),
    "upper_leg": (0.0, 0.09, 0.0),
    "lower_leg": (0.0, 0.0, -0.42),
    "foot": (0.0, 0.0, -0.42),
    "toe": (0.15, 0.0, 0.0),
}
"""A made person: where each bone begins from its parent, in the reference posture, left side."""

MIN_TAKE_RATE_HZ: Final = 1.0
MAX_TAKE_RATE_HZ: Final = 1000.0
MAX_COORDINATE_M: Final = 1e4
_ROUNDING: Final = 1e-3  # of orientations

Vector: TypeAlias = Floats


@dataclass(frozen=True, eq=False)
class HumanTake:
    """Motion of a person: where the joints of the 22 bones are, and how the bones are turned.

    The world has x forward, y left, z up. An orientation is the rotation of a bone from the
    reference posture, in which the person stands upright, looks along x and lets arms and legs
    hang straight: in it every orientation is the identity. A bone's axes are the world's in that
    posture, so that an arm or a leg lies along its -z.

    Attributes:
        name: what an operator reads.
        rate_hz: samples by time [Hz].
        positions: of the joints in the world (k, 22, 3) [m], read-only.
        orientations: bone to world (k, 22, 3, 3), read-only.

    Raises:
        ShowError: the arrays are not finite, do not fit each other, hold no rotations, or the
            rate is out of bounds.
    """

    name: str
    rate_hz: float
    positions: Floats = field(repr=False)
    orientations: Floats = field(repr=False)

    def __post_init__(self) -> None:
        """Take read-only copies of the arrays and check them."""
        positions = np.array(self.positions, dtype=np.float64, order="C")
        orientations = np.array(self.orientations, dtype=np.float64, order="C")
        count, frames = len(BONES), len(positions) if positions.ndim else 0
        for label, values, shape in (
            ("positions", positions, (frames, count, 3)),
            ("orientations", orientations, (frames, count, 3, 3)),
        ):
            if frames < 2 or values.shape != shape:
                expected = f"(k, {', '.join(map(str, shape[1:]))}) with at least 2 samples"
                reason = f"have the shape {values.shape}, not {expected}"
                raise ShowError(self.name, label, reason, "give every bone in every sample")
            if not np.isfinite(values).all() or np.abs(values).max() > MAX_COORDINATE_M:
                reason = f"hold a number that is not within {MAX_COORDINATE_M:g}"
                raise ShowError(self.name, label, reason, "give positions in metres")
        excess = np.einsum("...ij,...kj->...ik", orientations, orientations) - np.eye(3)
        if np.abs(excess).max() > _ROUNDING or np.linalg.det(orientations).min() < 0.0:
            raise ShowError(
                self.name, "orientations", "are not all rotations", "give orthonormal matrices"
            )
        if not MIN_TAKE_RATE_HZ <= self.rate_hz <= MAX_TAKE_RATE_HZ:
            within = f"{MIN_TAKE_RATE_HZ:g} to {MAX_TAKE_RATE_HZ:g} Hz"
            reason = f"{self.rate_hz:g} Hz is not within {within}"
            raise ShowError(self.name, "rate_hz", reason, "resample it")
        positions.flags.writeable = orientations.flags.writeable = False
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "orientations", orientations)

    @property
    def duration_s(self) -> float:
        """Time from the first to the last sample [s]."""
        return (len(self.positions) - 1) / self.rate_hz

    def of(self, bone: str) -> Floats:
        """Return the positions of a bone's joint (k, 3) [m].

        Raises:
            KeyError: there is no such bone.
        """
        path: Floats = self.positions[:, INDEX[bone]]
        return path

    def bone_lengths(self) -> Floats:
        """Return the median distance of each joint from its parent's (22) [m]; 0 for the hips."""
        offsets = self.positions[:, 1:] - self.positions[:, PARENTS[1:]]
        lengths: Floats = np.median(np.linalg.norm(offsets, axis=2), axis=0)
        return np.concatenate(([0.0], lengths))

    @property
    def height_m(self) -> float:
        """Height of the head's joint above the ankles if the person stood straight [m].

        It is about five sixths of the height of the person.
        """
        return chain_height(dict(zip(BONES, self.bone_lengths().tolist(), strict=True)))

    def normalised(self) -> "HumanTake":
        """Return the take moved so that it begins at the origin, and faces along x there.

        The first sample has the hips above the origin, the heading along x, and the lowest of feet
        and toes at z = 0.
        """
        yaw = heading(self.positions[0])
        cosine, sine = np.cos(yaw), np.sin(yaw)
        turn = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        feet = [INDEX[f"{side}_{part}"] for side in SIDES for part in ("foot", "toe")]
        origin = self.positions[0, 0].copy()
        origin[2] = self.positions[0, feet, 2].min()
        return replace(
            self,
            positions=(self.positions - origin) @ turn.T,
            orientations=turn @ self.orientations,
        )


def offset_of(bone: str) -> Floats:
    """Return where a bone of the made person begins from its parent, hips excepted (3) [m]."""
    side, _, part = bone.partition("_")
    found = np.array(OFFSETS_M[bone] if bone in OFFSETS_M else OFFSETS_M[part])
    mirrored: Floats = found * ([1.0, -1.0, 1.0] if side == "right" else [1.0, 1.0, 1.0])
    return mirrored


def chain_height(lengths: dict[str, float]) -> float:
    """Return the height of the head's joint above the ankles, limbs straight.

    Args:
        lengths: of the bones, each from its parent's joint, in any unit.
    """
    trunk = sum(lengths[bone] for bone in ("spine_1", "spine_2", "spine_3", "neck", "head"))
    legs = [lengths[f"{side}_{part}"] for side in SIDES for part in ("lower_leg", "foot")]
    return trunk + sum(legs) / 2.0


def trunk_axes(positions: Floats) -> Floats:
    """Return the axes of the trunk, from the hips' and the shoulders' joints.

    Args:
        positions: of the joints (..., 22, 3).

    Returns:
        Rotations trunk to world (..., 3, 3): z from between the hips to between the shoulders,
        y toward the left shoulder, x forward. Where the joints lie on one line, any rotation.
    """
    hips = [INDEX["left_upper_leg"], INDEX["right_upper_leg"]]
    arms = [INDEX["left_upper_arm"], INDEX["right_upper_arm"]]
    up = positions[..., arms, :].mean(axis=-2) - positions[..., hips, :].mean(axis=-2)
    left = positions[..., arms[0], :] - positions[..., arms[1], :]
    return axes_from(up, left)


def heading(positions: Floats) -> float:
    """Return the direction in which a person faces, about z from x [rad].

    Args:
        positions: of the joints in the world (22, 3) [m].
    """
    left = np.zeros(2)
    for part in ("upper_leg", "upper_arm"):
        left += (positions[INDEX[f"left_{part}"]] - positions[INDEX[f"right_{part}"]])[:2]
    return float(np.arctan2(-left[0], left[1]))


def axes_from(up: Vector, left: Vector) -> npt.NDArray[np.float64]:
    """Return the rotation whose z lies along `up` and whose y is nearest to `left`.

    Args:
        up: vectors (..., 3).
        left: vectors (..., 3).

    Returns:
        Rotations (..., 3, 3), their columns x forward, y left, z up; a vector of length zero, or
        two along one line, give any rotation.
    """
    z = _unit(up, np.array([0.0, 0.0, 1.0]))
    left = _unit(left, np.array([0.0, 1.0, 0.0]))
    x = np.cross(left, z)
    other = np.eye(3)[np.argmin(np.abs(z), axis=-1)]
    x = np.where(np.linalg.norm(x, axis=-1, keepdims=True) > 1e-6, x, np.cross(other, z))
    x = _unit(x, np.array([1.0, 0.0, 0.0]))
    return np.stack((x, np.cross(z, x), z), axis=-1)


def shortest_turn(start: Vector, end: Vector) -> Floats:
    """Return the shortest rotation from one direction to another (3, 3).

    Args:
        start: a unit vector (3).
        end: a vector (3); of length zero it gives the identity.
    """
    length = np.linalg.norm(end)
    if length < 1e-9:
        return np.eye(3)
    end = end / length
    cosine, axis = float(start @ end), np.cross(start, end)
    if cosine < -1.0 + 1e-9:  # half a turn about any axis across
        across = axes_from(start, np.array([0.0, 1.0, 0.0]))[:, 1]
        turn: Floats = 2.0 * np.outer(across, across) - np.eye(3)
        return turn
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    turn = np.eye(3) + cross + cross @ cross / (1.0 + cosine)
    return turn


def _unit(vectors: Vector, otherwise: Vector) -> Vector:
    """Return the vectors at length one; a vector of length zero becomes another one."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    safe = np.where(length > 1e-12, length, 1.0)
    return np.where(length > 1e-12, vectors / safe, otherwise)
