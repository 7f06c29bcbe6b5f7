"""What ends a session: a STOP while the robot stands, the strongest pull, the death of the core."""

import os
import signal

from app.console.stage import drag
from tests.system.operating import QUIT, STOP, press, stand
from tests.system.screen import MARKS, until
from tests.system.sharing import Session
from tests.system.test_push import STAGE, Hand, force_n

pytestmark = MARKS
SHOW = "meet_cosmo"


def test_stop_acts_on_a_standing_robot(sample: Session) -> None:
    screen, rehearsal = sample.screen, sample.rehearsal
    stand(screen, rehearsal)
    press(screen, STOP)
    status = rehearsal.see("the stop is latched", lambda s: s.mode == "FAULT")
    answer = status.answered
    assert answer is not None and answer.stopped and answer.sender.startswith("console-")
    print(f"STOP sent to body {1e3 * (answer.done_s - answer.sent_s):.1f} ms")


def test_the_strongest_pull_is_bounded(sample: Session) -> None:
    screen, rehearsal = sample.screen, sample.rehearsal
    press(screen, STAGE)
    hand = Hand(screen, rehearsal, sample.asker)

    def pull() -> bool:
        """Pull at the body, which may have moved from below the pointer since it was found."""
        hand.press()
        screen.do("mousemove", "0", "0")  # as far as there is room
        try:
            until(lambda: force_n(rehearsal) > 0.8 * drag.MOST_N, "the force is large", 5.0)
        except AssertionError:
            return False
        finally:
            hand.release()
        return True

    until(pull, "the core has a large force")


def test_a_dead_core_leaves_the_console_until_it_is_closed(sample: Session) -> None:
    screen, rehearsal = sample.screen, sample.rehearsal
    until(lambda: SHOW in screen.title(), "the console has opened the show")
    loop = rehearsal.member("loop")
    assert loop is not None
    os.kill(loop, signal.SIGKILL)
    words = "the core is gone, and the console stays open"
    until(lambda: rehearsal.said(words), "the command says that the core is gone")
    until(lambda: rehearsal.silence_s > 1.0, "nothing is heard of the core")
    assert rehearsal.process.poll() is None and SHOW in screen.title()
    press(screen, QUIT)
    assert rehearsal.end() == 1
    assert rehearsal.lines[-1].startswith("footlight: the core was killed (SIGKILL)")
    assert screen.title() == ""
    fates = [line for line in rehearsal.lines if line.startswith("the console ")]
    assert [fate for fate in fates if "(SIGKILL)" not in fate] == []  # only tests killed it
