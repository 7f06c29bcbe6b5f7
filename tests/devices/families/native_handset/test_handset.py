"""The native driver on a real pty: what is forged, repeated or late moves nothing and is told."""

import math
import random
from pathlib import Path

import pytest

from devices.families.native_handset.handset import NativeHandset
from devices.families.native_handset.messages import HandsetInput
from devices.families.native_handset.wire import HandsetEnd, RobotEnd
from devices.interface import HandsetSample, HandsetScreen
from devices.wire.frame import Frame, FrameStream
from tests.devices.real.line import Line
from tests.devices.wire.forgery import KEY, OTHER_KEY

WALKING = HandsetInput(0b1, (0.0, 1.0, 0.0, 0.0), True, 3.9)
IDLE = HandsetInput(0, (0.0, 0.0, 0.0, 0.0), False, 3.9)


class Bench:
    """A handset, the air between, and the driver on its line; time is the test's."""

    def __init__(self, folder: Path) -> None:
        self.line = Line(folder, baud=1_000_000)
        self.end = RobotEnd(KEY, 1, random.Random(1).randbytes)
        self.handset = NativeHandset(self.line.port, self.end)
        self.hand = HandsetEnd(KEY, 0x70, 77)
        self.now_s = 10.0
        self._stream = FrameStream()
        self.handset.read(self.now_s)

    @property
    def clock_us(self) -> int:
        """The handset's own clock, which began at another time."""
        return (int(1e6 * self.now_s) + 4_294_900_000) & 0xFFFFFFFF

    def made(self, controls: HandsetInput) -> Frame:
        """Return an input as the handset makes it now."""
        frame = self.hand.send(controls, self.clock_us)
        assert frame is not None
        return frame

    def hear(self, *frames: Frame, after_s: float = 0.02) -> HandsetSample:
        """Let frames arrive, and read."""
        self.now_s += after_s
        for frame in frames:
            self.line.send(frame.encode())
        return self.handset.read(self.now_s)

    def pair(self) -> None:
        """Begin a session."""
        self.hear(self.hand.hello(self.clock_us))
        answers = [frame for frame in self.heard() if self.hand.begin(frame)]
        assert len(answers) == 1
        assert self.hear(self.made(IDLE)).age_s == 0.0

    def heard(self) -> list[Frame]:
        return self._stream.feed(self.line.heard())

    def wait(self, time_s: float) -> HandsetSample:
        for _ in range(round(100 * time_s)):
            sample = self.hear(after_s=0.01)
        return sample


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def is_let_go(sample: HandsetSample) -> bool:
    return not (sample.dead_man or sample.buttons.any() or sample.sticks.any() or sample.quality)


def forged(bench: Bench, count: int) -> list[Frame]:
    """Return frames as only somebody without the key would make them."""
    true = bench.made(WALKING)
    draw = random.Random(3)
    return [
        Frame(true.kind, true.source, 1000 + i, true.t_us, true.payload[:-8] + draw.randbytes(8))
        for i in range(count)
    ]


def test_without_a_session_no_frame_counts(bench: Bench) -> None:
    stranger = RobotEnd(KEY, 1, random.Random(2).randbytes)
    challenge = stranger.challenge(bench.hand.hello(0), 0)
    assert challenge is not None and bench.hand.begin(challenge)
    sample = bench.hear(bench.made(WALKING))
    assert sample.age_s == math.inf and is_let_go(sample)


def test_another_key_gets_no_session(bench: Bench) -> None:
    bench.hand = HandsetEnd(OTHER_KEY, 0x70, 77)
    bench.hear(bench.hand.hello(0))
    assert bench.heard() == []
    assert bench.handset.refused == 1


def test_an_input_is_read_and_silence_lets_go(bench: Bench) -> None:
    bench.pair()
    sample = bench.hear(bench.made(WALKING))
    assert sample.dead_man and sample.sticks.tolist() == [0.0, 1.0, 0.0, 0.0]
    assert sample.buttons[0] and not sample.buttons[1:].any()
    assert sample.battery_v == pytest.approx(3.9)
    assert bench.wait(0.24).dead_man
    sample = bench.wait(0.02)
    assert is_let_go(sample) and sample.age_s == pytest.approx(0.26)


def test_of_several_inputs_a_press_counts_and_a_release_of_the_dead_man(bench: Bench) -> None:
    bench.pair()
    sample = bench.hear(bench.made(WALKING), bench.made(IDLE), bench.made(WALKING))
    assert sample.buttons[0] and not sample.dead_man


def test_a_frame_is_good_only_once(bench: Bench) -> None:
    bench.pair()
    walking = bench.made(WALKING)
    bench.hear(walking)
    bench.hear(bench.made(IDLE))
    for _ in range(40):
        sample = bench.hear(walking)
        assert not sample.dead_man
    assert sample.age_s > 0.25 and is_let_go(sample)


def test_recorded_frames_that_come_later_in_order_are_old(bench: Bench) -> None:
    bench.pair()
    recorded = []
    for _ in range(50):  # while the radio is jammed, the operator walks and lets go
        recorded.append(bench.made(WALKING))
        bench.wait(0.02)
    assert bench.wait(1.0).age_s > 0.25
    for frame in recorded:
        sample = bench.hear(frame)
        assert is_let_go(sample) and sample.age_s > 0.25
    assert bench.hear(bench.made(WALKING)).age_s < 0.03  # the true handset is heard again


def test_a_press_that_was_held_back_does_not_count_beside_a_fresh_input(bench: Bench) -> None:
    bench.pair()
    held_back = bench.made(WALKING)
    bench.now_s += 0.5
    sample = bench.hear(held_back, bench.made(HandsetInput(0, IDLE.axes, True, 3.9)), after_s=0.0)
    assert sample.age_s < 0.01 and sample.dead_man
    assert not sample.buttons.any() and not sample.sticks.any()


def test_a_handset_whose_clock_runs_apart_stays_young(bench: Bench) -> None:
    bench.pair()
    begin_s = bench.now_s
    for _ in range(3000):
        bench.now_s += 1.0
        clock_us = int(1e6 * (begin_s + (bench.now_s - begin_s) * (1.0 - 1e-4))) & 0xFFFFFFFF
        frame = bench.hand.send(IDLE, clock_us + 4_294_900_000 & 0xFFFFFFFF)
        assert frame is not None
        assert bench.hear(frame, after_s=0.0).age_s < 0.01


def test_a_handset_that_restarts_gets_a_new_session(bench: Bench) -> None:
    bench.pair()
    bench.hand = HandsetEnd(KEY, 0x70, 78)
    bench.wait(0.5)
    bench.pair()
    assert bench.hear(bench.made(WALKING)).dead_man


def test_forged_frames_are_counted_and_beyond_ten_a_second_told(bench: Bench) -> None:
    bench.pair()
    for frame in forged(bench, 9):
        assert not bench.hear(frame, after_s=0.1).dead_man
    assert bench.handset.refused == 9 and bench.handset.troubles() == ()
    for frame in forged(bench, 40):
        bench.hear(frame, after_s=0.02)
    (trouble,) = bench.handset.troubles()
    assert "refused" in trouble.text and "E-stop" in trouble.text and not trouble.grave
    bench.wait(2.1)
    assert bench.handset.troubles() == ()


def test_a_flood_is_not_all_looked_at_but_counted_and_the_newest_is(bench: Bench) -> None:
    bench.pair()
    sample = bench.hear(*forged(bench, 30), bench.made(WALKING))
    assert sample.dead_man
    assert bench.handset.refused <= 8
    assert "refused" in bench.handset.troubles()[0].text


def test_a_flood_of_hellos_gets_few_answers(bench: Bench) -> None:
    for _ in range(200):
        bench.hear(bench.hand.hello(bench.clock_us), after_s=0.005)
    assert len(bench.heard()) <= 11
    assert "refused" in bench.handset.troubles()[0].text


def test_the_screen_is_filled_five_times_a_second(bench: Bench) -> None:
    bench.handset.show(HandsetScreen("READY", 0.72, 24.8, "The battery is low.", 1))
    bench.wait(1.0)
    assert bench.heard() == []  # nobody to show it to
    bench.pair()
    bench.heard()
    bench.wait(2.0)
    shown = [bench.hand.screen(frame) for frame in bench.heard()]
    assert 9 <= len(shown) <= 11
    assert shown[-1] is not None
    assert (shown[-1].mode, shown[-1].alarm) == ("READY", "The battery is low.")
    assert (shown[-1].severity, shown[-1].charge) == (1, 0.72)


def test_a_screen_with_figures_that_are_none_is_shown_all_the_same(bench: Bench) -> None:
    bench.handset.show(HandsetScreen("READY", math.nan, math.nan, "x" * 100, 99))
    bench.pair()
    bench.wait(0.5)
    shown = [screen for frame in bench.heard() if (screen := bench.hand.screen(frame))]
    assert shown and (shown[-1].charge, shown[-1].severity) == (0.0, 3)


def test_a_radio_that_is_unplugged_is_named(bench: Bench) -> None:
    bench.pair()
    bench.line.pull()
    bench.wait(0.3)
    assert "unplugged" in bench.handset.troubles()[0].text
    bench.line.plug()
    bench.wait(0.3)
    assert bench.hear(bench.made(WALKING)).dead_man  # its session was not lost


def test_noise_is_no_input(bench: Bench) -> None:
    bench.pair()
    draw = random.Random(5)
    for _ in range(300):
        sample = bench.handset.read(bench.now_s)
        bench.line.send(draw.randbytes(300))
        bench.now_s += 0.003
    assert is_let_go(sample) and sample.age_s > 0.25
