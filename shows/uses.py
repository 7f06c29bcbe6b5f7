"""The function of an operator's control that improvises: one text for every kind of control.

gesture:wave                a gesture
phrase:hello                a phrase
gesture:wave+phrase:hello   both, which begin together
hand:left:fist              a pose of a hand: left, right or both
idle:on, idle:off           idle life; idle:toggle changes it
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from shows.document import Hand, Show, Trigger

GESTURE: Final = "gesture:"
PHRASE: Final = "phrase:"
HAND: Final = "hand:"
IDLE: Final = "idle:"
IdleChange: TypeAlias = Literal["on", "off", "toggle"]


@dataclass(frozen=True, slots=True)
class Use:
    """What a control does; empty names for what it does not.

    Attributes:
        gesture: name of the gesture that it plays.
        phrase: phrase that it says.
        hand: the hand that it poses.
        pose: name of the pose of that hand.
        idle: what it does to idle life.
    """

    gesture: str = ""
    phrase: str = ""
    hand: Hand = "both"
    pose: str = ""
    idle: IdleChange | Literal[""] = ""

    @property
    def text(self) -> str:
        """The text that a mapping holds; empty for one that does nothing."""
        if self.pose:
            return f"{HAND}{self.hand}:{self.pose}"
        if self.idle:
            return IDLE + self.idle
        parts = (GESTURE + self.gesture if self.gesture else "",
                 PHRASE + self.phrase if self.phrase else "")  # fmt: skip
        return "+".join(filter(None, parts))

    @property
    def label(self) -> str:
        """A short name for pads and lists."""
        if self.pose:
            hand = "both hands" if self.hand == "both" else f"{self.hand} hand"
            return f"{hand}: {_spaced(self.pose)}"
        if self.idle:
            return "idle life" if self.idle == "toggle" else f"idle life {self.idle}"
        return " + ".join(_spaced(name) for name in (self.gesture, self.phrase) if name)


def use_of(text: str) -> Use | None:
    """Return the use of a text that `shows.fields.USE` matches; None for any other text."""
    kind, _, rest = text.partition(":")
    if kind == "gesture":
        gesture, _, phrase = rest.partition("+" + PHRASE)
        return Use(gesture=gesture, phrase=phrase)
    if kind == "phrase":
        return Use(phrase=rest)
    if kind == "hand":
        hand, _, pose = rest.partition(":")
        return Use(hand=_HANDS[hand], pose=pose)
    if kind == "idle":
        return Use(idle=_CHANGES[rest])
    return None


def use_faults(
    use: Use, gestures: Collection[str], phrases: Collection[str], poses: Collection[str]
) -> Iterator[str]:
    """Yield a clause for each name of a use that a show and its robot do not have.

    Args:
        use: the use.
        gestures: names of the gestures of the show and of the library.
        phrases: phrases of the show.
        poses: names of the poses of hands of the show and of the robot.
    """
    if use.gesture and use.gesture not in gestures:
        yield f"plays the gesture {use.gesture}, which neither the show nor the library has"
    if use.phrase and use.phrase not in phrases:
        yield f"says the phrase {use.phrase}, which the show does not have"
    if use.pose and use.pose not in poses:
        yield f"poses a hand as {use.pose}, which neither the show nor the robot has"


def trigger_warnings(
    show: Show, gestures: Collection[str], phrases: Collection[str], poses: Collection[str]
) -> Iterator[str]:
    """Yield a warning for each trigger of a show that would be refused; see `use_faults`."""
    for trigger in show.triggers:
        use = use_of(trigger.use)
        assert use is not None, "the document refuses any other text"
        for fault in use_faults(use, gestures, phrases, poses):
            yield f"the trigger {title_of(trigger)!r} {fault}"


def title_of(trigger: Trigger) -> str:
    """Return the name of a trigger, or what it does where it has none."""
    use = use_of(trigger.use)
    return trigger.name or ("" if use is None else use.label)


def _spaced(name: str) -> str:
    return name.replace("_", " ")


_HANDS: Mapping[str, Hand] = {"left": "left", "right": "right", "both": "both"}
_CHANGES: Mapping[str, IdleChange] = {"on": "on", "off": "off", "toggle": "toggle"}
