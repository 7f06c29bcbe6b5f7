"""What the cue list shows of a run is the core's status, and nothing else."""

import msgspec
import pytest

from app.console.cues.playback import Playback, after_go
from core.link.messages import Event, Status
from shows.document import Cue, Show
from tests.app.console.cues.conftest import small_show

SHOW = small_show()


def status(**fields: object) -> Status:
    return msgspec.structs.replace(Status(stamp_s=1.0), **fields)


@pytest.mark.parametrize(
    ("number", "following"),
    [("1", "2"), ("2", "4"), ("4", "5"), ("5", "1"), ("9", ""), ("", "")],
)
def test_after_go_is_the_cue_behind_all_that_follow_by_themselves(
    number: str, following: str
) -> None:
    assert after_go(SHOW, number) == following


def test_after_the_last_cue_comes_nothing_and_a_circle_ends() -> None:
    assert after_go(Show(name="x", cues=(Cue(number="1"),)), "1") == ""
    ring = Show(name="x", cues=(Cue(number="1", continue_mode="auto_follow", next="1"),))
    assert after_go(ring, "1") == ""
    assert after_go(Show(name="x", cues=(Cue(number="1", next="7"),)), "1") == ""


def test_standby_and_next_are_marked_and_only_what_changed_is_told() -> None:
    playback = Playback()
    assert playback.update(status(standby_cue="1"), SHOW) == {"1", "2"}
    assert playback.of("1").standby
    assert playback.of("2").next
    assert playback.update(status(standby_cue="1"), SHOW) == set()
    assert playback.update(status(standby_cue="4"), SHOW) == {"1", "2", "4", "5"}


def test_a_cue_waits_then_runs_with_its_progress() -> None:
    playback = Playback()
    playback.update(status(running_cues=("1",), show_s=0.2), SHOW)
    assert playback.of("1").run == "waits"
    assert playback.of("1").share is None
    running = status(
        running_cues=("1",), running_cue="1", show_s=1.5, cue_elapsed_s=1.0, cue_length_s=4.0
    )
    assert playback.update(running, SHOW) == {"1"}
    state = playback.of("1")
    assert (state.run, state.share, state.left_s) == ("runs", 0.25, 3.0)


def test_an_older_cue_goes_on_counting_while_a_newer_one_is_told() -> None:
    playback = Playback()
    playback.update(
        status(running_cues=("1",), running_cue="1", show_s=1.0, cue_length_s=4.0), SHOW
    )
    playback.update(
        status(running_cues=("1", "2"), running_cue="2", show_s=3.0, cue_length_s=9.0), SHOW
    )
    assert playback.of("1").left_s == 2.0
    assert playback.of("2").left_s == 9.0
    assert playback.running == ("1", "2")


def test_a_cue_that_began_beside_another_runs_though_its_time_is_unknown() -> None:
    playback = Playback()
    playback.hear([Event(1.0, "player", "cue 1 starts")])
    playback.update(status(running_cues=("1", "2"), running_cue="2"), SHOW)
    assert playback.of("1").run == "runs"
    assert playback.of("1").left_s is None


def test_a_paused_cue_says_so_and_stands() -> None:
    playback = Playback()
    fields = {"running_cues": ("1",), "running_cue": "1", "show_s": 2.0, "cue_length_s": 4.0}
    playback.update(status(paused=True, **fields), SHOW)
    assert playback.of("1").run == "paused"
    assert playback.paused


def test_a_cue_that_ended_and_starts_again_starts_at_its_beginning() -> None:
    playback = Playback()
    playback.update(
        status(running_cues=("1",), running_cue="1", show_s=1.0, cue_length_s=4.0), SHOW
    )
    playback.update(status(show_s=9.0), SHOW)
    assert playback.of("1").run == ""
    playback.update(status(running_cues=("1",), show_s=10.0), SHOW)
    assert playback.of("1").run == "waits"


def test_a_length_of_nothing_divides_by_nothing() -> None:
    playback = Playback()
    playback.update(status(running_cues=("1",), running_cue="1"), SHOW)
    assert playback.of("1").share is None


def test_a_lost_core_leaves_nothing_marked() -> None:
    playback = Playback()
    playback.update(status(standby_cue="1", running_cues=("4",)), SHOW)
    assert playback.forget() == {"1", "2", "4"}
    assert not playback.of("1").standby
    assert (playback.standby, playback.following, playback.running) == ("", "", ())


def test_an_edit_of_the_show_moves_the_next_mark() -> None:
    playback = Playback()
    playback.update(status(standby_cue="1"), SHOW)
    shorter = msgspec.structs.replace(SHOW, cues=(SHOW.cues[0], SHOW.cues[3]))
    assert playback.update(status(standby_cue="1"), shorter) == {"2", "4"}
