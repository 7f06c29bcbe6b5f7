"""What each control of the controller does; what was held when a hold ended must be let go."""

from dataclasses import replace

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.console.by_hand.body_hand import BodyHand
from app.console.by_hand.controller_map import ControllerMap
from app.console.by_hand.gamepad import Gamepad, Sticks
from app.console.by_hand.head_hand import HeadHand
from app.console.by_hand.walk_hand import WalkHand
from app.console.context.context import Context
from core.link.body import LeadBody, ReleaseBody
from core.link.commands import Cancel, Command, Freeze, Head, Hold, ReleaseHead, Unfreeze, Walk
from core.link.place import HoldPoint
from shows.document import Show, Trigger
from tests.app.console.by_hand.body import give_body, limb, wait_until_led
from tests.app.console.rig import LineCore


class Rig:
    """A controller that is worked by the test."""

    def __init__(self, context: Context, core: LineCore, qtbot: QtBot) -> None:
        link, preferences = context.link, context.preferences
        self.gamepad, self.core, self._qtbot = Gamepad(), core, qtbot
        self.head = HeadHand(link, preferences)
        self.walk = WalkHand(link, context.document, preferences)
        self.body = BodyHand(link, preferences)
        hands = self.head, self.body, self.walk
        self.map = ControllerMap(self.gamepad, *hands, link, context.document, preferences)
        self.stops = 0
        self.map.stop_asked.connect(self._count_stop)
        self.gamepad.plugged.emit("test")

    def _count_stop(self) -> None:
        self.stops += 1

    def stick(self, **ways: float) -> None:
        self.gamepad.sticks = replace(self.gamepad.sticks, **ways)
        self.gamepad.moved.emit()

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.gamepad.buttons |= {button}
            self.gamepad.pressed.emit(button)

    def let_go(self, *buttons: str) -> None:
        for button in buttons:
            self.gamepad.buttons -= {button}
            self.gamepad.let_go.emit(button)

    def pull(self) -> None:
        self.gamepad.sticks, self.gamepad.buttons = Sticks(), frozenset()
        self.gamepad.pulled.emit("test")

    def wait_for(self, command: Command) -> None:
        self._qtbot.waitUntil(lambda: command in self.core.commands)

    def wait_for_last(self, command: Command) -> None:
        self._qtbot.waitUntil(lambda: self.core.commands[-1:] == [command])

    def holders(self) -> tuple[str, str]:
        return self.walk.holder, self.head.holder

    def kinds(self) -> list[type]:
        return [type(command) for command in self.core.commands]


@pytest.fixture
def rig(context: Context, core: LineCore, qtbot: QtBot) -> Rig:
    return Rig(context, core, qtbot)


def test_the_left_stick_alone_does_not_walk(rig: Rig, qtbot: QtBot) -> None:
    rig.stick(left_back=-1.0)
    qtbot.wait(150)
    assert rig.core.commands == []


def test_r1_held_walks_and_let_go_stands(rig: Rig, qtbot: QtBot) -> None:
    rig.stick(left_back=-1.0)
    rig.press("r1")
    rig.wait_for(Walk(vx=0.125))
    rig.let_go("r1")
    qtbot.waitUntil(lambda: rig.core.commands[-1:] == [Walk()])


def test_what_was_pressed_while_the_console_hung_starts_nothing_and_stops_all_the_same(
    rig: Rig, qtbot: QtBot
) -> None:
    rig.gamepad.gap_s = 1.7
    rig.stick(left_back=-1.0, right_right=1.0)
    rig.press("r1", "x", "menu", "view")
    rig.wait_for(Hold())
    assert rig.kinds() == [Cancel, Hold] and rig.stops == 1
    rig.gamepad.gap_s = 0.01
    rig.stick(left_back=-0.9)  # R1 is still down
    assert not rig.walk.holder
    rig.let_go("r1")
    rig.stick(left_back=-1.0)
    rig.press("r1")
    rig.wait_for(Walk(vx=0.125))


def test_sideways_turns_and_with_l1_steps(rig: Rig) -> None:
    rig.press("r1")
    rig.stick(left_right=1.0)
    rig.wait_for(Walk(yaw_rate=-0.3))
    rig.press("l1")
    rig.wait_for(Walk(vy=-0.06))
    rig.let_go("l1")
    assert rig.walk.velocity == Walk(yaw_rate=-0.3)


def test_a_controller_that_is_pulled_stands_and_gives_the_head_back(rig: Rig, qtbot: QtBot) -> None:
    rig.press("r1")
    rig.stick(left_back=-1.0, right_right=1.0)
    rig.wait_for(Walk(vx=0.125))
    rig.wait_for(Head(-1.57, 0.0))
    rig.pull()
    qtbot.waitUntil(lambda: {Walk(), ReleaseHead()} <= set(rig.core.commands[-2:]))
    assert not rig.walk.holder and not rig.head.holder


def test_the_right_stick_turns_the_head_and_gives_it_back_at_rest(rig: Rig, qtbot: QtBot) -> None:
    rig.stick(right_back=-1.0)
    rig.wait_for(Head(0.0, 0.52))  # forward looks down, as on an aeroplane
    rig.stick(right_back=0.05)
    qtbot.waitUntil(lambda: rig.core.commands[-1:] == [ReleaseHead()])


def test_forward_looks_up_when_that_was_chosen(rig: Rig, context: Context) -> None:
    context.preferences.change(
        msgspec.structs.replace(context.preferences.value, head_invert_pitch=True)
    )
    rig.stick(right_back=-1.0)
    rig.wait_for(Head(0.0, -0.52))


def test_a_head_that_was_taken_away_needs_the_stick_at_rest_first(
    rig: Rig, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    rig.stick(right_right=1.0)
    rig.wait_for(Head(-1.57, 0.0))
    core.set(mode="FAULT")
    qtbot.waitUntil(lambda: not rig.head.holder)
    core.set(mode="READY")
    qtbot.waitUntil(lambda: rig.head.bar == "")
    rig.stick(right_right=0.9)
    assert rig.head.holder != "controller"
    rig.stick(right_right=0.0)
    rig.stick(right_right=0.9)
    assert bool(rig.head.holder)


def test_a_stick_held_while_it_is_plugged_turns_nothing(rig: Rig) -> None:
    rig.gamepad.sticks = Sticks(right_right=1.0)
    rig.gamepad.plugged.emit("again")
    rig.stick(right_right=0.95)
    assert not rig.head.holder


def test_with_l1_it_holds_the_point_and_the_stick_must_come_back_first(rig: Rig) -> None:
    rig.stick(right_right=1.0)
    rig.wait_for(Head(-1.57, 0.0))
    rig.press("l1", "r3")
    rig.wait_for(HoldPoint())
    rig.stick(right_right=0.95)
    assert not rig.head.holder


def test_the_first_stick_to_be_moved_at_once_from_rest_counts(rig: Rig) -> None:
    rig.stick(right_right=0.9)
    assert rig.head.holder == "controller"


def test_menu_holds_and_ends_what_is_in_the_hand(rig: Rig, qtbot: QtBot) -> None:
    rig.press("r1")
    rig.stick(left_back=-1.0, right_right=1.0)
    rig.wait_for(Walk(vx=0.125))
    rig.press("menu")
    rig.wait_for(Hold())
    assert not rig.walk.holder and not rig.head.holder
    rig.stick(left_back=-0.9, right_right=0.9)
    qtbot.wait(120)
    assert rig.kinds()[-1] is Hold
    assert not rig.stops


@pytest.mark.parametrize("order", [("menu", "view"), ("view", "menu")])
def test_view_and_menu_together_stop(rig: Rig, order: tuple[str, str]) -> None:
    rig.press(*order)
    assert rig.stops == 1


def test_view_alone_does_nothing(rig: Rig, qtbot: QtBot) -> None:
    rig.press("view")
    rig.let_go("view")
    rig.press("menu")
    rig.wait_for(Hold())
    assert not rig.stops


def test_x_cancels_and_y_freezes_and_resumes(
    rig: Rig, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    rig.press("x")
    rig.wait_for(Cancel())
    rig.press("y")
    rig.wait_for(Freeze())
    core.set(motion_states=("STOP",) * 5)
    link = context.link
    qtbot.waitUntil(lambda: link.status is not None and link.status.motion_states[0] == "STOP")
    rig.let_go("y")
    rig.press("y")
    rig.wait_for(Unfreeze())


def test_the_right_stick_pressed_gives_the_head_back(rig: Rig, qtbot: QtBot) -> None:
    rig.stick(right_right=1.0)
    rig.wait_for(Head(-1.57, 0.0))
    rig.press("r3")
    rig.wait_for(ReleaseHead())
    rig.stick(right_right=0.95)
    assert not rig.head.holder


def test_with_another_program_in_front_nothing_begins_and_all_that_stops_works(
    rig: Rig, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    told: list[str] = []
    asked: list[int] = []
    rig.map.refused.connect(told.append)
    rig.map.favourite.connect(asked.append)
    rig.stick(left_back=-1.0, right_right=1.0)
    rig.press("r1")
    rig.wait_for(Walk(vx=0.125))
    rig.wait_for(Head(-1.57, 0.0))
    rig.map.set_in_front(False)
    qtbot.waitUntil(lambda: {Walk(), ReleaseHead()} <= set(core.commands[-2:]))
    rig.let_go("r1")
    rig.press("r1", "up")
    rig.stick(right_right=0.0)
    rig.stick(right_right=0.9)
    assert not rig.walk.holder and not rig.head.holder and not asked
    assert told == [
        f"{what} was not begun by the controller, for another program is in front"
        for what in ("the walk", "the favourite", "the head")
    ]
    count = len(core.commands)
    rig.press("y", "x", "menu", "view")
    qtbot.waitUntil(lambda: core.commands[count:] == [Freeze(), Cancel(), Hold()])
    assert rig.stops == 1
    core.set(motion_states=("STOP",) * 5)
    link = context.link
    qtbot.waitUntil(lambda: link.status is not None and link.status.motion_states[0] == "STOP")
    rig.let_go("y")
    rig.press("y")
    assert told[-1].startswith("Resume was not begun")


def test_the_console_back_in_front_waits_for_a_new_press(
    rig: Rig, core: LineCore, qtbot: QtBot
) -> None:
    rig.stick(left_back=-1.0, right_right=1.0)
    rig.press("r1")
    rig.map.set_in_front(False)
    rig.map.set_in_front(True)
    rig.stick(left_back=-0.9, right_right=0.9)  # as it was held all the time
    assert rig.holders() == ("", "")
    rig.let_go("r1")
    rig.stick(left_back=-1.0, right_right=0.0)
    rig.press("r1")
    rig.stick(right_right=1.0)
    assert rig.holders() == ("controller", "controller")
    rig.wait_for(Walk(vx=0.125))


def test_the_d_pad_asks_for_favourites(rig: Rig) -> None:
    asked: list[int] = []
    rig.map.favourite.connect(asked.append)
    rig.press("up", "right", "down", "left", "a", "b", "guide")
    assert asked == [0, 1, 2, 3]


def test_a_trigger_of_the_show_has_the_button_while_the_console_is_in_front(
    rig: Rig, context: Context
) -> None:
    fired: list[object] = []
    places: list[int] = []
    refused: list[str] = []
    rig.map.improvised.connect(fired.append)
    rig.map.favourite.connect(places.append)
    rig.map.refused.connect(refused.append)
    trigger = Trigger(use="phrase:hello", button="up")
    context.document.open(Show(name="x", triggers=(trigger,)), None, {}, {})
    rig.press("up", "right", "a")
    assert (fired, places) == ([trigger], [1])
    rig.let_go("up")
    rig.map.set_in_front(False)
    rig.press("up")
    assert fired == [trigger] and "hello" in refused[0]


# The body


@pytest.fixture
def bodied(rig: Rig, context: Context, core: LineCore, qtbot: QtBot) -> Rig:
    give_body(core, context, qtbot)
    return rig


def test_the_right_stick_leads_the_body_while_l1_is_held(bodied: Rig) -> None:
    bodied.press("l1")
    bodied.stick(right_right=1.0)
    bodied.wait_for(LeadBody(roll=limb().roll.upper))
    bodied.stick(right_right=0.0, right_back=-1.0)
    bodied.wait_for(LeadBody(pitch=limb().pitch.upper))
    assert bodied.body.holder == "controller" and bodied.head.holder == ""
    bodied.stick(right_back=0.0)
    bodied.wait_for_last(ReleaseBody())
    assert bodied.body.holder == "" and Head not in bodied.kinds()


@pytest.mark.parametrize(
    "ends", ["let go of l1", "press r1", "another program", "head back to the show"]
)
def test_what_ends_the_lead_waits_for_the_middle_of_the_stick(
    bodied: Rig, qtbot: QtBot, ends: str
) -> None:
    bodied.press("l1")
    bodied.stick(right_right=1.0)
    bodied.wait_for(LeadBody(roll=limb().roll.upper))
    if ends == "let go of l1":
        bodied.let_go("l1")
    elif ends == "press r1":
        bodied.press("r1")
    elif ends == "another program":
        bodied.map.set_in_front(False)
    else:
        bodied.map.release_head()
    assert bodied.body.holder == ""
    bodied.wait_for_last(ReleaseBody())
    bodied.stick(right_right=0.9)
    qtbot.wait(120)
    assert bodied.head.holder == "" and Head not in bodied.kinds()
    assert bodied.core.commands.count(ReleaseBody()) == 2, "a hold begins with one"


def test_a_controller_that_is_gone_gives_the_body_back(bodied: Rig) -> None:
    bodied.press("l1")
    bodied.stick(right_right=1.0)
    bodied.wait_for(LeadBody(roll=limb().roll.upper))
    bodied.pull()
    bodied.wait_for_last(ReleaseBody())
    assert bodied.body.holder == ""


def test_l1_during_a_walk_steps_sideways_and_leaves_the_head_in_the_hand(bodied: Rig) -> None:
    bodied.press("r1")
    bodied.stick(right_right=1.0)
    bodied.wait_for(Head(-1.57, 0.0))
    bodied.press("l1")
    assert bodied.holders() == ("controller", "controller") and bodied.body.holder == ""
    bodied.let_go("r1")
    assert bodied.head.holder == "" and bodied.body.holder == "", "it waits for the middle"


def test_a_hold_ends_the_lead_until_the_stick_was_in_its_middle(
    bodied: Rig, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    bodied.press("l1")
    bodied.stick(right_right=1.0)
    wait_until_led(core, context, qtbot, True)
    wait_until_led(core, context, qtbot, False)
    qtbot.waitUntil(lambda: bodied.body.holder == "")
    bodied.stick(right_right=0.9)
    assert bodied.body.holder == ""
    bodied.stick(right_right=0.0)
    bodied.stick(right_right=0.9)
    assert bodied.body.holder == "controller"


def test_the_right_stick_pressed_gives_a_body_back_that_stays(
    bodied: Rig, context: Context
) -> None:
    context.preferences.change(
        msgspec.structs.replace(context.preferences.value, body_spring_back=False)
    )
    bodied.press("l1")
    bodied.stick(right_right=1.0)
    bodied.stick(right_right=0.0)
    assert bodied.body.target is not None
    bodied.let_go("l1")
    bodied.press("r3")
    bodied.wait_for(ReleaseBody())
    assert bodied.body.target is None


def test_a_robot_without_a_body_turns_its_head_with_l1_too(rig: Rig) -> None:
    rig.press("l1")
    rig.stick(right_right=1.0)
    rig.wait_for(Head(-1.57, 0.0))
