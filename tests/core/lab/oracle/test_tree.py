"""The whole tree agrees with production, which eliminates the couplings."""

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from msgspec.structs import replace

from core.errors import ProfileError
from core.lab.oracle.constrained import eliminated_mass_matrix
from core.lab.oracle.tree import Tree
from core.plants.biped.sense.feet import FeetKinematics
from core.plants.biped.whole_body.contact_list import make_contacts
from core.robot.profile import Transmission
from core.robot.profile_file import load_profile
from tests.core.lab.oracle.robots import RATIO, near_standing, robot, with_ratio

SEEDS = range(5)


@pytest.fixture(params=("draco3", "kid_cosmo", "unequal"))
def name(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "unequal":
        monkeypatch.setenv("FOOTLIGHT_ROBOTS", str(tmp_path))
        return with_ratio(tmp_path)
    return str(request.param)


def test_dynamics_agree_with_production(name: str) -> None:
    profile, model, tree = robot(name)
    contacts = make_contacts(profile, model)
    for seed in SEEDS:
        state = near_standing(profile, seed)
        model.update(state)
        contacts.update()
        found = tree.at(state)
        mass = np.abs(eliminated_mass_matrix(found) - model.mass_matrix).max()
        assert mass <= 1e-12 * np.abs(model.mass_matrix).max()
        bias = np.abs(found.expansion.T @ found.bias - model.bias).max()
        assert bias <= 1e-12 * np.abs(model.bias).max()
        jacobians = np.vstack(list(contacts.jacobians))
        np.testing.assert_allclose(found.contact_jacobian @ found.expansion, jacobians, atol=1e-12)
        np.testing.assert_allclose(found.contact_drift, contacts.drifts.ravel(), atol=1e-11)
        assert np.abs(found.contact_drift).max() > 0.01
        assert np.abs(found.internal_jacobian @ found.expansion).max(initial=0.0) < 1e-15


def test_the_drift_of_the_soles_is_that_of_finite_differences(name: str) -> None:
    profile, model, _ = robot(name)
    state, step = near_standing(profile, 0), 1e-6
    model.update(state)
    q, v = model.q.copy(), model.v.copy()
    drifts = model.sole_drifts.copy()
    ends = []
    for time_s in (-step, step):
        moved = pin.integrate(model.pin_model, q, v * time_s)
        state.q[: model.joint_count] = moved[7:]
        state.position_base_in_world[:] = moved[:3]
        rotation = pin.Quaternion(moved[3:7]).toRotationMatrix()
        # The velocity in the base's axes is constant; that of the state is in the world's.
        state.velocity_base_in_world[:] = rotation @ v[:3]
        state.rotation_base_to_world[:] = rotation
        model.update(state)
        ends.append(model.sole_velocities.copy())
    np.testing.assert_allclose(drifts, (ends[1] - ends[0]) / (2.0 * step), atol=1e-6)


def test_the_soles_are_where_the_chains_of_the_legs_have_them(name: str) -> None:
    profile, model, tree = robot(name)
    state = near_standing(profile, 1)
    model.update(state)
    feet = FeetKinematics(model, profile)
    feet.update(state.q)
    soles = model.soles - state.position_base_in_world
    expected = soles @ state.rotation_base_to_world - model.imu_in_base
    np.testing.assert_allclose(feet.positions, expected, atol=1e-12)
    pin.framesForwardKinematics(tree.model, tree.data, tree.configuration(state))
    for sole, contact in zip(model.soles, profile.contacts, strict=True):
        placement = tree.data.oMf[tree.model.getFrameId(contact.frame)]
        np.testing.assert_allclose(sole, placement.translation, atol=1e-12)


def test_loads_at_the_grips_count() -> None:
    profile, model, tree = robot("draco3")
    state = near_standing(profile, 2)
    for loads in ((1.5, 0.5), (0.0, 0.0)):
        model.carry(loads)
        tree.carry(loads)
        model.update(state)
        error = eliminated_mass_matrix(tree.at(state)) - model.mass_matrix
        assert np.abs(error).max() <= 1e-12 * model.mass


def test_unequal_radii_follow_from_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOOTLIGHT_ROBOTS", str(tmp_path))
    tree = Tree(load_profile(with_ratio(tmp_path)))
    assert len(tree.couplings) == 2
    for row, one in zip(tree.internal_jacobian, tree.couplings, strict=True):
        assert row[tree.column(one.primary)] == 1.0
        assert row[tree.column(one.follower)] == -1.0 / RATIO
        assert np.count_nonzero(row) == 2


def test_a_motor_of_an_unknown_hinge_is_refused() -> None:
    profile = robot("draco3")[0]
    joint = profile.transmissions[0].joint
    motors = (Transmission(joint, {joint: 1.0, "spare": 1.0}),)
    changed = replace(profile, transmissions=motors)
    with pytest.raises(ProfileError, match="no hinge 'spare'"):
        Tree(changed)
