"""Keys that are pressed while the console hangs: no command that moves the robot is sent later."""

import os
import signal
import time

from app.console.toolkit.presses import LATE_S
from tests.system import short_show
from tests.system.operating import SETTLE, STAND_UP, ask, press, sent
from tests.system.screen import MARKS, until
from tests.system.sharing import Session

pytestmark = MARKS
PAUSE, RESUME = "bracketleft", "bracketright"  # a pause stops, and is sent however old it is
TRIES = 3
WAKES_S = 10.0


def test_keys_pressed_while_the_console_hung_move_nothing(short: Session) -> None:
    screen, rehearsal = short.screen, short.rehearsal
    rehearsal.see("the core has it", lambda s: s.show == short_show.TITLE, 90.0)
    ask(screen, rehearsal, PAUSE, "pause_show")
    before = len(rehearsal.events)

    def paused() -> bool:
        return sent(rehearsal, "pause_show", before) > 0

    for attempt in range(TRIES):
        hang(short, "space", STAND_UP, PAUSE)
        try:
            until(paused, "the pause is sent", WAKES_S)
            break
        except AssertionError:  # a console that has missed the core's last status sends STOP alone
            if attempt == TRIES - 1:
                raise
    assert sent(rehearsal, "go", before) == sent(rehearsal, "stand_up", before) == 0
    ask(screen, rehearsal, STAND_UP, "stand_up")  # a fresh press counts
    ask(screen, rehearsal, RESUME, "resume_show")
    rehearsal.see("it stands", lambda s: s.mode == "READY")
    press(screen, SETTLE)
    rehearsal.see("it is limp", lambda s: s.mode == "DAMPED")


def hang(short: Session, *keys: str) -> None:
    """Let the console hang while keys are pressed, until the presses are old."""
    console = until(lambda: short.rehearsal.member("console"), "the console runs")
    os.kill(console, signal.SIGSTOP)
    try:
        short.screen.key(*keys)
        time.sleep(1.5 * LATE_S)
    finally:
        os.kill(console, signal.SIGCONT)
