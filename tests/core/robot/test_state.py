"""The initial state: a robot that stands still at the origin."""

import numpy as np

from core.robot.state import State


def test_upright_is_still_and_level() -> None:
    state = State.upright(28)
    assert state.q.shape == state.dq.shape == (28,)
    np.testing.assert_array_equal(state.rotation_base_to_world, np.eye(3))
    for still in (state.q, state.dq, state.velocity_base_in_world, state.rpy):
        assert not still.any()
    assert state.contact.shape == (2,) and not state.contact.any()


def test_two_states_share_nothing() -> None:
    one, other = State.upright(3), State.upright(3)
    one.q[0] = 1.0
    one.rotation_base_to_world[0, 0] = 0.0
    assert other.q[0] == 0.0
    assert other.rotation_base_to_world[0, 0] == 1.0
