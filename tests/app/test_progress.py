"""How a run looks in a terminal and without one."""

import io
import math

from rich.console import Console

from app.progress import Progress, clock, line, panel, report_table, table
from core.link.catalogue.run import FELL_AT
from core.link.event import Event
from core.link.report import Report
from core.link.status import Status, TickStats

STATUS = Status(
    62.5,
    mode="PERFORM",
    flags=("battery_low",),
    show="Meet Cosmo",
    running_cue="3",
    cue_name="Dance",
    cue_elapsed_s=4.0,
    cue_length_s=12.0,
    show_s=57.0,
    show_length_s=120.0,
    base_position=(1.25, -0.5, 0.7),
    base_velocity=(0.3, 0.4, 0.0),
    battery_charge=0.83,
    battery_v=22.1,
    hottest_joint="left_knee",
    hottest_c=48.0,
    worst_load_joint="right_hip_1",
    worst_load=0.61,
    tick=TickStats(240.0, 400.0, 900.0, 2),
    distance_m=3.4,
)


def console() -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, width=120), out


def test_a_line_tells_mode_cue_time_place_speed_battery_and_tick() -> None:
    text = line(STATUS)
    for part in (
        "1:02",
        "PERFORM",
        "cue 3 Dance",
        "left 1:03",
        "+1.25 -0.50 m",
        "0.50 m/s",
        "battery 83%",
        "tick 240 µs",
        "battery_low",
    ):
        assert part in text
    assert "\n" not in text


def test_the_panel_tells_more() -> None:
    found, out = console()
    event = Event(1.0, "voice", "no_sound", {"text": "no [sound] device"}, "warning")
    found.print(panel(STATUS, [event]))
    text = out.getvalue()
    for part in ("3 Dance   0:04 of 0:12", "walked 3.4 m", "right_hip_1 61% of stall", "22.1 V"):
        assert part in text
    assert "voice: no [sound] device; the show continues without sound" in " ".join(text.split())


def test_the_report_is_a_table() -> None:
    found, out = console()
    report = Report(
        False,
        FELL_AT(stamp_s=3.2),
        120.0,
        40.0,
        cues_played=9,
        distance_m=4.25,
        falls=1,
        worst_tracking_rad=math.radians(5.0),
        worst_tracking_joint="left_elbow",
        worst_load=0.7,
        worst_load_joint="left_knee",
        tick_median_us=250.0,
        tick_p99_us=400.0,
        tick_p99_9_us=700.0,
    )
    found.print(report_table(report))
    text = out.getvalue()
    for part in (
        "fell at 3.20 s",
        "3.00 times real time",
        "4.25 m",
        "5.0° left_elbow",
        "70% of stall left_knee",
        "median 250 µs, p99 400 µs, p99.9 700 µs",
    ):
        assert part in text
    found.print(table("x [y]", [("a", "[b]")]))
    assert "[b]" in out.getvalue()


def test_without_a_terminal_there_are_plain_lines() -> None:
    found, out = console()
    with Progress(found, live=False) as progress:
        progress.show(None, [Event(0.0, "core", "started")])
        progress.show(STATUS, [])
        progress.show(STATUS, [])  # too soon, nothing new
        progress.show(Status(63.0, mode="SETTLE"), [])
    lines = out.getvalue().splitlines()
    assert lines[0] == "core: started"
    assert [text.split("  ")[1] for text in lines[1:]] == ["PERFORM", "SETTLE"]


def test_a_terminal_shows_the_panel_in_place() -> None:
    out = io.StringIO()
    found = Console(file=out, force_terminal=True, width=120)
    with Progress(found, live=True) as progress:
        for number in range(20):
            progress.show(STATUS, [Event(1.0, "core", f"event {number}")])
    text = out.getvalue()
    assert "PERFORM" in text and "event 19" in text


def test_odd_times_are_times() -> None:
    assert [clock(t) for t in (0.0, 59.9, 61.0, -3.0, math.nan, math.inf)] == [
        "0:00",
        "0:59",
        "1:01",
        "0:00",
        "0:00",
        "0:00",
    ]
    assert "nan" in line(Status(math.nan, base_position=(math.nan, 0.0, 0.0)))
