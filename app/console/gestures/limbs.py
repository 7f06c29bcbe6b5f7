"""Limb groups in an operator's words, and which of them a gesture is asked to move."""

from collections.abc import Collection, Iterable

from core.link.message import Groups

LIMBS = ("head", "left_arm", "right_arm", "left_hand", "right_hand")
WORDS: dict[str, str] = {
    "head": "Head",
    "left_arm": "L arm",
    "right_arm": "R arm",
    "left_hand": "L hand",
    "right_hand": "R hand",
}


def groups_for(moved: Collection[str], chosen: Collection[str]) -> Groups | None:
    """Return the limbs to ask for: None for all that the gesture moves; may be empty.

    Args:
        moved: the limb groups that it moves, after mirroring.
        chosen: the limb groups that the operator lets it have.
    """
    limbs = tuple(group for group in LIMBS if group in moved and group in chosen)
    return None if len(limbs) == len(moved) and limbs else limbs


def in_words(groups: Iterable[str]) -> str:
    """Return limb groups as a few words: "head, arms"."""
    found = set(groups)
    if found == set(LIMBS):
        return "all limbs"
    words = []
    for part in ("head", "arm", "hand"):
        sides = [group for group in LIMBS if group in found and group.endswith(part)]
        if len(sides) == 2:
            words.append(f"{part}s")
        words += [WORDS[side].lower() for side in sides if len(sides) == 1]
    return ", ".join(words)
