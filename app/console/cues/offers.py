"""What an operator's controls can improvise with the open show and the connected robot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.console.context.document import Document
from app.console.gestures.library import GestureLibrary
from shows.document import Hand, Show, Trigger
from shows.uses import Use, title_of, use_faults, use_of

SAYS, MOVES = "♪", "»"
"""Marks of a phrase and a gesture."""
IDLE_WORDS = {"toggle": "idle life", "on": "idle life on", "off": "idle life off"}


@dataclass(frozen=True, slots=True)
class Offers:
    """The names that a use may have.

    Attributes:
        gestures: name and title of each.
        phrases: phrases of the show.
        hands: the hands that a pose may mean.
        poses: poses of the hands.
        idles: the robot has idle life.
    """

    gestures: Sequence[tuple[str, str]] = ()
    phrases: Sequence[str] = ()
    hands: Sequence[Hand] = ()
    poses: Sequence[str] = ()
    idles: bool = True

    def fault(self, trigger: Trigger) -> str:
        """Return what a trigger lacks, a clause; empty if nothing, or if it is not known yet."""
        use = use_of(trigger.use)
        if use is None or not self.gestures:
            return ""
        names = [name for name, _ in self.gestures]
        return next(use_faults(use, names, self.phrases, self.poses), "")

    def uses(self, show: Show) -> Iterator[tuple[str, str]]:
        """Yield text and words of every use: the show's triggers first, then each single name."""
        given = {trigger.use: f"“{title_of(trigger)}”" for trigger in show.triggers}
        yield from given.items()
        found = [(Use(gesture=name), f"{MOVES} {title}") for name, title in self.gestures]
        found += [(Use(phrase=phrase), f"{SAYS} {phrase}") for phrase in self.phrases]
        found += [
            (use, use.label)
            for pose in self.poses
            for use in (Use(hand=hand, pose=pose) for hand in self.hands)
        ]
        if self.idles:
            found += [(Use(idle=change), IDLE_WORDS[change]) for change in ("toggle", "on", "off")]
        yield from ((use.text, words) for use, words in found if use.text not in given)


def offers_of(document: Document, library: GestureLibrary, idles: bool | None = True) -> Offers:
    """Return what the open show, the library and the robot offer.

    Args:
        document: the open show.
        library: the gestures, and the robot's joints.
        idles: whether idle life is on; None for a robot that has none.
    """
    joints = library.joints
    sides = () if joints is None else tuple(
        limb.side for limb in joints.moved_limbs if limb.kind == "hand"
    )  # fmt: skip
    found: list[Hand] = ["both"] if sides else []
    found += [side for side in ("left", "right") if side in sides and len(sides) > 1]
    poses = () if joints is None else tuple(joints.hand_poses)
    return Offers(
        gestures=[(e.name, e.title) for e in library.entries()] if library.ready else (),
        phrases=sorted(document.audio),
        hands=found,
        poses=sorted({*poses, *document.show.settings.hand_poses}),
        idles=idles is not None,
    )
