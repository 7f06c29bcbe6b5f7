"""Pads fire their cue on the press and show what it does."""

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.console.cues.cart import CartPanel, Pad
from app.console.cues.keys import ShowKeys
from app.console.cues.trigger_sheet import TriggerSheet
from app.console.gestures.library import GestureLibrary
from core.link.commands import Go
from core.link.improvised import Say, SetIdle
from shows.audio import AudioInfo
from shows.document import Cue, Show, Trigger
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


def test_triggers_have_pads_and_keys_and_say_what_is_missing(
    cart: CartPanel, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    document = desk.context.document
    say = Trigger(use="phrase:hello", name="Hi", hotkey="F5", colour="red", button="a")
    still = Trigger(use="idle:toggle", hotkey="J")
    triggers = say, still
    show = msgspec.structs.replace(document.show, triggers=triggers)
    document.edit("add", show)
    desk.caller.add_version(STAGED, show)
    core.load(show, STAGED)
    core.set(idles=True)
    found = {pad.item: pad for pad in cart.findChildren(Pad) if pad.isVisible()}
    qtbot.waitUntil(lambda: found[still].accessibleName() == "idle life: idle idle life ● on")
    assert found[say].toolTip() == "Hi: say hello"  # which gestures there are is not known yet
    click(found[say], 70_000)
    click(found[say], 70_050)  # no guard: the second replaces the first
    QTest.keyClick(cart, Key.Key_F5)
    QTest.keyClick(cart, Key.Key_J)  # in SHOW only
    qtbot.waitUntil(lambda: core.commands == [Say("hello")] * 3)
    desk.context.lock.set_locked(True)
    QTest.keyClick(cart, Key.Key_J)
    qtbot.waitUntil(lambda: core.commands[3:] == [SetIdle()])


def test_the_sheet_adds_and_changes_triggers_and_refuses_a_key_that_is_taken(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    context = desk.context
    core.set(idles=True)
    qtbot.waitUntil(lambda: context.link.status is not None and bool(context.link.status.idles))
    library = GestureLibrary(context.link, context.document, context.notices, [])
    context.document.audio = {"hello": AudioInfo(Path("hello.wav"), 0.5)}
    sheet = TriggerSheet(context, library)
    qtbot.addWidget(sheet)
    button = {b.text(): b for b in sheet.findChildren(QPushButton)}
    button["Add"].click()
    button["Add"].click()
    assert [t.use for t in context.document.show.triggers] == ["phrase:hello"] * 2
    sheet.key.setText("h")
    sheet.key.editingFinished.emit()
    told = next(w.text() for w in sheet.findChildren(QLabel) if "already" in w.text())
    assert "The key H already fires cue 1." in told and sheet.key.text() == ""
    kind = sheet.boxes["kind"]
    kind.setCurrentIndex(kind.findData("idle"))
    kind.activated.emit(kind.currentIndex())
    button["Up"].click()
    assert [t.use for t in context.document.show.triggers] == ["idle:toggle", "phrase:hello"]
    button["Remove"].click()
    context.document.undo.undo()
    assert [t.use for t in context.document.show.triggers] == ["idle:toggle", "phrase:hello"]
