"""The kernels of a row write each value into its field, for every kind of body."""

import numpy as np
import pytest

from core.record.row import measure_joints, write_joints, write_tick, write_truth
from core.record.schema import tick_dtype
from core.record.tape import Row
from core.records import record_of

JOINTS, LIMBS = 6, 5


def blank(simulated: bool) -> Row:
    return np.zeros(1, dtype=tick_dtype(JOINTS, LIMBS, simulated))


def numbers(start: float, count: int = JOINTS) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return start + np.arange(float(count))


@pytest.mark.parametrize("simulated", [False, True])
def test_a_tick_is_written_as_an_assignment_would(simulated: bool) -> None:
    row, expected = blank(simulated), blank(simulated)
    q, dq, q_wish, dq_wish, tau = (numbers(start) for start in (0.1, 10.1, 20.1, 30.1, 40.1))
    kp, kd, applied, stall = (numbers(start) for start in (1.3, 2.3, 50.1, 9.0))
    position, velocity, rpy, command = (numbers(start, 3) for start in (60.1, 70.1, 80.1, 90.1))
    base = np.zeros((7, 3))
    base[3], base[4], base[6] = position, velocity, rpy
    contact = np.array([True, False])
    states = np.arange(LIMBS, dtype=np.int8)
    winding_c = numbers(24.5)
    run = record_of(stall=stall, first_leg=2, last_leg=4, worst=np.zeros(4))
    write_joints(row, q, dq, applied, q_wish, dq_wish, tau, kp, kd, winding_c, run, 0)
    write_tick(row, base, contact, states, command, 12.25, 301.7, 4, 1, 17, 38.5, 0)
    for name, value in (
        ("t", 12.25),
        ("tick_cpu_us", 301.7),
        ("mode", 4),
        ("qp_status", 1),
        ("qp_iterations", 17),
        ("qp_time_us", 38.5),
        ("q", q),
        ("dq", dq),
        ("q_command", q_wish),
        ("tau_command", tau + kp * (q_wish - q) + kd * (dq_wish - dq)),
        ("tau_applied", applied),
        ("winding_c", winding_c),
        ("base_position_est", position),
        ("base_velocity_est", velocity),
        ("rpy_est", rpy),
        ("contact_est", contact),
        ("motion_state", states),
        ("velocity_command", command),
    ):
        expected[name][0] = value
    assert row.tobytes() == expected.tobytes()
    worst = run["worst"][0]
    assert worst[0] == 20.0 and worst[2] == (applied / stall).max()


def test_the_truth_is_written_as_an_assignment_would() -> None:
    row, expected = blank(True), blank(True)
    q, dq = numbers(0.3), numbers(7.3)
    vectors = [numbers(start, 3) for start in (1.1, 2.1, 3.1, 4.1, 5.1, 6.1)]
    position, velocity, rpy, com, com_velocity, push = vectors
    force = np.arange(12.0).reshape(4, 3)
    contacts = np.array([False, True, False, False])
    write_truth(row, q, dq, position, velocity, rpy, com, com_velocity, contacts, force, push, 0)
    for name, value in (
        ("q_true", q),
        ("dq_true", dq),
        ("base_position_true", position),
        ("base_velocity_true", velocity),
        ("rpy_true", rpy),
        ("com_true", com),
        ("com_velocity_true", com_velocity),
        ("contact_true", [1.0, 0.0]),
        ("contact_force_true", force.reshape(2, 2, 3)),
        ("external_force", push),
    ):
        expected[name][0] = value
    assert row.tobytes() == expected.tobytes()


def test_a_leg_that_lags_is_no_tracking_error_and_a_limp_joint_neither() -> None:
    zeros, ones = np.zeros(3), np.ones(3)
    worst = np.zeros(4)
    wish, kp = np.array([0.1, 0.5, 0.7]), np.array([1.0, 1.0, 0.0])
    measure_joints(zeros, wish, kp, zeros, ones, 1, 2, worst)
    assert worst.tolist() == [0.1, 0.0, 0.0, 0.0]
