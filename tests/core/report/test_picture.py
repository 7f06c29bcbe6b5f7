"""The scene: its values from the state, and the support polygon."""

import math

import msgspec
import numpy as np
import pytest

from core.link import commands as m
from core.link.scene import Scene
from core.link.topics import SCENE
from core.plants.biped.plant import biped_of
from core.plants.biped.walk.reference import Phase
from core.report.picture import Picture
from core.safety.modes import Mode
from devices.interface import Support
from shows.body_limb import ROLES
from tests.core.plants.biped.test_support_polygon import turn
from tests.core.report.test_telemetry import truth
from tests.core.rig import STAND_BEND, Rig, profile


class Drawn:
    """A statue and pictures of it."""

    def __init__(self, support: Support = Support.FLOOR) -> None:
        self.rig = Rig(support)
        self.picture = Picture(self.rig.performer)

    def scene(self) -> Scene:
        return self.picture.scene(self.rig.now_s, self.rig.sample, None)


def standing() -> Drawn:
    drawn = Drawn()
    drawn.rig.tick()
    drawn.rig.tick(m.StandUp())
    drawn.rig.wait(0.01)
    drawn.rig.expect(Mode.READY)
    return drawn


# The scene


def test_who_stands_is_carried_by_both_feet() -> None:
    drawn = standing()
    scene, performer = drawn.scene(), drawn.rig.performer
    feet, model = performer.profile.contacts[0], biped_of(performer.plant).model
    assert scene.contact == (True, True)
    assert len(scene.support) == 4
    xs, ys = [p[0] for p in scene.support], [p[1] for p in scene.support]
    assert min(xs) == pytest.approx(min(model.soles[:, 0]) + feet.heel, abs=1e-3)
    assert max(xs) == pytest.approx(max(model.soles[:, 0]) + feet.toe, abs=1e-3)
    assert max(ys) > 0.05 > -0.05 > min(ys)
    assert all(turn(*(scene.support[(i + k) % 4] for k in range(3))) > 0.0 for i in range(4))
    np.testing.assert_allclose(scene.soles, model.soles)
    np.testing.assert_allclose(scene.com, model.com)
    assert min(xs) < scene.capture_point[0] < max(xs)
    assert scene.sole_yaws == pytest.approx((0.0, 0.0), abs=0.02)


def test_the_planned_forces_carry_the_weight() -> None:
    drawn = standing()
    drawn.rig.wait(0.05)
    forces = np.array(drawn.scene().contact_forces)
    assert forces.shape == (4, 3)
    assert forces[:, 2].sum() == pytest.approx(
        biped_of(drawn.rig.performer.plant).model.mass * 9.81, rel=0.1
    )


def test_the_capture_point_runs_ahead_of_a_moving_mass() -> None:
    drawn = standing()
    model = biped_of(drawn.rig.performer.plant).model
    model.com_velocity[:] = (0.3, -0.2, 0.0)
    scene = drawn.scene()
    height = scene.com[2] - min(sole[2] for sole in scene.soles)
    ahead_s = math.sqrt(height / 9.81)
    assert scene.capture_point[0] == pytest.approx(scene.com[0] + 0.3 * ahead_s)
    assert scene.capture_point[1] == pytest.approx(scene.com[1] - 0.2 * ahead_s)


def test_a_foot_without_weight_carries_nothing() -> None:
    drawn = standing()
    drawn.rig.performer.plant.state.contact[:] = (True, False)
    scene = drawn.scene()
    assert len(scene.support) == 2  # a foot is a line
    assert all(corner[1] > 0.0 for corner in scene.support)
    drawn.rig.performer.plant.state.contact[:] = False
    assert drawn.scene().support == ()


def test_the_reference_is_the_command_and_where_there_is_none_the_robot() -> None:
    drawn = standing()
    drawn.rig.sample.q[5] += 0.01
    drawn.rig.tick()
    scene = drawn.scene()
    assert scene.q == tuple(drawn.rig.sample.q.tolist())
    assert scene.q_reference == tuple(drawn.rig.performer.command.q.tolist())
    drawn.rig.tick(m.Stop())
    scene = drawn.scene()
    assert scene.q_reference == scene.q
    assert scene.contact_forces == ((0.0, 0.0, 0.0),) * 4


def test_the_body_is_shown_where_it_is_and_shall_be_while_it_balances() -> None:
    drawn = standing()
    drawn.rig.wait(2.0)
    at_rest = np.array(drawn.scene().body)
    motion = biped_of(drawn.rig.performer.plant).walker.body_motion
    motion[0, ROLES.index("pitch")] = 0.1
    assert drawn.scene().body_reference == tuple(motion[0].tolist())
    height = ROLES.index("height")
    drawn.rig.bend(STAND_BEND + 0.05)
    drawn.rig.wait(0.02)
    assert drawn.scene().body[height] < at_rest[height] - 0.005
    drawn.rig.tick(m.Stop())
    assert drawn.scene().body == drawn.scene().body_reference == ()


def test_who_is_seated_has_no_plan_for_feet() -> None:
    drawn = Drawn(Support.SEATED)
    drawn.rig.tick()
    drawn.rig.tick(m.StandUp())
    drawn.rig.wait(1.6)
    scene = drawn.scene()
    legs = slice(8, 18)
    assert scene.q_reference[legs] == scene.q[legs]
    assert scene.contact_forces == ((0.0, 0.0, 0.0),) * 4
    assert (scene.footstep, scene.swing_side) == (None, -1)


def test_a_step_shows_where_it_will_land_until_the_robot_is_stopped() -> None:
    drawn = standing()
    assert (drawn.scene().footstep, drawn.scene().swing_side) == (None, -1)
    walker = biped_of(drawn.rig.performer.plant).walker
    for _ in range(3000):
        drawn.rig.tick(m.Walk(vx=0.1))
        if walker.reference.swing_side >= 0:
            break
    assert walker.reference.phase is Phase.STEP
    drawn.rig.wait(0.05)
    scene = drawn.scene()
    assert scene.swing_side == walker.reference.swing_side
    assert scene.footstep is not None
    stance = scene.soles[1 - scene.swing_side]
    assert math.dist(scene.footstep, stance) < 0.5
    assert scene.footstep_yaw == pytest.approx(scene.sole_yaws[1 - scene.swing_side], abs=0.1)
    drawn.rig.tick(m.Stop())
    scene = drawn.scene()
    assert (scene.footstep, scene.swing_side) == (None, -1)


def test_velocity_is_in_the_heading_frame() -> None:
    drawn = standing()
    state = drawn.rig.performer.plant.state
    state.rpy[2] = 0.5 * math.pi
    state.velocity_base_in_world[:] = (0.1, 0.3, 0.0)
    state.rotation_base_to_world[:] = np.eye(3)
    state.angular_velocity_base_in_base[:] = (0.0, 0.0, 0.7)
    assert drawn.scene().velocity == pytest.approx((0.3, -0.1, 0.7))


def test_a_push_is_drawn_where_it_is_known() -> None:
    drawn = standing()
    assert drawn.scene().external_force == (0.0, 0.0, 0.0)
    scene = drawn.picture.scene(drawn.rig.now_s, drawn.rig.sample, truth())
    assert scene.external_force == (16.0, 17.0, 18.0)


def test_a_scene_crosses_the_link_whole() -> None:
    scene = standing().scene()
    data = msgspec.msgpack.encode(scene)
    assert len(data) < SCENE.max_bytes
    assert msgspec.msgpack.decode(data, type=Scene) == scene
    assert len(scene.q) == len(profile().joint_names)
