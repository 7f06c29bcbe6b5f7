"""The camera obeys the hand, glides after the robot and does not follow nonsense."""

import math
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QPointF
from pytestqt.qtbot import QtBot

from app.console.stage.steering import Steering
from app.picture.camera import USUAL_HEIGHT_M, Preset


@pytest.fixture
def steering(qtbot: QtBot) -> Iterator[Steering]:
    owner = QObject()
    yield Steering(owner)


def test_a_drag_goes_round_and_makes_the_camera_free(steering: Steering, qtbot: QtBot) -> None:
    before = steering.camera
    with qtbot.waitSignal(steering.changed, timeout=100):
        steering.orbit(QPointF(50.0, 0.0))
    assert steering.preset is Preset.FREE
    assert steering.camera.yaw < before.yaw  # the robot turns with the hand
    assert steering.camera.distance == before.distance


def test_what_the_operator_made_is_kept(steering: Steering) -> None:
    steering.zoom(2.0)
    steering.pan(QPointF(10.0, 5.0), 400)
    made = steering.camera
    assert steering.follow(3.0, 1.0, 0.5) == made


def test_free_begins_where_the_last_eyes_were(steering: Steering) -> None:
    steering.choose(Preset.OPERATOR)
    operator = steering.follow(0.0, 0.0, 0.0)
    steering.choose(Preset.FREE)
    assert steering.follow(0.4, 0.0, 0.0) == operator


def test_it_glides_after_the_robot(steering: Steering) -> None:
    steering.choose(Preset.FOLLOW)
    first = steering.follow(0.5, 0.0, 0.0).target[0]
    assert 0.0 < first < 0.5
    for _ in range(40):
        last = steering.follow(0.5, 0.0, 0.0).target[0]
    assert last == pytest.approx(0.5, abs=0.02)
    assert steering.follow(0.5, 0.0, 0.0).target[0] == last  # and comes to rest


def test_it_jumps_after_a_robot_that_was_carried(steering: Steering) -> None:
    steering.choose(Preset.FOLLOW)
    assert steering.follow(5.0, 0.0, 0.0).target[0] == 5.0


def test_an_unknown_place_is_not_followed(steering: Steering) -> None:
    before = steering.follow(0.0, 0.0, 0.0)
    assert steering.follow(math.nan, 0.0, 0.0) == before


def test_the_presets_fit_the_robots_height(steering: Steering) -> None:
    usual = steering.follow(0.0, 0.0, 0.0)
    steering.fit(2.0 * USUAL_HEIGHT_M)
    tall = steering.follow(0.0, 0.0, 0.0)
    assert tall.distance == pytest.approx(2.0 * usual.distance)
    assert tall.target[2] == pytest.approx(2.0 * usual.target[2])
    steering.fit(0.0)  # nothing is drawn
    assert steering.follow(0.0, 0.0, 0.0) == usual
