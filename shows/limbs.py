"""The vocabulary of limbs: one definition for core, shows, console and log."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

LimbKind: TypeAlias = Literal["head", "torso", "arm", "hand", "leg", "body"]
LimbSide: TypeAlias = Literal["centre", "left", "right"]
FOLLOWING: frozenset[LimbKind] = frozenset({"arm", "head", "body"})
"""The kinds of limbs that can follow a person."""
OPPOSITE: Mapping[str, str] = {"left": "right", "right": "left"}

LimbFreedom: TypeAlias = Literal["driven", "held", "floating", "limp"]
"""Who moves a limb: behaviour, nobody, a person against a light resistance, or anything."""

LimbFeel: TypeAlias = Literal["loose", "normal", "stiff"]
"""The resistance of a floating limb."""


class Limb(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One limb of a robot.

    Attributes:
        name: unique identifier, in snake case.
        title: label that an operator reads.
        kind: head, torso, arm, hand, leg or body. Behaviour moves every limb except a leg, which
            belongs to the plant. The joints of a hand are light: the dynamics model locks them.
            A body has no joints but coordinates, see `shows.body_limb`.
        side: left, right or centre.
    """

    name: Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9_]{0,47}\Z")]
    title: Annotated[str, Meta(min_length=1, max_length=24)]
    kind: LimbKind
    side: LimbSide = "centre"


def mirrored_limbs(limbs: Iterable[Limb]) -> dict[str, str]:
    """Return the limb of the other side for each limb that has one, by name.

    Two limbs mirror each other if they have the same kind, opposite sides, and no other limb has
    that kind and side.
    """
    places: dict[tuple[str, str], list[str]] = {}
    for limb in limbs:
        places.setdefault((limb.kind, limb.side), []).append(limb.name)
    pairs: dict[str, str] = {}
    for (kind, side), names in places.items():
        others = places.get((kind, OPPOSITE.get(side, "")), [])
        if len(names) == len(others) == 1:
            pairs[names[0]] = others[0]
    return pairs
