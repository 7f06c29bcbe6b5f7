"""The CRSF driver on a real pty: silence, doubt and noise hold nothing; presses are not lost."""

import math
import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from devices.families.crsf.handset import CrsfHandset
from devices.families.crsf.settings import Receiver
from devices.families.crsf.wire import channels, menu, packed
from devices.families.crsf.wire.channels import NEUTRAL, Controls
from devices.families.crsf.wire.frame import Type, content_of, kind_of, scanner
from devices.families.crsf.wire.telemetry import (
    LinkStatistics,
    decode_battery,
    decode_flight_mode,
    encode_link_statistics,
)
from devices.interface import HandsetSample, HandsetScreen
from tests.devices.real.line import Line

LAYOUT = Receiver().layout()
WALKING = Controls((0.0, 1.0, 0.0, 0.0), 0, True)
SCREEN = HandsetScreen("READY", 0.72, 24.8)


class Bench:
    """A receiver, and the driver on its line; time is the test's."""

    def __init__(self, folder: Path) -> None:
        self.line = Line(folder)
        self.handset = CrsfHandset(self.line.port)
        self.now_s = 10.0
        self.handset.read(self.now_s)

    def hear(self, *frames: bytes, after_s: float = 0.02) -> HandsetSample:
        """Let frames come, and read a time later."""
        for frame in frames:
            self.line.send(frame)
        self.now_s += after_s
        return self.handset.read(self.now_s)

    def wait(self, time_s: float) -> HandsetSample:
        """Read on in silence, a hundred times a second."""
        for _ in range(round(100 * time_s)):
            sample = self.hear(after_s=0.01)
        return sample


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def sent(controls: Controls) -> bytes:
    return packed.encode(channels.write(controls, LAYOUT))


def told(quality: int) -> bytes:
    return encode_link_statistics(LinkStatistics(-60, -62, quality, 9, 0, 2, 3, -55, 99, 8))


def is_let_go(sample: HandsetSample) -> bool:
    return not (sample.dead_man or sample.buttons.any() or sample.sticks.any() or sample.quality)


def test_a_dead_man_that_noise_held_back_is_not_held(bench: Bench) -> None:
    bench.hear(b"\xc8\x3e", sent(WALKING))
    bench.wait(1.0)
    sample = bench.hear(told(99), bytes(40))
    assert bench.handset.troubles() == ()  # a receiver that is there
    assert sample.age_s >= 1.0 and is_let_go(sample)


def test_a_handset_never_heard_is_infinitely_old(bench: Bench) -> None:
    sample = bench.wait(0.1)
    assert sample.age_s == math.inf and is_let_go(sample)


def test_silence_lets_everything_go_and_grows_old(bench: Bench) -> None:
    sample = bench.hear(sent(WALKING._replace(buttons=0b11)))
    assert sample.dead_man and sample.sticks[1] == 1.0 and sample.age_s == 0.0
    sample = bench.wait(0.24)
    assert sample.dead_man and sample.age_s == pytest.approx(0.24)
    sample = bench.wait(0.02)
    assert is_let_go(sample) and sample.age_s == pytest.approx(0.26)


def test_statistics_keep_no_handset_alive(bench: Bench) -> None:
    bench.hear(sent(WALKING), told(100))
    for _ in range(30):
        sample = bench.hear(told(100), after_s=0.01)
    assert is_let_go(sample) and sample.age_s == pytest.approx(0.3)


def test_a_link_quality_of_zero_ends_trust_at_once_and_until_there_is_another(
    bench: Bench,
) -> None:
    bench.hear(sent(WALKING), told(97))
    sample = bench.hear(told(0), after_s=0.001)
    assert is_let_go(sample) and sample.age_s == math.inf
    sample = bench.hear(sent(WALKING))
    assert is_let_go(sample) and sample.age_s == math.inf and bench.handset.refused == 1
    bench.hear(told(40))
    sample = bench.hear(sent(WALKING))
    assert sample.dead_man and sample.quality == 0.4


def test_after_silence_the_dead_man_must_pass_its_upper_threshold(bench: Bench) -> None:
    between = list(channels.write(WALKING, LAYOUT))
    between[4] = 1300
    assert bench.hear(sent(WALKING)).dead_man
    assert bench.hear(packed.encode(between)).dead_man
    bench.wait(0.3)
    assert not bench.hear(packed.encode(between)).dead_man


def test_a_reader_that_stalled_has_no_memory_either(bench: Bench) -> None:
    between = list(channels.write(WALKING, LAYOUT))
    between[4] = 1300
    bench.hear(sent(WALKING))
    sample = bench.hear(packed.encode(between), after_s=5.0)
    assert sample.age_s == 0.0 and not sample.dead_man


def test_of_several_frames_at_once_a_press_counts_and_a_release_of_the_dead_man(
    bench: Bench,
) -> None:
    sample = bench.hear(sent(WALKING._replace(buttons=1)), sent(NEUTRAL), sent(WALKING))
    assert sample.buttons.tolist() == [True] + [False] * 9
    assert not sample.dead_man
    assert not bench.hear(sent(WALKING)).buttons.any()


def test_every_button_and_axis_lies_where_the_settings_say(bench: Bench) -> None:
    for button in range(10):
        sample = bench.hear(sent(NEUTRAL._replace(buttons=1 << button)))
        assert np.flatnonzero(sample.buttons).tolist() == [button]
    for channel, place in ((4, 0), (3, 1), (1, 2), (2, 3)):
        values = list(channels.write(NEUTRAL, LAYOUT))
        values[channel - 1] = packed.HIGH
        assert np.flatnonzero(bench.hear(packed.encode(values)).sticks).tolist() == [place]


def test_noise_is_never_a_held_dead_man(bench: Bench) -> None:
    draw = random.Random(7)
    for _ in range(500):
        sample = bench.hear(draw.randbytes(200), after_s=0.005)
        assert np.isfinite(sample.sticks).all() and np.abs(sample.sticks).max() <= 1.0
    bench.wait(0.3)
    assert not bench.hear(sent(NEUTRAL), sent(NEUTRAL), sent(NEUTRAL)).dead_man


def test_a_receiver_that_is_unplugged_is_named_and_comes_back_by_itself(bench: Bench) -> None:
    bench.hear(sent(WALKING))
    bench.line.pull()
    sample = bench.wait(0.25)
    assert [t.text for t in bench.handset.troubles()] == ["unplugged; check the adapter's USB plug"]
    assert not any(trouble.grave for trouble in bench.handset.troubles())
    bench.wait(0.05)
    assert is_let_go(sample := bench.handset.read(bench.now_s)) and sample.age_s > 0.25
    bench.line.plug()
    bench.wait(0.25)
    sample = bench.hear(sent(NEUTRAL))
    assert sample.age_s == 0.0 and bench.handset.troubles() == ()


def test_a_silent_receiver_differs_from_a_handset_that_is_off(bench: Bench) -> None:
    bench.wait(1.2)
    assert ["sends nothing" in trouble.text for trouble in bench.handset.troubles()] == [True]
    bench.hear(told(0))
    assert bench.handset.troubles() == ()


def shown(bench: Bench) -> tuple[str, int]:
    """Return the newest line and charge that the handset was sent."""
    frames = scanner().feed(bench.line.heard())
    lines = [decode_flight_mode(f) for f in frames if kind_of(f) == Type.FLIGHT_MODE]
    charges = [decode_battery(f) for f in frames if kind_of(f) == Type.BATTERY]
    assert lines and charges[-1] is not None
    return lines[-1], charges[-1].percent


def test_the_screen_shows_mode_and_charge_and_an_alarm_scrolls(bench: Bench) -> None:
    bench.handset.show(SCREEN)
    bench.wait(0.4)
    assert shown(bench) == ("READY", 72)
    alarm = HandsetScreen("READY", math.nan, math.nan, "The battery is nearly empty.", 3)
    bench.handset.show(alarm)
    seen = set()
    for _ in range(40):
        bench.wait(0.36)
        seen.add(shown(bench)[0])
    assert "!The battery is" in seen and "nearly empty." in {line[-13:] for line in seen}


def test_the_screen_is_updated_at_a_modest_rate(bench: Bench) -> None:
    bench.handset.show(SCREEN)
    bench.wait(7.0)
    frames = scanner().feed(bench.line.heard())
    assert 10 <= sum(kind_of(frame) == Type.FLIGHT_MODE for frame in frames) <= 21


def test_the_menu_tells_the_whole_alarm_and_changes_nothing(bench: Bench) -> None:
    bench.handset.show(HandsetScreen("READY", 0.5, 24.0, "An actuator is hot.", 3))
    bench.wait(0.4)
    bench.line.heard()
    bench.hear(menu.ping(), menu.read(0), menu.read(3), menu.write(3, b"x"), menu.read(9))
    answers = list(answers_of(bench))
    device = menu.decode_device(answers[0])
    assert device is not None and (device.name, device.parameters) == ("Footlight", 3)
    entries = [menu.decode_entry(content_of(answer)[2:]) for answer in answers[1:]]
    assert [entry.name for entry in entries if entry is not None] == ["Footlight", "Alarm"]
    assert entries[1] is not None and entries[1].content.startswith(b"An actuator is hot.")


def answers_of(bench: Bench) -> Iterator[bytes]:
    return (f for f in scanner().feed(bench.line.heard()) if kind_of(f) >= Type.PING)


@pytest.mark.parametrize(
    "text",
    [
        '{"dead_man": 6}',
        '{"buttons": [6, 7, 8, 9, 10, 11, 12, 13, 14]}',
        '{"press": 1100}',
        '{"left_x": {"channel": 4, "low": 1000, "middle": 990}}',
        '{"lost_s": 1.0}',
        '{"dead_men": 5}',
        '{"left_x": {"channel": 17}}',
    ],
)
def test_settings_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Receiver)
