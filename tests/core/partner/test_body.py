"""The body of a person: centre of mass, its rates through noise, and the feet that stand."""

import numpy as np
import pytest

from core.lab.measure.person import standing
from core.partner.body import Body, BodyTracker, centre_of_mass
from devices.interface import Floats
from shows.human import INDEX

RATE_HZ = 60.0


def moved(times_s: Floats, offsets: Floats) -> Floats:
    """Return a person who stands and is moved by offsets (k, 3)."""
    return standing(len(times_s))[0] + offsets[:, None, :]


def test_the_centre_of_mass_lies_in_the_trunk_above_the_feet() -> None:
    com = centre_of_mass(standing(1)[0])[0]
    assert 0.9 < com[2] < 1.1
    assert abs(com[1]) < 1e-9 and abs(com[0]) < 0.02


def test_its_rates_are_smooth_through_noise_and_in_the_robot_s_scale() -> None:
    random = np.random.default_rng(1)
    times_s = np.arange(120) / RATE_HZ
    omega = 2.0 * np.pi * 0.5
    sway = np.zeros((120, 3))
    sway[:, 1] = 0.06 * np.sin(omega * times_s)
    noisy = moved(times_s, sway) + 0.002 * random.standard_normal((120, 22, 3))
    tracker, found = BodyTracker(0.5), []
    for time_s, positions in zip(times_s, noisy, strict=True):
        body = tracker.follow(float(time_s), positions)
        if body is not None and time_s > 0.5:
            found.append(body)
    at = np.array([body.stamp_s for body in found])
    velocity = np.array([body.com_velocity[1] for body in found])
    assert np.abs(velocity - 0.5 * 0.06 * omega * np.cos(omega * at)).max() < 0.03
    pressure = np.array([body.com[1] - body.com_acceleration[1] / 3.6**2 for body in found])
    assert np.sqrt((np.diff(pressure) ** 2).mean()) < 0.01
    assert all(body.on == (True, True) for body in found)


def test_a_foot_lifts_and_lands_once() -> None:
    times_s = np.arange(240) / RATE_HZ
    postures = standing(240)[0]
    lift = 0.15 * np.clip(np.sin(np.pi * (times_s - 1.0) / 0.8), 0.0, None) * (times_s < 1.8)
    for bone in ("foot", "toe"):
        postures[:, INDEX[f"left_{bone}"], 2] += lift * (times_s > 1.0)
    tracker, changes, before = BodyTracker(1.0), [], (True, True)
    for time_s, positions in zip(times_s, postures, strict=True):
        body: Body | None = tracker.follow(float(time_s), positions)
        if body is not None and body.on != before:
            changes.append((body.stamp_s, body.on))
            before = body.on
    assert [on for _, on in changes] == [(False, True), (True, True)]
    assert changes[0][0] == pytest.approx(1.15, abs=0.15)
    assert changes[1][0] == pytest.approx(1.9, abs=0.2)


def test_a_sample_that_is_not_newer_is_left_out() -> None:
    tracker, posture = BodyTracker(1.0), standing(1)[0][0]
    for tick in range(10):
        tracker.follow(tick / RATE_HZ, posture)
    assert tracker.follow(8 / RATE_HZ, posture + 1.0) is None
    body = tracker.follow(11 / RATE_HZ, posture)
    assert body is not None
    assert np.abs(body.com_velocity).max() < 1e-9
