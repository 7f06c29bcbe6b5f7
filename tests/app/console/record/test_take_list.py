"""The list of takes: rows, pictures, and what opens one."""

import datetime
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.console.gestures.thumbnails import Thumbnails
from app.console.record.take_list import COLUMNS, PICTURE_PX, YIELDING, TakeList
from app.console.record.takes import TakeEntry
from shows.motion import Motion
from shows.take import TakeHead
from tests.app.console.rig import HELLO

LIMBS = {"left_arm": "L arm", "head": "Head"}
TODAY = datetime.datetime.combine(datetime.date.today(), datetime.time(9, 5, 7))


def head(*limbs: str, over: str = "") -> TakeHead:
    return TakeHead(
        robot=HELLO.robot, body="sim", joint_names=HELLO.joint_names,
        limb_names=HELLO.group_names, limbs=limbs, backing_take=over,
    )  # fmt: skip


def entry(name: str, **values: object) -> TakeEntry:
    found = {"head": head("left_arm"), "duration_s": 2.5, "whole": True, **values}
    return TakeEntry(Path(f"/takes/{name}.take"), TODAY.timestamp(), **found)  # type: ignore[arg-type]


def red(_: Motion) -> QImage:
    found = QImage(PICTURE_PX, PICTURE_PX, QImage.Format.Format_RGBA8888_Premultiplied)
    found.fill(Qt.GlobalColor.red)
    return found


@pytest.fixture
def takes(qtbot: QtBot) -> TakeList:
    found = TakeList(Thumbnails(red))
    qtbot.addWidget(found)
    found.resize(400, 300)
    return found


def texts(takes: TakeList, row: int = 0) -> list[str]:
    item = takes.topLevelItem(row)
    assert item is not None
    return [item.text(column) for column in range(len(COLUMNS))]


@pytest.mark.parametrize(
    ("taken", "cells"),
    [
        (entry("arm_1"), ["arm_1", "2.5 s", "L arm", "09:05:07", "● whole"]),
        (entry("arm_1", whole=False), ["arm_1", "2.5 s", "L arm", "09:05:07", "▲ cut short"]),
        (
            entry("arm_2", head=head("left_arm", over="nod_1"), sound_s=2.5, markers=2),
            ["arm_2 ♪", "2.5 s", "L arm over nod_1", "09:05:07", "● whole, 2 markers"],
        ),
        (
            entry("both", head=head("head", "left_arm"), markers=1),
            ["both", "2.5 s", "Head, L arm", "09:05:07", "● whole, 1 marker"],
        ),
        (
            entry("walk", head=None, moved=("left_arm",)),
            ["walk", "2.5 s", "L arm", "09:05:07", "● imported"],
        ),
        (
            entry("torn", head=None, trouble="torn.take is not a take"),
            ["torn", "", "", "09:05:07", "■ unreadable"],
        ),
    ],
)
def test_a_row_tells_what_is_recorded(takes: TakeList, taken: TakeEntry, cells: list[str]) -> None:
    takes.fill((taken,), LIMBS)
    assert texts(takes) == cells


def test_an_old_take_has_its_day(takes: TakeList) -> None:
    before = TODAY - datetime.timedelta(days=2)
    takes.fill((TakeEntry(Path("/takes/a.take"), before.timestamp(), head("head")),), LIMBS)
    assert texts(takes)[3] == f"{before:%d %b %H:%M}"


def test_the_newest_is_chosen_first_and_a_choice_stays(takes: TakeList) -> None:
    first, second, third = (entry(name) for name in ("a", "b", "c"))
    looked_at: list[object] = []
    takes.looked_at.connect(looked_at.append)
    takes.fill((first, second), LIMBS)
    assert takes.current() is first and looked_at[-1] is first
    takes.choose(second.path)
    takes.fill((third, first, second), LIMBS)
    assert takes.current() is second
    takes.fill((third, first), LIMBS)  # deleted
    assert takes.current() is third
    takes.choose(Path("/takes/gone.take"))
    assert takes.current() is third
    takes.fill((), LIMBS)
    assert takes.current() is None


def test_enter_and_a_double_click_open_the_chosen_take(takes: TakeList, qtbot: QtBot) -> None:
    opened: list[object] = []
    takes.opened.connect(opened.append)
    QTest.keyClick(takes, Qt.Key.Key_Return)
    assert opened == [], "there is none"
    first, second = entry("a"), entry("b")
    takes.fill((first, second), LIMBS)
    with qtbot.waitExposed(takes):
        takes.show()
    QTest.keyClick(takes, Qt.Key.Key_Return)
    QTest.keyClick(takes, Qt.Key.Key_Down)
    QTest.keyClick(takes, Qt.Key.Key_Enter)
    assert opened == [first, second]
    item = takes.topLevelItem(0)
    assert item is not None
    takes.itemDoubleClicked.emit(item, 0)
    assert opened[2:] == [second], "a double click has chosen its row before"


def test_a_picture_comes_when_it_is_drawn(takes: TakeList, qtbot: QtBot) -> None:
    names = HELLO.joint_names
    pose = Motion("arm_1", names, 10.0, np.full((2, len(names)), 0.1))
    takes.fill((entry("arm_1", pose=pose), entry("torn", head=None)), LIMBS)

    def drawn(row: int) -> bool:
        item = takes.topLevelItem(row)
        assert item is not None
        image = item.icon(0).pixmap(takes.iconSize()).toImage()
        return image.pixelColor(image.width() // 2, image.height() // 2).alpha() > 0

    qtbot.waitUntil(lambda: drawn(0))
    assert not drawn(1)


def test_nothing_but_the_limbs_is_cut_where_there_is_no_room(takes: TakeList, qtbot: QtBot) -> None:
    many = head(*HELLO.group_names, over="a_take_with_a_long_name")
    takes.fill((entry("left_arm_12", head=many),), LIMBS)
    with qtbot.waitExposed(takes):
        takes.show()
    widths = [takes.columnWidth(column) for column in range(len(COLUMNS))]
    assert sum(widths) <= takes.viewport().width(), "the state is out of sight"
    for column, word in enumerate(COLUMNS):
        assert word == YIELDING or widths[column] >= takes.sizeHintForColumn(column)
    item = takes.topLevelItem(0)
    assert item is not None and "a_take_with_a_long_name" in item.toolTip(2)
