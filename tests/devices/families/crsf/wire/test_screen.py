"""The handset's line of text."""

from hypothesis import given
from hypothesis import strategies as st

from devices.families.crsf.wire import frame, screen, telemetry
from devices.families.crsf.wire.telemetry import Battery

ALARM = "left knee is too hot"
BATTERY = Battery(22.2, 4.0, 900, 71)


def test_the_mode_stands_still() -> None:
    assert {screen.line("READY", "", t / 10) for t in range(100)} == {"READY"}


def test_a_long_alarm_passes_whole_and_begins_again() -> None:
    seen = [screen.line("READY", ALARM, t / 20) for t in range(0, 400)]
    assert seen[0] == "!left knee is t"
    assert "knee is too hot" in seen
    assert seen[0] in seen[100:]
    assert max(map(len, seen)) == screen.WIDTH
    # Each step shows the next character: none is skipped.
    steps = [line for line, before in zip(seen[1:], seen, strict=False) if line != before]
    assert steps[:6] == [f"!{ALARM}"[i : i + 15] for i in range(1, 7)]


@given(st.text(max_size=60), st.text(max_size=60), st.floats(0, 1e6))
def test_any_text_fits_at_any_time(mode: str, alarm: str, elapsed_s: float) -> None:
    assert len(screen.line(mode, alarm, elapsed_s)) <= 15


@given(st.text(max_size=60), st.text(max_size=60), st.floats(0, 1e6), st.floats(), st.floats())
def test_any_screen_is_two_frames(
    mode: str, alarm: str, elapsed_s: float, volts: float, percent: float
) -> None:
    battery = Battery(volts, volts, 0, percent)  # type: ignore[arg-type]
    told = screen.frames(mode, alarm, elapsed_s, battery)
    found = frame.scanner().feed(told)
    assert b"".join(found) == told
    assert [frame.kind_of(one) for one in found] == [frame.Type.FLIGHT_MODE, frame.Type.BATTERY]


def test_the_screen_takes_two_frames() -> None:
    text, battery = frame.scanner().feed(screen.frames("WALK", "", 0.0, BATTERY))
    assert telemetry.decode_flight_mode(text) == "WALK"
    assert telemetry.decode_battery(battery) == BATTERY
    (alarm, _) = frame.scanner().feed(screen.frames("WALK", ALARM, 0.0, BATTERY))
    assert telemetry.decode_flight_mode(alarm) == "!left knee is t"
    assert len(frame.payload_of(alarm)) == 16
