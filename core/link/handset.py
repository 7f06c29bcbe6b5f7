"""The operator's handset as it crosses the link: what its controls do, and what they say now."""

import math
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from core.link.statement import Statement

BUTTONS = 10
STOP, NOTHING = "stop", "none"
GESTURE = "gesture:"
WORDS = {
    NOTHING: "nothing",
    STOP: "STOP",
    "hold": "HOLD",
    "settle": "SETTLE",
    "cancel": "cancel",
    "freeze": "freeze, and go on",
    "go": "GO",
    "sideways": "held: step sideways",
    "stand_up": "STAND UP, long",
    "reset": "RESET, long",
}
"""What a button may do besides playing a gesture, and how people call it."""

StickName: TypeAlias = Literal["left", "right", "none"]
Use: TypeAlias = Annotated[
    str, Meta(pattern=rf"\A({'|'.join(WORDS)}|{GESTURE}[a-z0-9_]{{1,64}})\Z")
]
DeadZone: TypeAlias = Annotated[float, Meta(ge=0.02, le=0.5)]
Expo: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
Share: TypeAlias = Annotated[float, Meta(ge=0.05, le=1.0)]


class HandsetMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the handset's controls do.

    Attributes:
        buttons: what each of the ten does: a word of WORDS, or `gesture:` and its name.
        walk_stick: which stick walks.
        head_stick: which one moves the head.
        dead_zone: share of a stick's way that does nothing.
        expo: how much finer a stick is near its middle; 0 is straight.
        forward_looks_up: the head's stick forward looks up instead of down.
        speed_share: of the profile's speeds for the handset that a full way gives.
    """

    buttons: Annotated[tuple[Use, ...], Meta(min_length=BUTTONS, max_length=BUTTONS)]
    walk_stick: StickName = "left"
    head_stick: StickName = "right"
    dead_zone: DeadZone = 0.12
    expo: Expo = 0.4
    forward_looks_up: bool = False
    speed_share: Share = 1.0

    def __post_init__(self) -> None:
        """Refuse a map that cannot be.

        Raises:
            ValueError: no button stops, both sticks are one, or a number is none.
        """
        if STOP not in self.buttons:
            raise ValueError("no button of the handset is STOP; give it one")
        if self.walk_stick == self.head_stick != "none":
            raise ValueError("one stick cannot both walk and move the head; choose two")
        if not all(map(math.isfinite, (self.dead_zone, self.expo, self.speed_share))):
            raise ValueError("a setting of the handset's sticks is no number")


class HandsetStatus(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The handset at a glance.

    Attributes:
        heard: its frames come.
        needed: the robot is steered by it: its silence holds the robot.
        ready: it has been at rest since its link came, so that it may ask for motion.
        age_s: since its last valid frame; None if there never was one [s].
        dead_man: it is held.
        buttons: which are pressed (10).
        sticks: left x, left y, right x, right y; right and up are positive, -1 to 1 (4).
        battery_v: of the handset; None if it does not tell [V].
        quality: share of its frames that arrive, 0 to 1.
        authenticated: its frames prove who sends them.
        note: why it has no effect now; None if it has.
        troubles: problems that it or its receiver reports, one sentence each.
        map: what its controls do.
    """

    heard: bool
    needed: bool
    ready: bool
    age_s: float | None
    dead_man: bool
    buttons: tuple[bool, ...]
    sticks: tuple[float, ...]
    battery_v: float | None
    quality: float
    authenticated: bool
    note: Statement | None
    troubles: tuple[str, ...]
    map: HandsetMap
