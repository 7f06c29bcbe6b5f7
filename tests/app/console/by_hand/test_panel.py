"""By hand: what may not be done is disabled with its reason; whatever goes, lets go."""

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QSlider, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.console.by_hand.panel import ByHandPanel
from app.console.context.context import Context
from core.link.body import LeadBody, ReleaseBody
from core.link.commands import EndSway, Head, ReleaseHead, StartJump, StartSway, Walk
from core.link.event import Event
from core.link.place import HoldPoint
from shows.gaits import GaitRange
from shows.joints import SwayRange
from tests.app.console.by_hand.body import give_body, limb, wait_until_led
from tests.app.console.rig import HELLO, LineCore
from tests.core.tick.gaits import GAITS

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: Context, qtbot: QtBot) -> Iterator[ByHandPanel]:
    found = ByHandPanel(context)
    qtbot.addWidget(found)
    found.resize(420, 640)
    with qtbot.waitExposed(found):
        found.show()
    found.activateWindow()
    qtbot.waitUntil(found.isActiveWindow)
    yield found
    found.close_controllers()


def named(panel: ByHandPanel, name: str) -> QWidget:
    return next(w for w in panel.findChildren(QWidget) if w.accessibleName() == name)


def text(panel: ByHandPanel, name: str) -> str:
    return str(named(panel, name).property("text"))


def walk_holder(panel: ByHandPanel) -> str:
    return panel.walk.holder


def hold_walk(panel: ByHandPanel, core: LineCore, qtbot: QtBot) -> None:
    pad = panel.walk_part.pad
    pad.setFocus()
    QTest.mousePress(pad, LEFT, pos=QPoint(pad.rect().center().x(), 1))
    qtbot.waitUntil(lambda: any(isinstance(c, Walk) and c.vx for c in core.commands))


def test_a_robot_that_does_not_stand_disables_both_and_says_why(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    qtbot.waitUntil(panel.walk_part.pad.isEnabled)
    core.set(mode="DAMPED")
    qtbot.waitUntil(
        lambda: not panel.head_part.pad.isEnabled() and not panel.walk_part.pad.isEnabled()
    )
    assert "STAND UP first" in text(panel, "State of the head or body")
    assert "STAND UP first" in text(panel, "State of the walk")


def test_in_a_show_the_head_may_be_turned_but_nothing_walked(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(mode="PERFORM", motion_states=("ACTION", *("REST",) * 4))
    qtbot.waitUntil(lambda: not panel.walk_part.pad.isEnabled())
    assert panel.head_part.pad.isEnabled()
    assert "HOLD ends it" in text(panel, "State of the walk")
    assert "plays a gesture" in text(panel, "State of the head or body")


def test_a_lost_core_disables_everything_that_asks_it(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(motion_states=("JOYSTICK", *("REST",) * 4))
    release = named(panel, "Head back to the show")
    qtbot.waitUntil(release.isEnabled)
    core.stop()
    qtbot.waitUntil(lambda: not panel.head_part.pad.isEnabled())
    assert not panel.walk_part.pad.isEnabled() and not release.isEnabled()
    assert "core is not there" in text(panel, "State of the walk")


def test_another_program_in_front_stands_at_once(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    hold_walk(panel, core, qtbot)
    panel.take_application_state(Qt.ApplicationState.ApplicationInactive)
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])
    QTest.mouseMove(panel.walk_part.pad, QPoint(40, 40))
    qtbot.wait(120)
    assert core.commands[-1:] == [Walk()]


def test_a_walk_by_the_controller_ends_with_another_program_in_front(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    panel.gamepad.buttons = frozenset({"r1"})
    panel.gamepad.pressed.emit("r1")
    assert panel.walk.holder == "controller"
    panel.take_application_state(Qt.ApplicationState.ApplicationInactive)
    assert walk_holder(panel) == ""
    panel.gamepad.pressed.emit("r1")
    assert walk_holder(panel) == ""
    panel.gamepad.name = "Pad"
    panel.take_application_state(Qt.ApplicationState.ApplicationInactive)
    assert "another program is in front" in text(panel, "State of the walk")
    assert "another program is in front" in text(panel, "State of the head or body")
    panel.take_application_state(Qt.ApplicationState.ApplicationActive)
    assert walk_holder(panel) == "" and "another program" not in text(panel, "State of the walk")
    panel.gamepad.pressed.emit("r1")
    assert walk_holder(panel) == "controller"


def test_a_panel_that_is_hidden_lets_go(panel: ByHandPanel, core: LineCore, qtbot: QtBot) -> None:
    hold_walk(panel, core, qtbot)
    panel.hide()
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])


def test_figures_show_what_is_asked_commanded_and_measured(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(velocity_command=(0.1, 0.0, -0.2))
    core.scene = msgspec.structs.replace(core.scene, velocity=(0.08, 0.01, -0.15))
    qtbot.waitUntil(lambda: panel.walk_part.figures.texts()[0] == ["–", "+0.10", "+0.08"])
    hold_walk(panel, core, qtbot)
    qtbot.waitUntil(lambda: panel.walk_part.figures.texts()[0][0] == "+0.12")
    assert panel.walk_part.figures.texts()[2] == ["0°", "-11°", "-9°"]


def test_the_head_is_given_back_by_its_button(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    release, spring = named(panel, "Head back to the show"), named(panel, "Spring back")
    assert isinstance(spring, QAbstractButton)
    spring.click()
    core.set(motion_states=("JOYSTICK", *("REST",) * 4))
    qtbot.waitUntil(release.isEnabled)
    QTest.mouseClick(panel.head_part.pad, LEFT, pos=QPoint(1, 1))
    qtbot.waitUntil(lambda: Head(1.57, -0.52) in core.commands)
    qtbot.wait(60)
    assert ReleaseHead() not in core.commands
    QTest.mouseClick(release, LEFT)
    qtbot.waitUntil(lambda: ReleaseHead() in core.commands)


def test_a_button_holds_the_point_and_shows_what_the_core_says(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    qtbot.waitUntil(panel.head_part.point.isEnabled)
    QTest.mouseClick(panel.head_part.point, LEFT)
    qtbot.waitUntil(lambda: core.commands[-1:] == [HoldPoint()])
    core.set(look=(2.0, 0.0, 1.0))
    qtbot.waitUntil(panel.head_part.point.isChecked)
    assert "holds a point" in text(panel, "State of the head or body")
    QTest.mouseClick(panel.head_part.point, LEFT)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseHead()])
    core.set(look=None)
    qtbot.waitUntil(lambda: not panel.head_part.point.isChecked())


def test_the_speed_share_is_a_preference(panel: ByHandPanel, context: Context) -> None:
    slider = named(panel, "Speed share")
    assert isinstance(slider, QSlider)
    slider.setValue(80)
    assert context.preferences.value.walk_speed_share == 0.8
    context.preferences.change(
        msgspec.structs.replace(context.preferences.value, walk_speed_share=0.3)
    )
    assert slider.value() == 30


def test_a_controller_that_comes_and_goes_is_told(
    panel: ByHandPanel, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    said: list[Event] = []
    context.notices.said.connect(said.append)
    panel.gamepad.name = "Pad"
    panel.gamepad.plugged.emit("Pad")
    assert "Pad" in text(panel, "Game controller")
    assert named(panel, "Centre the sticks").isEnabled()
    panel.gamepad.name = ""
    panel.gamepad.pulled.emit("Pad")
    assert "No game controller" in text(panel, "Game controller")
    panel.gamepad.trouble.emit("it is broken")
    assert [event.severity for event in said] == ["info", "warning", "warning"]


def test_favourites_of_the_controller_are_passed_on(panel: ByHandPanel) -> None:
    asked: list[int] = []
    panel.favourite_asked.connect(asked.append)
    panel.gamepad.pressed.emit("down")
    assert asked == [2]


def test_the_layout_is_shown_on_demand_and_fits_a_narrow_dock(
    panel: ByHandPanel, qtbot: QtBot
) -> None:
    button = named(panel, "Layout of the controller")
    assert isinstance(button, QAbstractButton)
    assert not named(panel, "Layout of the game controller").isVisible()
    button.click()
    picture = named(panel, "Layout of the game controller")
    assert picture.isVisible()
    assert picture.mapTo(panel, picture.rect().topRight()).x() < 420


def test_everything_that_can_be_pressed_is_named_and_explained(panel: ByHandPanel) -> None:
    for button in panel.findChildren(QAbstractButton):
        if isinstance(button.parent(), QTabBar):
            continue  # Qt's own buttons to scroll, which are never shown
        assert button.accessibleName() and button.toolTip(), button.text()


def test_a_robot_with_a_range_sways_by_hand_within_it(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    assert panel.sway.isHidden() and core.hello is not None
    core.hello = msgspec.structs.replace(
        core.hello, sway_range=SwayRange(0.05, 0.0, 0.08, 0.25), started_s=9.0
    )
    core.set(started_s=9.0)
    qtbot.waitUntil(panel.sway.button.isEnabled)
    qtbot.waitUntil(panel.sway.isVisible)
    directions = [panel.sway.direction.itemData(i) for i in range(panel.sway.direction.count())]
    assert directions == ["left", "up"]
    panel.sway.amplitude.setValue(50.0)
    panel.sway.frequency.setValue(9.0)
    QTest.mouseClick(panel.sway.button, LEFT)
    qtbot.waitUntil(lambda: StartSway("left", 0.05, 0.25) in core.commands)
    core.set(sways=True)
    qtbot.waitUntil(lambda: panel.sway.button.text() == "End")
    QTest.mouseClick(panel.sway.button, LEFT)
    qtbot.waitUntil(lambda: EndSway() in core.commands)


def test_the_fields_of_a_jump_offer_nothing_beyond_a_range_of_many_decimals(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    assert core.hello is not None and GAITS.jump is not None
    limits = msgspec.structs.replace(
        GAITS.jump, flight_s=0.047, forward=0.0568, sideways=0.0267, turn=0.139
    )
    gaits = msgspec.structs.replace(GAITS, jump=limits)
    core.hello = msgspec.structs.replace(core.hello, gaits=gaits, started_s=8.0)
    core.set(started_s=8.0)
    qtbot.waitUntil(panel.jump.isVisible)
    for box in (panel.jump.flight, panel.jump.forward, panel.jump.left, panel.jump.turn):
        box.setValue(90.0)
    jump = panel.jump.command
    assert (jump.flight_s, jump.dx, jump.dy) == (0.04, 0.048, 0.026)  # way by flight
    assert not list(limits.faults(jump))


def test_a_robot_that_runs_and_jumps_does_so_by_hand_within_its_range(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    assert panel.jump.isHidden() and not panel.runs.isVisible()
    assert core.hello is not None
    refused = GaitRange(refused={"run": "its legs are too slow"})
    core.hello = msgspec.structs.replace(core.hello, gaits=refused, started_s=8.0)
    core.set(started_s=8.0)
    qtbot.waitUntil(panel.runs.isVisible)
    assert not panel.runs.isEnabled() and panel.runs.toolTip() == "its legs are too slow"
    core.hello = msgspec.structs.replace(core.hello, gaits=GAITS, started_s=9.0)
    core.set(started_s=9.0)
    qtbot.waitUntil(lambda: panel.runs.isEnabled() and panel.jump.button.isEnabled())
    jump = panel.jump
    more = named(panel, "Flight, way and turn of jumps")
    assert isinstance(more, QAbstractButton) and not jump.flight.isVisible()
    more.click()
    assert jump.flight.isVisible() and jump.flight.value() == 0.1
    for box, far in ((jump.flight, 9.0), (jump.forward, 90.0), (jump.left, -90.0)):
        box.setValue(far)
    jump.turn.setValue(5.0)
    jump.count.setValue(2)
    QTest.mouseClick(jump.button, LEFT)
    asked = StartJump(2, 0.12, 0.06, -0.03, 0.087266)
    qtbot.waitUntil(lambda: asked in core.commands)
    core.set(jumps=True)
    qtbot.waitUntil(lambda: "the robot jumps" in text(panel, "State of the walk"))
    core.set(jumps=False)
    panel.runs.click()
    hold_walk(panel, core, qtbot)
    assert {c.gait for c in core.commands if isinstance(c, Walk) and c.vx} == {"run"}
    qtbot.waitUntil(lambda: "runs" in text(panel, "State of the walk"))
    core.set(mode="PERFORM")
    qtbot.waitUntil(lambda: not jump.button.isEnabled())
    assert "HOLD ends it" in jump.button.toolTip()
    before = len(core.commands)
    jump.jump()
    assert StartJump not in {type(command) for command in core.commands[before:]}


# The body


def choose(panel: ByHandPanel, title: str) -> None:
    """Click the head's or the body's tab."""
    tabs = panel.chosen
    index = [tabs.tabText(i) for i in range(tabs.count())].index(title)
    QTest.mouseClick(tabs, LEFT, pos=tabs.tabRect(index).center())


@pytest.fixture
def bodied(panel: ByHandPanel, context: Context, core: LineCore, qtbot: QtBot) -> ByHandPanel:
    assert panel.chosen.count() == 1 and panel.body_part.isHidden(), (
        "this robot has no body to lead"
    )
    give_body(core, context, qtbot)
    qtbot.waitUntil(lambda: panel.chosen.count() == 2)
    choose(panel, "BODY")
    qtbot.waitUntil(panel.body_part.pad.isEnabled)
    return panel


def test_the_pads_of_head_and_body_share_a_place_and_a_hidden_one_lets_go(
    bodied: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    pad = bodied.body_part.pad
    assert pad.isVisible() and not bodied.head_part.pad.isVisible()
    assert bodied.focusProxy() is pad
    QTest.mousePress(pad, LEFT, pos=QPoint(1, 1))
    lean = LeadBody(roll=-limb().roll.lower, pitch=limb().pitch.upper)
    qtbot.waitUntil(lambda: lean in core.commands)
    assert "on the pad" in text(bodied, "State of the head or body")
    bodied.chosen.setCurrentIndex(0)
    assert bodied.head_part.pad.isVisible() and not pad.isVisible()
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])


def test_a_robot_without_a_head_has_the_pad_of_its_body_alone(
    bodied: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    hello = msgspec.structs.replace(HELLO, gaze=None, body_limb=limb(), started_s=8.0)
    core.hello = hello
    core.set(started_s=8.0)
    qtbot.waitUntil(lambda: bodied.chosen.count() == 1)
    assert bodied.chosen.tabText(0) == "BODY" and bodied.body_part.pad.isVisible()
    core.hello = msgspec.structs.replace(hello, body_limb=None, started_s=9.0)
    core.set(started_s=9.0)
    qtbot.waitUntil(lambda: not bodied.body_part.pad.isVisible())
    assert bodied.focusProxy() is bodied.walk_part.pad


def test_nothing_is_cut_off_beside_the_pads_however_the_panel_grows(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.hello = msgspec.structs.replace(HELLO, body_limb=limb(), started_s=8.0)
    core.set(started_s=8.0)
    qtbot.waitUntil(lambda: panel.chosen.count() == 2)
    area = panel.findChild(QScrollArea)
    inside = area.widget() if area is not None else None
    assert area is not None and inside is not None
    for tab in range(2):
        panel.chosen.setCurrentIndex(tab)
        for width in (340, 580, 800, 340):
            panel.resize(width, 900)
            qtbot.waitUntil(lambda: inside.minimumSizeHint().width() <= area.viewport().width())
            assert inside.width() <= area.viewport().width()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"mode": "DAMPED"}, "STAND UP first"),
        ({"mode": "RECORD"}, "end RECORD first"),
        ({"action": "HOLD"}, "a fault holds the robot"),
    ],
)
def test_a_body_that_cannot_be_led_is_off_with_its_reason(
    bodied: ByHandPanel, core: LineCore, qtbot: QtBot, fields: dict[str, str], reason: str
) -> None:
    core.set(**fields)
    qtbot.waitUntil(lambda: not bodied.body_part.pad.isEnabled())
    assert reason in text(bodied, "State of the head or body")
    for name in ("Turn of the body", "The pad leans the body", "The pad shifts the body"):
        assert not named(bodied, name).isEnabled()
    QTest.mousePress(bodied.body_part.pad, LEFT, pos=QPoint(1, 1))
    qtbot.wait(80)
    assert not any(isinstance(command, LeadBody) for command in core.commands)


def test_the_slider_turns_and_springs_back(
    bodied: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    slider = bodied.body_part.turn
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, pos=middle)
    QTest.mouseMove(slider, QPoint(slider.width() - 1, middle.y()))
    qtbot.waitUntil(lambda: LeadBody(yaw=-limb().yaw.lower) in core.commands)
    assert "on the slider" in text(bodied, "State of the head or body")
    QTest.mouseRelease(slider, LEFT, pos=QPoint(slider.width() - 1, middle.y()))
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    assert slider.value() == 0


@pytest.mark.parametrize("hides", [True, False])
def test_the_slider_lets_go_when_it_is_hidden_or_another_program_comes_to_the_front(
    bodied: ByHandPanel, core: LineCore, qtbot: QtBot, hides: bool
) -> None:
    slider = bodied.body_part.turn
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, pos=middle)
    QTest.mouseMove(slider, QPoint(slider.width() - 1, middle.y()))
    qtbot.waitUntil(lambda: any(isinstance(command, LeadBody) for command in core.commands))
    if hides:
        bodied.hide()
    else:
        bodied.take_application_state(Qt.ApplicationState.ApplicationInactive)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    qtbot.wait(120)
    assert core.commands[-1] == ReleaseBody() and not slider.isSliderDown()


def test_a_body_that_stays_is_told_and_given_back_by_its_button(
    bodied: ByHandPanel, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    spring, release = named(bodied, "Body springs back"), named(bodied, "Body back to the show")
    assert isinstance(spring, QAbstractButton) and not release.isEnabled()
    spring.click()
    assert not context.preferences.value.body_spring_back
    QTest.mouseClick(bodied.body_part.pad, LEFT, pos=QPoint(1, 1))
    wait_until_led(core, context, qtbot, True)
    assert "stays as you led it" in text(bodied, "State of the head or body")
    qtbot.waitUntil(lambda: core.commands.count(ReleaseBody()) == 1)
    assert release.isEnabled()
    QTest.mouseClick(release, LEFT)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])


def test_the_values_below_are_those_that_the_pad_leads(
    bodied: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.scene = msgspec.structs.replace(
        core.scene,
        body=(0.0524, 0.1047, -0.0349, -0.021, 0.012, 0.0),
        body_reference=(0.0698, 0.1222, -0.0524, -0.02, 0.01, 0.0),
    )
    figures = bodied.body_part.leaned
    qtbot.waitUntil(lambda: figures.texts()[0] == ["–", "+4°", "+3°"])
    assert figures.texts()[1:] == [["–", "+7°", "+6°"], ["–", "-3°", "-2°"]]
    QTest.mouseClick(bodied.body_part.shifts, LEFT)
    assert bodied.body_part.shifted.isVisible() and not figures.isVisible()
    assert bodied.body_part.shifted.texts()[:2] == [["–", "+1.0", "+1.2"], ["–", "-2.0", "-2.1"]]
    QTest.mousePress(bodied.body_part.pad, LEFT, pos=QPoint(1, 1))
    qtbot.waitUntil(lambda: bodied.body_part.shifted.texts()[0][0] == "+3.0")
    assert bodied.body_part.shifted.texts()[1][0] == "+1.0"


def test_another_program_in_front_gives_the_body_back(
    bodied: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    QTest.mousePress(bodied.body_part.pad, LEFT, pos=QPoint(1, 1))
    qtbot.waitUntil(lambda: any(isinstance(command, LeadBody) for command in core.commands))
    bodied.take_application_state(Qt.ApplicationState.ApplicationInactive)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
