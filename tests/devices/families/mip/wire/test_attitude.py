"""North-east-down becomes our world."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.mip.wire import attitude
from devices.interface import Floats

angles = st.floats(-math.pi, math.pi)
S = np.diag([1.0, -1.0, -1.0])


def _matrix_of_euler(roll: float, pitch: float, yaw: float) -> Floats:
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    product: Floats = about_z @ about_y @ about_x
    return product


def _matrix_of_quaternion(w: float, x: float, y: float, z: float) -> Floats:
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


@given(angles, st.floats(-1.5, 1.5), angles)
def test_euler_angles_turn_as_matrices_do(roll: float, pitch: float, yaw: float) -> None:
    ours = _matrix_of_euler(*attitude.turn_euler(roll, pitch, yaw))
    assert ours == pytest.approx(S @ _matrix_of_euler(roll, pitch, yaw) @ S, abs=1e-12)


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: math.hypot(*q) > 0.1))
def test_quaternions_turn_as_matrices_do(q: list[float]) -> None:
    unit = [value / math.hypot(*q) for value in q]
    ours = _matrix_of_quaternion(*attitude.turn_quaternion(*unit))
    assert ours == pytest.approx(S @ _matrix_of_quaternion(*unit) @ S, abs=1e-12)


def test_directions_that_anybody_can_check() -> None:
    # Level and at rest, the unit's accelerometer shows -1 g on its axis that points down.
    assert attitude.turn_vector(0.0, 0.0, -9.81) == (0.0, -0.0, 9.81)
    # Nose up is a positive pitch there and, with y to the left, a negative one here.
    assert attitude.turn_euler(0.0, 0.3, 0.0) == (0.0, -0.3, -0.0)
    # A turn to the right, east of north, is clockwise: a negative yaw here.
    assert attitude.turn_euler(0.0, 0.0, 0.5)[2] == -0.5


def test_there_and_back() -> None:
    assert attitude.turn_vector(*attitude.turn_vector(1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)
