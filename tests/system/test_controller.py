"""A game controller plugged, used and pulled while `footlight rehearse` runs."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from core.link.status import Status
from tests.system import inside
from tests.system.operating import press, refusals, stand, undisturbed
from tests.system.screen import MARKS, Rehearsal, Screen, until
from tests.system.sharing import Session

pytestmark = MARKS
LEFT_Y, RIGHT_X = 1, 2  # axes as SDL counts them
BY_HAND = "ctrl+3"
BEHIND = "the walk was not begun by the controller, for another program is in front"
NONE, GONE = "No game controller", "is gone: its controls were released"


def test_a_controller_plugged_used_and_pulled(
    sample: Session, other_program: Callable[[Screen], AbstractContextManager[str]]
) -> None:
    screen, rehearsal, asker = sample.screen, sample.rehearsal, sample.asker
    until(lambda: "meet_cosmo" in screen.title(), "the console has opened the show")
    with other_program(screen) as other:
        stand(screen, rehearsal)
        since = len(rehearsal.events)
        falls, start = rehearsal.see("it stands", lambda s: True).falls, base(rehearsal)
        press(screen, BY_HAND)
        until(lambda: said(asker, NONE) != [], "the panel says that there is none")
        asker.ask("controller", "plug")
        name = met(asker)
        until(lambda: said(asker, name) != [], "the panel names it")
        until(lambda: logged(asker, f"{name!r} can be used") != [], "the event log, too")
        undisturbed(rehearsal, lambda: look(screen, rehearsal, asker))
        undisturbed(rehearsal, lambda: walk_until_covered(screen, rehearsal, asker, other))
        undisturbed(rehearsal, lambda: walk_until_pulled(screen, rehearsal, asker))
        assert refusals(rehearsal, since) == []
        assert rehearsal.see("it is heard", lambda s: True).falls == falls
        assert np.abs(base(rehearsal) - start).max() > 0.04  # it walked in the simulation


def base(rehearsal: Rehearsal) -> np.ndarray:
    """Return where the robot is on the floor [m]."""
    return np.array(until(rehearsal.scene, "a picture comes").base_position[:2])


def look(screen: Screen, rehearsal: Rehearsal, asker: inside.Asker) -> None:
    """Turn the head with the right stick, and let it spring back."""
    stand(screen, rehearsal)
    asker.ask("controller", "axis", RIGHT_X, 1.0)
    until(lambda: head_yaw(rehearsal) < -0.5, "the measured head looks to its right")
    asker.ask("controller", "axis", RIGHT_X, 0.0)
    until(lambda: abs(head_yaw(rehearsal)) < 0.1, "it springs back")


def walk_until_covered(
    screen: Screen, rehearsal: Rehearsal, asker: inside.Asker, other: str
) -> None:
    """Walk, let another program come to the front, and see that R1 must be pressed anew."""
    stand(screen, rehearsal)
    asker.ask("controller", "button", "r1", False)  # a try before this one may have left it
    asker.ask("controller", "axis", LEFT_Y, -1.0)
    asker.ask("controller", "button", "r1", True)
    rehearsal.see("it is to walk", walks)
    before = len(logged(asker, BEHIND))
    screen.do("windowactivate", "--sync", other)
    status = rehearsal.see("zero is commanded", lambda s: not any(s.velocity_command))
    assert status.action != "HOLD"
    asker.ask("controller", "button", "r1", False)
    asker.ask("controller", "button", "r1", True)
    until(lambda: len(logged(asker, BEHIND)) > before, "the event log says why it does not walk")
    until(screen.focus, "the console is in front again")
    rehearsal.see("it stands", lambda s: s.mode == "READY")
    rehearsal.throughout(0.5, "it waits for a new press", lambda s: s.mode == "READY")
    asker.ask("controller", "button", "r1", False)
    asker.ask("controller", "button", "r1", True)
    rehearsal.see("it is to walk again", walks)
    asker.ask("controller", "button", "r1", False)
    asker.ask("controller", "axis", LEFT_Y, 0.0)
    rehearsal.see("it stands", lambda s: s.mode == "READY")


def walks(status: Status) -> bool:
    return status.mode == "WALK" and status.velocity_command[0] > 0.05


def walk_until_pulled(screen: Screen, rehearsal: Rehearsal, asker: inside.Asker) -> None:
    """Walk with the dead-man held, pull the controller, and see the robot stand."""
    stand(screen, rehearsal)
    if not asker.ask("controller", "name"):  # a try before this one has pulled it
        asker.ask("controller", "plug")
        met(asker)
    asker.ask("controller", "axis", LEFT_Y, -1.0)  # forward, which alone does nothing
    rehearsal.throughout(0.5, "it stands without the dead-man", lambda s: s.mode == "READY")
    asker.ask("controller", "button", "r1", True)
    rehearsal.see("it is to walk", walks)
    start_m = rehearsal.see("it is heard", lambda s: True).distance_m
    since_s = rehearsal.see("it walks", lambda s: s.distance_m - start_m > 0.05).stamp_s
    before = len(logged(asker, GONE))
    asker.ask("controller", "pull")
    status = rehearsal.see("zero is commanded", lambda s: not any(s.velocity_command))
    assert status.action != "HOLD"  # it is the console that let go, not the core that missed it
    print(f"commanded zero {status.stamp_s - since_s:.2f} s after the pull")
    rehearsal.see("it stands", lambda s: s.mode == "READY")
    rehearsal.throughout(1.0, "it stands on", lambda s: not any(s.velocity_command))
    until(lambda: len(logged(asker, GONE)) > before, "the event log says so")
    until(lambda: said(asker, NONE) != [], "the panel, too")


def met(asker: inside.Asker) -> str:
    """Wait until the console has met the controller; return its name."""
    name: str = until(lambda: asker.ask("controller", "name") or None, "it is met")
    return name


def head_yaw(rehearsal: Rehearsal) -> float:
    """Return the head's measured yaw [rad], positive to its left."""
    scene = until(rehearsal.scene, "a picture comes")
    return scene.q[until(rehearsal.hello, "the core says what it is").joint_names.index("head_yaw")]


def said(asker: inside.Asker, words: str) -> list[str]:
    """Return what the panel says that holds these words."""
    return [text for text in asker.ask("texts", "by_hand_panel") if words in text]


def logged(asker: inside.Asker, words: str) -> list[str]:
    """Return lines of the window's event log that hold these words."""
    return [line for line in asker.ask("log") if words in line]
