"""The person in the 3-D view stands before the robot, keeps its left, and goes when it is old."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.stage.person import Person
from app.console.stage.placing import before, covers
from app.picture.camera import AUDIENCE, TOP, Preset, placed
from assets.takes.scenes import takes
from core.link.client import Client
from core.link.message import Vector3
from core.link.partner import (
    CalibrationReport,
    Follow,
    FollowStatus,
    Human,
    PartnerReport,
)
from shows.human import BONES, INDEX, heading
from tests.app.console.rig import ROBOT, LineCore

PLACE = (0.5, -1.0, 0.7)
ABOVE = TOP

TAKES = {take.name: take for take in takes()}


def standing() -> tuple[Vector3, ...]:
    """Return a person who looks along x, at the origin."""
    joints = TAKES["t_pose"].normalised().positions[0]
    return tuple((x, y, z) for x, y, z in joints.tolist())


@pytest.fixture
def partner(core: LineCore) -> Iterator[Client]:
    with Client(core.endpoint, ROBOT, "partner") as found:
        yield found


@pytest.fixture
def person(context: Context, qtbot: QtBot) -> Iterator[Person]:
    window = QWidget()
    qtbot.addWidget(window)
    yield Person(context, window)


def show(client: Client, context: Context, stamp_s: float, qtbot: QtBot) -> None:
    human = Human(stamp_s, standing())
    with qtbot.waitSignal(context.link.human_changed):
        client.publish(human)


def test_it_faces_the_robot_and_its_left_stays_its_left() -> None:
    joints = np.array(before(PLACE, standing()))
    x, y, yaw = PLACE
    hips = joints[INDEX["hips"]]
    assert hips[:2] == pytest.approx((x + 2.0 * math.cos(yaw), y + 2.0 * math.sin(yaw)), abs=1e-6)
    turn = math.remainder(heading(joints) - yaw - math.pi, math.tau)
    assert abs(turn) < 1e-6
    left, right = joints[INDEX["left_hand"]], joints[INDEX["right_hand"]]
    to_robot = np.array([x, y]) - hips[:2]
    across = (left - right)[:2]
    assert to_robot[0] * across[1] - to_robot[1] * across[0] > 0.0  # left is left of the way ahead
    assert np.allclose(
        np.linalg.norm(joints[1:] - joints[0], axis=1),
        np.linalg.norm(np.array(standing())[1:] - standing()[0], axis=1),
    )


def test_it_stands_where_the_robot_was_when_it_was_calibrated_or_followed(
    person: Person, partner: Client, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    assert person.joints((0.0, 0.0, 0.0), ABOVE) == ()
    show(partner, context, 1.0, qtbot)
    assert person.joints(PLACE, ABOVE) == before((0.0, 0.0, 0.0), standing())
    with qtbot.waitSignal(context.link.partner_changed):
        partner.publish(PartnerReport(0.0, calibration=CalibrationReport("done")))
    show(partner, context, 2.0, qtbot)
    assert person.joints(PLACE, ABOVE) == before(PLACE, standing())
    assert person.joints((9.0, 9.0, 0.0), ABOVE) == before(PLACE, standing())
    core.set(follow=FollowStatus(1, Follow(), "followed"))
    link = context.link
    qtbot.waitUntil(lambda: link.status is not None and link.status.follow.number == 1)
    show(partner, context, 3.0, qtbot)
    assert person.joints((1.0, 0.0, 0.0), ABOVE) == before((1.0, 0.0, 0.0), standing())
    assert person.joints((math.nan, 0.0, 0.0), ABOVE) == before((1.0, 0.0, 0.0), standing())


def test_an_old_picture_is_taken_away(
    person: Person, partner: Client, context: Context, qtbot: QtBot
) -> None:
    show(partner, context, 1.0, qtbot)
    assert person.joints(PLACE, ABOVE) and person.shown and not person.outdated
    camera, size = placed(Preset.PAIR, AUDIENCE, *PLACE), QSize(640, 400)
    label = person.label(camera, size)
    assert label is not None and label.y() < 200
    for _ in range(8):  # the same picture again is no news
        partner.publish(Human(1.0, standing()))
        qtbot.wait(80)
    qtbot.waitUntil(lambda: person.outdated)
    assert person.joints(PLACE, ABOVE) == () and person.label(camera, size) is None


@pytest.mark.parametrize("size_m", [0.8, 1.3, 1.8])
def test_it_never_stands_between_the_eye_and_the_robot(size_m: float) -> None:
    start = (0.0, 0.0, 0.0)
    hips = before(start, standing())[0]
    hidden = {p for p in Preset if covers(placed(p, TOP, *start, size_m), hips, start)}
    assert hidden <= {Preset.AUDIENCE} and (hidden or size_m < 1.0)


def test_it_can_be_hidden_and_that_is_remembered(
    person: Person, partner: Client, context: Context, qtbot: QtBot
) -> None:
    show(partner, context, 1.0, qtbot)
    person.action.trigger()
    assert not context.preferences.value.show_person and person.joints(PLACE, ABOVE) == ()
    context.preferences.change(replace(context.preferences.value, show_person=True))
    assert person.action.isChecked() and person.joints(PLACE, ABOVE)


def test_joints_that_are_none_are_not_shown(
    person: Person, partner: Client, context: Context, qtbot: QtBot
) -> None:
    for stamp_s, joints in ((1.0, standing()[:-1]), (2.0, ((math.nan,) * 3,) * len(BONES))):
        with qtbot.waitSignal(context.link.human_changed):
            partner.publish(Human(stamp_s, joints))
        assert person.joints(PLACE, ABOVE) == ()


@pytest.mark.parametrize(("width", "height"), [(412, 330), (635, 240), (900, 600)])
def test_the_camera_for_both_shows_both(width: int, height: int) -> None:
    camera = placed(Preset.PAIR, AUDIENCE, *PLACE)
    x, y, _ = PLACE
    for point in (np.array([x, y, 0.0]), *np.array(before(PLACE, standing()))):
        pixel = camera.pixel(point, width, height)
        assert pixel is not None
        assert 0.0 <= pixel[0] <= width and 0.0 <= pixel[1] <= height
