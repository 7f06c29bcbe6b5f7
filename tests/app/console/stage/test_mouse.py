"""Beside the robot the mouse moves the camera; on it, it pulls, if that robot may be pulled at."""

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.stage.aim import Aim
from app.console.stage.floor import Floor
from app.console.stage.handles import Handle, Handles
from app.console.stage.mouse import Mouse
from app.console.stage.pen import Pen, floor_point
from app.console.stage.picture import Picture
from app.console.stage.pull import Pull
from app.console.stage.steering import Steering
from app.console.toolkit.name_line import NameLine
from app.picture.camera import Camera, Preset
from app.picture.robot_tree import base_pose
from core.link.commands import Push, ReleaseHead
from core.link.place import WalkTo
from shows.marks import Place
from tests.app.console.figures import tree
from tests.app.console.rig import HELLO, LineCore

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CORNER = QPointF(3.0, 3.0)


class Rig:
    def __init__(self, context: Context, qtbot: QtBot) -> None:
        self.parent, self.picture = QObject(), Picture()
        qtbot.addWidget(self.picture)
        self.picture.resize(600, 400)
        self.steering = Steering(self.parent)
        self.pull = Pull(context.link, self.parent)
        self.pull.take(tree())
        self.pen = Pen(self.parent)
        self.handles = Handles(self.parent)
        self.aim = Aim(context.link, self.parent)
        self.floor = Floor(context, self.aim, self.picture)
        self.mouse = Mouse(
            self.steering, self.pull, self.pen, self.aim, self.floor, self.handles, self.picture
        )
        self.steering.choose(Preset.OPERATOR)
        self.steering.follow(0.0, 0.0, 0.0)
        qtbot.waitUntil(lambda: context.link.scene is not None)

    def do(
        self,
        signal: str,
        place: QPointF,
        button: Qt.MouseButton = LEFT,
        keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    ) -> None:
        kind = QEvent.Type.MouseMove if signal == "moved" else QEvent.Type.MouseButtonPress
        event = QMouseEvent(kind, place, place, button, button, keys)
        getattr(self.picture, signal).emit(event)

    def body(self) -> QPointF:
        """Return where the robot's body is seen."""
        size = self.picture.size()
        for y in range(0, size.height(), 10):
            for x in range(0, size.width(), 10):
                place = QPointF(x, y)
                if self.pull.under(self.steering.camera, place, size) is not None:
                    return place
        raise AssertionError("the robot is not in the picture")


@pytest.fixture
def rig(context: Context, qtbot: QtBot) -> Rig:
    return Rig(context, qtbot)


@pytest.mark.parametrize("button", [LEFT, RIGHT])
def test_a_drag_beside_the_robot_moves_the_camera(rig: Rig, button: Qt.MouseButton) -> None:
    before = rig.steering.camera
    rig.do("moved", CORNER, Qt.MouseButton.NoButton)
    rig.do("pressed", CORNER, button)
    rig.do("moved", CORNER + QPointF(30.0, 10.0), button)
    assert rig.steering.camera != before
    assert rig.steering.preset is Preset.FREE and not rig.pull.active


def test_a_drag_on_the_body_pulls_and_tells_the_force_until_it_is_let_go(
    rig: Rig, core: LineCore, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, QPointF]] = []
    monkeypatch.setattr(rig.picture, "say_force", lambda *words: said.append(words))
    body, before = rig.body(), rig.steering.camera
    rig.do("pressed", body)
    rig.do("moved", body + QPointF(80.0, 0.0))
    assert rig.steering.camera == before
    assert said[-1][0].endswith(" N") and said[-1][1] == body + QPointF(80.0, 0.0)
    qtbot.waitUntil(lambda: any(isinstance(command, Push) for command in core.commands))
    rig.do("released", body)
    assert not rig.pull.active and said[-1][0] == ""


def test_the_pointer_is_a_hand_on_the_body_alone(rig: Rig, qtbot: QtBot) -> None:
    body, view = rig.body(), rig.picture

    def shape_at(place: QPointF) -> Qt.CursorShape:
        rig.do("moved", place, Qt.MouseButton.NoButton)
        return view.cursor().shape()

    qtbot.waitUntil(lambda: shape_at(body) is Qt.CursorShape.OpenHandCursor)
    qtbot.waitUntil(lambda: shape_at(CORNER) is Qt.CursorShape.ArrowCursor)


def test_a_handle_goes_before_the_pull_and_is_led_in_the_plane_of_the_picture(rig: Rig) -> None:
    moved: list[tuple[str, np.ndarray]] = []
    let_go: list[str] = []
    rig.handles.dragged.connect(lambda *what: moved.append(what))
    rig.handles.released.connect(let_go.append)
    place = np.array([0.1, 0.2, 0.4])
    rig.handles.stand(base_pose((0.0, 0.0, 0.6), (0.0, 0.0, 0.0)))
    rig.handles.show((Handle("hand", "hand", place),))
    camera, size = rig.steering.camera, rig.picture.size()
    (spot,) = rig.handles.spots(camera, size)
    rig.do("moved", spot.place, Qt.MouseButton.NoButton)
    assert rig.picture.cursor().shape() is Qt.CursorShape.PointingHandCursor
    rig.do("pressed", spot.place)
    rig.do("moved", spot.place)
    rig.do("moved", spot.place + QPointF(30.0, 0.0))
    assert not rig.pull.active and rig.steering.camera == camera
    assert moved[0][0] == "hand" and moved[0][1] == pytest.approx(place)
    way = moved[1][1] - place
    assert way @ camera.axes()[0] > 0.05 and way @ camera.axes()[2] == pytest.approx(0.0, abs=1e-9)
    rig.do("released", spot.place)
    assert let_go == ["hand"] and not rig.handles.active
    rig.handles.show(())
    rig.do("pressed", spot.place)
    assert not rig.handles.active


def test_a_handle_that_goes_is_let_go(rig: Rig) -> None:
    rig.handles.show((Handle("hand", "hand", np.array([0.0, 0.0, 0.7])),))
    (spot,) = rig.handles.spots(rig.steering.camera, rig.picture.size())
    rig.do("pressed", spot.place)
    held = rig.handles.active
    rig.handles.show(())
    assert (held, rig.handles.active) == (True, False)
    assert rig.handles.spots(rig.steering.camera, QSize(600, 400)) == ()


def test_a_real_robot_is_not_pulled_at(
    rig: Rig, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    body = rig.body()
    core.hello = replace(HELLO, simulated=False)
    qtbot.waitUntil(lambda: context.link.hello == core.hello)
    rig.do("pressed", body)
    assert not rig.pull.active


def test_a_press_that_waited_for_a_console_that_hung_does_not_pull(
    rig: Rig, context: Context
) -> None:
    body = rig.body()
    pulls: list[bool] = []
    for age_s in (2.0, 0.1):
        context.link.presses.note(age_s)
        rig.do("pressed", body)
        pulls.append(rig.pull.active)
    assert pulls == [False, True]


def test_a_pen_draws_on_the_floor_from_the_robots_place_seen_from_above(rig: Rig) -> None:
    drawn: list[tuple[tuple[float, float], ...]] = []
    rig.pen.drawn.connect(drawn.append)
    rig.steering.choose(Preset.TOP)
    rig.steering.follow(0.0, 0.0, 0.0)
    rig.do("pressed", rig.body())
    assert rig.pull.active or not rig.pen.points  # without the pen it is a pull
    rig.do("released", rig.body())
    rig.pen.take_up()
    middle = QPointF(300.0, 200.0)
    rig.do("pressed", middle)
    for step in range(1, 6):
        rig.do("moved", middle - QPointF(0.0, 20.0 * step))
    rig.do("released", middle)
    (points,) = drawn
    assert points[0] == (0.0, 0.0) and not rig.pull.active
    x, y = points[-1]
    assert x == pytest.approx(0.9, abs=0.15) and y == pytest.approx(0.0, abs=0.05)  # ahead is up
    assert not rig.pen.ready


def test_ctrl_and_a_drag_on_the_floor_lead_the_robot_there_in_the_frame_of_the_stage(
    rig: Rig, core: LineCore, context: Context, qtbot: QtBot
) -> None:
    core.status = replace(core.status, stage=(1.0, 2.0, 0.5))
    qtbot.waitUntil(lambda: context.link.status is not None and context.link.status.stage[0] == 1.0)
    control, camera, size = (
        Qt.KeyboardModifier.ControlModifier,
        rig.steering.camera,
        rig.picture.size(),
    )
    here, there = QPointF(420.0, 330.0), QPointF(480.0, 360.0)
    rig.do("pressed", CORNER, keys=control)
    assert not rig.aim.active, "above the horizon is no floor"
    rig.do("released", CORNER, keys=control)
    rig.do("pressed", here, keys=control)
    rig.do("moved", there, keys=control)
    assert rig.steering.camera == camera and len(rig.aim.path) > 2
    rig.do("released", there, keys=control)
    assert not rig.aim.active
    qtbot.waitUntil(lambda: any(isinstance(command, WalkTo) for command in core.commands))
    sent = next(command for command in core.commands if isinstance(command, WalkTo))
    spots = [floor_point(camera, spot, size) for spot in (here, there)]
    assert spots[0] is not None and spots[1] is not None
    found = rig.aim.in_world(Place(sent.x, sent.y, sent.heading))
    assert found[:2] == pytest.approx(spots[0], abs=1e-3)
    way = np.subtract(spots[1], spots[0])
    assert found.yaw == pytest.approx(np.arctan2(way[1], way[0]), abs=1e-3)


def pick(rig: Rig, menu: QMenu, word: str) -> None:
    """Click an entry of a menu that is open, by the mouse."""
    (action,) = [action for action in menu.actions() if action.text() == word]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


def test_the_foot_of_the_last_step_is_chosen_in_the_menu_and_kept(
    rig: Rig, core: LineCore, context: Context, qtbot: QtBot
) -> None:
    core.hello = replace(HELLO, chooses_foot=True, started_s=7.0)
    core.status = replace(core.status, started_s=7.0)
    qtbot.waitUntil(lambda: rig.aim.chooses_foot)
    rig.picture.show()
    camera, size, at = rig.steering.camera, rig.picture.size(), QPointF(420.0, 330.0)

    def open_menu() -> QMenu:
        menu = rig.floor.menu(camera, at, size)
        assert menu is not None
        menu.popup(rig.picture.mapToGlobal(at.toPoint()))
        qtbot.waitUntil(menu.isVisible)
        return menu

    def feet_of(menu: QMenu) -> QMenu:
        (feet,) = [found for found in menu.findChildren(QMenu) if "foot" in found.title()]
        return feet

    menu = open_menu()
    feet = feet_of(menu)
    assert [a.text() for a in feet.actions() if a.isChecked()] == ["either foot"]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(feet.menuAction()).center())
    qtbot.waitUntil(feet.isVisible)
    pick(rig, feet, "left foot")
    qtbot.waitUntil(lambda: rig.aim.foot == "left")
    menu.close()
    menu = open_menu()
    assert [a.text() for a in feet_of(menu).actions() if a.isChecked()] == ["left foot"]
    pick(rig, menu, "Walk here")
    qtbot.waitUntil(lambda: [walk.foot for walk in walks(core)] == ["left"])
    control = Qt.KeyboardModifier.ControlModifier
    rig.do("pressed", at, keys=control)
    rig.do("released", at, keys=control)
    qtbot.waitUntil(lambda: [walk.foot for walk in walks(core)] == ["left", "left"])
    core.hello = replace(HELLO, started_s=8.0)  # another robot, which does not choose
    core.status = replace(core.status, started_s=8.0)
    qtbot.waitUntil(lambda: not rig.aim.chooses_foot)
    menu = open_menu()
    feet = feet_of(menu)
    assert not feet.isEnabled() and "does not choose" in feet.title()
    pick(rig, menu, "Walk here")
    qtbot.waitUntil(lambda: [walk.foot for walk in walks(core)] == ["left", "left", "either"])


def walks(core: LineCore) -> list[WalkTo]:
    return [command for command in core.commands if isinstance(command, WalkTo)]


def floor_point_of(camera: Camera, at: QPointF, size: QSize) -> tuple[float, float]:
    point = floor_point(camera, at, size)
    assert point is not None
    return point


def test_the_menu_of_the_floor_puts_a_mark_and_walks_to_it(
    rig: Rig, core: LineCore, context: Context, qtbot: QtBot
) -> None:
    rig.picture.show()
    camera, size, at = rig.steering.camera, rig.picture.size(), QPointF(420.0, 330.0)
    assert rig.floor.menu(camera, CORNER, size) is None

    def choose(word: str) -> None:
        menu = rig.floor.menu(camera, at, size)
        assert menu is not None
        (action,) = [action for action in menu.actions() if action.text().startswith(word)]
        action.trigger()

    for title in ("2nd", "The Door"):  # the first is refused: it begins with a digit
        choose("Put a mark here")
        line = rig.picture.findChild(NameLine)
        assert isinstance(line, NameLine)
        line.setText(title)
        QTest.keyClick(line, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: rig.picture.findChild(NameLine) is None)
    assert list(context.document.show.settings.marks) == ["the_door"]
    (flag,) = rig.floor.flags(camera, size)
    assert flag.title == "the door" and (flag.place - at).manhattanLength() < 2.0
    choose("Walk to the door")
    qtbot.waitUntil(lambda: any(isinstance(command, WalkTo) for command in core.commands))
    assert next(c for c in core.commands if isinstance(c, WalkTo)).mark == "the_door"
    context.lock.set_locked(True)
    menu = rig.floor.menu(camera, at, size)
    assert menu is not None
    assert [a.text() for a in menu.actions() if not a.isEnabled() and a.text()] == [
        "Last foot of walks: this robot does not choose it", "Move it to the robot", "Rename…",
        "Remove",
    ]  # fmt: skip
    context.lock.set_locked(False)
    choose("Remove")
    assert not context.document.show.settings.marks
    core.status = replace(core.status, look=(*floor_point_of(camera, at, size), 0.0))
    qtbot.waitUntil(lambda: bool(rig.floor.flags(camera, size)))
    (held,) = rig.floor.flags(camera, size)
    assert held.point and held.wanted and not held.name
    choose("Keep it")
    line = rig.picture.findChild(NameLine)
    assert isinstance(line, NameLine)
    line.setText("Lamp")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: list(context.document.show.settings.points) == ["lamp"])
    choose("Look where the show says")
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseHead()])
