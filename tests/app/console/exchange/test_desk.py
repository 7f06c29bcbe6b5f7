"""Motions come in and go out through a process of their own, and nothing is lost on the way."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtWidgets import QTreeWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.exchange.desk import ExchangeDesk, keep_beside
from app.console.exchange.export_sheet import ExportSheet, Source
from app.console.exchange.import_sheet import ImportSheet
from app.console.files.chooser import ChooserSheet
from app.console.files.robot import joint_table
from app.console.record.takes import TakeLibrary, imported_folder
from app.console.toolkit.sheet import Sheet
from shows.document import Show
from shows.errors import ShowError
from shows.joints import JointTable
from shows.motion import Motion, load_raw_motion
from tests.app.console.rig import HELLO
from tests.shows.people import STYLES
from tests.shows.performance import waving

SLOW = {"timeout": 50_000}
TABLE = "time_s,left_elbow,head_yaw\n0,0,0\n0.5,0.4,0.1\n1,0.2,0.3\n"


def robot() -> JointTable:
    table = joint_table(HELLO)
    assert table is not None
    return table


class Rig:
    def __init__(self, context: Context, qtbot: QtBot, folder: Path) -> None:
        self.context, self.qtbot, self.folder = context, qtbot, folder
        self.joints: JointTable | None = robot()
        self.sources: list[Source] = []
        self.sheets: list[Sheet] = []
        self.said: list[str] = []
        self.shown: list[Motion | None] = []
        self.asked: list[Path] = []
        context.document.open(Show(name="Gala"), folder / "gala", {}, {})
        context.notices.said.connect(self._hear)
        self.desk = ExchangeDesk(
            context, lambda: self.joints, lambda: self.sources, self._show_sheet
        )
        self.desk.shown.connect(self.shown.append)
        self.desk.motion_asked.connect(self.asked.append)

    def _hear(self, notice: Notice) -> None:
        self.said.append(notice.text)

    def _show_sheet(self, sheet: Sheet) -> None:
        self.qtbot.addWidget(sheet)
        self.sheets.append(sheet)
        sheet.show()

    def take(self, name: str, content: bytes) -> ImportSheet:
        path = self.folder / name
        path.write_bytes(content)
        self.desk.take(path)
        sheet = self.sheets[-1]
        assert isinstance(sheet, ImportSheet)
        return sheet

    def export(self) -> ExportSheet:
        self.desk.export()
        sheet = self.sheets[-1]
        assert isinstance(sheet, ExportSheet)
        return sheet


@pytest.fixture
def rig(context: Context, qtbot: QtBot, tmp_path: Path) -> Iterator[Rig]:
    found = Rig(context, qtbot, tmp_path)
    yield found
    for sheet in found.sheets:
        sheet.dismiss()
    found.desk.close()


def rows(tree: QTreeWidget) -> list[list[str]]:
    found = []
    for index in range(tree.topLevelItemCount()):
        item = tree.topLevelItem(index)
        assert item is not None
        found.append([item.text(column) for column in range(tree.columnCount())])
    return found


def test_a_person_is_shown_judged_and_kept_beside_the_takes(rig: Rig, qtbot: QtBot) -> None:
    sheet = rig.take("wave.bvh", waving(STYLES[3]))
    assert not sheet.open.isEnabled()
    qtbot.waitUntil(sheet.open.isEnabled, **SLOW)
    assert ["Unit", "centimetre (guessed)"] in rows(sheet.facts)
    assert [row[0] for row in rows(sheet.limbs)] == ["L arm", "R arm", "Head"]
    motion = rig.shown[-1]
    assert motion is not None and motion.name == "wave"
    sheet.preview.click()
    assert rig.shown[-1] is None
    sheet.open.click()
    qtbot.waitUntil(lambda: bool(rig.asked))
    path = imported_folder(rig.folder / "gala") / "wave.json"
    assert rig.asked == [path] and rig.said[-1] == "wave.bvh is imported as wave"
    kept = load_raw_motion(path, robot())
    assert kept.source == "imported"
    np.testing.assert_allclose(kept.positions, motion.positions, atol=1e-6)


def test_changed_options_read_the_file_again(rig: Rig, qtbot: QtBot) -> None:
    sheet = rig.take("wave.bvh", waving(STYLES[3]))
    sheet.unit.setCurrentIndex(2)
    sheet.up.setCurrentIndex(1)
    sheet.mirror.setChecked(True)
    sheet.span.start.setValue(0.1)
    options = sheet.arguments()
    assert options[options.index("--unit") + 1] == "centimetre"
    assert options[options.index("--up") + 1] == "y"
    assert options[options.index("--from") + 1] == "0.100"
    assert "--mirror" in options and "--to" not in options
    qtbot.waitUntil(sheet.open.isEnabled, **SLOW)
    assert ["Unit", "centimetre (given)"] in rows(sheet.facts)
    assert ["Mirrored", "left and right are exchanged"] in rows(sheet.facts)
    sheet.mirror.setChecked(False)
    assert not sheet.open.isEnabled(), "the result is not that of the options any more"


def test_a_refusal_has_its_reason_and_nothing_is_kept(rig: Rig, qtbot: QtBot) -> None:
    sheet = rig.take("tail.csv", b"time_s,tail\n0,0\n1,0\n")
    qtbot.waitUntil(lambda: "Not imported" in sheet.words.text(), **SLOW)
    assert "tail.csv, line 1" in sheet.words.text() and "'tail'" in sheet.words.text()
    assert not sheet.open.isEnabled() and not sheet.unit.isVisible()
    assert not imported_folder(rig.folder / "gala").exists()


def test_a_closed_sheet_ends_its_process_and_leaves_no_file(rig: Rig, qtbot: QtBot) -> None:
    sheet = rig.take("wave.bvh", waving(STYLES[3]))
    process, folder = sheet._child._process, Path(sheet._folder.name)
    assert process is not None and folder.is_dir()
    assert process.waitForStarted()
    sheet.dismiss()
    assert not folder.exists() and rig.shown[-1] is None
    qtbot.wait(50)
    assert not rig.asked


def test_motions_beyond_the_limits_open_with_a_warning(rig: Rig, qtbot: QtBot) -> None:
    sheet = rig.take("fast.csv", b"time_s,left_elbow\n0,0\n0.02,1.5\n0.04,0\n0.06,1.5\n")
    qtbot.waitUntil(sheet.open.isEnabled, **SLOW)
    assert "edited before it is played" in sheet.words.text()
    assert "left_elbow at 0.02 s" in sheet.words.text()


def test_a_name_is_never_taken_twice(rig: Rig, tmp_path: Path) -> None:
    motion = Motion("wave", ("left_elbow",), 50.0, np.zeros((3, 1)))
    paths = [keep_beside(motion, tmp_path / "kept") for _ in range(3)]
    assert [path.stem for path in paths] == ["wave", "wave_2", "wave_3"]
    assert load_raw_motion(paths[2], robot()).name == "wave_3"
    (tmp_path / "file").write_text("")
    with pytest.raises(ShowError):
        keep_beside(motion, tmp_path / "file" / "kept")


def test_imported_motions_are_among_the_takes(rig: Rig, qtbot: QtBot) -> None:
    motion = Motion("wave", ("left_elbow",), 50.0, np.linspace(0.0, 1.0, 51)[:, None])
    folder = imported_folder(rig.folder / "gala")
    keep_beside(motion, folder)
    (folder / "broken.json").write_text("{}")
    takes = TakeLibrary(rig.context)
    takes.look()
    qtbot.waitUntil(lambda: len(takes.entries) == 2)
    by_name = {entry.name: entry for entry in takes.entries}
    assert by_name["wave"].limbs == ("left_arm",) and by_name["wave"].duration_s == 1.0
    assert by_name["broken"].trouble and by_name["broken"].limbs == ()
    takes.close()


def test_the_time_and_the_robot_must_fit(rig: Rig) -> None:
    rig.context.lock.set_locked(True)
    rig.desk.choose()
    rig.desk.export()
    rig.desk.take(rig.folder / "x.bvh")
    assert not rig.sheets and all("locked" in words for words in rig.said) and len(rig.said) == 3
    rig.context.lock.set_locked(False)
    rig.joints = None
    rig.desk.choose()
    assert not rig.sheets and "no robot" in rig.said[-1]
    rig.joints = robot()
    rig.desk.export()
    assert not rig.sheets and "choose a gesture or a take" in rig.said[-1]
    rig.desk.choose()
    assert isinstance(rig.sheets[-1], ChooserSheet)


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["wave.bvh"], True),
        (["WAVE.BVH"], True),
        (["wave.csv"], True),
        (["wave.json"], True),
        (["show.json"], False),
        (["wave.wav"], False),
        (["wave.bvh", "clap.bvh"], False),
        ([], False),
    ],
)
def test_one_motion_can_be_dropped(
    names: list[str], taken: bool, rig: Rig, qtbot: QtBot, tmp_path: Path
) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in names])
    assert rig.desk.can_drop(mime) is taken
    assert rig.desk.drop(mime) is taken
    qtbot.wait(20)
    assert len(rig.sheets) == taken


def wave() -> Motion:
    times = np.arange(0.0, 1.0, 0.02)
    return Motion("wave", ("left_elbow",), 50.0, np.sin(times)[:, None], title="My wave")


def test_a_motion_is_exported_and_its_file_named(rig: Rig, qtbot: QtBot) -> None:
    rig.sources = [Source("My wave (being edited)", wave())]
    sheet = rig.export()
    sheet.formats[".csv"].setChecked(True)
    assert not sheet.view.isEnabled() and not sheet.rate.isEnabled()
    sheet.export.click()
    chooser = rig.sheets[-1]
    assert isinstance(chooser, ChooserSheet)
    assert chooser.name_edit is not None and chooser.name_edit.text() == "my_wave"
    out = rig.folder / "my_wave.csv"
    sheet.begin(out)
    assert not sheet.export.isEnabled()
    qtbot.waitUntil(sheet.export.isEnabled, **SLOW)
    assert out.read_text().startswith("time_s,left_elbow\n")
    assert str(out) in sheet.words.text() and str(out) in rig.said[-1]


def test_each_format_has_its_options(rig: Rig) -> None:
    rig.sources = [Source("My wave", wave()), Source("arm_1 (take)", rig.folder / "arm_1.take")]
    sheet = rig.export()
    sheet.view.setCurrentIndex(1)
    film = sheet.arguments(Path("m.json"), Path("o.gif"), "My\twave")
    assert film[:3] == ["export", "m.json", "o.gif"]
    assert film[film.index("--view") + 1] == "left" and film[film.index("--fps") + 1] == "20"
    assert "--count" not in film
    sheet.formats[".png"].setChecked(True)
    sheet.count.setValue(9)
    strip = sheet.arguments(Path("m.json"), Path("o.png"), "My\twave")
    assert strip[strip.index("--count") + 1] == "9"
    assert strip[strip.index("--title") + 1] == "My wave" and "--fps" not in strip
    sheet.formats[".bvh"].setChecked(True)
    assert sheet.arguments(Path("m.json"), Path("o.bvh"), "x")[3:] == [
        "--robot", "kid_cosmo", "--force",
    ]  # fmt: skip
    assert sheet._file_of(rig.sources[1]) == rig.folder / "arm_1.take"


def test_a_failed_export_has_its_reason(rig: Rig, qtbot: QtBot) -> None:
    rig.sources = [Source("arm_1 (take)", rig.folder / "arm_1.take")]
    sheet = rig.export()
    sheet.begin(rig.folder / "arm_1.gif")
    qtbot.waitUntil(lambda: "Not exported" in sheet.words.text(), **SLOW)
    assert "arm_1.take: does not exist" in sheet.words.text() and sheet.export.isEnabled()
