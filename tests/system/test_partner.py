"""A person leads the robot, is lost, and is answered: by mouse and keyboard, at real pace."""

import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from assets.takes.build import FOLDER
from assets.takes.scenes import wave
from core.behave.reference import MotionState
from core.link.catalogue.partner import PARTNER_ANSWERED, PARTNER_LOST
from core.link.status import Status
from shows.limbs import FOLLOWING
from shows.repertoire import FOLDER as REPERTOIRES
from shows.repertoire import load_repertoire
from tests.core.partner.performer import performed
from tests.core.partner.stage import HOST, free_port
from tests.processes import descendants, wait_gone
from tests.system import inside, short_show
from tests.system.actor import Actor
from tests.system.keystrokes import Operator, Place
from tests.system.operating import PUT_BACK, STOP, TRIES, ask, stand, was_silent
from tests.system.screen import MARKS, REPOSITORY, Rehearsal, Screen, until

pytestmark = MARKS
PANEL, OPEN, FOLLOW, END = "partner_panel", "ctrl+shift+2", "ctrl+F5", "ctrl+F6"
T_POSE_S = 20.0  # of the puppeteer, for an operator who pairs and calibrates
MOVED_RAD = 0.5
TAKES, SPEED = 4, 1.7
NAME, MOTION, ANSWER = "duel", "greeting", "bow"
LIVE, REST = MotionState.LIVE.name, MotionState.REST.name
FLOOD_HZ, FLOOD_S = 2000.0, 3.0


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
        self.press("Calibrate", "hold the T-pose")
        until(lambda: not self.said("hold the T-pose"), "the pose is over")
        assert self.said("calibrated: scale"), self._texts()

    def follow(self) -> Status:
        """Follow, and see the limbs handed over to the person."""
        limbs = self._followers()
        ask(self.screen, self.rehearsal, FOLLOW, "follow")
        status = self.rehearsal.see("it follows", lambda s: s.follow.presence == "followed")
        assert status.follow.order is not None
        if status.follow.order.mode == "mirror":
            self.handed_over |= _all(status, limbs, MotionState.TRANSITION.name)
            status = self.rehearsal.see("limbs are live", partial(_all, limbs=limbs, state=LIVE))
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


@contextmanager
def puppeteer(port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Let a recorded person wave for ever, first in the T-pose."""
    command = [sys.executable, "-P", "-m", "app", "puppeteer", str(FOLDER / "wave.bvh")]
    how = ["--as", "vmc", "--to", f"{HOST}:{port}", "--t-pose", str(T_POSE_S), "--loop", "1000"]
    process = subprocess.Popen(
        command + how,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def flood(port: int) -> Iterator[None]:
    """Let a stranger send datagrams that mean nothing, very many."""
    ended = threading.Event()

    def send() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.bind(("127.0.0.2", 0))
            while not ended.wait(0.01):
                for _ in range(round(0.01 * FLOOD_HZ)):
                    stranger.sendto(b"/VMC/Ext/OK", (HOST, port))

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.mark.long
def test_a_person_leads_the_robot_is_lost_and_is_answered(tmp_path: Path) -> None:
    show, port = short_show.save(tmp_path), free_port()
    with (
        closing(Screen("1920x1080x24")) as screen,
        closing(inside.Asker()) as asker,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv(inside.ADDRESS, asker.name)
        with Rehearsal(screen, tmp_path, str(show), module=inside.MODULE) as rehearsal:
            rehearsal.listen()
            desk = Desk(screen, rehearsal, asker, port)
            stand(screen, rehearsal)
            desk.listen()
            with puppeteer(port) as person:
                desk.lead()
                desk.follow()
                stop_and_stand_up(desk)
                calm(desk, lambda: follow_through_a_flood(desk))
                calm(desk, lambda: lose_and_hear_again(desk, person))
                lose(desk, person)
            assert desk.handed_over
            with Actor((HOST, port), performed(wave, 0)) as actor:
                desk.lead(actor.take_t_pose)
                desk.see_rest("nothing resumes by itself")
                actor.stand()
                desk.teach(actor)
                assert_taught(show)
                calm(desk, lambda: answer(desk, actor))
                ask(screen, rehearsal, END, "end_follow")
                desk.see_rest("it has ended")


def calm(desk: Desk, scenario: Callable[[], None]) -> None:
    """Play a scenario, and again where the machine was too busy for it."""
    for attempt in range(3):
        rehearsal = desk.rehearsal
        since = len(rehearsal.events)
        try:
            return scenario()
        except AssertionError as error:
            lost = rehearsal.heard(PARTNER_LOST.code, since) or was_silent(rehearsal, since)
            if attempt == 2 or not lost:
                raise
            print(f"too busy, load {os.getloadavg()[0]:.1f}: {error.args[0][:80]}")
            stand(desk.screen, rehearsal)


def stop_and_stand_up(desk: Desk) -> None:
    """STOP while the robot follows: it is limp, and follows nobody once it stands again."""
    screen, rehearsal = desk.screen, desk.rehearsal
    screen.key(STOP)
    status = rehearsal.see("it is stopped", lambda s: s.mode == "FAULT")
    assert status.follow.order is None and LIVE not in status.motion_states
    rehearsal.throughout(
        1.0, "it stays stopped", lambda s: s.mode == "FAULT" and s.follow.order is None
    )
    ask(screen, rehearsal, PUT_BACK, "put_back")  # it fell: that resets it, and stands it up
    stand(screen, rehearsal)
    assert desk.said(f"hears {HOST}:"), "the person has been there all the time"
    desk.see_rest("nothing resumes by itself")


def follow_through_a_flood(desk: Desk) -> None:
    """Follow the person who waves, while a stranger sends without end."""
    number = desk.follow().follow.number
    desk.see_motion()
    with flood(desk.port):
        desk.rehearsal.throughout(
            FLOOD_S,
            "it follows through the flood",
            lambda s: s.follow.order is not None and s.follow.number == number,
        )
        until(lambda: desk.said("another address"), "the stranger is refused")
        desk.see_motion()


def lose_and_hear_again(desk: Desk, person: "subprocess.Popen[bytes]") -> None:
    """Lose the person for a second: nothing resumes."""
    status = desk.rehearsal.status()
    assert status is not None
    if status.follow.order is None:
        desk.follow()
    since = len(desk.rehearsal.events)
    os.killpg(person.pid, signal.SIGSTOP)
    try:
        desk.rehearsal.see("it is lost", lambda s: s.follow.order is None)
    finally:
        os.killpg(person.pid, signal.SIGCONT)
    assert desk.rehearsal.heard(PARTNER_LOST.code, since)
    until(lambda: desk.said(f"hears {HOST}:"), "the person is heard again")
    desk.see_rest("nothing resumes by itself")


def lose(desk: Desk, person: "subprocess.Popen[bytes]") -> None:
    """Lose the person for good: the robot stands, and the event log says why."""
    desk.follow()
    since = len(desk.rehearsal.events)
    family = descendants(person.pid)
    person.kill()
    wait_gone(family)
    desk.see_rest("it stands, its limbs at rest")
    assert desk.rehearsal.heard(PARTNER_LOST.code, since)
    assert desk.log("the input of the person was lost")


def assert_taught(show: Path) -> None:
    """The motion is saved in the show's folder, with its takes and its answer."""
    (motion,) = load_repertoire(show / REPERTOIRES / NAME).motions
    assert (motion.name, len(motion.takes), motion.answer) == (MOTION, TAKES, ANSWER)


def answer(desk: Desk, actor: Actor) -> None:
    """Let the robot answer what it was taught."""
    since = len(desk.rehearsal.events)
    desk.click("Mode: Answer")
    order = desk.follow().follow.order
    assert order is not None and (order.mode, order.repertoire) == ("answer", NAME)
    desk.rehearsal.throughout(
        1.5,
        "who stands is not answered",
        lambda s: s.follow.order is not None and not any(s.gestures),
    )
    actor.play(performed(wave, TAKES, SPEED))
    desk.rehearsal.see("it answers", lambda s: s.follow.answer == ANSWER and ANSWER in s.gestures)
    (event,) = desk.rehearsal.heard(PARTNER_ANSWERED.code, since)
    assert event.fields["heard"] == MOTION
