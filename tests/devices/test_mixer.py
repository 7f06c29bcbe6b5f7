"""The mixer: what sounds on which frame, by arithmetic alone."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.mixer import RATE_HZ, Ducking, FrameClock, Mixer, Sound

BLOCK = 480
START_S = 100.0


def settled_clock(origin_s: float = START_S) -> FrameClock:
    clock = FrameClock()
    for i in range(20):
        clock.add(i * BLOCK, origin_s + i * BLOCK / RATE_HZ)
    return clock


def played(mixer: Mixer, blocks: int, frame: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
    out = np.zeros((blocks * BLOCK, 2), dtype=np.float32)
    for i in range(blocks):
        mixer.fill(out[i * BLOCK : (i + 1) * BLOCK], frame + i * BLOCK)
    return out[:, 0]


UNIT = 1e-6  # of a ramp's samples, so that none is too loud


def ramp(
    frames: int, start_s: float, gain: float = 1.0, patience_s: float = 0.25, music: bool = False
) -> Sound:
    """Return a sound whose samples are numbered from 1."""
    numbers = UNIT * np.arange(1, frames + 1, dtype=np.float32)
    return Sound(np.stack([numbers, numbers], axis=1), start_s, gain, patience_s, music)


def numbered(mixer: Mixer, blocks: int, frame: int = 0) -> npt.NDArray[Any]:
    """Return which samples of ramps were played."""
    return played(mixer, blocks, frame).astype(np.float64) / UNIT


def steady(start_s: float, music: bool = False, seconds: float = 5.0, level: float = 1.0) -> Sound:
    samples = np.full((round(seconds * RATE_HZ), 2), level, dtype=np.float32)
    return Sound(samples, start_s, music=music)


def test_a_sound_starts_on_the_frame_of_its_time() -> None:
    mixer = Mixer(settled_clock())
    mixer.play(ramp(1000, START_S + 777 / RATE_HZ))
    got = numbered(mixer, 6)
    assert not got[:777].any()
    np.testing.assert_allclose(got[777:1777], np.arange(1, 1001), rtol=1e-5)
    assert not got[1777:].any()


def test_two_sounds_add_up_and_obey_their_volume() -> None:
    mixer = Mixer(settled_clock())
    mixer.play(ramp(1000, START_S, gain=0.5))
    mixer.play(ramp(1000, START_S + 10 / RATE_HZ, gain=0.25))
    got = numbered(mixer, 3)
    assert got[9] == pytest.approx(0.5 * 10)
    assert got[20] == pytest.approx(0.5 * 21 + 0.25 * 11)


def test_a_little_late_plays_the_whole_and_very_late_joins_in_time() -> None:
    mixer = Mixer(settled_clock())
    mixer.play(ramp(100, START_S - 0.1))
    assert numbered(mixer, 1)[0] == pytest.approx(1.0)
    for late_s, patience_s in ((1.0, 0.25), (0.1, 0.0)):
        mixer = Mixer(settled_clock())
        mixer.play(ramp(2 * RATE_HZ, START_S - late_s, patience_s=patience_s))
        assert numbered(mixer, 1)[0] == pytest.approx(late_s * RATE_HZ + 1)


def test_a_sound_that_is_over_by_now_is_not_heard() -> None:
    mixer = Mixer(settled_clock())
    mixer.play(ramp(100, START_S - 10.0))
    assert not played(mixer, 3).any()
    assert not played(mixer.continuation(settled_clock(START_S - 10.0)), 3).any()


def test_silence_fades_sounds_out_and_drops_waiting_ones() -> None:
    mixer = Mixer(settled_clock())
    mixer.play(steady(START_S))
    mixer.play(ramp(100, START_S + 0.5))
    played(mixer, 2)
    mixer.silence()
    got = played(mixer, 60, frame=2 * BLOCK)
    assert got[0] == 1.0
    assert np.abs(np.diff(got)).max() < 0.01
    assert not got[round(0.031 * RATE_HZ) :].any()
    mixer.play(ramp(100, START_S + 62 * BLOCK / RATE_HZ))
    assert numbered(mixer, 1, frame=62 * BLOCK)[0] == pytest.approx(1.0)


def test_the_clock_averages_noise_and_follows_a_jump() -> None:
    rng = np.random.default_rng(1)
    clock = FrameClock()
    for i in range(200):
        clock.add(i * BLOCK, 5.0 + i * BLOCK / RATE_HZ + rng.normal(0.0, 5e-4))
    assert abs(clock.time_of(0) - 5.0) < 2e-4
    for i in range(200, 230):
        clock.add(i * BLOCK, 6.0 + i * BLOCK / RATE_HZ)
    assert abs(clock.time_of(0) - 6.0) < 1e-9
    assert clock.frame_at(clock.time_of(12345)) == 12345


def test_nothing_starts_before_the_clock_is_trusted() -> None:
    clock = FrameClock()
    clock.add(0, START_S)
    mixer = Mixer(clock)
    mixer.play(ramp(100, START_S))
    assert not played(mixer, 2).any()


def test_a_late_thread_moves_nothing_and_a_stutter_does() -> None:
    clock = settled_clock()
    for i in range(20, 60):
        late_s = 0.1 if i % 4 else 0.0
        clock.add(i * BLOCK, START_S + late_s + i * BLOCK / RATE_HZ)
        assert abs(clock.time_of(0) - START_S) < 1e-9
    for i in range(60, 80):
        clock.add(i * BLOCK, START_S + 0.3 + i * BLOCK / RATE_HZ)
    assert clock.settled and abs(clock.time_of(0) - START_S - 0.3) < 1e-9


def test_after_a_stutter_the_sound_is_where_the_show_is() -> None:
    clock = settled_clock()
    mixer = Mixer(clock)
    mixer.play(ramp(2 * RATE_HZ, START_S))
    played(mixer, 10)
    for i in range(10, 30):  # from here on each frame sounds 0.3 s later than it should
        clock.add(i * BLOCK, START_S + 0.3 + i * BLOCK / RATE_HZ)
    expected = 30 * BLOCK + round(0.3 * RATE_HZ) + np.arange(1, 2 * BLOCK + 1)
    np.testing.assert_allclose(numbered(mixer, 2, frame=30 * BLOCK), expected, rtol=1e-5)


@pytest.mark.parametrize("off_s", [0.013, -0.013, 0.0199, 0.003])
def test_a_sound_that_is_a_little_off_is_brought_back_unheard(off_s: float) -> None:
    clock = settled_clock()
    mixer = Mixer(clock)
    mixer.play(ramp(8 * RATE_HZ, START_S))
    played(mixer, 1)
    for i in range(1, 80):  # frames sound so much later than was thought
        clock.add(i * BLOCK, START_S + off_s + i * BLOCK / RATE_HZ)
    blocks = round(5.0 * RATE_HZ / BLOCK)
    got = numbered(mixer, blocks, frame=BLOCK)
    in_time = BLOCK + np.arange(1, len(got) + 1) + round(off_s * RATE_HZ)
    assert np.abs(got[-BLOCK:] - in_time[-BLOCK:]).max() < 0.0025 * RATE_HZ
    assert np.abs(np.diff(got) - 1.0).max() < 0.05


def test_a_sound_that_is_brought_back_ends_whole() -> None:
    clock = settled_clock()
    mixer = Mixer(clock)
    mixer.play(ramp(10 * BLOCK + 7, START_S))
    played(mixer, 1)
    for i in range(1, 80):
        clock.add(i * BLOCK, START_S - 0.01 + i * BLOCK / RATE_HZ)
    got = numbered(mixer, 12, frame=BLOCK)
    last = int(np.argmax(got))
    assert got[last] == pytest.approx(10 * BLOCK + 7, abs=1.5) and not got[last + 1 :].any()


def test_a_sound_that_began_late_stays_late() -> None:
    mixer = Mixer(settled_clock())
    mixer.play(ramp(RATE_HZ, START_S - 0.2))
    np.testing.assert_allclose(numbered(mixer, 20), np.arange(1, 20 * BLOCK + 1), rtol=1e-5)


def test_another_stream_goes_on_where_the_show_is() -> None:
    mixer = Mixer(settled_clock(), volume=0.5)
    mixer.play(ramp(2 * RATE_HZ, START_S))
    mixer.play(steady(START_S + 1.5))
    played(mixer, 10)
    other = mixer.continuation(settled_clock(START_S + 1.0))
    expected = 0.5 * (RATE_HZ + np.arange(1, BLOCK + 1))
    np.testing.assert_allclose(numbered(other, 1), expected, rtol=1e-5)
    assert played(other, 60, frame=BLOCK)[-1] > 0.4


def test_a_fading_sound_does_not_continue_in_another_stream() -> None:
    mixer = Mixer(settled_clock())
    mixer.play(steady(START_S))
    played(mixer, 1)
    mixer.silence()
    played(mixer, 1, frame=BLOCK)
    assert not played(mixer.continuation(settled_clock()), 10).any()


# Volume


def test_the_volume_glides_from_one_to_another() -> None:
    mixer = Mixer(settled_clock())
    mixer.play(steady(START_S))
    assert played(mixer, 2)[-1] == 1.0
    mixer.volume = 0.25
    got = played(mixer, 4, frame=2 * BLOCK)
    assert np.abs(np.diff(got)).max() < 1.5 / (0.02 * RATE_HZ)
    assert got[0] > 0.99 and got[-1] == 0.25
    mixer.volume = 0.0
    assert played(mixer, 4, frame=6 * BLOCK)[-1] == 0.0
    mixer.volume = 1.0  # and what was muted went on meanwhile
    assert played(mixer, 4, frame=10 * BLOCK)[-1] == 1.0


def test_a_volume_that_was_set_in_silence_holds_from_the_first_sample() -> None:
    mixer = Mixer(settled_clock())
    mixer.volume = 0.5
    played(mixer, 10)
    mixer.play(steady(START_S + 10 * BLOCK / RATE_HZ))
    assert np.all(played(mixer, 2, frame=10 * BLOCK) == 0.5)


def test_too_much_is_cut_off_and_not_turned_over() -> None:
    mixer = Mixer(settled_clock())
    for _ in range(3):
        mixer.play(steady(START_S, level=-0.8))
    assert np.all(played(mixer, 2) == -1.0)


# Ducking


def ducked(starts_s: float, seconds: float, ducking: Ducking, blocks: int) -> npt.NDArray[Any]:
    """Return the music under one silent phrase."""
    mixer = Mixer(settled_clock())
    mixer.ducking = ducking
    mixer.play(steady(START_S, music=True, level=0.5))
    mixer.play(steady(START_S + starts_s, seconds=seconds, level=0.0))
    return played(mixer, blocks) / 0.5


def test_music_is_down_when_the_phrase_begins_and_comes_back_after_it() -> None:
    gain = ducked(0.5, 1.0, Ducking(20.0, 0.1, 0.5), 250)

    def at(time_s: float) -> float:
        return float(gain[round(time_s * RATE_HZ)])

    assert at(0.39) == 1.0 and at(0.5) == pytest.approx(0.1, rel=1e-3)
    assert at(0.45) == pytest.approx(10**-0.5, rel=0.01)  # the decibels fall evenly
    assert np.allclose(gain[round(0.5 * RATE_HZ) : round(1.5 * RATE_HZ)], 0.1, rtol=1e-3)
    assert at(1.75) == pytest.approx(10**-0.5, rel=0.01) and at(2.01) == pytest.approx(1.0)


def test_the_turns_of_ducking_are_on_their_frames_whatever_the_blocks() -> None:
    whole = ducked(0.3, 0.4, Ducking(12.0, 0.1, 0.2), 120)
    mixer = Mixer(settled_clock())
    mixer.ducking = Ducking(12.0, 0.1, 0.2)
    mixer.play(steady(START_S, music=True, level=0.5))
    mixer.play(steady(START_S + 0.3, seconds=0.4, level=0.0))
    out, frame = np.zeros((120 * BLOCK, 2), dtype=np.float32), 0
    sizes = np.random.default_rng(3).integers(1, 3000, 200)
    for size in sizes:
        mixer.fill(out[frame : frame + size], frame)
        frame = min(frame + int(size), len(out))
        if frame == len(out):
            break
    np.testing.assert_allclose(out[:, 0] / 0.5, whole, atol=2e-4)


def test_a_phrase_alone_is_as_it_was_and_music_alone_too() -> None:
    for music in (False, True):
        mixer = Mixer(settled_clock())
        mixer.play(steady(START_S, music))
        assert np.all(played(mixer, 20) == 1.0)


def test_a_stop_lets_the_music_of_the_next_cue_begin_at_its_volume() -> None:
    mixer = Mixer(settled_clock())
    mixer.ducking = Ducking(12.0, 0.1, 0.2)
    mixer.play(steady(START_S))
    played(mixer, 20)
    mixer.silence()
    played(mixer, 40, frame=20 * BLOCK)
    mixer.play(steady(START_S + 0.6, music=True))
    assert played(mixer, 2, frame=60 * BLOCK)[-1] == pytest.approx(1.0)


@given(
    amount_db=st.floats(0.0, 60.0),
    attack_s=st.floats(0.0, 10.0),
    release_s=st.floats(0.0, 10.0),
    starts_s=st.floats(-0.2, 0.5),
    seconds=st.floats(0.001, 1.0),
    blocks=st.integers(1, 100),
)
def test_music_stays_within_its_bounds(
    amount_db: float,
    attack_s: float,
    release_s: float,
    starts_s: float,
    seconds: float,
    blocks: int,
) -> None:
    gain = ducked(starts_s, seconds, Ducking(amount_db, attack_s, release_s), blocks)
    floor = 10.0 ** (-0.05 * amount_db)
    assert np.all((gain >= floor * 0.999) & (gain <= 1.0 + 1e-6))
    steps = np.abs(np.diff(20.0 * np.log10(gain)))
    least = min(max(attack_s, 1 / RATE_HZ), max(release_s, 1 / RATE_HZ))
    assert not len(steps) or steps.max() <= amount_db / (least * RATE_HZ) + 0.01


def test_a_sound_by_hand_replaces_one_and_leaves_the_others() -> None:
    mixer = Mixer(settled_clock())
    cue, first = steady(START_S), steady(START_S)
    first.by_hand = True
    for sound in (cue, first):
        sound.gain = 0.25
        mixer.play(sound)
    assert played(mixer, 2)[-1] == pytest.approx(0.5)
    second = steady(START_S)
    second.by_hand, second.gain = True, 0.5
    mixer.play(second)
    assert played(mixer, 60, frame=2 * BLOCK)[-1] == pytest.approx(0.75)
    mixer.silence(by_hand=False)
    assert played(mixer, 60, frame=62 * BLOCK)[-1] == pytest.approx(0.5)
    mixer.silence(by_hand=True)
    assert not played(mixer, 60, frame=122 * BLOCK)[-BLOCK:].any()
