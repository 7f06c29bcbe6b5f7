"""A person leads the robot, is lost, and is answered: by mouse and keyboard, at real pace."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from assets.takes.build import FOLDER
from assets.takes.scenes import wave
from core.link.catalogue.partner import PARTNER_ANSWERED, PARTNER_LOST
from shows.repertoire import FOLDER as REPERTOIRES
from shows.repertoire import load_repertoire
from tests.core.partner.performer import performed
from tests.core.partner.senders import HOST, flood, free_port
from tests.processes import descendants, wait_gone
from tests.system import inside, short_show
from tests.system.actor import Actor
from tests.system.operating import PUT_BACK, STOP, TRIES, ask, stand, was_silent
from tests.system.partner_desk import ANSWER, LIVE, MOTION, NAME, SPEED, TAKES, Desk
from tests.system.screen import MARKS, REPOSITORY, Rehearsal, Screen, until

pytestmark = MARKS
END = "ctrl+F6"
T_POSE_S = 25.0  # of the puppeteer, for an operator who pairs and calibrates
FLOOD_HZ, FLOOD_S = 2000.0, 3.0


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
                begun_s = time.monotonic()
                desk.teach(actor)
                assert_taught(show)
                calm(desk, lambda: answer(desk, actor))
                print(f"taught by {TAKES} takes and answered: {time.monotonic() - begun_s:.0f} s")
                ask(screen, rehearsal, END, "end_follow")
                desk.see_rest("it has ended")


def calm(desk: Desk, scenario: Callable[[], None]) -> None:
    """Play a scenario, and again where the machine was too busy for it."""
    for attempt in range(TRIES):
        rehearsal = desk.rehearsal
        since = len(rehearsal.events)
        try:
            return scenario()
        except AssertionError as error:
            lost = rehearsal.heard(PARTNER_LOST.code, since) or was_silent(rehearsal, since)
            if attempt == TRIES - 1 or not lost:
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
    before = desk.follow()
    number = before.follow.number
    desk.see_motion()
    with flood(desk.port, FLOOD_HZ):
        desk.rehearsal.throughout(
            FLOOD_S,
            "it follows through the flood",
            lambda s: s.follow.order is not None and s.follow.number == number,
        )
        until(lambda: desk.said("another address"), "the stranger is refused")
        desk.see_motion()
    after = desk.rehearsal.status()
    print(f"ticks before the flood: {before.tick}, after it: {after and after.tick}")


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
    desk.see("it answers", lambda s: s.follow.answer == ANSWER and ANSWER in s.gestures)
    (event,) = desk.rehearsal.heard(PARTNER_ANSWERED.code, since)
    assert event.fields["heard"] == MOTION
