"""The operator before the panel Partner, with mouse and keyboard."""

import itertools
from collections.abc import Callable
from functools import partial

import numpy as np

from assets.takes.scenes import wave
from core.behave.reference import MotionState
from core.link.status import Status
from shows.limbs import FOLLOWING
from tests.core.partner.performer import performed
from tests.core.partner.senders import HOST
from tests.system import inside
from tests.system.actor import Actor
from tests.system.keystrokes import Operator, Place
from tests.system.operating import TRIES, ask
from tests.system.screen import Rehearsal, Screen, until

PANEL, OPEN, FOLLOW = "partner_panel", "ctrl+shift+2", "ctrl+F5"
CALIBRATIONS = 3  # of a machine that is busy now and then
MOVED_RAD = 0.5
TAKES, SPEED = 4, 1.7
NAME, MOTION, ANSWER = "duel", "greeting", "bow"
LIVE, REST = MotionState.LIVE.name, MotionState.REST.name


class Desk:
    """The operator before the panel Partner.

    Attributes:
        operator: the hands.
        handed_over: limbs were seen on the way to the person.
    """

    def __init__(self, screen: Screen, rehearsal: Rehearsal, asker: inside.Asker, port: int):
        self.screen, self.rehearsal, self.port = screen, rehearsal, port
        self.operator, self._asker = Operator(screen), asker
        self.handed_over = False

    def listen(self) -> None:
        """Open the panel, and the port."""
        self.operator.until(
            lambda: self.operator.press(OPEN), lambda: bool(self._seen("Listen")), "it is open"
        )
        self.operator.click(self._where("named", "UDP port", PANEL))
        self.operator.type(str(self.port))
        self.press("Listen", f"port {self.port} is open")

    def lead(self, puppeteer: Callable[[], None] = lambda: None) -> None:
        """Pair the stranger, and calibrate the person.

        Args:
            puppeteer: takes the T-pose.
        """
        self.press(f"Pair {HOST}:", f"hears {HOST}:")
        puppeteer()
        for _ in range(CALIBRATIONS):
            self.press("Calibrate", "hold the T-pose")
            until(lambda: not self.said("hold the T-pose"), "the pose is over")
            if self.said("calibrated: scale"):
                return
        raise AssertionError(self._texts())

    def follow(self) -> Status:
        """Follow, and see the limbs handed over to the person."""
        limbs = self._followers()
        ask(self.screen, self.rehearsal, FOLLOW, "follow")
        status = self.rehearsal.see("it follows", lambda s: s.follow.presence == "followed")
        assert status.follow.order is not None
        if status.follow.order.mode == "mirror":
            self.handed_over |= _all(status, limbs, MotionState.TRANSITION.name)
            status = self.see("limbs are live", partial(_all, limbs=limbs, state=LIVE))
        return status

    def see(self, what: str, holds: Callable[[Status], bool]) -> Status:
        """Return the first status of which something holds, while the robot follows.

        Raises:
            AssertionError: none comes, or it follows nobody any more.
        """
        status = self.rehearsal.see(what, lambda s: s.follow.order is None or holds(s))
        assert status.follow.order is not None, f"it follows nobody any more: {what}"
        return status

    def see_rest(self, what: str) -> None:
        """See the robot stand, its limbs at rest, nobody followed; and so it stays."""
        limbs = self._followers()

        def rests(status: Status) -> bool:
            free = status.follow.order is None and status.follow.presence == "away"
            return free and status.mode == "READY" and _all(status, limbs, REST)

        self.rehearsal.see(what, rests)
        self.rehearsal.throughout(1.5, what, rests)

    def see_motion(self) -> None:
        """See the limbs move in the picture."""
        low = high = None

        def moved() -> bool:
            nonlocal low, high
            scene = self.rehearsal.scene()
            if scene is not None:
                q = np.array(scene.q)
                low = q if low is None else np.minimum(low, q)
                high = q if high is None else np.maximum(high, q)
            return low is not None and bool((high - low).max() > MOVED_RAD)

        until(moved, "the robot moves as the person does")

    def teach(self, actor: Actor) -> None:
        """Begin a repertoire, and teach a motion by four takes, with an answer."""
        operator = self.operator
        operator.click(self._where("button", "New repertoire", PANEL))
        operator.type(NAME)
        operator.press("Return")
        until(lambda: self.said("name a motion"), "the repertoire is loaded")
        operator.click(self._where("named", "Answer to the motion", PANEL))
        self.screen.do("type", "--delay", "30", ANSWER)
        operator.press("Return")
        operator.click(self._where("named", "Name of the motion", PANEL))
        operator.type(MOTION)
        operator.press("Return")
        until(lambda: self.said(f"answered by {ANSWER}: 0 of {TAKES} takes"), "it is taught")
        for number in range(TAKES):
            self.record(actor, number)
        self.press("Keep", "name a motion")

    def record(self, actor: Actor, number: int) -> None:
        """Record a take, and again where the machine was too busy for an even input."""
        recording = ", recording "
        for attempt in range(TRIES):
            self.press("Record", recording)
            actor.play(performed(wave, number, SPEED))
            if self.said(recording):
                self.click("Record")
                until(lambda: not self.said(recording), "the take has ended")
            if self.said(f"{number + 1} of {TAKES} takes"):
                return
            interrupted = self.said("the input was interrupted")
            assert interrupted and attempt < TRIES - 1, self._texts()

    def press(self, button: str, words: str) -> None:
        """Click a button until the panel says some words."""

        def click() -> None:
            self.operator.click(self._where("button", button, PANEL))

        self.operator.until(click, lambda: self.said(words), f"{button} has an effect: {words}")

    def click(self, button: str) -> None:
        """Click a button."""
        self.operator.click(self._where("button", button, PANEL))

    def said(self, words: str) -> bool:
        """Tell whether a label of the panel holds some words."""
        return any(words in text for text in self._texts())

    def log(self, words: str) -> bool:
        """Tell whether a line of the event log holds some words."""
        return any(words in line for line in self._asker.ask("log"))

    def _texts(self) -> list[str]:
        found: list[str] = self._asker.ask("texts", PANEL)
        return found

    def _seen(self, button: str) -> Place | None:
        found: Place | None = self._asker.ask("button", button, PANEL)
        return found

    def _where(self, what: str, *words: str) -> Place:
        """Return where something of the panel is on the screen; scroll there if need be."""
        turns = itertools.cycle([("--repeat", "30", "4"), *[("5",)] * 10])  # to the top, then down

        def look() -> Place | None:
            place: Place | None = self._asker.ask(what, *words)
            if place is None:
                left, top, width, height = until(lambda: self._asker.ask("place", PANEL), "it is")
                self.screen.do("mousemove", str(left + width - 6), str(top + height // 2))
                self.screen.do("click", *next(turns))
            return place

        return until(look, f"{what} {words} is seen")

    def _followers(self) -> list[int]:
        """Return the numbers of the limbs that can follow a person."""
        hello = until(self.rehearsal.hello, "the core says which robot it is")
        kinds = {limb.name: limb.kind for limb in hello.limbs}
        return [i for i, name in enumerate(hello.group_names) if kinds.get(name) in FOLLOWING]


def _all(status: Status, limbs: list[int], state: str) -> bool:
    return all(status.motion_states[i] == state for i in limbs)
