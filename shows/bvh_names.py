"""The names that other programs give to the bones of a person, as a table."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from shows.human import SIDES

PARTS: Final = (
    "upper_arm",
    "lower_arm",
    "hand",
    "upper_leg",
    "lower_leg",
    "foot",
    "toe",
)
"""The bones of one side that are found by name; spine, neck and shoulders by the tree."""

OPTIONAL: Final = ("hand", "toe")
"""Parts without which a skeleton is complete: the end of the bone before takes their place."""


@dataclass(frozen=True)
class Convention:
    """How a family of programs names joints; names as `plain` returns them, `*` is the part.

    Attributes:
        title: the programs, as an operator knows them.
        sides: the patterns of the left and the right side.
        parts: names of a part of one side, the best first.
        hips: names of the hips.
        head: names of the head.
    """

    title: str
    sides: tuple[str, str]
    parts: Mapping[str, tuple[str, ...]]
    hips: tuple[str, ...]
    head: tuple[str, ...] = ("head",)

    def names(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Return each bone with its names, the best first."""
        yield "hips", self.hips
        yield "head", self.head
        for side, pattern in zip(SIDES, self.sides, strict=True):
            for part in PARTS:
                names = self.parts.get(part, ())
                yield f"{side}_{part}", tuple(pattern.replace("*", name) for name in names)


def _parts(*columns: str) -> dict[str, tuple[str, ...]]:
    """Return the names of the parts, in their order; several names are separated by spaces."""
    return {part: tuple(names.split()) for part, names in zip(PARTS, columns, strict=True)}


CONVENTIONS: Final = (
    Convention(
        "MotionBuilder, CMU, Mixamo, LAFAN, Perception Neuron",
        ("left*", "right*"),
        _parts("arm", "forearm", "hand", "upleg", "leg", "foot", "toebase toe"),
        ("hips", "hip", "pelvis"),
    ),
    Convention(
        "Rokoko",
        ("left*", "right*"),
        _parts(
            "arm upperarm", "forearm lowerarm", "hand", "thigh upleg", "shin leg", "foot", "toe"
        ),
        ("hips", "hip"),
    ),
    Convention(
        "Xsens MVN, Biovision",
        ("left*", "right*"),
        _parts(
            "shoulder uparm", "elbow lowarm", "wrist hand", "hip upleg", "knee lowleg",
            "ankle foot", "toe toebase",
        ),
        ("hips", "pelvis"),
    ),
    Convention(
        "VRM, Unity",
        ("left*", "right*"),
        _parts("upperarm", "lowerarm", "hand", "upperleg", "lowerleg", "foot", "toes toe"),
        ("hips",),
    ),
    Convention(
        "Bandai Namco, Blender with sides at the end",
        ("*l", "*r"),
        _parts("upperarm", "lowerarm", "hand", "upperleg", "lowerleg", "foot", "toes toe"),
        ("hips",),
    ),
    Convention(
        "Blender, Rigify",
        ("*l", "*r"),
        _parts("upperarm", "forearm", "hand", "thigh", "shin", "foot", "toe"),
        ("hips", "pelvis", "torso", "spine"),
        ("head", "spine006"),
    ),
    Convention(
        "Unreal",
        ("*l", "*r"),
        _parts("upperarm", "lowerarm", "hand", "thigh", "calf", "foot", "ball"),
        ("pelvis",),
    ),
    Convention(
        "OptiTrack",
        ("l*", "r*"),
        _parts("uarm", "farm", "hand", "thigh", "shin", "foot", "toe"),
        ("hip", "hips"),
    ),
    Convention(
        "Poser, Daz, Second Life",
        ("l*", "r*"),
        _parts("shldr", "forearm", "hand", "thigh", "shin", "foot", "toe"),
        ("hip", "hips"),
    ),
    Convention(
        "SMPL",
        ("l*", "r*"),
        _parts("shoulder", "elbow", "wrist", "hip", "knee", "ankle", "foot toe"),
        ("pelvis", "hips"),
    ),
    Convention(
        "3ds Max Biped",
        ("l*", "r*"),
        _parts("upperarm", "forearm", "hand", "thigh", "calf", "foot", "toe0 toe"),
        ("pelvis", "hips", ""),
    ),
)  # fmt: skip

_NAMESPACE = re.compile(r"^(.*[:|])|^(character\d+|mixamorig\d*|bip\d+|def|org|jt|bn)[_ .-]")
_FILLER = re.compile(r"[^a-z0-9]+")


def plain(name: str) -> str:
    """Return a joint's name without namespace, capitals and separators."""
    return _FILLER.sub("", _NAMESPACE.sub("", name.strip().casefold()))


def match_names(joints: Iterable[str]) -> tuple[Convention, dict[str, str]]:
    """Return the convention that names the most bones of a skeleton, and the joints that it names.

    Args:
        joints: names of the joints, as the file spells them; of two alike the first counts.

    Returns:
        The convention and the joint of each bone that it finds, by the bone's name.
    """
    known: dict[str, str] = {}
    for joint in joints:
        known.setdefault(plain(joint), joint)
    found = [(convention, _found(convention, known)) for convention in CONVENTIONS]
    return max(found, key=lambda entry: len(entry[1]))


def missing_bones(found: Mapping[str, str]) -> tuple[str, ...]:
    """Return the bones that a skeleton needs and that no joint was found for."""
    sided = [f"{side}_{part}" for side in SIDES for part in PARTS if part not in OPTIONAL]
    return tuple(bone for bone in ("hips", "head", *sided) if bone not in found)


def _found(convention: Convention, known: Mapping[str, str]) -> dict[str, str]:
    """Return the joint of each bone under a convention; no joint is two bones."""
    joints: dict[str, str] = {}
    for bone, names in convention.names():
        match = next((known[name] for name in names if name in known), None)
        if match is not None and match not in joints.values():
            joints[bone] = match
    return joints
