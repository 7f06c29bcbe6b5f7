"""The body beside the plan: it follows its limb, fades, gives its shift to a step, and is taken."""

import math

import numpy as np
import pytest

from core.plants.biped.walk.body import FORWARD, HEIGHT, LEFT, PITCH, ROLL, YAW
from core.plants.dynamics_filter.plan import sole_of
from core.plants.dynamics_filter.strider import Strider
from core.plants.runner.lead import BodyLead
from core.plants.runner.reference import BodyReference
from core.robot.profile_file import load_profile
from core.robot.state import State
from devices.interface import Floats
from shows.body_limb import ROLES

TICK_S = 0.001
POSTURE = {ROLL: 0.05, PITCH: 0.1, YAW: -0.15, HEIGHT: -0.02, LEFT: 0.02, FORWARD: -0.01}


def swings(now_s: float) -> Floats:
    """Return a limb that swings with another frequency in every coordinate (3, 6)."""
    rates = np.arange(2.0, 2.0 + len(ROLES))
    sine, cosine = 0.1 * np.sin(rates * now_s), 0.1 * np.cos(rates * now_s)
    return np.stack((sine, rates * cosine, -rates * rates * sine))


def test_the_limb_is_followed_exactly_and_fades_with_true_rates() -> None:
    lead, found = BodyLead(TICK_S), []
    for tick in range(6000):
        now_s = tick * TICK_S
        lead.follow(swings(now_s) if tick < 2500 else None)
        found.append(lead.motion.copy())
        if 2000 < tick < 2500:
            np.testing.assert_allclose(lead.motion, swings(now_s), atol=0.02)
    motion = np.array(found)
    acts = slice(10, 2490)
    rates = np.diff(motion[acts, 0], axis=0) / TICK_S
    assert np.abs(rates - motion[acts, 1][1:]).max() < 0.01
    assert np.abs(np.diff(motion[:, 0], axis=0)).max() < 2e-3  # without a jump
    assert not motion[-1].any() and not lead.active


def test_a_step_takes_the_shift_over_and_nothing_else() -> None:
    lead = BodyLead(TICK_S)
    limb = np.zeros((3, len(ROLES)))
    limb[0] = 0.03
    for _ in range(3000):
        lead.follow(limb)
    shift = lead.give_shift(0.5 * math.pi)
    np.testing.assert_allclose(shift[0], (-0.03, 0.03), atol=1e-5)
    lead.follow(None)
    assert not lead.give_shift(0.0).any()
    assert lead.motion[0, (ROLL, PITCH, YAW, HEIGHT)] == pytest.approx(0.03, abs=1e-4)


def test_the_reference_takes_the_posture_while_the_soles_stay() -> None:
    profile = load_profile("small_biped")
    runner, measured = profile.as_runner, State.upright(len(profile.joint_names))
    measured.q[:] = profile.posture("rest")
    reference = BodyReference(profile, runner.follow)
    strider = Strider(runner.strides, sole_of(profile))
    left, right, com = reference.start(measured)
    strider.start(0.0, left, right, com)
    upper = np.zeros((3, reference.model.upper_joints.size))
    upper[0] = measured.q[reference.model.upper_joints]
    posture, still = np.zeros((3, len(ROLES))), np.zeros(2)
    soles = reference.model.soles.copy()
    for tick in range(2500):
        for role, value in POSTURE.items():
            posture[0, role] = value * min(tick / 1000.0, 1.0)
        reference.update(strider.update(tick * TICK_S), upper, still, posture)
    axes = reference.state.base[:3]
    assert math.atan2(axes[1, 0], axes[0, 0]) == pytest.approx(POSTURE[YAW], abs=2e-3)
    assert math.asin(-axes[2, 0]) == pytest.approx(POSTURE[PITCH], abs=2e-3)
    assert math.atan2(axes[2, 1], axes[2, 2]) == pytest.approx(POSTURE[ROLL], abs=2e-3)
    moved = reference.model.com - strider.reference.com[0]
    wanted = [POSTURE[role] for role in (FORWARD, LEFT, HEIGHT)]
    assert moved == pytest.approx(np.array(wanted), abs=1e-3)
    assert np.abs(reference.model.soles - soles).max() < 1e-3
    assert reference.unsolved == 0
