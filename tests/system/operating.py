"""An operator's hands in a test: the keys, what was asked with them, and a second try."""

import os
from collections.abc import Callable

from tests.system.screen import Rehearsal, Screen, until

STAND_UP, RESET, SETTLE, STOP = "ctrl+F7", "ctrl+F9", "F8", "F12"
RESET_SHOW, QUIT = "ctrl+shift+r", "ctrl+q"
HOLDS = "HOLD: Every operator's link is lost"


def press(screen: Screen, *keys: str) -> None:
    """Press keys in the console's window."""
    until(screen.focus, "the console's window has the keys")
    screen.key(*keys)


def sent(rehearsal: Rehearsal, word: str, since: int = 0) -> int:
    """Return how often consoles asked for something since a place in the events."""
    rehearsal.status()
    asked = rehearsal.events[since:]
    return sum(event.actor.startswith("console-") and event.text == word for event in asked)


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


def stand(screen: Screen, rehearsal: Rehearsal) -> None:
    """Have the robot stand, with nothing in its way: also from a hold."""
    status = rehearsal.see("the core has the show", lambda s: bool(s.show), 90.0)
    if status.mode == "DAMPED":
        press(screen, STAND_UP)
    status = rehearsal.see("it stands", lambda s: s.mode == "READY")
    if status.action == "HOLD":
        rehearsal.see("the console is heard", lambda s: not s.flags)
        press(screen, "space")  # which tells no more than that somebody has looked
        rehearsal.see("the hold is over", lambda s: s.action != "HOLD")
