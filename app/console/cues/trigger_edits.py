"""Edits of a show's triggers: from a show to an edited show, or a refusal in one sentence."""

import msgspec

from app.console.cues.edits import EditError
from app.console.cues.hotkeys import hotkey_of
from shows.document import Show, Trigger
from shows.fields import MAX_TRIGGERS
from shows.uses import title_of


def add_trigger(show: Show, trigger: Trigger) -> Show:
    """Add a trigger at the end.

    Raises:
        EditError: there would be too many.
    """
    if len(show.triggers) >= MAX_TRIGGERS:
        raise EditError(f"A show has at most {MAX_TRIGGERS} triggers; remove one first.")
    return _with(show, (*show.triggers, trigger))


def replace_trigger(show: Show, place: int, trigger: Trigger) -> Show:
    """Replace the trigger at a place.

    Raises:
        EditError: its key or its button fires something else.
    """
    trigger = msgspec.structs.replace(trigger, hotkey=hotkey_of(trigger.hotkey))
    key, button = trigger.hotkey.casefold(), trigger.button
    for cue in show.cues:
        if key and cue.hotkey.casefold() == key:
            raise EditError(f"The key {trigger.hotkey} already fires cue {cue.number}.")
    for other_place, other in enumerate(show.triggers):
        if other_place == place:
            continue
        if key and other.hotkey.casefold() == key:
            raise EditError(f"The key {trigger.hotkey} already fires {title_of(other)!r}.")
        if button and other.button == button:
            raise EditError(f"The controller's button already fires {title_of(other)!r}.")
    return _with(show, (*show.triggers[:place], trigger, *show.triggers[place + 1 :]))


def remove_trigger(show: Show, place: int) -> Show:
    """Remove the trigger at a place."""
    return _with(show, (*show.triggers[:place], *show.triggers[place + 1 :]))


def move_trigger(show: Show, place: int, step: int) -> Show:
    """Move the trigger at a place by a step; at the ends it stays."""
    to = place + step
    if not 0 <= to < len(show.triggers):
        return show
    triggers = list(show.triggers)
    triggers.insert(to, triggers.pop(place))
    return _with(show, tuple(triggers))


def _with(show: Show, triggers: tuple[Trigger, ...]) -> Show:
    return msgspec.structs.replace(show, triggers=triggers)
