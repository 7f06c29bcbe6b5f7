"""The wrench of a sole: its cone, its forces at the corners, and how it acts."""

import daqp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.model import RobotModel
from core.plants.biped.whole_body.contacts import points_of
from core.plants.biped.whole_body.sole_contacts import SoleContacts, corner_forces, wrench_cone
from core.robot.profile_file import load_profile
from core.robot.state import State
from devices.interface import Floats

X, Y, MU = 0.08, 0.04, 0.35
CORNERS = np.array([(x, y, 0.0) for x in (-X, X) for y in (Y, -Y)])
shares = st.lists(st.floats(-1.0, 1.0), min_size=12, max_size=12)


def grasp() -> Floats:
    """Return the wrench about the middle by the forces at the corners (6, 12)."""
    blocks = []
    for x, y, z in CORNERS:
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        blocks.append(np.vstack((np.eye(3), cross)))
    return np.hstack(blocks)


def distance_to_cone(wrench: Floats) -> float:
    """Return how far a wrench is from all that the corners can exert, by another QP."""
    columns, rows = grasp(), []
    for corner in range(4):
        for axis in (0, 1):
            for sign in (1.0, -1.0):
                row = np.zeros(12)
                row[3 * corner + axis], row[3 * corner + 2] = sign, -MU
                rows.append(row)
    hessian = columns.T @ columns + 1e-9 * np.eye(12)
    bounds = np.zeros(len(rows))
    f, _, flag, _ = daqp.solve(
        hessian,
        -columns.T @ wrench,
        np.array(rows),
        bounds,
        np.full(len(rows), -1e30),
        np.zeros(len(rows), dtype=np.int32),
    )
    assert flag > 0
    return float(np.linalg.norm(columns @ f - wrench))


@given(shares)
def test_whatever_the_corners_exert_lies_in_the_cone(share: list[float]) -> None:
    forces = np.array(share).reshape(4, 3)
    forces[:, 2] = 100.0 * (1.0 + forces[:, 2])
    forces[:, :2] *= MU * forces[:, 2:]
    assert (wrench_cone(X, Y, MU) @ grasp() @ forces.reshape(-1)).max() <= 1e-9


@given(st.lists(st.floats(-1.2, 1.2), min_size=5, max_size=5))
def test_the_cone_is_no_wider_than_the_corners(part: list[float]) -> None:
    scale = np.array([MU, MU, Y, X, MU * (X + Y)])
    fx, fy, mx, my, mz = np.array(part) * scale
    wrench = np.array([fx, fy, 1.0, mx, my, mz])
    excess = float((wrench_cone(X, Y, MU) @ wrench).max())
    if excess < -1e-4:
        assert distance_to_cone(wrench) < 1e-4
    elif excess > 1e-3:
        assert distance_to_cone(wrench) > 1e-5


def test_the_corners_share_a_wrench() -> None:
    wrench = np.array([3.0, -2.0, 200.0, 4.0, -7.0, 1.5])
    np.testing.assert_allclose(grasp() @ corner_forces(CORNERS) @ wrench, wrench, atol=1e-12)


@pytest.fixture(scope="module")
def soles() -> tuple[RobotModel, SoleContacts, State]:
    profile = load_profile("draco3")
    model = RobotModel(profile)
    state, rng = State.upright(model.joint_count), np.random.default_rng(3)
    state.q[:] = profile.posture("crouch") + rng.normal(0.0, 0.1, model.joint_count)
    state.dq[:] = rng.normal(0.0, 1.0, model.joint_count)
    state.velocity_base_in_world[:] = (0.1, -0.2, 0.3)
    model.update(state)
    contacts = SoleContacts(profile, model)
    contacts.update()
    return model, contacts, state


def test_the_wrench_does_the_work_of_its_corners(
    soles: tuple[RobotModel, SoleContacts, State],
) -> None:
    model, contacts, _ = soles
    rng, foot = np.random.default_rng(1), load_profile("draco3").contacts[0]
    x = rng.normal(0.0, 50.0, 12 + model.joint_count + 6)
    forces = contacts.attach(x)
    contacts.read()
    for side in range(2):
        work = contacts.jacobians[side].T @ x[6 * side : 6 * side + 6]
        by_corners = np.zeros(model.joint_count + 6)
        for corner, force in zip(points_of(foot), forces[4 * side : 4 * side + 4], strict=True):
            lever = model.sole_rotations[side] @ corner
            jacobian = model.sole_jacobians[side]
            by_corners += jacobian[:3].T @ force + jacobian[3:].T @ np.cross(lever, force)
        np.testing.assert_allclose(work, by_corners, atol=1e-9)
        twist = contacts.jacobians[side] @ model.v
        np.testing.assert_allclose(contacts.velocities[side], twist, atol=1e-12)
