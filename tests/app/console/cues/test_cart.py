"""Pads fire their cue on the press and show what it does."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QToolButton
from pytestqt.qtbot import QtBot

from app.console.cues.cart import CartPanel, Pad
from app.console.cues.keys import ShowKeys
from app.console.gestures.library import GestureLibrary
from core.link.commands import Go
from shows.document import Cue, Show
from tests.app.console.cues.conftest import STAGED, Desk, bring_up, click, small_show
from tests.app.console.rig import LineCore

Key = Qt.Key


@pytest.fixture
def cart(desk: Desk, keys: ShowKeys, qtbot: QtBot) -> CartPanel:
    context = desk.context
    library = GestureLibrary(context.link, context.document, context.notices, [])
    found = CartPanel(context, desk.caller, library)
    bring_up(qtbot, found)
    return found


def pads(cart: CartPanel) -> dict[str, Pad]:
    return {pad.number: pad for pad in cart.findChildren(Pad) if pad.isVisible()}


def test_a_pad_fires_on_the_press_behind_the_double_go_guard(
    cart: CartPanel, core: LineCore, qtbot: QtBot
) -> None:
    for number, stamp_ms in (("3", 70_000), ("4", 70_100), ("5", 71_000)):
        click(pads(cart)[number], stamp_ms)  # whatever the clock says by then
    qtbot.waitUntil(lambda: core.commands == [Go("3"), Go("5")])


def test_pads_work_in_show_and_are_off_without_a_core(
    cart: CartPanel, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    desk.context.lock.set_locked(True)
    assert all(pad.isEnabled() for pad in pads(cart).values())
    core.stop()
    qtbot.waitUntil(lambda: not any(pad.isEnabled() for pad in pads(cart).values()))


def test_pads_are_worked_by_keyboard(cart: CartPanel, core: LineCore, qtbot: QtBot) -> None:
    pads(cart)["1"].setFocus()
    qtbot.waitUntil(pads(cart)["1"].hasFocus)
    QTest.keyClick(pads(cart)["1"], Key.Key_Right)
    qtbot.waitUntil(pads(cart)["2"].hasFocus)
    QTest.keyClick(pads(cart)["2"], Key.Key_Left)
    QTest.keyClick(pads(cart)["1"], Key.Key_Left)  # stays
    qtbot.waitUntil(pads(cart)["1"].hasFocus)
    QTest.keyClick(pads(cart)["1"], Key.Key_Return)
    qtbot.waitUntil(lambda: core.commands == [Go("1")])


def test_a_pad_says_what_its_cue_does_and_why_it_may_not(
    cart: CartPanel, core: LineCore, qtbot: QtBot
) -> None:
    assert "disarmed" in pads(cart)["4"].toolTip()
    assert "[H]" in pads(cart)["1"].toolTip()
    core.set(standby_cue="3", running_cues=("1",), running_cue="1", cue_length_s=4.0)
    qtbot.waitUntil(lambda: "4.0 left" in pads(cart)["1"].accessibleName())
    assert "STANDBY" in pads(cart)["3"].accessibleName()
    core.load(small_show(), STAGED, cue_5="too fast")
    qtbot.waitUntil(lambda: "refused: too fast" in pads(cart)["5"].toolTip())


def test_a_pad_is_drawn_anew_when_its_cue_changes(cart: CartPanel, desk: Desk) -> None:
    before = cart.grab().toImage()
    document = desk.context.document
    cues = tuple(msgspec.structs.replace(cue, colour="blue") for cue in document.show.cues)
    document.edit("paint", msgspec.structs.replace(document.show, cues=cues))
    assert cart.grab().toImage() != before


def test_many_cues_lie_on_pages(cart: CartPanel, desk: Desk) -> None:
    cues = tuple(Cue(number=str(i)) for i in range(1, 201))
    desk.context.document.open(Show(name="long", cues=cues), None, {}, {})
    first = list(pads(cart))
    assert first[0] == "1"
    after = [b for b in cart.findChildren(QToolButton) if b.text() == "▸"][0]
    after.click()
    assert list(pads(cart))[0] == str(len(first) + 1)
    QTest.keyClick(cart, Key.Key_PageUp)
    assert list(pads(cart)) == first


def test_a_group_alone_can_lie_on_the_pads(cart: CartPanel, desk: Desk) -> None:
    (group,) = cart.findChildren(QComboBox)
    place = group.findText("Act")
    group.setCurrentIndex(place)
    group.activated.emit(place)
    assert list(pads(cart)) == ["2", "3"]
    document = desk.context.document
    cues = document.show.cues[:2]
    document.edit("delete", msgspec.structs.replace(document.show, cues=cues))
    assert list(pads(cart)) == ["2"]
    document.open(Show(name="x", cues=(Cue(number="9"),)), None, {}, {})
    assert list(pads(cart)) == ["9"]


def test_a_show_without_cues_has_no_pads(cart: CartPanel, desk: Desk) -> None:
    desk.context.document.open(Show(name="x"), None, {}, {})
    assert not pads(cart)
    QTest.keyClick(cart, Key.Key_PageDown)
    assert not pads(cart)


def test_more_room_is_more_pads(cart: CartPanel, desk: Desk) -> None:
    cues = tuple(Cue(number=str(i)) for i in range(1, 201))
    desk.context.document.open(Show(name="long", cues=cues), None, {}, {})
    few = len(pads(cart))
    cart.resize(1400, 900)
    many = pads(cart)
    assert len(many) > few
    assert list(many)[0] == "1"
    for pad in many.values():
        assert cart.rect().contains(pad.geometry())
