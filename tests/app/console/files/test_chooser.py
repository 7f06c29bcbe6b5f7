"""The chooser lists shows, takes what is there or a new name, and says why not."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.console.files.chooser import ChooserSheet, places_in
from app.console.files.saver import check_place
from app.console.toolkit.sheet import SheetHost
from shows.errors import ShowError
from tests.app.console.files.rig import saved


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    saved(tmp_path / "gala")
    saved(tmp_path / "tour.zip")
    (tmp_path / "backups").mkdir()
    (tmp_path / "letter.txt").write_text("dear")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "broken.zip").symlink_to(tmp_path / "nowhere")
    return tmp_path


def chooser(qtbot: QtBot, folder: Path, name: str | None = None) -> tuple[ChooserSheet, list[Path]]:
    chosen: list[Path] = []
    sheet = ChooserSheet("Choose", folder, chosen.append, name, check=check_place)
    area = QWidget()
    qtbot.addWidget(area)
    area.resize(900, 700)
    area.show()
    SheetHost(area).show_sheet(sheet)
    qtbot.waitUntil(lambda: sheet.list.topLevelItemCount() > 0)
    return sheet, chosen


def names(sheet: ChooserSheet) -> list[str]:
    items = (sheet.list.topLevelItem(row) for row in range(sheet.list.topLevelItemCount()))
    return [item.text(0).split()[-1] for item in items if item is not None]


def test_shows_come_first_and_other_files_not_at_all(folder: Path) -> None:
    assert [(place.path.name, place.kind) for place in places_in(folder, ".zip")] == [
        ("gala", "show"),
        ("tour.zip", "zip"),
        ("backups", "folder"),
    ]


def test_the_marked_show_is_taken(folder: Path, qtbot: QtBot) -> None:
    sheet, chosen = chooser(qtbot, folder)
    assert names(sheet) == ["gala", "tour.zip", "backups"]
    QTest.keyClick(sheet.list, Qt.Key.Key_Return)
    assert chosen == [folder / "gala"]  # once, though Enter is the list's and the sheet's


def test_a_marked_folder_is_entered(folder: Path, qtbot: QtBot) -> None:
    sheet, chosen = chooser(qtbot, folder)
    (item,) = sheet.list.findItems("backups", Qt.MatchFlag.MatchContains)
    sheet.list.setCurrentItem(item)
    QTest.keyClick(sheet.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: sheet.folder == folder / "backups")
    assert chosen == []


def test_folders_are_walked_and_typed(folder: Path, qtbot: QtBot) -> None:
    sheet, chosen = chooser(qtbot, folder)
    QTest.keyClick(sheet.list, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: sheet.folder == folder.parent)
    sheet.path_edit.setText(str(folder / "nothing"))
    QTest.keyClick(sheet.path_edit, Qt.Key.Key_Return)
    assert "There is no show and no folder" in sheet.problem.text()
    sheet.path_edit.setText(str(folder / "backups"))
    QTest.keyClick(sheet.path_edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: sheet.folder == folder / "backups")
    assert "no show" in sheet.problem.text()
    sheet.path_edit.setText(str(folder / "tour.zip"))
    QTest.keyClick(sheet.path_edit, Qt.Key.Key_Return)
    assert chosen == [folder / "tour.zip"]


def test_what_was_typed_is_meant_until_the_list_is_touched(folder: Path, qtbot: QtBot) -> None:
    sheet, chosen = chooser(qtbot, folder)
    sheet.path_edit.selectAll()
    QTest.keyClicks(sheet.path_edit, str(folder / "tour.zip"))
    sheet.take()  # the button; the list still marks its first line
    assert chosen == [folder / "tour.zip"]
    sheet, chosen = chooser(qtbot, folder)
    QTest.keyClicks(sheet.path_edit, "nonsense")
    first = sheet.list.topLevelItem(0)
    assert first is not None
    place = sheet.list.visualItemRect(first).center()
    QTest.mouseClick(sheet.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    sheet.take()
    assert chosen == [folder / "gala"]


def test_nothing_is_saved_to_a_folder_while_another_is_typed(folder: Path, qtbot: QtBot) -> None:
    sheet, chosen = chooser(qtbot, folder, "new")
    sheet.path_edit.selectAll()
    QTest.keyClicks(sheet.path_edit, str(folder / "backups"))
    sheet.take()
    qtbot.waitUntil(lambda: sheet.folder == folder / "backups")
    assert chosen == []
    sheet.take()
    assert chosen == [folder / "backups" / "new"]


def test_a_name_that_the_disk_refuses_is_told_in_words(folder: Path, qtbot: QtBot) -> None:
    sheet, chosen = chooser(qtbot, folder, "x" * 300)
    sheet.take()
    assert chosen == []
    assert "Choose another name" in sheet.problem.text()
    assert "Errno" not in sheet.problem.text()


def test_a_folder_that_cannot_be_read_is_told(folder: Path, qtbot: QtBot) -> None:
    sheet, _ = chooser(qtbot, folder)
    sheet.go(folder / "letter.txt")
    qtbot.waitUntil(lambda: "cannot be read" in sheet.problem.text())
    assert sheet.folder == folder


def test_what_is_there_is_replaced_only_after_a_second_press(folder: Path, qtbot: QtBot) -> None:
    sheet, chosen = chooser(qtbot, folder, "gala")
    sheet.take()
    assert chosen == []
    assert "is there already" in sheet.problem.text()
    sheet.take()
    assert chosen == [folder / "gala"]


def test_a_new_name_is_a_folder_or_a_zip(folder: Path, qtbot: QtBot) -> None:
    sheet, chosen = chooser(qtbot, folder, "new.zip")
    assert sheet.name_edit is not None
    assert sheet.name_edit.text() == "new"
    for bad in ("", "a/b", ".hidden"):
        sheet.name_edit.setText(bad)
        sheet.take()
        assert chosen == []
        assert sheet.problem.text()
    sheet.name_edit.setText("new")
    sheet.take()
    assert chosen == [folder / "new.zip"]


def test_clicking_a_show_takes_its_name(folder: Path, qtbot: QtBot) -> None:
    sheet, _ = chooser(qtbot, folder, "new")
    (item,) = sheet.list.findItems("tour", Qt.MatchFlag.MatchContains)
    sheet.list.setCurrentItem(item)
    assert sheet.name_edit is not None
    assert sheet.name_edit.text() == "tour"


@pytest.mark.parametrize("name", ["letter.txt", "backups.zip", "nowhere/show", "full"])
def test_places_where_no_show_may_be_saved(folder: Path, name: str) -> None:
    (folder / "backups.zip").mkdir()
    (folder / "full").mkdir()
    (folder / "full" / "photo.png").write_text("")
    with pytest.raises(ShowError, match="choose another"):
        check_place(folder / name)
    check_place(folder / "gala")
    check_place(folder / "backups")
    check_place(folder / "fresh.zip")
