"""The play of a gear excites nothing, and a planned motion is followed without lag."""

import math

import numpy as np

from core.plants.biped.sense.joint_velocity import JointVelocity
from core.robot.state import State
from devices.interface import Floats
from devices.sim.deviant_actuators import transmit

DT = 0.001
RATE = 50.0
LATE_TICKS = 6  # command and sample together


def observer(state: State, planned: Floats, rate: float | None = RATE) -> JointVelocity:
    return JointVelocity(rate, planned, state, DT)


def held(rate: float | None) -> float:
    """Return the rms torque that holds a link of a leg against gravity, its gear with play.

    The controller asks the whole link for an acceleration, as a task of a swinging foot does.
    """
    inertia, armature, stiffness, damping, load = 0.12, 0.0068, 900.0, 60.0, 0.3
    state, planned = State.upright(1), np.zeros(1)
    velocity = observer(state, planned, rate)
    gears = np.array([[1.0], [0.05], [math.radians(0.2)], [armature]])
    place, dq, motor, applied = np.zeros((2, 1)), np.array([0.3]), np.zeros(1), np.zeros(1)
    late, torques, q = [0.0] * LATE_TICKS, [], 0.0
    for _ in range(2000):
        state.dq[:] = place[1]
        velocity.update(True)
        planned[:] = -damping * state.dq - stiffness * (q + place[0])
        late.append(inertia * float(planned[0]) + load)
        motor[0] = applied[0] = late.pop(0) - 0.8 * place[1, 0]
        torques.append(float(motor[0]) - load)
        transmit(dq, motor, applied, np.array([0.8]), np.array([20.0]), DT, gears, place)
        dq += DT * (applied - load) / (inertia + armature)
        q += DT * float(dq[0])
    return float(np.std(torques[1000:]))


def test_a_motor_in_its_play_is_not_thrown_to_and_fro() -> None:
    assert held(None) > 3.0  # [N·m]: else this shows nothing
    assert held(RATE) < 0.1


def test_a_planned_motion_is_followed_without_lag_and_another_one_soon() -> None:
    state, planned = State.upright(2), np.array([20.0, 0.0])
    velocity = observer(state, planned)
    velocity.update(False)
    for tick in range(1, 101):
        state.dq[:] = 20.0 * DT * tick
        velocity.update(True)
    expected, unexpected = state.dq.tolist()
    assert abs(expected - 2.0) < 1e-9
    assert abs(unexpected - (2.0 - 20.0 / RATE)) < 0.01


def test_what_is_not_finite_is_forgotten_and_no_plan_means_the_measured_velocity() -> None:
    state, planned = State.upright(1), np.array([math.nan])
    velocity = observer(state, planned)
    for measured, follows, low, high in (
        (0.0, True, 0.0, 0.0),
        (1.0, True, 0.04, 0.06),
        (math.nan, True, math.nan, math.nan),
        (1.0, True, 1.0, 1.0),
        (3.0, False, 3.0, 3.0),
    ):
        state.dq[0] = measured
        velocity.update(follows)
        found = float(state.dq[0])
        assert math.isnan(found) if math.isnan(low) else low <= found <= high
