"""What the cue list shows of a run is the core's status, and nothing else."""

import msgspec

from app.console.cues.playback import Playback
from core.link.catalogue.show import CUE_STARTED
from core.link.status import Status
from core.link.wording import event


def status(**fields: object) -> Status:
    return msgspec.structs.replace(Status(stamp_s=1.0), **fields)


def test_standby_and_next_are_marked_and_only_what_changed_is_told() -> None:
    playback = Playback()
    assert playback.update(status(standby_cue="1", next_cue="2")) == {"1", "2"}
    assert playback.of("1").standby
    assert playback.of("2").next
    assert playback.update(status(standby_cue="1", next_cue="2")) == set()
    told = status(standby_cue="4", next_cue="5")
    assert playback.update(told) == {"1", "2", "4", "5"}


def test_a_cue_waits_then_runs_with_its_progress() -> None:
    playback = Playback()
    playback.update(status(running_cues=("1",), show_s=0.2))
    assert playback.of("1").run == "waits"
    assert playback.of("1").share is None
    running = status(
        running_cues=("1",), running_cue="1", show_s=1.5, cue_elapsed_s=1.0, cue_length_s=4.0
    )
    assert playback.update(running) == {"1"}
    state = playback.of("1")
    assert (state.run, state.share, state.left_s) == ("runs", 0.25, 3.0)


def test_an_older_cue_goes_on_counting_while_a_newer_one_is_told() -> None:
    playback = Playback()
    playback.update(status(running_cues=("1",), running_cue="1", show_s=1.0, cue_length_s=4.0))
    playback.update(status(running_cues=("1", "2"), running_cue="2", show_s=3.0, cue_length_s=9.0))
    assert playback.of("1").left_s == 2.0
    assert playback.of("2").left_s == 9.0
    assert playback.running == ("1", "2")


def test_a_cue_that_began_beside_another_runs_though_its_time_is_unknown() -> None:
    playback = Playback()
    playback.hear([event(1.0, "player", CUE_STARTED(cue="1"))])
    playback.update(status(running_cues=("1", "2"), running_cue="2"))
    assert playback.of("1").run == "runs"
    assert playback.of("1").left_s is None


def test_a_paused_cue_says_so_and_stands() -> None:
    playback = Playback()
    fields = {"running_cues": ("1",), "running_cue": "1", "show_s": 2.0, "cue_length_s": 4.0}
    playback.update(status(paused=True, **fields))
    assert playback.of("1").run == "paused"
    assert playback.paused


def test_a_cue_that_ended_and_starts_again_starts_at_its_beginning() -> None:
    playback = Playback()
    playback.update(status(running_cues=("1",), running_cue="1", show_s=1.0, cue_length_s=4.0))
    playback.update(status(show_s=9.0))
    assert playback.of("1").run == ""
    playback.update(status(running_cues=("1",), show_s=10.0))
    assert playback.of("1").run == "waits"


def test_a_length_of_nothing_divides_by_nothing() -> None:
    playback = Playback()
    playback.update(status(running_cues=("1",), running_cue="1"))
    assert playback.of("1").share is None


def test_a_lost_core_leaves_nothing_marked() -> None:
    playback = Playback()
    playback.update(status(standby_cue="1", next_cue="2", running_cues=("4",)))
    assert playback.forget() == {"1", "2", "4"}
    assert not playback.of("1").standby
    assert (playback.standby, playback.following, playback.running) == ("", "", ())


def test_nothing_is_on_standby_until_the_core_has_told_of_which_show() -> None:
    playback = Playback()
    told = status(standby_cue="1", next_cue="2", running_cues=("4",))
    assert playback.update(told, known=False) == {"4"}
    assert (playback.standby, playback.following) == ("", "")
    assert playback.update(told) == {"1", "2"}


def test_another_shows_cues_are_no_rows_of_the_open_one() -> None:
    playback = Playback()
    told = status(standby_cue="1", next_cue="2", running_cues=("4",))
    playback.update(told)
    assert playback.update(told, foreign=True) == {"1", "2", "4"}
    assert not playback.of("1").standby and playback.told("1").standby
    assert playback.running == ("4",)
    assert playback.update(told) == {"1", "2", "4"}
