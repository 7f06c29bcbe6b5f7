"""The skeleton of a person on which all sources agree, as shows/human.py has it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from devices.capture.errors import CaptureError, Refusal
from devices.interface import Floats

SIDES: Final = ("left", "right")
_TRUNK: Final = ("hips", "spine_1", "spine_2", "spine_3", "neck", "head")
_ARM: Final = ("shoulder", "upper_arm", "lower_arm", "hand")
_LEG: Final = ("upper_leg", "lower_leg", "foot", "toe")
_ROOTS: Final = {"shoulder": "spine_3", "upper_leg": "hips"}


def _parents() -> dict[str, str]:
    """Return the parent of each bone; each bone stands after its parent."""
    found = {bone: _TRUNK[i - 1] if i else "" for i, bone in enumerate(_TRUNK)}
    for limb in (_ARM, _LEG):
        for side in SIDES:
            above = _ROOTS[limb[0]]
            for part in limb:
                found[f"{side}_{part}"] = above
                above = f"{side}_{part}"
    return found


PARENT_OF: Final = _parents()
BONES: Final = tuple(PARENT_OF)
"""The 22 bones, in the order of every array of a `PoseFrame`."""
INDEX: Final = {bone: index for index, bone in enumerate(BONES)}
PARENTS: Final = tuple(INDEX.get(parent, -1) for parent in PARENT_OF.values())
SPINE: Final = ("spine_1", "spine_2", "spine_3")
FILLED: Final = (
    *SPINE,
    "neck",
    *(f"{side}_{part}" for side in SIDES for part in ("shoulder", "toe")),
)
"""Bones that a source may lack."""


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """One posture as a source sends it.

    Attributes:
        stamp_s: time on the source's clock; None if it told none [s].
        positions: of the 22 joints in the world, x forward, y left, z up (22, 3) [m].
        orientations: of the bones, bone to world, from the source's own reference posture
            (22, 3, 3).
    """

    stamp_s: float | None
    positions: Floats = field(repr=False)
    orientations: Floats = field(repr=False)


def sources_of(known: Mapping[str, int], spine: Sequence[int]) -> tuple[int, ...]:
    """Return which of a source's joints stands for each of the 22 bones.

    The spine is what a source has of it, from below; a bone that the source lacks has the joint of
    its parent, as in an imported BVH file.

    Args:
        known: number of the source's joint of each bone, by the bone's name; no bone of the spine.
        spine: numbers of its joints of the spine, from the lowest up.

    Raises:
        CaptureError: a bone is missing that nothing can stand for.
    """
    found = dict(known)
    if spine:
        places = (0, (len(spine) - 1) // 2, len(spine) - 1)
        found |= {bone: spine[place] for bone, place in zip(SPINE, places, strict=True)}
    for bone, parent in PARENT_OF.items():
        if bone not in found:
            if bone not in FILLED:
                raise CaptureError(Refusal.BONES, f"there is no {bone.replace('_', ' ')}")
            found[bone] = found[parent]
    return tuple(found[bone] for bone in BONES)
