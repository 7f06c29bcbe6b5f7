"""A real SDL controller, made by SDL itself: plugged, moved, pressed and pulled."""

from collections.abc import Iterator
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from app.console.by_hand.gamepad import BUTTONS, Gamepad, Sticks
from tests.app.console.by_hand.virtual_device import Device


class Rig:
    def __init__(self) -> None:
        self.gamepad = Gamepad()
        self.told: list[tuple[str, str]] = []
        for name in ("plugged", "pulled", "pressed", "let_go", "trouble"):
            signal = getattr(self.gamepad, name)
            signal.connect(lambda text, name=name: self.told.append((name, text)))
        self.gamepad.start()
        import sdl2

        self.sdl = sdl2
        self.devices: list[Device] = []

    def heard(self, name: str, text: str) -> bool:
        return self.told[-1] == (name, text)

    def plug(self, kind: int | None = None) -> Device:
        device = Device(self.sdl, kind)
        self.devices.append(device)
        return device

    def close(self) -> None:
        for device in self.devices:
            device.pull()
        self.gamepad.close()


@pytest.fixture
def rig(qtbot: QtBot) -> Iterator[Rig]:
    found = Rig()
    yield found
    found.close()


def plug(rig: Rig, qtbot: QtBot) -> Device:
    device = rig.plug()
    qtbot.waitUntil(lambda: bool(rig.gamepad.name))
    return device


def test_it_is_found_when_it_is_plugged_while_the_program_runs(rig: Rig, qtbot: QtBot) -> None:
    assert rig.gamepad.name == ""
    plug(rig, qtbot)
    assert rig.told == [("plugged", rig.gamepad.name)]


def test_its_sticks_are_read_toward_the_hand_and_to_the_right(rig: Rig, qtbot: QtBot) -> None:
    device = plug(rig, qtbot)
    device.axis(0, 1.0)
    device.axis(1, -1.0)
    device.axis(2, 0.5)
    device.axis(3, -0.25)
    qtbot.waitUntil(lambda: rig.gamepad.sticks.left_right > 0.9)
    sticks = rig.gamepad.sticks
    assert (sticks.left_right, sticks.left_back) == (1.0, -1.0)
    assert sticks.right_right == pytest.approx(0.5, abs=0.001)
    assert sticks.right_back == pytest.approx(-0.25, abs=0.001)


def test_every_button_is_told_by_its_name(rig: Rig, qtbot: QtBot) -> None:
    device = plug(rig, qtbot)
    for button in BUTTONS:
        device.button(button, True)
        qtbot.waitUntil(partial(rig.heard, "pressed", button))
        assert rig.gamepad.buttons == {button}
        device.button(button, False)
        qtbot.waitUntil(partial(rig.heard, "let_go", button))
    assert rig.gamepad.buttons == frozenset()


def test_a_controller_that_is_pulled_leaves_nothing_pressed(rig: Rig, qtbot: QtBot) -> None:
    device = plug(rig, qtbot)
    device.axis(1, -1.0)
    device.button("r1", True)
    qtbot.waitUntil(lambda: "r1" in rig.gamepad.buttons)
    name = rig.gamepad.name
    device.pull()
    qtbot.waitUntil(lambda: ("pulled", name) in rig.told)
    assert rig.gamepad.name == ""
    assert rig.gamepad.buttons == frozenset()
    assert rig.gamepad.sticks == Sticks()
    plug(rig, qtbot)
    assert rig.told[-1][0] == "plugged"


def test_the_first_keeps_control_and_the_second_takes_over_when_it_is_pulled(
    rig: Rig, qtbot: QtBot
) -> None:
    first = plug(rig, qtbot)
    second = rig.plug()
    second.button("a", True)
    first.button("b", True)
    qtbot.waitUntil(lambda: "b" in rig.gamepad.buttons)
    assert ("pressed", "a") not in rig.told
    second.button("a", False)
    first.pull()
    qtbot.waitUntil(lambda: [name for name, _ in rig.told].count("plugged") == 2)
    second.button("x", True)
    qtbot.waitUntil(lambda: rig.told[-1] == ("pressed", "x"))


def test_a_joystick_without_names_is_refused_in_a_sentence(rig: Rig, qtbot: QtBot) -> None:
    rig.plug(rig.sdl.SDL_JOYSTICK_TYPE_FLIGHT_STICK)
    qtbot.waitUntil(lambda: bool(rig.told))
    name, text = rig.told[0]
    assert name == "trouble" and "use another" in text
    assert rig.gamepad.name == ""


def test_sticks_that_do_not_rest_at_zero_are_centred(rig: Rig, qtbot: QtBot) -> None:
    device = plug(rig, qtbot)
    device.axis(0, 0.2)
    qtbot.waitUntil(lambda: rig.gamepad.sticks.left_right > 0.1)
    assert rig.gamepad.set_centre()
    assert rig.gamepad.sticks.left_right == 0.0
    device.axis(0, 0.9)
    qtbot.waitUntil(lambda: rig.gamepad.sticks.left_right > 0.8)
    assert not rig.gamepad.set_centre()


def test_without_sdl_it_says_so_and_goes_on(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sdl2", None)
    gamepad = Gamepad()
    told: list[str] = []
    gamepad.trouble.connect(told.append)
    gamepad.start()
    gamepad.poll()
    assert len(told) == 1 and "pads on the screen" in told[0]
    gamepad.close()


def test_an_sdl_that_does_not_start_is_told(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    rig.close()
    monkeypatch.setattr(rig.sdl, "SDL_InitSubSystem", lambda _: -1)
    gamepad = Gamepad()
    told: list[str] = []
    gamepad.trouble.connect(told.append)
    gamepad.start()
    assert len(told) == 1 and "did not start" in told[0]
    gamepad.close()
