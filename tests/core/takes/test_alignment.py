"""The sound of a take begins with it, whatever the stamps, the dropouts and the device's clock."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.takes.alignment import Alignment
from devices.interface import HeardBlock
from shows.take_sound import RATE_HZ
from tests.core.takes.blocks import FRAMES, heard, tone
from tests.draws import share

ZERO_S = 100.0


def aligned(blocks: list[HeardBlock]) -> tuple[Alignment, npt.NDArray[np.float32]]:
    alignment = Alignment(ZERO_S)
    given_out = [*alignment.take(blocks), *alignment.flush()]
    sound = np.concatenate(given_out)
    assert len(sound) == alignment.frames
    return alignment, sound


def expected(count: int) -> npt.NDArray[np.float32]:
    return tone(ZERO_S + np.arange(count) / RATE_HZ)


@settings(max_examples=share(10))
@given(st.floats(-0.5, 0.5), st.lists(st.floats(-0.004, 0.010), max_size=60))
def test_single_stamps_may_be_wrong(offset_s: float, late_s: list[float]) -> None:
    errors = [late if number % 3 == 0 else 0.0 for number, late in enumerate(late_s)]
    _, sound = aligned(heard(ZERO_S + offset_s, 2.0, late_s=errors))
    first = max(0, round(offset_s * RATE_HZ)) + 1
    assert not sound[: max(0, first - 2)].any()  # silence until it was heard
    assert np.abs(sound - expected(len(sound)))[first:].max() < 0.12


def test_a_dropout_becomes_silence_of_its_length() -> None:
    lost = range(80, 90)
    alignment, sound = aligned(heard(ZERO_S, 2.0, lost))
    assert alignment.lost_s == pytest.approx(len(lost) * FRAMES / RATE_HZ)
    assert not sound[80 * FRAMES : 90 * FRAMES].any()
    wanted = expected(len(sound))
    for part in (slice(0, 80 * FRAMES), slice(90 * FRAMES, None)):
        assert np.abs(sound - wanted)[part].max() < 1e-5


def test_a_device_that_comes_back_goes_on_in_its_place() -> None:
    before, after = heard(ZERO_S, 0.5), heard(ZERO_S + 1.3, 0.5, stream=2)
    alignment, sound = aligned([*before, *after])
    assert alignment.lost_s == pytest.approx(0.8)
    start = round(1.3 * RATE_HZ)
    assert np.abs(sound - expected(len(sound)))[start + 5 :].max() < 0.01


@pytest.mark.parametrize("rate_hz", [47_950.0, 48_050.0])
def test_a_device_with_another_clock_is_bent_and_never_cut(rate_hz: float) -> None:
    alignment, sound = aligned(heard(ZERO_S, 20.0, rate_hz=rate_hz))
    assert alignment.lost_s == 0.0
    at = np.arange(RATE_HZ, len(sound) - RATE_HZ, 997)
    moment_s = ZERO_S + at / RATE_HZ
    near = np.array([tone(moment_s + shift) for shift in np.linspace(-0.004, 0.004, 81)])
    assert np.abs(near - sound[at]).min(axis=0).max() < 0.1  # within 4 ms everywhere
    step = np.abs(np.diff(sound[: RATE_HZ // 2])).max()
    assert step < 0.1  # no jump
