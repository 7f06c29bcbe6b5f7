"""A BVH file as a take of a person, whatever program wrote it, and a take as a BVH file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

import numpy as np

from shows.bvh import MAX_BVH_BYTES, Bvh, BvhJoint, Channel, decode_bvh, encode_bvh
from shows.bvh_names import match_names, missing_bones
from shows.bvh_tree import Tree, elementary_angles
from shows.errors import ShowError
from shows.files import read_capped, write_atomically
from shows.human import (
    BONES,
    INDEX,
    PARENTS,
    HumanTake,
    chain_height,
    shortest_turn,
    trunk_axes,
)
from shows.joints import Floats

Unit: TypeAlias = Literal["metre", "centimetre", "millimetre", "inch", "cmu"]
Up: TypeAlias = Literal["y", "z"]

METRES: Final[dict[Unit, float]] = {
    "metre": 1.0,
    "centimetre": 0.01,
    "millimetre": 0.001,
    "inch": 0.0254,
    "cmu": 0.0254 / 0.45,
}
"""Length of each unit [m]; `cmu`: CMU's motion capture database, 0.45 units an inch."""

HEIGHT_M: Final = 1.45
"""Height of an adult's head joint above the ankles, from which a unit is guessed [m]."""
_LEAST_M, _MOST_M = 0.3, 3.0
_HANGING: Final = ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg")
_UP_ROWS: Final[dict[Up, tuple[int, int, int]]] = {"y": (2, 0, 1), "z": (0, 1, 2)}
"""Which of the file's axes are the world's x, y, z: both are rotations of the axes."""
_FILE_ROWS: Final[dict[Up, tuple[int, int, int]]] = {"y": (1, 2, 0), "z": (0, 1, 2)}
_SAMPLES: Final = 50  # frames from which the up axis is guessed
_RATE_SLACK: Final = 1e-4  # by which a rounded frame time misses a whole rate


@dataclass(frozen=True)
class BvhReading:
    """A person's take from a BVH file, and what was concluded about the file.

    Attributes:
        take: normalised, see `HumanTake.normalised`.
        convention: programs that name joints as the file does.
        unit: unit of its lengths.
        up: its axis that points upward.
        guessed: which of `unit` and `up` were guessed.
        filled: bones that the file does not have; their joint is a neighbour's, or the end of the
            bone before.
        ignored: joints that are no bone of the skeleton, as fingers.
    """

    take: HumanTake
    convention: str
    unit: Unit
    up: Up
    guessed: tuple[str, ...]
    filled: tuple[str, ...]
    ignored: tuple[str, ...]

    def sentence(self) -> str:
        """Return what was guessed, for the operator; empty if everything was given."""
        unit = {"inch": "inches", "cmu": "units of CMU's database"}.get(self.unit, f"{self.unit}s")
        what = {"unit": f"lengths in {unit}", "up": f"{self.up} upward"}
        guesses = " and ".join(what[key] for key in self.guessed)
        height = f"head joint {self.take.height_m:.2f} m above the ankles"
        return f"guessed: {guesses} ({height})" if guesses else ""


def load_bvh(path: Path, unit: Unit | None = None, up: Up | None = None) -> BvhReading:
    """Return the take of a BVH file; see `read_bvh`.

    Raises:
        ShowError: the file cannot be read, or `read_bvh` refuses it.
    """
    return read_bvh(read_capped(path, MAX_BVH_BYTES, path.name), path.name, unit, up)


def save_bvh(take: HumanTake, path: Path) -> None:
    """Write a take as a BVH file in centimetres, y upward; the person looks along z.

    Raises:
        ShowError: the disk refused it.
    """
    write_atomically(path, encode_bvh(bvh_of(take)))


def read_bvh(data: bytes, label: str, unit: Unit | None = None, up: Up | None = None) -> BvhReading:
    """Return the take of a BVH file's text.

    Args:
        data: the file.
        label: the file's name in errors, and the take's name.
        unit: of its lengths; None: the unit in which the person is nearest to an adult's height.
        up: its upward axis, of a right-handed frame; None: the one along which the person stands.

    Raises:
        ShowError: the file is damaged or beyond a limit, shows no person, or the unit cannot be
            guessed.
    """
    return reading_of(decode_bvh(data, label), label, unit, up)


def reading_of(bvh: Bvh, label: str, unit: Unit | None = None, up: Up | None = None) -> BvhReading:
    """Return the take of a decoded file; see `read_bvh`.

    Raises:
        ShowError: it shows no person, or the unit cannot be guessed.
    """
    tree = Tree(bvh)
    convention, names = match_names(joint.name for joint in bvh.joints if joint.channels)
    missing = missing_bones(names)
    if missing:
        reason = f"has no joint for {missing[0]} and {len(missing) - 1} more bones"
        reason = reason.removesuffix(" and 0 more bones")
        advice = f"its names are nearest to those of {convention.title}; rename its joints"
        raise ShowError(label, "HIERARCHY", reason, advice)
    nodes, filled = tree.bones(names)
    pose, turns = tree.pose(bvh.frames, nodes)
    axes = _reference_axes(tree.zero_points(bvh.frames[0])[list(nodes)])
    guessed = tuple(key for key, value in (("unit", unit), ("up", up)) if value is None)
    up = up or _guess_up(pose)
    unit = unit or _guess_unit(pose, label)
    rows = list(_UP_ROWS[up])
    rate_hz = 1.0 / bvh.frame_s
    if abs(rate_hz - round(rate_hz)) < _RATE_SLACK * rate_hz:
        rate_hz = float(round(rate_hz))
    take = HumanTake(
        name=Path(label).stem,
        rate_hz=rate_hz,
        positions=pose[..., rows] * METRES[unit],
        orientations=(turns @ axes)[..., rows, :],
    )
    used = set(nodes)
    ignored = tuple(
        joint.name for i, joint in enumerate(bvh.joints) if joint.channels and i not in used
    )
    return BvhReading(take.normalised(), convention.title, unit, up, guessed, filled, ignored)


def bvh_of(take: HumanTake, unit: Unit = "centimetre", up: Up = "y") -> Bvh:
    """Return a take as a BVH file that has all 22 bones.

    Every joint has six channels, as bones of captured takes change their length. At zero angles
    the person hangs arms and legs straight down.

    Args:
        take: the take.
        unit: of the file's lengths.
        up: its upward axis; the person's reference posture looks along z if it is y, else along x.
    """
    rows = list(_FILE_ROWS[up])
    scale = 1.0 / METRES[unit]
    turns = take.orientations[..., rows, :][..., rows]
    points = take.positions[..., rows] * scale
    order: tuple[Literal[0, 1, 2], ...] = (2, 0, 1) if up == "y" else (2, 1, 0)
    positions = tuple(Channel("position", axis) for axis in (0, 1, 2))
    channels = positions + tuple(Channel("rotation", axis) for axis in order)
    joints: list[BvhJoint] = []
    columns = []
    lengths = _even_lengths(take) * scale
    for index, (bone, parent) in enumerate(zip(BONES, PARENTS, strict=True)):
        offset = _reference_offset(bone, lengths[index])[rows]
        local, turn = points[:, index], turns[:, index]
        if parent >= 0:
            back = np.swapaxes(turns[:, parent], 1, 2)
            local = (back @ (local - points[:, parent])[..., None])[..., 0]
            turn = back @ turn
        columns += [local, elementary_angles(turn, order)]
        x, y, z = offset.tolist()
        title = "".join(word.capitalize() for word in bone.split("_"))
        joints.append(BvhJoint(title, parent, (x, y, z), channels, 6 * index))
    ends = [i for i, bone in enumerate(BONES) if i not in PARENTS]
    joints += [BvhJoint(f"{joints[i].name} end", i, joints[i].offset) for i in ends]
    return Bvh(tuple(joints), 1.0 / take.rate_hz, np.hstack(columns))


def _reference_axes(places: Floats) -> Floats:
    """Return how the reference posture's bones stand in the file's joints (22, 3, 3).

    At zero angles every joint has the file's axes. The trunk's axes there are those of all bones,
    but arms and legs are first turned, the shortest way, from hanging to where they then lie. For
    one that then points straight up no way is the shortest: how it is turned about itself is open.

    Args:
        places: joints of the bones at zero angles (22, 3).
    """
    trunk = trunk_axes(places)
    axes = np.repeat(trunk[None], len(BONES), axis=0)
    for bone in BONES:
        side, _, part = bone.partition("_")
        if part in _HANGING:
            upper = INDEX[f"{side}_lower_arm"] if part == "hand" else INDEX[bone]
            lower = next(i for i, parent in enumerate(PARENTS) if parent == upper)
            axes[INDEX[bone]] = shortest_turn(-trunk[:, 2], places[lower] - places[upper]) @ trunk
        elif part in ("foot", "toe"):
            axes[INDEX[bone]] = axes[INDEX[f"{side}_lower_leg"]]
    return axes


def _guess_up(points: Floats) -> Up:
    """Return the axis along which the person stands, by the joints (k, 22, 3)."""
    some = points[:: max(1, len(points) // _SAMPLES)].mean(axis=0)
    feet = some[[INDEX["left_foot"], INDEX["right_foot"]]].mean(axis=0)
    upward = some[INDEX["head"]] - feet
    return "z" if upward[2] > upward[1] else "y"


def _guess_unit(points: Floats, label: str) -> Unit:
    """Return the unit in which the person is nearest to an adult, by the joints (k, 22, 3)."""
    some = points[:: max(1, len(points) // _SAMPLES)]
    spans = np.linalg.norm(some - some[:, np.maximum(PARENTS, 0)], axis=2)
    lengths = np.median(spans, axis=0).tolist()
    height = chain_height(dict(zip(BONES, lengths, strict=True)))
    if height > 0.0:
        unit = min(METRES, key=lambda unit: abs(np.log(height * METRES[unit] / HEIGHT_M)))
        if _LEAST_M <= height * METRES[unit] <= _MOST_M:
            return unit
    reason = f"its person is {height:.3g} units high, which is no adult in any known unit"
    raise ShowError(label, "OFFSET", reason, f"give the unit: {', '.join(METRES)}")


def _even_lengths(take: HumanTake) -> Floats:
    """Return the lengths of a take's bones, left and right alike (22) [m].

    With them the trunk stands straight in the reference posture, as `_reference_axes` reads it.
    """
    lengths = take.bone_lengths()
    others = {"left": "right", "right": "left"}
    sides = [bone.partition("_") for bone in BONES]
    mirrored = [INDEX[f"{others.get(side, side)}{dash}{part}"] for side, dash, part in sides]
    even: Floats = (lengths + lengths[mirrored]) / 2.0
    return even


def _reference_offset(bone: str, length: float) -> Floats:
    """Return a bone's offset from its parent in the reference posture (3)."""
    side, _, part = bone.partition("_")
    lateral = {"left": 1.0, "right": -1.0}.get(side, 0.0)
    directions = {
        "shoulder": (0.0, lateral, 0.0),
        "upper_arm": (0.0, lateral, 0.0),
        "upper_leg": (0.0, lateral, 0.0),
        "toe": (1.0, 0.0, 0.0),
    }
    default = (0.0, 0.0, -1.0) if lateral else (0.0, 0.0, 1.0)
    return length * np.array(directions.get(part, default))
