"""Opening, saving, the guard, recovery: nothing is lost and nothing is written over unasked."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.document import EMPTY
from app.console.context.notices import Notice
from app.console.files.chooser import ChooserSheet
from app.console.files.desk import FileDesk
from app.console.files.journal import leftovers
from app.console.files.recovery import RecoverySheet
from app.console.toolkit.sheet import SheetHost
from shows.document import Show
from shows.pose import Pose
from shows.storage import load_show, save_show
from tests.app.console.files.rig import SHOW, cue, motion, robot, saved
from tests.app.console.rig import ROBOT, LineCore
from tests.shows.examples import write_wav

EDITS = Path(__file__).with_name("edits.py")
ROOT = Path(__file__).parents[4]
NEW = msgspec.structs.replace(EMPTY, robot=ROBOT)


class Room:
    """A desk with its sheets, and what was said."""

    def __init__(self, context: Context, folder: Path, qtbot: QtBot) -> None:
        self.context, self.document, self.folder = context, context.document, folder
        self.area = QWidget()
        self.area.resize(1000, 700)
        qtbot.addWidget(self.area)
        self.area.show()
        self.sheets = SheetHost(self.area)
        self.desk = FileDesk(context, self.sheets, folder / "state", folder / "config")
        self.said: list[Notice] = []
        context.notices.said.connect(self.said.append)
        self.qtbot = qtbot

    @property
    def texts(self) -> list[str]:
        return [notice.text for notice in self.said]

    def open(self, path: Path) -> None:
        with self.qtbot.waitSignal(self.desk.opened, timeout=5000):
            self.desk.open(path)

    def rename(self, name: str) -> None:
        self.document.edit("rename", msgspec.structs.replace(self.document.show, name=name))

    def save(self) -> None:
        with self.qtbot.waitSignal(self.desk.saved, timeout=5000):
            self.desk.save()

    def answer(self, words: str) -> None:
        """Press a button of the sheet on top."""
        assert self.sheets.top is not None
        buttons = self.sheets.top.findChildren(QPushButton)
        (button,) = [found for found in buttons if found.text() == words]
        button.click()

    def hears(self, words: str) -> None:
        self.qtbot.waitUntil(lambda: any(words in text for text in self.texts))


def written(journals: Path) -> list[Path]:
    """Return the entries there are; a folder may be renamed while one looks."""
    try:
        return list(journals.glob("*/entry-*.json"))
    except FileNotFoundError:
        return []


@pytest.fixture
def room(context: Context, tmp_path: Path, qtbot: QtBot) -> Iterator[Room]:
    found = Room(context, tmp_path, qtbot)
    qtbot.waitUntil(lambda: found.desk.robot.table is not None)
    yield found
    found.desk.shut_down()


def test_a_show_opens_is_edited_and_saved(room: Room) -> None:
    path = saved(room.folder / "evening")
    room.open(path / "show.json")
    assert (room.document.show, room.document.path) == (SHOW, path)
    room.rename("Gala")
    assert room.desk.title == "● evening"
    room.save()
    assert room.desk.title == "evening"
    assert load_show(path, robot()).show.name == "Gala"
    assert room.context.preferences.value.recent == (str(path),)


def test_a_bad_show_is_one_sentence_and_the_open_one_stays(room: Room) -> None:
    path = saved(room.folder / "evening")
    room.open(path)
    room.rename("Gala")
    bad = room.folder / "bad"
    bad.mkdir()
    (bad / "show.json").write_text('{"schema": 2, "name": "x", "cuse": []}')
    with room.qtbot.waitSignal(room.desk.failed, timeout=5000) as failed:
        room.desk.read(bad)
    (text,) = failed.args or []
    assert "cuse" in text
    assert "\n" not in text
    assert text.endswith("the open show stays")
    assert room.document.show.name == "Gala"
    assert room.document.dirty


def test_a_zip_keeps_what_no_cue_uses(room: Room) -> None:
    write_wav(room.folder / "spare.wav")
    path = room.folder / "evening.zip"
    save_show(SHOW, path, [motion(), motion("other")], {"spare": room.folder / "spare.wav"})
    room.open(path)
    room.rename("Gala")
    room.save()
    loaded = load_show(path, robot(), cache=room.folder / "cache")
    assert loaded.show.name == "Gala"
    assert set(loaded.motions) == {"mine", "other"}
    assert (loaded.folder / "audio" / "spare.wav").is_file()


def test_a_motion_that_was_deleted_stays_deleted(room: Room) -> None:
    path = saved(room.folder / "evening")
    save_show(SHOW, path, [motion("other")], {})
    room.open(path)
    room.document.edit("delete", SHOW, motions={"mine": room.document.motions["mine"]})
    room.save()
    assert set(load_show(path, robot()).motions) == {"mine"}
    room.document.undo.undo()
    room.save()
    assert set(load_show(path, robot()).motions) == {"mine", "other"}


@pytest.mark.parametrize("name", ["evening", "evening.zip"])
def test_poses_are_opened_saved_deleted_and_brought_back(room: Room, name: str) -> None:
    path = room.folder / name
    hero, other = Pose("hero", {"left_elbow": 0.5}), Pose("other", {"left_elbow": 0.1})
    save_show(SHOW, path, [motion()], {}, [hero])
    room.open(path)
    assert set(room.document.poses) == {"hero"}

    def unsaved() -> bool:
        return room.document.dirty

    room.document.edit("take", SHOW, poses={"other": other})
    room.save()

    def on_disk() -> set[str]:
        return set(load_show(path, robot(), cache=room.folder / "cache").poses)

    assert on_disk() == {"other"} and not unsaved()
    room.document.undo.undo()
    assert unsaved()
    room.save()
    assert on_disk() == {"hero"}


def test_a_pose_that_is_taken_while_the_show_is_saved_is_not_called_saved(room: Room) -> None:
    room.open(saved(room.folder / "evening"))
    room.rename("A")
    with room.qtbot.waitSignal(room.desk.saved, timeout=5000):
        room.desk.save()
        show = room.document.show
        room.document.edit("take", show, poses={"hero": Pose("hero", {"left_elbow": 0.5})})
    assert room.document.dirty


def test_an_edit_while_it_is_saved_is_not_called_saved(room: Room) -> None:
    room.open(saved(room.folder / "evening"))
    room.rename("A")
    with room.qtbot.waitSignal(room.desk.saved, timeout=5000):
        room.desk.save()
        room.rename("B")
    assert room.document.dirty
    room.document.undo.undo()
    assert room.document.dirty  # it cannot know any more which step is on the disk
    room.save()
    saved_now = not room.document.dirty
    assert saved_now


def test_a_new_show_asks_where_and_a_place_with_other_things_is_refused(room: Room) -> None:
    room.desk.new()
    room.document.edit("add", Show(name="Fresh", cues=(cue("1"),)))
    (room.folder / "other").mkdir()
    (room.folder / "other" / "letter.txt").write_text("dear")
    room.desk.save()
    sheet = room.sheets.top
    assert isinstance(sheet, ChooserSheet)
    assert sheet.name_edit is not None
    assert sheet.name_edit.text() == "Fresh"
    sheet.go(room.folder)
    room.qtbot.waitUntil(lambda: sheet.folder == room.folder)
    sheet.name_edit.setText("other")
    sheet.take()
    assert "other things" in sheet.problem.text()
    sheet.name_edit.setText("fresh")
    with room.qtbot.waitSignal(room.desk.saved, timeout=5000):
        sheet.take()
    assert room.document.path == room.folder / "fresh"
    show = load_show(room.folder / "fresh", robot()).show
    assert (show.name, show.robot) == ("Fresh", ROBOT)


@pytest.mark.parametrize("zipped", [False, True])
def test_a_new_show_without_a_name_takes_that_of_its_file(room: Room, zipped: bool) -> None:
    room.desk.new()
    room.document.edit("add", Show(name=EMPTY.name, cues=(cue("1"),)))
    room.desk.save()
    sheet = room.sheets.top
    assert isinstance(sheet, ChooserSheet) and sheet.name_edit is not None
    sheet.go(room.folder)
    room.qtbot.waitUntil(lambda: sheet.folder == room.folder)
    sheet.name_edit.setText("Lena's dance 2.1" + (".zip" if zipped else ""))
    with room.qtbot.waitSignal(room.desk.saved, timeout=5000):
        sheet.take()
    path = room.document.path
    assert path is not None and not room.document.dirty
    assert load_show(path, robot()).show.name == room.document.show.name == "Lena's dance 2.1"
    room.document.undo.undo()
    assert room.document.show.name == EMPTY.name


def test_what_is_not_saved_is_asked_for(room: Room) -> None:
    path = saved(room.folder / "evening")
    room.open(path)
    room.rename("Gala")
    room.desk.new()
    room.answer("Cancel")
    assert room.document.show.name == "Gala"
    room.desk.new()
    room.answer("Don't save")
    assert room.document.show == NEW
    assert load_show(path, robot()).show == SHOW
    room.open(path)
    room.rename("Gala")
    room.desk.new()
    with room.qtbot.waitSignal(room.desk.opened, timeout=5000):
        room.answer("Save")
    assert room.document.show == NEW
    assert load_show(path, robot()).show.name == "Gala"


def test_closing_asks_and_tells_when_it_may(room: Room) -> None:
    assert room.desk.close()
    room.open(saved(room.folder / "evening"))
    room.rename("Gala")
    assert not room.desk.close()
    room.answer("Cancel")
    assert not room.desk.close()
    with room.qtbot.waitSignal(room.desk.may_close):
        room.answer("Don't save")
    assert room.desk.close()


def test_a_save_that_fails_does_not_close_and_loses_nothing(room: Room) -> None:
    path = saved(room.folder / "evening")
    room.open(path)
    room.rename("Gala")
    shutil.rmtree(path)
    path.write_text("in the way")
    room.desk.keeper.stamp = None
    assert not room.desk.close()
    left: list[None] = []
    room.desk.may_close.connect(lambda: left.append(None))
    with room.qtbot.waitSignal(room.desk.failed, timeout=5000):
        room.answer("Save")
    assert left == []
    assert room.document.dirty


def test_a_file_that_somebody_else_changed_is_not_written_over_unasked(room: Room) -> None:
    path = saved(room.folder / "evening")
    room.open(path)
    room.rename("Mine")
    save_show(Show(name="Theirs", cues=SHOW.cues), path, [], {})
    os.utime(path / "show.json", (5, 5))
    room.desk.save()
    room.answer("Cancel")
    assert load_show(path, robot()).show.name == "Theirs"
    room.desk.save()
    with room.qtbot.waitSignal(room.desk.saved, timeout=5000):
        room.answer("Write over it")
    assert load_show(path, robot()).show.name == "Mine"


def test_in_a_show_no_other_one_is_opened(room: Room, core: LineCore) -> None:
    path = saved(room.folder / "evening")
    room.context.lock.set_locked(True)
    room.desk.open(path)
    room.hears("switch to EDIT")
    room.context.lock.set_locked(False)
    core.set(running_cues=("3",))
    room.qtbot.waitUntil(
        lambda: (
            room.context.link.status is not None and room.context.link.status.running_cues == ("3",)
        )
    )
    room.desk.open(path)
    room.hears("cue 3 is running")
    assert room.document.show == EMPTY


def test_what_is_dropped_opens_if_it_may_be_a_show(room: Room) -> None:
    path = saved(room.folder / "evening")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path / "show.json"))])
    assert room.desk.can_drop(mime)
    with room.qtbot.waitSignal(room.desk.opened, timeout=5000):
        assert room.desk.drop(mime)
    picture = QMimeData()
    picture.setUrls([QUrl.fromLocalFile(str(room.folder / "photo.png"))])
    assert not room.desk.can_drop(picture)
    assert not room.desk.drop(picture)


def test_without_a_core_a_known_robot_does_and_an_unknown_one_is_waited_for(
    room: Room, qtbot: QtBot
) -> None:
    path = saved(room.folder / "evening")
    config = room.folder / "config" / "robot.json"
    qtbot.waitUntil(config.exists)
    again = FileDesk(room.context, room.sheets, room.folder / "s", room.folder / "config")
    assert again.robot.table is not None
    again.shut_down()
    room.desk.robot.table = None
    busy: list[str] = []
    room.desk.busy_changed.connect(busy.append)
    room.desk.open(path)
    assert "waiting for the core" in busy[0]
    hello = room.context.link.hello
    assert hello is not None
    with qtbot.waitSignal(room.desk.opened, timeout=5000):
        room.context.link.hello_changed.emit(hello)


def test_a_console_that_is_killed_loses_at_most_five_seconds(room: Room, qtbot: QtBot) -> None:
    path = saved(room.folder / "evening")
    child = subprocess.Popen(
        [sys.executable, str(EDITS), str(room.folder / "state"), str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)},
    )
    assert child.stdout is not None
    made = {}
    ends_s = time.monotonic() + 4.0
    while time.monotonic() < ends_s:
        made[int(child.stdout.readline())] = time.monotonic()
    killed_s = time.monotonic()
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert load_show(path, robot()).show == SHOW
    room.desk.offer_recovery()
    qtbot.waitUntil(lambda: isinstance(room.sheets.top, RecoverySheet))
    sheet = room.sheets.top
    assert isinstance(sheet, RecoverySheet)
    with qtbot.waitSignal(room.desk.opened, timeout=5000):
        QTest.keyClick(sheet.list, Qt.Key.Key_Return)
    assert room.document.dirty
    assert room.document.path == path
    kept = int(room.document.show.name)
    lost = [when for edit, when in made.items() if edit > kept]
    assert all(killed_s - when < 5.0 for when in lost)
    assert kept > 0
    qtbot.waitUntil(lambda: len(list((room.folder / "state" / "journal").iterdir())) == 1)
    room.save()
    assert load_show(path, robot()).show.name == str(kept)


def offered(room: Room, context: Context, qtbot: QtBot) -> Room:
    """End a room with an edit that was not saved; return the next, which offers to recover it."""
    room.open(saved(room.folder / "evening"))
    room.rename("Gala")
    room.desk.shut_down()  # as when it is ended from outside
    again = Room(context, room.folder, qtbot)
    again.document.open(EMPTY, None, {}, {})
    qtbot.wait(500)  # both rooms have one document: the second's own journal of it goes first
    again.desk.offer_recovery()
    qtbot.waitUntil(lambda: isinstance(again.sheets.top, RecoverySheet))
    return again


def test_a_recovery_that_is_declined_keeps_the_file_and_is_offered_in_the_menu(
    room: Room, context: Context, qtbot: QtBot
) -> None:
    again = offered(room, context, qtbot)
    again.answer("Put aside")
    again.hears("put aside")
    qtbot.waitUntil(lambda: again.sheets.top is None)
    again.desk.offer_recovery()
    qtbot.wait(200)
    assert again.sheets.top is None
    again.desk.offer_all()
    qtbot.waitUntil(lambda: isinstance(again.sheets.top, RecoverySheet))
    with qtbot.waitSignal(again.desk.opened, timeout=5000):
        again.answer("Open")
    assert again.document.show.name == "Gala"
    again.desk.shut_down()


def test_that_nothing_is_left_to_recover_is_said_in_a_page(room: Room, qtbot: QtBot) -> None:
    room.desk.offer_all()
    qtbot.waitUntil(lambda: room.sheets.top is not None)
    sheet = room.sheets.top
    assert sheet is not None and sheet.accessibleName() == "Nothing to recover"
    room.answer("Close")
    qtbot.waitUntil(lambda: room.sheets.top is None)


def test_what_is_offered_already_is_not_said_to_be_nothing(
    room: Room, context: Context, qtbot: QtBot
) -> None:
    again = offered(room, context, qtbot)
    again.desk.offer_all()
    with qtbot.waitSignal(again.desk.failed, timeout=30_000):  # which is done after that
        again.desk.read(room.folder / "missing")
    assert isinstance(again.sheets.top, RecoverySheet) and len(again.sheets.sheets) == 1
    again.desk.shut_down()


def test_what_is_edited_while_another_show_is_opened_is_not_given_up(
    room: Room, context: Context
) -> None:
    room.open(saved(room.folder / "evening"))
    room.desk.open(saved(room.folder / "other"))
    room.rename("Gala")  # before it is there
    room.hears("edited meanwhile")
    assert (room.document.show.name, room.document.dirty) == ("Gala", True)


def test_what_is_edited_while_the_robot_is_waited_for_is_not_given_up(
    room: Room, context: Context
) -> None:
    room.desk.robot.table = None
    room.desk.open(saved(room.folder / "evening"))
    room.rename("Gala")
    assert context.link.hello is not None
    context.link.hello_changed.emit(context.link.hello)
    room.hears("edited meanwhile")
    assert room.document.show.name == "Gala"


def test_a_recovery_that_was_chosen_and_cancelled_is_offered_again(
    room: Room, context: Context, qtbot: QtBot
) -> None:
    again = offered(room, context, qtbot)
    again.rename("New")
    again.answer("Open")
    again.answer("Cancel")
    assert again.document.show.name == "New"
    again.desk.offer_all()
    qtbot.waitUntil(lambda: isinstance(again.sheets.top, RecoverySheet))
    again.desk.shut_down()


def test_saving_and_closing_leave_no_journal(room: Room, qtbot: QtBot) -> None:
    room.open(saved(room.folder / "evening"))
    room.rename("Gala")
    journals = room.folder / "state" / "journal"
    qtbot.waitUntil(lambda: any(written(journals)))
    room.save()
    qtbot.waitUntil(lambda: not any(written(journals)))
    room.desk.shut_down()
    assert list(journals.iterdir()) == []
    assert leftovers(journals) == []


def test_a_journal_that_cannot_be_written_is_told_once(room: Room, qtbot: QtBot) -> None:
    room.desk.shut_down()
    (room.folder / "full").write_text("")
    desk = FileDesk(room.context, room.sheets, room.folder / "full", room.folder / "config")
    room.rename("Gala")
    room.hears("cannot be written")
    room.rename("Ball")
    desk.keeper.write()
    qtbot.wait(200)
    assert len([text for text in room.texts if "cannot be written" in text]) == 1
    desk.shut_down()


def test_a_sample_is_saved_elsewhere(room: Room) -> None:
    library = room.folder / "library"
    library.mkdir()
    path = saved(library / "meet")
    room.desk.shut_down()
    room.desk = FileDesk(
        room.context, room.sheets, room.folder / "s", room.folder / "config", library
    )
    room.open(path)
    room.rename("Mine")
    room.desk.save()
    sheet = room.sheets.top
    assert isinstance(sheet, ChooserSheet)
    assert sheet.folder != library
    sheet.go(room.folder)
    room.qtbot.waitUntil(lambda: sheet.folder == room.folder)
    with room.qtbot.waitSignal(room.desk.saved, timeout=5000):
        sheet.take()
    assert room.document.path == room.folder / "meet"
    assert load_show(path, robot()).show == SHOW
