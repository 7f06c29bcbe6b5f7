"""The limbs of the robot: their titles on screen, and the limbs that a gesture moves."""

from collections.abc import Collection, Sequence

from core.link.hello import Hello
from core.link.message import Groups
from shows.limbs import Limb


def moved_limbs(hello: Hello | None) -> tuple[Limb, ...]:
    """Return the limbs that behaviour moves, in the order of the motion states.

    Args:
        hello: the core's description of its robot; None before the first.
    """
    if hello is None:
        return ()
    by_name = {limb.name: limb for limb in hello.limbs}
    return tuple(by_name[name] for name in hello.group_names if name in by_name)


def groups_for(moved: Sequence[str], chosen: Collection[str]) -> Groups | None:
    """Return the limbs to ask for: None for all that the gesture moves; may be empty.

    Args:
        moved: names of the limbs that the gesture moves, after mirroring.
        chosen: names of the limbs that the operator allows it.
    """
    limbs = tuple(name for name in moved if name in chosen)
    return None if limbs and len(limbs) == len(moved) else limbs


def in_words(names: Collection[str], limbs: Sequence[Limb]) -> str:
    """Return limbs as a few words: "head, arms".

    Args:
        names: names of the limbs to describe.
        limbs: every limb that behaviour moves.
    """
    found = [limb for limb in limbs if limb.name in names]
    if len(found) == len(limbs):
        return "all limbs"
    words: dict[str, None] = {}
    for limb in found:
        of_kind = [other for other in limbs if other.kind == limb.kind]
        whole = len(of_kind) > 1 and all(other in found for other in of_kind)
        words[f"{limb.kind}s" if whole else limb.title.lower()] = None
    return ", ".join(words)
