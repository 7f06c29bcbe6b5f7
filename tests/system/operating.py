"""Operates the console in a test: its keys, the commands that it sent, and a second try."""

import os
from collections.abc import Callable

from core.link.catalogue.refusals import COMMANDED, REFUSED
from core.link.catalogue.safety import FAULT_BEGAN, FAULT_BEGAN_WITH
from core.link.event import Event
from core.link.statement import Statement
from core.link.status import Status
from tests.system.screen import LOADED_S, Rehearsal, Screen, until

STAND_UP, RESET, SETTLE, STOP = "ctrl+F7", "ctrl+F9", "F8", "F12"
PUT_BACK = "F9"
RESET_SHOW, QUIT = "ctrl+shift+r", "ctrl+q"
TRIES = 6  # of a machine that is busy now and then
SILENT = "operator_silent_hold"


def press(screen: Screen, *keys: str) -> None:
    """Press keys in the console's window."""
    until(screen.focus, "the console's window has the keys")
    screen.key(*keys)


def sent(rehearsal: Rehearsal, command: str, since: int = 0) -> int:
    """Return how often consoles sent a command since an index of the events."""
    found = rehearsal.heard(COMMANDED.code, since)
    return sum(e.actor.startswith("console-") and e.fields["command"] == command for e in found)


def was_silent(rehearsal: Rehearsal, since: int = 0) -> bool:
    """Tell whether the core missed the console and held since an index of the events."""
    began = rehearsal.heard(FAULT_BEGAN.code, since)
    began += rehearsal.heard(FAULT_BEGAN_WITH.code, since)
    faults = [event.fields["fault"] for event in began]
    return any(isinstance(fault, Statement) and fault.code == SILENT for fault in faults)


def ask(screen: Screen, rehearsal: Rehearsal, key: str, command: str) -> None:
    """Press a key until the console sends its command.

    A console that hung drops a late press of a command that moves the robot, and says so.
    """
    before = sent(rehearsal, command)
    for attempt in range(TRIES):
        press(screen, key)
        try:
            until(lambda: sent(rehearsal, command) > before, f"{key} sends {command}", 10.0)
            return
        except AssertionError:
            if attempt == TRIES - 1:
                raise


def undisturbed(rehearsal: Rehearsal, scenario: Callable[[], None]) -> None:
    """Play a scenario, and again where the machine was too busy for it.

    A console that gets no processor for half a second is silent for the core: the robot holds, the
    show ends, and the next GO only confirms the fault.
    """
    for attempt in range(3):
        since = len(rehearsal.events)
        try:
            return scenario()
        except AssertionError as error:
            ended = rehearsal.said("the core is gone") is not None
            if ended or attempt == 2 or not was_silent(rehearsal, since):
                raise
            print(f"the console was silent at load {os.getloadavg()[0]:.1f}: {error.args[0][:80]}")


def refusals(rehearsal: Rehearsal, since: int = 0) -> list[Event]:
    """Return the refusals since an index of the events; none where the console was silent."""
    return [] if was_silent(rehearsal, since) else rehearsal.heard(REFUSED.code, since)


def stand(screen: Screen, rehearsal: Rehearsal) -> None:
    """Make the robot stand, free to move; also from a hold.

    Raises:
        AssertionError: it does not, or the console is silent again and again.
    """
    rehearsal.see("the core has the show", lambda s: bool(s.show), 90.0)
    for attempt in range(TRIES):
        status = rehearsal.see("the console is heard", lambda s: not s.flags)
        if status.mode == "DAMPED":
            press(screen, STAND_UP)
        elif status.action == "HOLD":
            press(screen, "space")  # confirms the fault, and starts no cue
        try:
            rehearsal.see("it stands", _is_free, 10.0 if attempt < TRIES - 1 else LOADED_S)
            return
        except AssertionError:
            if attempt == TRIES - 1:
                raise


def _is_free(status: Status) -> bool:
    return status.mode == "READY" and status.action != "HOLD"
