"""Every value of the top bar is the core's, and says in words what its colour says."""

import msgspec
import pytest

from app.console.toolkit import theme
from app.console.top import readings
from core.link import wording
from core.link.catalogue.faults import FALLEN_DAMP
from core.link.status import Alarm, Status, TickStats
from core.safety.modes import Mode
from core.safety.rules import Action
from tests.app.console.rig import HANDSET, READY


def status(**fields: object) -> Status:
    return msgspec.structs.replace(READY, **fields)


@pytest.mark.parametrize("mode", Mode)
def test_each_mode_has_a_word_and_a_known_tone(mode: Mode) -> None:
    reading = readings.mode(status(mode=mode.name))
    assert reading.text.replace(" ", "_") == mode.name
    assert reading.tone is not theme.UNKNOWN


def test_steps_that_nobody_requested_are_named_beside_the_mode() -> None:
    assert readings.mode(status(mode="READY"), steps=True).text == "READY, steps"
    assert readings.mode(status(mode="WALK"), steps=True).text == "WALK"


def test_a_mode_that_is_not_known_is_shown_as_it_is() -> None:
    reading = readings.mode(status(mode="NEWER"))
    assert reading.text == "NEWER" and reading.tone is theme.UNKNOWN


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1.0, "0:00"), (0.99, "0:00"), (65.0, "1:05"), (600.0, "10:00"), (3723.9, "1:02:03")],
)
def test_a_clock_is_rounded_down(seconds: float, text: str) -> None:
    assert readings.clock(seconds) == text


def test_a_held_clock_says_so() -> None:
    assert readings.show_clock(status(position_s=5.0, paused=True)).text == "0:05 paused"
    assert readings.show_clock(status(position_s=3605.0, paused=True)).text == "‖ 1:00:05"
    assert readings.show_clock(status(position_s=5.0)).tone is theme.IDLE
    assert readings.show_clock(status(position_s=5.0, running_cues=("2",))).tone is theme.BUSY


def test_time_left_is_unknown_or_what_is_left() -> None:
    assert readings.time_left(status()).text == "–"
    assert readings.time_left(status(position_s=9.5, show_length_s=70.0)).text == "1:01"
    assert readings.time_left(status(position_s=70.0, show_length_s=70.0)).text == "0:00"


def test_an_old_status_is_a_warning() -> None:
    assert readings.link(0.02) == readings.Reading(theme.GOOD, "20 ms", readings.link(0.02).hint)
    assert readings.link(0.15).tone is theme.WARN


def test_no_handset_is_no_fault_and_a_silent_one_is() -> None:
    assert readings.radio(READY).tone is theme.IDLE
    assert readings.radio(status(flags=("HANDSET_SILENT",))).tone is theme.BAD
    silent = status(flags=("HANDSET_SILENT",), handset=HANDSET)
    assert readings.radio(silent).tone is theme.BAD
    pulled = msgspec.structs.replace(HANDSET, troubles=("unplugged; check its plug",))
    told = readings.radio(status(flags=("HANDSET_SILENT",), handset=pulled))
    assert (told.tone, told.hint) == (theme.BAD, "unplugged; check its plug")


def test_a_handset_that_is_off_weak_or_in_trouble_is_told() -> None:
    def radio(**fields: object) -> readings.Reading:
        return readings.radio(status(handset=msgspec.structs.replace(HANDSET, **fields)))

    assert (radio().tone, radio().text) == (theme.GOOD, "98%")
    assert radio(quality=0.5).tone is theme.WARN
    assert radio(troubles=("sends damaged bytes",)).hint == "sends damaged bytes"
    off = radio(heard=False)
    assert (off.tone, off.text) == (theme.IDLE, "off") and "switch it on" in off.hint


@pytest.mark.parametrize(
    ("flags", "tone"),
    [
        ((), theme.GOOD),
        (("BATTERY_LOW",), theme.WARN),
        (("BATTERY_LOW", "BATTERY_CRITICAL"), theme.BAD),
        (("BATTERY_FLAT",), theme.BAD),
    ],
)
def test_the_battery_is_judged_by_the_core(flags: tuple[str, ...], tone: theme.Tone) -> None:
    reading = readings.battery(status(flags=flags))
    assert reading.tone is tone
    assert reading.text == "80 % 25.0 V"


@pytest.mark.parametrize(
    ("stats", "flags", "tone"),
    [
        (TickStats(310.0, 700.0, 5000.0, 2), (), theme.GOOD),
        (TickStats(310.0, 1200.0, 5000.0, 2), (), theme.WARN),
        (TickStats(310.0, 700.0, 5000.0, 2), ("TICK_LATE",), theme.WARN),
        (TickStats(1100.0, 1200.0, 5000.0, 2), (), theme.BAD),
        (TickStats(310.0, 700.0, 5000.0, 2), ("TICK_STALLED",), theme.BAD),
    ],
)
def test_the_load(stats: TickStats, flags: tuple[str, ...], tone: theme.Tone) -> None:
    reading = readings.load(status(tick=stats, flags=flags), 0.001)
    assert reading.tone is tone
    assert reading.text.startswith(f"{stats.median_us / 1000.0:.0%}")
    assert "2 came late" in reading.hint


def test_alarms_are_counted_in_the_tone_of_the_worst() -> None:
    assert readings.alarms(()).text == "none"
    fault = Alarm("FALLEN", "DAMP")
    warning = Alarm("BATTERY_LOW", "WARN")
    reading = readings.alarms((fault, warning))
    assert reading.text == "2" and reading.tone is theme.BAD
    assert wording.alarm(fault) in reading.hint
    assert wording.advice(FALLEN_DAMP()) in reading.hint


@pytest.mark.parametrize("action", list(Action)[2:])
def test_no_action_that_moves_the_robot_looks_healthy(action: Action) -> None:
    expected = theme.WARN if action is Action.HOLD else theme.BAD
    assert readings.action_tone(action.name) is expected


def test_the_banner_says_what_to_do_and_promises_nothing() -> None:
    lost = readings.lost_sentence(65.0, known=True)
    assert "1:05" in lost and "E-stop" in lost and "handset" in lost and "nothing moves" in lost
    ended = readings.lost_sentence(1.0, known=True, failure="twin: has ended; start the run again")
    assert "twin: has ended" in ended and "E-stop" in ended
    none_yet = readings.lost_sentence(3.0, known=False)
    assert "footlight core" in none_yet
    assert "needs up to a minute" in none_yet  # a rehearsal's console is open before its core
