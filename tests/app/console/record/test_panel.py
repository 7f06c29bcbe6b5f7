"""The panel Record: limbs are released, takes begin and end, and are listed."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QDoubleSpinBox, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.gestures.library import GestureLibrary
from app.console.record.panel import RecordPanel
from app.console.record.plan_form import NO_MICROPHONE
from app.console.record.take_bar import CANCEL, END, RECORD
from app.console.record.takes import next_path, takes_folder
from core.link.client import Client
from core.link.commands import (
    ArmTake,
    BackDrive,
    EndBackDrive,
    EndTake,
    MarkTake,
    StartTake,
)
from core.link.take import MicrophoneReport, MicrophoneWish, TakePlan, TakeStatus
from core.link.topics import WISH
from shows.document import Show
from shows.take import TakeHead, TakeWriter
from shows.take_sound import RATE_HZ as SOUND_HZ
from shows.take_sound import SoundWriter, sound_path
from tests.app.console.gestures import motions
from tests.app.console.rig import HELLO, LineCore

DRIVEN = ("driven",) * len(HELLO.group_names)
FLOATING = ("driven", "floating", "driven", "driven", "driven")


def write_sound(take: Path, seconds: float = 2.0) -> Path:
    """Write a sound beside a take; its samples tell the time."""
    path = sound_path(take)
    with path.open("wb", buffering=0) as stream:
        SoundWriter(stream).write(np.linspace(0.0, 0.8, round(seconds * SOUND_HZ)))
    return path


def write_take(
    path: Path, limbs: tuple[str, ...] = ("left_arm",), ended: bool = True, **over: object
) -> None:
    """Write a take in which every joint moves a little."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = TakeHead(
        robot=HELLO.robot, body="sim", joint_names=HELLO.joint_names,
        limb_names=HELLO.group_names, limbs=limbs,
    )  # fmt: skip
    head = msgspec.structs.replace(head, **over)
    rows = np.zeros(600, dtype=head.dtype)
    rows["t"] = 0.005 * np.arange(600)
    rows["q"] = 0.2 * np.sin(2.0 * rows["t"])[:, None]
    with path.open("wb", buffering=0) as stream:
        writer = TakeWriter(stream, head)
        writer.samples(rows)
        writer.mark(1.0, "up")
        if ended:
            writer.end("ended by the operator")


class Rig:
    def __init__(self, context: Context, core: LineCore, qtbot: QtBot, folder: Path) -> None:
        self.context, self.core, self.qtbot, self.folder = context, core, qtbot, folder
        library = GestureLibrary(
            context.link, context.document, context.notices, (motions.library(folder / "g"),)
        )
        context.document.open(Show(name="Gala"), folder / "gala", {}, {})
        self.panel = RecordPanel(context, library, None, motions.picture)
        qtbot.addWidget(self.panel)
        self.said: list[str] = []
        context.notices.said.connect(self._hear)
        qtbot.waitUntil(lambda: library.ready)
        self.panel.resize(640, 340)
        with qtbot.waitExposed(self.panel):
            self.panel.show()
        self.panel.set_seen(True)

    def _hear(self, notice: Notice) -> None:
        self.said.append(notice.text)

    def named(self, name: str) -> QWidget:
        return next(w for w in self.panel.findChildren(QWidget) if w.accessibleName() == name)

    def button(self, name: str) -> QAbstractButton:
        found = self.named(name)
        assert isinstance(found, QAbstractButton)
        return found

    def wait_for(self, command: object) -> None:
        self.qtbot.waitUntil(lambda: self.asked[-1:] == [command])

    @property
    def asked(self) -> list[object]:
        """The commands, without those that prepare the handset's take at times of their own."""
        return [command for command in self.core.commands if not isinstance(command, ArmTake)]

    def record(self, **status: object) -> None:
        """Let the core be in RECORD with the left arm floating."""
        self.core.set(**{"mode": "RECORD", "freedoms": FLOATING, **status})
        self.qtbot.waitUntil(lambda: self.button("End RECORD").isEnabled())


@pytest.fixture
def rig(context: Context, core: LineCore, qtbot: QtBot, tmp_path: Path) -> Iterator[Rig]:
    core.set(freedoms=DRIVEN)
    found = Rig(context, core, qtbot, tmp_path)
    yield found
    found.panel.close_panel()


def test_limbs_are_released_with_feel_and_load(rig: Rig) -> None:
    rig.button("Feel: Stiff").click()
    load = rig.named("Load in L hand")
    assert isinstance(load, QDoubleSpinBox)
    load.setValue(0.4)
    rig.button("L arm: Floating").click()
    rig.wait_for(BackDrive({"left_arm": "floating"}, "stiff", {"left_hand": 0.4}))
    assert not rig.button("L hand: Floating").isEnabled()  # its gears hold
    rig.record(feel="stiff")
    rig.qtbot.waitUntil(lambda: rig.button("L arm: Floating").isChecked())
    rig.button("L arm: Limp").click()
    rig.wait_for(BackDrive({"left_arm": "limp"}, "stiff", {"left_hand": 0.4}))
    rig.button("Feel: Loose").click()
    rig.wait_for(BackDrive({}, "loose", {"left_hand": 0.4}))
    rig.button("End RECORD").click()
    rig.wait_for(EndBackDrive())


def test_nothing_is_released_where_the_core_would_refuse(rig: Rig) -> None:
    rig.core.set(mode="DAMPED")
    rig.qtbot.waitUntil(lambda: not rig.button("L arm: Floating").isEnabled())
    rig.qtbot.waitUntil(lambda: not rig.panel.bar.record.isEnabled())
    rig.panel.toggle.trigger()
    assert rig.said and "no take was begun" in rig.said[-1]
    assert rig.asked == []


def test_a_take_is_begun_marked_and_ended(rig: Rig) -> None:
    rig.record()
    rig.panel.form.count_in.setValue(2.0)
    QTest.mouseClick(rig.panel.bar.record, Qt.MouseButton.LeftButton)
    path = takes_folder(rig.folder / "gala") / "l_arm_1.take"
    plan = TakePlan(path=str(path), limbs=("left_arm",), count_in_s=2.0)
    rig.wait_for(StartTake(plan))
    rig.core.set(take=TakeStatus(str(path), "counting", -1.5))
    rig.qtbot.waitUntil(lambda: rig.panel.bar.record.text() == CANCEL)
    assert not rig.panel.bar.mark.isEnabled()
    rig.core.set(take=TakeStatus(str(path), "recording", 1.0, 0.9, 40_000))
    rig.qtbot.waitUntil(lambda: rig.panel.bar.record.text() == END)
    rig.panel.marker.trigger()
    rig.wait_for(MarkTake())
    rig.panel.toggle.trigger()
    rig.wait_for(EndTake())
    write_take(path)
    rig.core.set(take=TakeStatus(str(path), "saved", 1.0, 0.9, 40_000))
    rig.qtbot.waitUntil(lambda: rig.panel.bar.record.text() == RECORD)
    rig.qtbot.waitUntil(lambda: len(rig.panel.takes.entries) == 1)
    (entry,) = rig.panel.takes.entries
    assert entry.whole and entry.markers == 1 and entry.duration_s == pytest.approx(2.995)


def test_the_next_take_has_another_name_and_all_limbs_where_none_is_released(rig: Rig) -> None:
    folder = takes_folder(rig.folder / "gala")
    write_take(folder / "take_1.take")
    rig.panel.bar.record.click()
    plan = TakePlan(path=str(folder / "take_2.take"), limbs=HELLO.group_names, count_in_s=3.0)
    rig.wait_for(StartTake(plan))


def test_a_punch_that_contradicts_itself_is_said(rig: Rig) -> None:
    rig.record()
    rig.panel.form.punch.setChecked(True)
    rig.panel.form.punch_in.setValue(3.0)
    rig.panel.form.punch_out.setValue(2.0)
    before = list(rig.core.commands)
    rig.panel.bar.record.click()
    assert "after its punch-in" in rig.said[-1]
    assert not any(isinstance(c, StartTake) for c in rig.core.commands[len(before) :])


def test_takes_are_opened_deleted_and_brought_back(rig: Rig) -> None:
    folder = takes_folder(rig.folder / "gala")
    write_take(folder / "wave_1.take")
    write_take(folder / "wave_2.take", ended=False)
    (folder / "broken.take").write_bytes(b"no take")
    rig.panel.takes.look()
    rig.qtbot.waitUntil(lambda: len(rig.panel.takes.entries) == 3)
    states = {e.name: (e.whole, bool(e.trouble)) for e in rig.panel.takes.entries}
    assert states == {"wave_1": (True, False), "wave_2": (False, False), "broken": (False, True)}
    asked: list[Path] = []
    rig.panel.motion_asked.connect(asked.append)
    rig.panel.page.list.choose(folder / "wave_1.take")
    rig.button("Make a motion (take)").click()
    assert asked == [folder / "wave_1.take"]
    rig.button("Delete (take)").click()
    rig.qtbot.waitUntil(lambda: len(rig.panel.takes.entries) == 2)
    assert not (folder / "wave_1.take").exists()
    rig.qtbot.waitUntil(lambda: rig.button("Undelete (take)").isEnabled())
    rig.button("Undelete (take)").click()
    rig.qtbot.waitUntil(lambda: len(rig.panel.takes.entries) == 3)
    assert (folder / "wave_1.take").exists()


def test_the_sound_of_a_take_goes_with_it(rig: Rig) -> None:
    path = takes_folder(rig.folder / "gala") / "l_arm_1.take"
    write_take(path)
    sound = write_sound(path)
    rig.panel.takes.look()
    rig.qtbot.waitUntil(lambda: len(rig.panel.takes.entries) == 1)
    assert rig.panel.takes.entries[0].sound_s == pytest.approx(2.0)
    asked: list[Path] = []
    rig.panel.sound_asked.connect(asked.append)
    rig.panel.page._sound()
    assert asked == [path]
    rig.button("Delete (take)").click()
    assert not path.exists() and not sound.exists()
    rig.qtbot.waitUntil(lambda: rig.button("Undelete (take)").isEnabled())
    rig.button("Undelete (take)").click()
    assert path.exists() and sound.exists()
    rig.qtbot.waitUntil(lambda: len(rig.panel.takes.entries) == 1)
    rig.button("Delete (take)").click()
    assert next_path(path.parent, "L arm") == path  # its name is free again
    rig.panel.close_panel()
    assert list(path.parent.iterdir()) == []


def test_a_take_without_a_sound_says_so(rig: Rig) -> None:
    write_take(takes_folder(rig.folder / "gala") / "l_arm_1.take")
    rig.panel.takes.look()
    rig.qtbot.waitUntil(lambda: len(rig.panel.takes.entries) == 1)
    rig.panel.page._sound()
    assert "has no sound" in rig.said[-1]


def test_an_earlier_take_or_a_gesture_plays_meanwhile(rig: Rig) -> None:
    path = takes_folder(rig.folder / "gala") / "l_arm_1.take"
    write_take(path)
    rig.panel.takes.look()
    box = rig.panel.form.backing
    rig.qtbot.waitUntil(lambda: box.findText("♺ l_arm_1") > 0)
    box.setCurrentIndex(box.findText("♺ l_arm_1"))
    rig.panel.form.count_in.setValue(1.0)
    rig.panel.takes.changed.emit()
    assert box.currentText() == "♺ l_arm_1"  # it is remembered
    rig.panel.bar.record.click()
    rig.qtbot.waitUntil(lambda: any(isinstance(c, StartTake) for c in rig.core.commands))
    plan = next(c for c in rig.core.commands if isinstance(c, StartTake)).plan
    assert plan.backing is None and plan.backing_take == str(path)
    rig.core.set(take=TakeStatus(plan.path, "preparing", 0.0))
    rig.qtbot.waitUntil(lambda: rig.panel.bar.record.text() == CANCEL)
    box.setCurrentIndex(box.count() - 1)
    plan = rig.panel.form.plan(path, ())
    assert plan.backing is not None and plan.backing_take == ""


def test_the_handsets_take_is_prepared_while_the_panel_is_seen(rig: Rig) -> None:
    def armed() -> list[ArmTake]:
        return [command for command in rig.core.commands if isinstance(command, ArmTake)]

    rig.record()
    rig.qtbot.waitUntil(lambda: len(armed()) == 1)
    plan = armed()[0].plan
    assert plan is not None and plan.limbs == ("left_arm",) and plan.path.endswith("l_arm_1.take")
    rig.panel._take_care()
    rig.core.set(take=TakeStatus(plan.path, "recording", 1.0))
    rig.qtbot.waitUntil(lambda: rig.panel.bar.record.text() == END)
    rig.panel._take_care()
    rig.core.set(take=TakeStatus(plan.path, "saved", 1.0, 1.0))
    rig.qtbot.waitUntil(lambda: rig.panel.bar.record.text() == RECORD)
    before = rig.panel._armed
    rig.panel.set_seen(False)
    rig.panel._take_care()
    assert rig.panel._armed is before
    rig.panel.set_seen(True)
    rig.qtbot.waitUntil(lambda: len(armed()) == 2)


def test_a_microphone_is_wished_for_listed_and_remembered(rig: Rig) -> None:
    wishes: list[MicrophoneWish] = []
    form, level = rig.panel.form, rig.panel.bar.level
    link = rig.context.link
    with Client(rig.core.endpoint, HELLO.robot, "recorder", timeout_s=20.0) as recorder:
        inbox = recorder.subscribe(WISH)

        def hear(wanted: MicrophoneWish) -> bool:
            wishes.extend(inbox.poll())
            rig.panel._take_care()
            return wanted in wishes

        rig.qtbot.waitUntil(lambda: hear(MicrophoneWish(None)))
        assert level.isHidden() and form.microphones.currentText() == NO_MICROPHONE
        rig.panel._hear([MicrophoneReport(devices=("Desk", "Lapel"))])
        form.microphones.setCurrentIndex(form.microphones.findData("Lapel"))
        rig.qtbot.waitUntil(lambda: hear(MicrophoneWish("Lapel")))
    assert rig.context.preferences.value.microphone == "Lapel"
    assert form.plan(Path("/a.take"), ()).microphone == "Lapel"
    rig.panel._hear([MicrophoneReport(devices=("Desk",))])
    assert form.microphone == "Lapel" and "▲" in form.microphones.currentText()  # gone, and kept
    assert link.connected
