"""The operator's handset on the link: the layout of its controls, and their state."""

import math
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from core.link.statement import Statement
from shows.fields import USE
from shows.uses import use_of

BUTTONS = 10
STOP, NOTHING = "stop", "none"
WORDS = {
    NOTHING: "nothing",
    STOP: "STOP",
    "hold": "HOLD",
    "settle": "SETTLE",
    "cancel": "cancel",
    "freeze": "freeze, or resume",
    "go": "GO",
    "sideways": "held: step sideways",
    "run": "held: run",
    "jump": "jump once",
    "point": "hold a point, or let go",
    "stand_up": "STAND UP, long",
    "reset": "RESET, long",
    "take": "start or end a take",
    "mark": "set a marker",
}
"""Functions of a button, with their labels, besides those that improvise; see shows.uses."""

StickName: TypeAlias = Literal["left", "right", "none"]
Use: TypeAlias = Annotated[str, Meta(pattern=rf"\A({'|'.join(WORDS)}|{USE})\Z")]
DeadZone: TypeAlias = Annotated[float, Meta(ge=0.02, le=0.5)]
Expo: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
Share: TypeAlias = Annotated[float, Meta(ge=0.05, le=1.0)]


def use_words(text: str) -> str:
    """Return the label of a button's function."""
    use = use_of(text)
    return WORDS.get(text, text) if use is None else use.label


class HandsetMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The layout of the handset's controls.

    Attributes:
        buttons: function of each of the ten buttons: a key of WORDS, or a text of shows.uses.
        walk_stick: the stick that commands the velocity.
        head_stick: the stick that turns the head.
        dead_zone: share of a stick's travel that has no effect.
        expo: 0 is linear; a larger value is finer near the middle.
        forward_looks_up: pushing the head stick forward looks up instead of down.
        speed_share: share of the profile's handset speeds at full travel.
    """

    buttons: Annotated[tuple[Use, ...], Meta(min_length=BUTTONS, max_length=BUTTONS)]
    walk_stick: StickName = "left"
    head_stick: StickName = "right"
    dead_zone: DeadZone = 0.12
    expo: Expo = 0.4
    forward_looks_up: bool = False
    speed_share: Share = 1.0

    def __post_init__(self) -> None:
        """Refuse an invalid layout.

        Raises:
            ValueError: no button stops, both sticks are the same, or a number is not finite.
        """
        if STOP not in self.buttons:
            raise ValueError("no button of the handset is STOP; give it one")
        if self.walk_stick == self.head_stick != "none":
            raise ValueError("one stick cannot both walk and move the head; choose two")
        if not all(map(math.isfinite, (self.dead_zone, self.expo, self.speed_share))):
            raise ValueError("a setting of the handset's sticks is not a finite number")


class HandsetStatus(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The state of the handset.

    Attributes:
        heard: its frames arrive.
        needed: it controls the robot: its silence holds the robot.
        ready: it has been neutral since its link came up, and may request motion.
        age_s: age of its last valid frame; None without one [s].
        dead_man: the dead-man switch is held.
        buttons: state of each button (10).
        sticks: left x, left y, right x, right y; right and up are positive, -1 to 1 (4).
        battery_v: voltage of its battery; None if it is not reported [V].
        quality: share of its frames that arrive, 0 to 1.
        authenticated: its frames authenticate their sender.
        note: reason why it has no effect now; None if it has.
        troubles: problems of the handset or its receiver, one sentence each.
        map: layout of its controls.
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
