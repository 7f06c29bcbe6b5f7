"""From the use of a control to its command: the same for handset, game controller, key and cart."""

from core.link.commands import (
    Command,
    Gesture,
)
from core.link.improvised import PoseHands, Say, SetIdle
from shows.uses import use_of


def command_of(text: str) -> Command | None:
    """Return the command of a use; None for a text that is none. See shows.uses."""
    use = use_of(text)
    if use is None:
        return None
    if use.gesture:
        return Gesture(use.gesture, phrase=use.phrase)
    if use.phrase:
        return Say(use.phrase)
    if use.pose:
        return PoseHands(use.pose, use.hand)
    return SetIdle(None if use.idle == "toggle" else use.idle == "on")
