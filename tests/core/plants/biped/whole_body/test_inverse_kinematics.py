"""The legs' inverse kinematics, against numpy and against where the soles really go."""

import math

import numpy as np
import pytest

from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body.inverse_kinematics import LegKinematics
from core.robot.state import State
from devices.interface import Floats
from tests.core.rig import STAND_BEND, bent, profile

LEGS = slice(8, 18)
LOADED_N = 40.0


def copy_of(state: State) -> State:
    """Return a state of its own with the same numbers."""
    copy = State.upright(state.q.size)
    copy.joints[:], copy.base[:] = state.joints, state.base
    return copy


class Stance:
    """A model, its state and a reference that asks for just what is the case."""

    def __init__(self, bend: float = STAND_BEND) -> None:
        self.model, self.state = RobotModel(profile()), State.upright(28)
        self.state.q[:] = bent(bend)
        self.update()
        self.legs = LegReference()
        self.forces = np.full((4, 3), 0.5 * LOADED_N)
        self.kinematics = LegKinematics(self.model, self.state, self.legs, self.forces)
        self.legs.height = float(self.model.com[2] - self.model.soles[0, 2])
        self.legs.ground_height = float(self.model.soles[0, 2])

    def update(self) -> None:
        self.model.update(self.state)

    def solve(self) -> None:
        self.kinematics.solve()

    def swing(self, side: int, position: Floats, yaw: float = 0.0) -> None:
        self.legs.swing_side, self.legs.stance_side = side, 1 - side
        self.legs.swing[0] = position
        self.legs.swing_turn[0] = yaw


def test_who_stands_as_asked_is_left_alone() -> None:
    stance = Stance()
    stance.solve()
    np.testing.assert_allclose(stance.kinematics.q.reshape(-1), stance.state.q[LEGS], atol=1e-9)
    np.testing.assert_allclose(stance.kinematics.dq, 0.0, atol=1e-9)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("way", [(0.12, 0.0, 0.05), (-0.1, 0.03, 0.02), (0.05, -0.02, 0.08)])
@pytest.mark.parametrize("yaw", [0.0, 0.15])
def test_a_swing_leg_comes_to_its_target(
    side: int, way: tuple[float, float, float], yaw: float
) -> None:
    stance = Stance()
    target = stance.model.soles[side] + np.array(way)
    stance.swing(side, target, yaw)
    for _ in range(200):
        stance.solve()
        stance.state.q[LEGS] = stance.kinematics.q.reshape(-1)
        stance.update()
    np.testing.assert_allclose(stance.model.soles[side], target, atol=2e-4)
    forward = stance.model.sole_rotations[side][:, 0]
    assert math.atan2(forward[1], forward[0]) == pytest.approx(yaw, abs=2e-3)
    assert forward[2] == pytest.approx(0.0, abs=2e-3)


def test_one_solution_never_asks_for_a_leap() -> None:
    stance = Stance()
    stance.swing(0, stance.model.soles[0] + np.array([1.0, 1.0, 1.0]))
    stance.solve()
    leap = np.abs(stance.kinematics.q.reshape(-1) - stance.state.q[LEGS])
    assert 0.1 < leap.max() < 0.2


@pytest.mark.parametrize("side", [0, 1])
def test_joint_velocities_give_the_sole_its_velocity(side: int) -> None:
    stance = Stance(0.6)
    state, desired = stance.state, np.array([0.3, -0.05, 0.2])
    state.velocity_base_in_world[:] = (0.1, 0.05, -0.02)
    state.angular_velocity_base_in_base[:] = (0.0, 0.1, 0.2)
    stance.swing(side, stance.model.soles[side])
    stance.legs.swing[1] = desired
    stance.legs.swing_turn[1] = 0.3
    stance.update()
    stance.solve()
    state.dq[LEGS] = stance.kinematics.dq.reshape(-1)
    # The sole's velocity by differences of its position: no Jacobian is asked.
    before, after, step = copy_of(state), copy_of(state), 1e-6
    for late, sign in ((before, -1.0), (after, 1.0)):
        late.q += sign * step * late.dq
        late.position_base_in_world += sign * step * late.velocity_base_in_world
        x, y, z = sign * step * late.angular_velocity_base_in_base
        late.rotation_base_to_world[:] = [[1, -z, y], [z, 1, -x], [-y, x, 1]]
    stance.model.update(before)
    place = stance.model.soles[side].copy()
    stance.model.update(after)
    velocity = (stance.model.soles[side] - place) / (2.0 * step)
    np.testing.assert_allclose(velocity, desired, atol=0.02)


@pytest.mark.parametrize("rise", [0.01, -0.03])
def test_standing_legs_bring_the_body_to_its_height(rise: float) -> None:
    stance = Stance()
    ground = stance.model.soles.copy()
    stance.legs.height += rise
    for _ in range(300):
        stance.solve()
        stance.state.q[LEGS] = stance.kinematics.q.reshape(-1)
        stance.update()
        # The feet stay on the ground, so the body is what moves.
        stance.state.position_base_in_world += (ground - stance.model.soles).mean(axis=0)
        stance.update()
    np.testing.assert_allclose(stance.model.soles, ground, atol=2e-3)
    height = stance.model.com[2] - stance.model.soles[:, 2].mean()
    assert height == pytest.approx(stance.legs.height, abs=1e-3)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_leg_moves_the_body_by_its_share_of_the_load(side: int, share: float) -> None:
    stance = Stance()
    stance.legs.torso_rpy[:] = (0.05, -0.08, 0.1)
    stance.legs.height += 0.01
    stance.solve()
    full = stance.kinematics.q - stance.state.q[LEGS].reshape(2, -1)
    assert np.abs(full).max(axis=1).min() > 0.02
    stance.legs.full_load[:] = LOADED_N
    stance.forces[2 * side : 2 * side + 2] = 0.5 * share * LOADED_N
    stance.solve()
    steps = stance.kinematics.q - stance.state.q[LEGS].reshape(2, -1)
    np.testing.assert_allclose(steps[1 - side], full[1 - side])
    np.testing.assert_allclose(steps[side], share * full[side], atol=1e-9)


@pytest.mark.parametrize("side", [0, 1])
def test_a_sole_without_load_stays_while_the_body_turns(side: int) -> None:
    stance = Stance(0.6)
    state = stance.state
    state.velocity_base_in_world[:] = (0.1, 0.05, -0.02)
    state.angular_velocity_base_in_base[:] = (0.1, 0.1, 0.2)
    stance.legs.torso_rpy[:] = (0.05, -0.08, 0.1)
    stance.legs.height_rate = 0.1
    stance.legs.full_load[side] = LOADED_N
    stance.forces[:] = 0.0
    stance.update()
    stance.solve()
    state.dq[LEGS] = stance.kinematics.dq.reshape(-1)
    stance.update()
    twist = stance.model.sole_velocities[side]
    np.testing.assert_allclose(twist[:3], 0.0, atol=0.01)
    assert twist[5] == pytest.approx(0.0, abs=0.02)


def test_a_mirrored_target_has_a_mirrored_solution() -> None:
    solutions = []
    for side, sign in ((0, 1.0), (1, -1.0)):
        stance = Stance()
        way = np.array([0.05, sign * 0.02, 0.04])
        stance.swing(side, stance.model.soles[side] + way, sign * 0.1)
        stance.solve()
        solutions.append(stance.kinematics.q[side].copy())
    np.testing.assert_allclose(solutions[0], solutions[1], atol=1e-9)
