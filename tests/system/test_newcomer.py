"""The first minute of a newcomer: two presses to the first cue, STOP, put back, the show's end."""

from core.link.status import Status
from tests.system import short_show
from tests.system.operating import (
    PUT_BACK,
    RESET_SHOW,
    SETTLE,
    STOP,
    ask,
    press,
    sent,
    undisturbed,
)
from tests.system.screen import MARKS, Rehearsal, Screen, until
from tests.system.sharing import Session

pytestmark = MARKS
LAST = short_show.show().cues[-1].number


def test_two_presses_start_the_first_cue_and_a_stop_does_not_end_the_rehearsal(
    short: Session,
) -> None:
    screen, rehearsal = short.screen, short.rehearsal
    until(lambda: short_show.NAME in screen.title(), "the window is there, with its show")
    status = rehearsal.see("the core has the show", lambda s: s.show == short_show.TITLE, 90.0)
    assert (status.mode, status.standby_cue) == ("DAMPED", "1")
    ask(screen, rehearsal, "space", "stand_up")
    rehearsal.see("it stands", _stands)
    ask(screen, rehearsal, "space", "go")
    rehearsal.see("the first cue runs", lambda s: s.running_cue == "1")
    press(screen, STOP)
    status = rehearsal.see("it is stopped", lambda s: s.mode == "FAULT")
    standby = status.standby_cue
    ask(screen, rehearsal, PUT_BACK, "put_back")
    status = rehearsal.see("it stands again", _stands)
    assert status.standby_cue == standby == "2"
    x, y, z = status.base_position
    assert max(abs(x), abs(y)) < 0.1 and z > 0.5
    for _ in range(5):
        if not rehearsal.status().standby_cue:  # type: ignore[union-attr]
            break
        undisturbed(rehearsal, lambda: play(screen, rehearsal))
    status = rehearsal.see("the show is over", lambda s: not s.running_cues and not s.standby_cue)
    assert status.mode == "READY"
    assert rehearsal.heard("cue_started")[-1].fields["cue"] == LAST
    press(screen, RESET_SHOW, SETTLE)
    rehearsal.see("it is limp", lambda s: s.mode == "DAMPED" and s.standby_cue == "1")


def play(screen: Screen, rehearsal: Rehearsal) -> None:
    """Start the cue on standby, and see it and its followers end."""
    before = rehearsal.see("a cue is on standby", lambda s: bool(s.standby_cue)).standby_cue
    count = sent(rehearsal, "go")
    ask(screen, rehearsal, "space", "go")
    assert sent(rehearsal, "go") == count + 1
    rehearsal.see("it runs", lambda s: before in s.running_cues or s.standby_cue != before)
    rehearsal.see("it has ended", lambda s: not s.running_cues and s.mode == "READY")


def _stands(status: Status) -> bool:
    return status.mode == "READY" and status.action != "HOLD"
