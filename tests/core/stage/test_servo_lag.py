"""The lag of servos: none while they have the torque, and what is missing moves the joint."""

import numpy as np
import pytest

from core.robot.profile_file import load_profile
from core.stage.servo_lag import ServoLag
from devices.interface import Floats

PROFILE = load_profile("small_biped")
COUNT = 6
TICK_S = PROFILE.tick_s
STALL = PROFILE.actuator_column("stall_torque")[:COUNT]
FASTEST = PROFILE.no_load_speed()[:COUNT]
INERTIA, BASE = 0.02, 0.5  # of each joint alone, and of the base [kg·m²]
JOINT = 0


def mass_matrix(across: float = 0.0) -> Floats:
    """Return the inertia of joints that are coupled with the base only."""
    matrix = np.diag(np.concatenate((np.full(6, BASE), np.full(COUNT, INERTIA))))
    matrix[JOINT, 6 + JOINT] = matrix[6 + JOINT, JOINT] = across
    return matrix


def of_joint(value: float) -> Floats:
    values = np.zeros(COUNT)
    values[JOINT] = value
    return values


def lacking(share: float, ticks: int, flies: bool = False, across: float = 0.0) -> ServoLag:
    """Let a joint at rest lack a share of its stall torque for some ticks."""
    servos = ServoLag(PROFILE, COUNT)
    torque = of_joint((1.0 + share) * STALL[JOINT])
    for _ in range(ticks):
        servos.update(mass_matrix(across), torque, np.zeros(COUNT), flies)
    return servos


@pytest.mark.parametrize("share_of_speed", [-0.9, 0.0, 0.5, 0.9])
def test_a_servo_within_its_torque_speed_line_follows(share_of_speed: float) -> None:
    servos = ServoLag(PROFILE, COUNT)
    left = min(1.0, 1.0 - share_of_speed)
    for _ in range(50):
        torque, speed = of_joint(0.99 * left * STALL[JOINT]), of_joint(share_of_speed * FASTEST[0])
        servos.update(mass_matrix(), torque, speed, False)
    assert not servos.lag.any()


def test_a_faster_joint_has_less_torque() -> None:
    servos = ServoLag(PROFILE, COUNT)
    torque, speed = of_joint(0.5 * STALL[JOINT]), of_joint(0.8 * FASTEST[JOINT])
    for _ in range(10):
        servos.update(mass_matrix(), torque, speed, False)
    assert servos.lag[JOINT] > 1e-4 and not servos.lag[1:].any()
    braking = ServoLag(PROFILE, COUNT)
    for _ in range(10):
        braking.update(mass_matrix(), -torque, speed, False)
    assert not braking.lag.any()


def test_missing_torque_accelerates_the_lag_until_there_is_more_and_then_it_vanishes() -> None:
    ticks = 10
    servos = lacking(0.3, ticks)
    # A slower joint has more torque than it had as planned: somewhat less than ½ a t².
    free = 0.5 * 0.3 * STALL[JOINT] / INERTIA * (ticks * TICK_S) ** 2
    assert 0.5 * free < servos.lag[JOINT] < 1.15 * free
    for _ in range(300):
        servos.update(mass_matrix(), np.zeros(COUNT), np.zeros(COUNT), False)
    assert not servos.lag.any()


def test_in_a_flight_the_base_gives_way() -> None:
    across = 0.08
    stands, flies = lacking(0.1, 5, across=across), lacking(0.1, 5, flies=True, across=across)
    less = 1.0 - across**2 / (BASE * INERTIA)
    assert stands.lag[JOINT] / flies.lag[JOINT] == pytest.approx(less, rel=0.05)
