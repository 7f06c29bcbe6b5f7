"""Distances of hulls, by construction and on the robot."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.errors import ProfileError
from core.robot.collision import CollisionModel, hull, read_shapes
from core.robot.model import load_whole
from core.robot.profile import Collisions
from devices.interface import Floats
from tests.core.stage.robot import body, profile

CUBE = np.stack(np.meshgrid(*[(-0.5, 0.5)] * 3), axis=-1).reshape(-1, 3)
PAIR = Collisions(pairs=(("one", "other"),), may_touch=(("other", "one"),))


def at(x: float, roll: float = 0.0) -> Floats:
    placement = np.eye(4)
    placement[:3, :3] = pin.rpy.rpyToMatrix(roll, 0.0, 0.0)
    placement[0, 3] = x
    return placement


def cubes(rest_x: float = 3.0) -> CollisionModel:
    shapes = {name: [(hull(CUBE), np.eye(4))] for name in ("one", "other")}
    return CollisionModel(shapes, PAIR, {"one": at(0.0), "other": at(rest_x)})


@given(x=st.floats(0.7, 3.0), roll=st.floats(-3.0, 3.0))
def test_the_depth_of_two_cubes_is_their_overlap(x: float, roll: float) -> None:
    (contact,) = cubes().deepest([{"one": at(0.0, roll), "other": at(x, roll)}])
    assert contact.depth_m == pytest.approx(1.0 - x, abs=1e-5)
    assert contact.may_touch


def test_the_deepest_sample_counts_beyond_the_overlap_at_rest() -> None:
    samples = [{"one": at(0.0), "other": at(x)} for x in (2.0, 0.7, 0.95)]
    (contact,) = cubes(rest_x=0.9).deepest(samples)
    assert (contact.bodies, contact.sample) == (("one", "other"), 1)
    assert contact.depth_m == pytest.approx(0.2, abs=1e-5)


def test_a_flat_mesh_has_no_hull() -> None:
    with pytest.raises(ValueError, match="lie in a plane"):
        hull(CUBE * (1.0, 1.0, 0.0))


def upper(**degrees: float) -> Floats:
    q = np.array([body().rest_q[i] for i in body().upper.table_index])
    for name, angle in degrees.items():
        q[body().upper.index[name]] = np.deg2rad(angle)
    return q


def test_arms_at_rest_touch_nothing_and_an_arm_in_the_chest_does() -> None:
    dynamics, model = body().dynamics, body().collision
    assert model is not None
    assert all(c.depth_m < 0.005 for c in model.deepest([dynamics.placements(upper())]))
    inward = upper(left_shoulder_pitch=-40, left_shoulder_roll=35, left_elbow=100)
    touching = model.deepest([dynamics.placements(upper()), dynamics.placements(inward)])
    worst = max(touching, key=lambda contact: contact.depth_m)
    assert worst.depth_m > 0.01
    assert worst.sample == 1
    assert worst.bodies[1] == "torso"
    touchable = {contact.bodies for contact in touching if contact.may_touch}
    assert touchable == {("left_hand", "right_hand")}


def test_a_body_that_the_model_lacks_is_refused() -> None:
    wrong = replace(profile(), collisions=Collisions(pairs=(("torso", "tail"),)))
    with pytest.raises(ProfileError, match="no body 'tail' with a geometry"):
        read_shapes(wrong, load_whole(wrong))
