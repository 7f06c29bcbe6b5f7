"""The measures of a change of inertia, on matrices whose change is known."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lab.inertia.isotropy import centroidal_inertia, change_by_axis, distance, isotropy
from core.robot.model import load_whole
from core.robot.profile_file import load_profile

REFERENCE = np.array([[6.0, 0.0, 1.1], [0.0, 4.8, 0.1], [1.1, 0.1, 2.2]])
shares = st.floats(0.5, 2.0)


def test_nothing_has_changed_at_the_reference() -> None:
    assert abs(float(isotropy(REFERENCE, REFERENCE))) < 1e-40
    assert float(distance(REFERENCE, REFERENCE)) < 1e-14
    assert not change_by_axis(REFERENCE, REFERENCE).any()


@given(shares, shares)
def test_one_unchanged_axis_hides_the_others_from_the_isotropy_alone(x: float, y: float) -> None:
    changed = np.diag(np.array([x, y, 1.0]) * [6.0, 4.8, 2.2])
    reference = np.diag([6.0, 4.8, 2.2])
    assert abs(float(isotropy(changed, reference))) < 1e-15
    assert float(distance(changed, reference)) == pytest.approx(np.hypot(np.log(x), np.log(y)))
    assert change_by_axis(changed, reference) == pytest.approx([x - 1.0, y - 1.0, 0.0])


@given(shares)
def test_several_inertias_at_once_are_those_one_by_one(share: float) -> None:
    several = np.stack((share * REFERENCE, REFERENCE + share * np.eye(3)))
    assert isotropy(several, REFERENCE)[0] == pytest.approx((1.0 / share - 1.0) ** 3)
    assert distance(several, REFERENCE)[0] == pytest.approx(np.sqrt(3.0) * abs(np.log(share)))
    assert isotropy(several, REFERENCE)[1] == isotropy(several[1], REFERENCE)


@pytest.mark.parametrize("robot", ["draco3", "kid_cosmo"])
def test_the_place_and_the_attitude_of_the_base_do_not_matter(robot: str) -> None:
    profile = load_profile(robot)
    model = load_whole(profile)
    data = model.createData()
    here = pin.neutral(model)
    for name, angle in zip(profile.joint_names, profile.posture("crouch"), strict=True):
        here[model.joints[model.getJointId(name)].idx_q] = angle
    there = here.copy()
    there[:3] = 3.0, -2.0, 1.0
    there[3:7] = pin.Quaternion(pin.rpy.rpyToMatrix(0.2, -0.3, 2.0)).coeffs()
    inertia = centroidal_inertia(model, data, here)
    assert centroidal_inertia(model, data, there) == pytest.approx(inertia, abs=1e-12)
