"""What is drawn beside the robot is where the core says, and what is unknown is left out."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from app.picture import overlay
from app.picture.overlay import Drawing, Mark
from core.link.hello import Foot
from core.link.scene import Scene
from tests.app.console.rig import HELLO, STANDING

CONTACTS = [np.array([x, y, 0.0]) for y in (0.1, -0.1) for x in (-0.1, 0.1)]
TORSO = np.array([0.0, 0.0, 0.6])


def _marks(scene: Scene) -> dict[str, Mark]:
    return overlay.marks(scene, CONTACTS, TORSO)


def test_marks_are_where_the_core_says() -> None:
    scene = replace(STANDING, com=(0.1, 0.2, 0.7), capture_point=(0.3, -0.1))
    found = _marks(scene)
    assert found["com"].position == (0.1, 0.2, 0.7)
    assert found["plumb"].position[:2] == (0.1, 0.2)
    assert found["capture"].position[:2] == (0.3, -0.1)
    assert found["force2"].position == (-0.1, -0.1, 0.0)


def test_an_arrow_is_as_long_as_its_force() -> None:
    found = _marks(replace(STANDING, contact_forces=((0.0, 30.0, 40.0),) * 4))
    assert found["force0"].length == pytest.approx(50.0 / overlay.NEWTONS_PER_M)
    assert found["force0"].along == pytest.approx((0.0, 0.6, 0.8))


def test_no_force_no_arrow() -> None:
    found = _marks(replace(STANDING, contact_forces=((0.0, 0.0, 1.0),) * 4))
    assert not {"force0", "force1", "force2", "force3", "push"} & set(found)


def test_each_contact_point_has_an_arrow() -> None:
    scene = replace(STANDING, contact_forces=((0.0, 0.0, 20.0),) * 9)
    found = overlay.marks(scene, [*CONTACTS, *CONTACTS, TORSO], TORSO)
    assert sum(overlay.shape_of(name) == "force" for name in found) == 9


def test_a_push_is_seen_at_the_torso() -> None:
    found = _marks(replace(STANDING, external_force=(0.0, -60.0, 0.0)))
    assert found["push"].position == tuple(TORSO)
    assert found["push"].along == (0.0, -1.0, 0.0)


def test_what_is_not_known_is_left_out() -> None:
    unknown = (math.nan, 0.0, 0.0)
    found = _marks(replace(STANDING, com=unknown, external_force=unknown, base_position=unknown))
    assert not {"com", "plumb", "push", "shadow"} & set(found)
    assert "capture" in found


def test_an_empty_scene_has_no_marks_but_a_shadow() -> None:
    assert set(_marks(Scene(0.0))) == {"shadow"}


def test_every_mark_has_a_shape() -> None:
    full = replace(STANDING, external_force=(50.0, 0.0, 0.0))
    assert {overlay.shape_of(name) for name in _marks(full)} == set(overlay.shapes())


def test_a_hair_is_no_change() -> None:
    mark = Mark((0.0, 0.0, 0.0), length=0.2)
    assert mark.near(Mark((0.0, 0.0, 1e-4), length=0.2))
    assert not mark.near(Mark((0.0, 0.0, 1e-2), length=0.2))
    assert not mark.near(Mark((0.0, 0.0, 0.0), length=0.3))


def test_the_support_covers_its_corners() -> None:
    corners, colours = overlay.ground(STANDING, HELLO.feet)
    assert len(corners) == len(colours) > 0
    low, high = np.array(STANDING.support).min(axis=0), np.array(STANDING.support).max(axis=0)
    assert (corners[:, :2].min(axis=0) <= low[:2]).all()
    assert (corners[:, :2].max(axis=0) >= high[:2]).all()


def test_a_footstep_lies_where_the_foot_shall_land() -> None:
    without = overlay.ground(STANDING, HELLO.feet)[0]
    scene = replace(STANDING, footstep=(0.4, 0.1, 0.02), footstep_yaw=math.pi / 2, swing_side=0)
    step = overlay.ground(scene, HELLO.feet)[0][len(without) :]
    middle = (step.min(axis=0) + step.max(axis=0)) / 2.0
    assert middle[:2] == pytest.approx((0.4, 0.1), abs=0.01)
    extent = step.max(axis=0) - step.min(axis=0)
    assert extent[1] > 2.0 * extent[0]  # it points to the left


def test_a_footprint_has_the_size_of_its_sole() -> None:
    sole = Foot("sole", "leg", "sole", heel=-0.05, toe=0.15, half_width=0.04)
    outline = overlay.footprint(sole, 1.0, 0.0, 0.0, 0.0)
    assert outline.min(axis=0) == pytest.approx((0.95, -0.04, 0.0))
    assert outline.max(axis=0) == pytest.approx((1.15, 0.04, 0.0))


def test_a_broken_support_is_not_drawn() -> None:
    bad = replace(STANDING, support=((math.nan, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    assert len(overlay.ground(bad, HELLO.feet)[0]) == 0
    assert len(overlay.ground(replace(STANDING, support=()), HELLO.feet)[0]) == 0


def test_an_arrow_ends_at_its_tip() -> None:
    drawing = Drawing()
    drawing.arrow(np.zeros(3), np.array([0.0, 0.0, 0.5]), 0.02, (1.0, 0.0, 0.0, 1.0))
    corners, _ = drawing.done()
    assert corners[:, 2].max() == pytest.approx(0.5)
    assert np.abs(corners[:, :2]).max() < 0.04
