"""Actions edit what is selected, can be undone, and do nothing in SHOW."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.console.cues.actions import CueActions
from app.console.toolkit import clipboard
from tests.app.console.cues.conftest import Desk

ROOT = Path(__file__).parents[4]


class Selection:
    """What is selected, and the actions upon it."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        self.numbers: list[str] = []
        self.actions = CueActions(desk.context, lambda: self.numbers, parent)
        self.actions.select.connect(self.take)

    def take(self, numbers: list[str]) -> None:
        self.numbers = list(numbers)

    def do(self, name: str, *numbers: str) -> None:
        if numbers:
            self.numbers = list(numbers)
        self.actions.edits[name].trigger()


@pytest.fixture
def chosen(lone_desk: Desk, qtbot: QtBot) -> Selection:
    parent = QWidget()
    qtbot.addWidget(parent)
    return Selection(lone_desk, parent)


@pytest.mark.parametrize(
    ("name", "who", "order", "after"),
    [
        ("add", ["2"], ["1", "2", "2.1", "3", "4", "5"], ["2.1"]),
        ("duplicate", ["1", "5"], ["1", "2", "3", "4", "5", "6", "7"], ["6", "7"]),
        ("delete", ["2", "4"], ["1", "3", "5"], []),
        ("up", ["4", "5"], ["1", "2", "4", "5", "3"], ["4", "5"]),
        ("down", ["1"], ["2", "1", "3", "4", "5"], ["1"]),
    ],
)
def test_rows_come_go_and_move_and_undo_brings_them_back(
    chosen: Selection, lone_desk: Desk, name: str, who: list[str], order: list[str],
    after: list[str],
) -> None:  # fmt: skip
    chosen.do(name, *who)
    assert lone_desk.numbers() == order
    assert chosen.numbers == after
    lone_desk.context.document.undo.undo()
    assert lone_desk.numbers() == ["1", "2", "3", "4", "5"]


def test_show_lets_nothing_through_but_copying(chosen: Selection, lone_desk: Desk) -> None:
    lone_desk.context.lock.set_locked(True)
    for name, action in chosen.actions.edits.items():
        assert action.isEnabled() is (name == "copy")
    chosen.actions.move_to(["1"], 5)
    assert lone_desk.numbers() == ["1", "2", "3", "4", "5"]
    lone_desk.context.lock.set_locked(False)
    assert all(action.isEnabled() for action in chosen.actions.edits.values())


def test_nothing_selected_is_nothing_done(chosen: Selection, lone_desk: Desk) -> None:
    for name in ("duplicate", "delete", "cut", "copy", "up", "down", "arm", "group", "renumber"):
        chosen.do(name)
    assert not lone_desk.context.document.dirty


def test_a_new_cue_comes_into_its_neighbours_group_and_asks_for_a_name(
    chosen: Selection, lone_desk: Desk
) -> None:
    asked: list[str] = []
    chosen.actions.rename.connect(asked.append)
    chosen.do("add", "2")
    assert asked == ["2.1"]
    assert lone_desk.cue("2.1").group == "Act"
    chosen.numbers = []
    chosen.do("add")
    assert lone_desk.numbers()[-1] == asked[-1] == "6"


def test_cut_and_paste_move_rows_and_keep_their_numbers(chosen: Selection, lone_desk: Desk) -> None:
    chosen.do("cut", "1")
    assert lone_desk.numbers() == ["2", "3", "4", "5"]
    assert "named a deleted cue" in lone_desk.said[-1]
    chosen.do("paste", "5")
    assert lone_desk.numbers() == ["2", "3", "4", "5", "1"]
    assert lone_desk.cue("1").hotkey == "H"
    chosen.do("paste", "5")
    assert lone_desk.numbers() == ["2", "3", "4", "5", "6", "1"]


def test_a_clipboard_without_cues_is_one_sentence(chosen: Selection, lone_desk: Desk) -> None:
    data = QMimeData()
    data.setText("hello")
    QGuiApplication.clipboard().setMimeData(data)
    chosen.do("paste", "1")
    data = QMimeData()
    data.setData(clipboard.CUES, b'[{"number": "../x"}]')
    QGuiApplication.clipboard().setMimeData(data)
    chosen.do("paste", "1")
    assert lone_desk.said == ["The clipboard holds no cues; copy some from a cue list."] * 2


def test_what_is_copied_can_be_read_elsewhere(chosen: Selection) -> None:
    chosen.do("copy", "1", "4")
    assert QGuiApplication.clipboard().text() == "1\tHello\n4\tBow"


def test_arming_makes_all_alike(chosen: Selection, lone_desk: Desk) -> None:
    chosen.do("arm", "1", "4")
    assert lone_desk.cue("4").armed
    chosen.do("arm")
    assert not lone_desk.cue("1").armed
    assert not lone_desk.cue("4").armed


def test_groups_are_made_joined_and_left(chosen: Selection, lone_desk: Desk) -> None:
    chosen.do("group", "4", "5")
    assert lone_desk.cue("4").group == lone_desk.cue("5").group == "New group"
    chosen.do("group", "3", "4")
    assert lone_desk.cue("4").group == "Act"
    chosen.do("ungroup", "2", "3", "4")
    assert [cue.group for cue in lone_desk.context.document.show.cues] == [""] * 4 + ["New group"]


def test_renumbering_starts_at_the_first_and_refuses_a_clash(
    chosen: Selection, lone_desk: Desk
) -> None:
    chosen.do("add", "1")
    chosen.do("renumber", "1.1", "2", "3", "4", "5")
    assert "exists already" in lone_desk.said[-1]
    chosen.do("renumber", *lone_desk.numbers())
    assert lone_desk.numbers() == ["1", "2", "3", "4", "5", "6"]
    assert chosen.numbers == lone_desk.numbers()


def test_the_menu_holds_every_action_with_its_key(chosen: Selection) -> None:
    menu = QMenu()
    chosen.actions.fill(menu)
    shown = [action for action in menu.actions() if not action.isSeparator()]
    assert shown == list(chosen.actions.edits.values())
    keys = [action.shortcut().toString() for action in shown]
    assert len(set(keys)) == len(keys)
    assert all(f"[{key}]" in a.toolTip() for a, key in zip(shown, keys, strict=True))


COPIES = """
from PySide6.QtGui import QGuiApplication
from app.console.toolkit import clipboard
from app.console.toolkit.singletons import keep_singletons
keep_singletons()
application = QGuiApplication([])
for kind in (clipboard.CUES, clipboard.CLIPS):
    assert clipboard.taken(kind) == b""
    clipboard.put(kind, b"copied")
    assert clipboard.taken(kind) == b"copied"
    for _ in range(2):
        clipboard.release()
        assert clipboard.taken(kind) == b""
clipboard.put(clipboard.CLIPS, b"copied")
clipboard.release()
"""


def test_a_copy_that_nobody_pasted_does_not_outlive_python() -> None:
    ended = subprocess.run(
        [sys.executable, "-P", "-c", COPIES],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
