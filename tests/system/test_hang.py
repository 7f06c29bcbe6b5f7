"""Keys that are pressed while the console hangs: nothing that moves is sent on waking."""

import os
import signal
import time
from pathlib import Path

from app.console.toolkit.presses import LATE_S
from tests.system import short_show
from tests.system.operating import STAND_UP, ask, press, sent
from tests.system.screen import MARKS, Rehearsal, Screen, until

pytestmark = MARKS
PAUSE = "bracketleft"  # it stops, and is sent however old it is


def test_what_was_pressed_while_the_console_hung_moves_nothing(
    screen: Screen, tmp_path: Path
) -> None:
    show = short_show.save(tmp_path)
    with Rehearsal(screen, tmp_path, str(show)) as rehearsal:
        rehearsal.listen()
        rehearsal.see("the core has it", lambda s: s.show == short_show.TITLE, 90.0)
        press(screen, PAUSE)
        until(lambda: sent(rehearsal, "pause the show") == 1, "keys are heard")
        console = until(lambda: rehearsal.member("console"), "the console runs")
        os.kill(console, signal.SIGSTOP)
        try:
            screen.key("space", STAND_UP, PAUSE)
            pressed_s = time.monotonic()
            until(lambda: time.monotonic() - pressed_s > 1.5 * LATE_S, "the console hangs on")
        finally:
            os.kill(console, signal.SIGCONT)
        until(lambda: sent(rehearsal, "pause the show") == 2, "what stops is sent on waking")
        assert sent(rehearsal, "GO") == sent(rehearsal, "STAND UP") == 0
        ask(screen, rehearsal, STAND_UP, "STAND UP")  # a fresh press counts
