"""Whether the estimate believes itself: what cannot be true, and an IMU that comes loose."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.lab.laboratory import Laboratory
from core.lab.script import Script
from core.link.catalogue.faults import ESTIMATOR_DIVERGED_HOLD, FALLEN_DAMP
from core.plants.biped.sense.trust import is_believable
from core.run.launch import WalkOrder
from devices.interface import Bools, Floats, Sample

FLAT = (True, True, True, True)
LOOSE_S = 8.0  # when the IMU begins to turn
LOOSE_RATE, LOOSE_BY = 4.0, 15.0  # [°/s], [°]


def about(axis: str, degrees: float) -> Floats:
    """Return a rotation about the forward or the left axis (3, 3)."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if axis == "pitch":
        return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def judged(
    switches: tuple[bool, ...] = FLAT,
    pitch: tuple[float, float] = (0.0, 0.0),
    height: float = 0.0,
    gyro: float = 0.0,
    accel: float = 0.0,
) -> bool:
    """Judge soles that seem to be pitched [°], the right one higher by so much [m], and biases."""
    pressed: Bools = np.array(switches)
    soles = np.array([[0.0, 0.1, 0.0], [0.0, -0.1, height]])
    rotations = np.array([about("pitch", angle) for angle in pitch])
    biases = np.array([0.0, gyro, 0.0, 0.0, accel, 0.0])
    return is_believable(pressed, soles, rotations, biases)


def test_a_foot_that_is_flat_looks_flat() -> None:
    assert judged()
    for angle in (5.0, -5.0):
        assert judged(pitch=(angle, angle))  # a ramp
    for angle in (7.0, -7.0):
        assert not judged(pitch=(angle, 0.0))
        assert not judged(pitch=(0.0, angle))
        assert not judged((False, False, True, True), (0.0, angle))
        assert judged((False, True, True, True), (angle, 0.0))  # it rolls over its toe
        assert judged((True, False, False, False), (angle, angle))


def test_two_feet_on_one_ground_are_about_as_high() -> None:
    for height in (0.012, -0.012):
        assert judged(height=height)
    for height in (0.02, -0.02):
        assert not judged(height=height)
        assert judged((True, True, False, True), height=height)


@pytest.mark.parametrize(("gyro", "accel"), [(0.06, 0.0), (-0.06, 0.0), (0.0, 0.6), (0.0, -0.6)])
def test_biases_of_no_unit_in_order_are_not_believed(gyro: float, accel: float) -> None:
    assert judged(gyro=gyro / 2.0, accel=accel / 2.0)
    assert not judged(gyro=gyro, accel=accel)
    assert not judged((False,) * 4, gyro=gyro, accel=accel)
    assert not judged(gyro=math.nan)


def loosened(body: Any, axis: str) -> Any:
    """Let a simulated robot's IMU turn in its seat."""
    read = body.read

    def turned() -> Sample:
        sample: Sample = read()
        angle = min(max(sample.stamp_s - LOOSE_S, 0.0) * LOOSE_RATE, LOOSE_BY)
        rotation = about(axis, angle)
        gyro = rotation @ sample.gyro
        if 0.0 < angle < LOOSE_BY:
            gyro[1 if axis == "pitch" else 0] -= math.radians(LOOSE_RATE)
        return replace(sample, gyro=gyro, accel=rotation @ sample.accel)

    body.read = turned
    return body


@pytest.mark.long
@pytest.mark.parametrize(("axis", "walks"), [("pitch", False), ("pitch", True), ("roll", False)])
def test_an_imu_that_comes_loose_is_noticed_before_the_robot_falls(axis: str, walks: bool) -> None:
    lab = Laboratory()
    walk = [WalkOrder(vx=0.1, dur=9.0)] if walks else []
    body = loosened(lab.body(0), axis)
    done = lab.run(0, Script(9.0, walk), body=body, may_fall=True)
    told = [event.fields.get("fault") for event in done.listener.events]
    unsure = [i for i, fault in enumerate(told) if fault == ESTIMATOR_DIVERGED_HOLD()]
    fell = [i for i, fault in enumerate(told) if fault == FALLEN_DAMP()]
    assert unsure and (not fell or unsure[0] < fell[0]), told[-6:]
