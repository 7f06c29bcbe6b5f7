"""An operator's hands in a test: the keys, what was asked with them, and a second try."""

import os
from collections.abc import Callable

from core.link.catalogue.faults import OPERATOR_SILENT_HOLD
from core.link.status import Status
from core.link.wording import sentence, text
from tests.system.screen import LOADED_S, Rehearsal, Screen, until

STAND_UP, RESET, SETTLE, STOP = "ctrl+F7", "ctrl+F9", "F8", "F12"
RESET_SHOW, QUIT = "ctrl+shift+r", "ctrl+q"
TRIES = 6  # of a machine that is busy now and then
HOLDS = "HOLD: " + sentence(OPERATOR_SILENT_HOLD())


def press(screen: Screen, *keys: str) -> None:
    """Press keys in the console's window."""
    until(screen.focus, "the console's window has the keys")
    screen.key(*keys)


def sent(rehearsal: Rehearsal, word: str, since: int = 0) -> int:
    """Return how often consoles asked for something since a place in the events."""
    rehearsal.status()
    asked = rehearsal.events[since:]
    return sum(event.actor.startswith("console-") and text(event) == word for event in asked)


def ask(screen: Screen, rehearsal: Rehearsal, key: str, word: str) -> None:
    """Press a key until the core is asked for what it means.

    A console that hung drops a late press of what moves the robot, and says so.
    """
    before = sent(rehearsal, word)
    for attempt in range(TRIES):
        press(screen, key)
        try:
            until(lambda: sent(rehearsal, word) > before, f"{key} asks for {word}", 10.0)
            return
        except AssertionError:
            if attempt == TRIES - 1:
                raise


def undisturbed(rehearsal: Rehearsal, scenario: Callable[[], None]) -> None:
    """Play a scenario, and again where the machine was too busy for it.

    A console that gets no processor for half a second has fallen silent for the core: the robot
    rightly holds, the show ends, and the next GO only tells that somebody has looked.
    """
    for attempt in range(3):
        since = len(rehearsal.events)
        try:
            return scenario()
        except AssertionError as error:
            if attempt == 2 or not rehearsal.heard(HOLDS, since):
                raise
            print(f"the console was silent at load {os.getloadavg()[0]:.1f}: {error.args[0][:80]}")


def refusals(rehearsal: Rehearsal) -> list[str]:
    """Return what the core has refused; none counts where it had missed the console for a while."""
    return [] if rehearsal.heard(HOLDS) else rehearsal.heard("refused")


def stand(screen: Screen, rehearsal: Rehearsal) -> None:
    """Have the robot stand, with nothing in its way: also from a hold.

    Raises:
        AssertionError: it does not, and be it that the console falls silent again and again.
    """
    rehearsal.see("the core has the show", lambda s: bool(s.show), 90.0)
    for attempt in range(TRIES):
        status = rehearsal.see("the console is heard", lambda s: not s.flags)
        if status.mode == "DAMPED":
            press(screen, STAND_UP)
        elif status.action == "HOLD":
            press(screen, "space")  # which tells no more than that somebody has looked
        try:
            rehearsal.see("it stands", _is_free, 10.0 if attempt < TRIES - 1 else LOADED_S)
            return
        except AssertionError:
            if attempt == TRIES - 1:
                raise


def _is_free(status: Status) -> bool:
    return status.mode == "READY" and status.action != "HOLD"
