"""Every step does what its function does."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from shows.errors import ShowError
from shows.motion import Motion, mirror_motion
from shows.process import steps
from shows.process.amplitude import scale_amplitude
from shows.process.curves import Curve, Key
from shows.process.layer import layer
from shows.process.loop import loop
from shows.process.repair import repair
from shows.process.retime import retime, retime_between, retime_markers
from shows.process.reverse import reverse
from shows.process.slow import slow_to_limits
from shows.process.smooth import smooth
from shows.process.trim import trim
from tests.shows.examples import wave_motion
from tests.shows.process.examples import (
    JOINTS,
    Waves,
    check_no_velocity_step,
    refusal,
    waves,
)

WAVE = wave_motion()
NOD = wave_motion("nod", seconds=1.0)


def find(name: str) -> Motion:
    if name != "nod":
        raise ShowError(name, "motions", "does not exist", "name a motion of the show")
    return NOD


def perform(step: steps.Step, motion: Motion = WAVE) -> Motion:
    return steps.perform(step, motion, JOINTS, find)


def test_refuses_a_curve_of_a_joint_that_does_not_move_and_an_unknown_layer() -> None:
    error = refusal(lambda: perform(steps.Keys({"left_elbow": Curve((Key(0.0, 1.0),))})))
    assert error.place == "curve of left_elbow"
    assert refusal(lambda: perform(steps.Layer(motion="bow"))).file == "bow"


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (steps.Trim(0.2, 1.0), trim(WAVE, 0.2, 1.0)),
        (steps.Smooth(3.0), smooth(WAVE, 3.0)),
        (steps.Repair(lost=((0.5, 0.6),)), repair(WAVE, lost=((0.5, 0.6),))[0]),
        (steps.Mirror(), mirror_motion(WAVE, JOINTS)),
        (steps.Retime(1.5), retime(WAVE, 1.5)),
        (steps.RetimeBetween(((1.0, 1.2),)), retime_between(WAVE, [(1.0, 1.2)])),
        (steps.RetimeMarkers({"up": 0.6}), retime_markers(WAVE, {"up": 0.6})),
        (steps.SlowToLimits(), slow_to_limits(WAVE, JOINTS)),
        (steps.Loop(0.5), loop(WAVE, 0.5)),
        (
            steps.Layer(motion="nod", weight=0.5, mode="add", start_s=0.3, fade_in_s=0.2),
            layer(WAVE, NOD, 0.5, mode="add", start_s=0.3, fade_in_s=0.2),
        ),
        (steps.Reverse(), reverse(WAVE)),
        (steps.ScaleAmplitude(0.5, "first"), scale_amplitude(WAVE, 0.5, "first")),
    ],
)
def test_does_what_its_function_does(step: steps.Step, expected: Motion) -> None:
    result = perform(step)
    np.testing.assert_array_equal(result.positions, expected.positions)
    assert result.joint_names == expected.joint_names
    assert (result.markers, result.thumbnail_s) == (expected.markers, expected.thumbnail_s)


def test_keys_replace_their_joints_alone() -> None:
    curve = Curve((Key(0.0, 0.1), Key(2.0, 0.2, 0.0, 0.0)))
    result = perform(steps.Keys({"right_elbow": curve}))
    np.testing.assert_array_equal(result.positions[:, :2], WAVE.positions[:, :2])
    assert result.positions[50, 2] == pytest.approx(0.15)


@given(waves())
def test_mirrored_twice_is_the_same_and_has_no_velocity_step(source: Waves) -> None:
    motion = source.motion()
    twice = perform(steps.Mirror(), perform(steps.Mirror(), motion))
    np.testing.assert_array_equal(twice.positions, motion.positions)
    assert replace(twice, positions=motion.positions).joint_names == motion.joint_names
    check_no_velocity_step(lambda m: perform(steps.Mirror(), m), source, source.most(2))
