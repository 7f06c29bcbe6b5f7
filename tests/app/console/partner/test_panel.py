"""The panel Partner on a real link: orders go to the partner's process, commands to the core."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.gestures.library import GestureLibrary
from app.console.partner import calibration_part
from app.console.partner.follow_part import NO_LIMB
from app.console.partner.motion_table import ANSWER, NAME, SCORE, TAKES
from app.console.partner.panel import PartnerPanel
from app.console.partner.repertoires import UNSAVED
from app.console.partner.source_part import NO_CAMERA
from app.console.partner.teach_part import FIRST
from app.console.partner.words import ABSENT
from app.console.toolkit.name_line import NameLine
from app.console.window import tab_order
from core.link.partner import (
    Calibrate,
    CalibrationReport,
    DropTake,
    EndFollow,
    EndTeach,
    Follow,
    FollowStatus,
    PairSource,
    PartnerReport,
    RecordTake,
    SourceReport,
    Teach,
    TeachReport,
    UseRepertoire,
    UseSource,
)
from core.link.statement import Statement
from core.link.wording import sentence
from shows.document import Show
from tests.app.console.gestures import motions
from tests.app.console.partner.process import HEARD, SYMBOLS, PartnerProcess
from tests.app.console.rig import LineCore

STRANGER = SourceReport("vmc", 39539, stranger=("192.168.0.9", 50321), refused={"too large": 2})


class Rig:
    def __init__(self, context: Context, core: LineCore, qtbot: QtBot, folder: Path) -> None:
        self.context, self.core, self.qtbot, self.folder = context, core, qtbot, folder
        library = GestureLibrary(
            context.link, context.document, context.notices, (motions.library(folder / "g"),)
        )
        self.asked: list[tuple[str, Path, str, Callable[[Path], None]]] = []
        self.panel = PartnerPanel(context, library, lambda *asked: self.asked.append(asked))
        qtbot.addWidget(self.panel, before_close_func=lambda _: self.panel.close_panel())
        self.process = PartnerProcess(core.endpoint)
        self.library = library
        self.said: list[str] = []
        context.notices.said.connect(self._hear)
        context.link.refused.connect(self.said.append)
        qtbot.waitUntil(lambda: library.ready)
        self.panel.resize(640, 700)
        with qtbot.waitExposed(self.panel):
            self.panel.show()

    def _hear(self, notice: Notice) -> None:
        self.said.append(notice.text)

    def answers(self, **fields: object) -> None:
        """Let the process answer with a report, and wait until the panel shows it."""
        self.process.set(**fields)
        wanted = self.process.report
        self.qtbot.waitUntil(lambda: self.context.link.partner == wanted)

    def ordered(self, *orders: object) -> None:
        """Wait until the process has these orders and no others."""
        self.qtbot.waitUntil(lambda: self.process.orders == list(orders))

    def sent(self, *commands: object) -> None:
        """Wait until the core has these commands and no others."""
        self.qtbot.waitUntil(lambda: self.core.commands == list(commands))

    def absent(self) -> bool:
        return self.panel.absent.isVisible()

    def press(self, button: QAbstractButton) -> None:
        assert button.isEnabled(), f"{button.text()} is disabled"
        button.click()


@pytest.fixture
def rig(
    context: Context,
    core: LineCore,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Rig]:
    monkeypatch.setattr(calibration_part, "TICK_MS", 80)
    found = Rig(context, core, qtbot, tmp_path)
    yield found
    found.process.end()


def test_a_silent_process_is_told_in_a_sentence_and_ordered_nothing(rig: Rig) -> None:
    rig.answers()
    rig.qtbot.waitUntil(lambda: not rig.absent())
    assert rig.panel.source.isEnabled()
    rig.process.end()
    rig.qtbot.waitUntil(rig.absent)
    assert ABSENT[1:] in rig.panel.absent.text()
    assert not any(
        part.isEnabled()
        for part in (rig.panel.source, rig.panel.calibration, rig.panel.mimesis, rig.panel.teach)
    )
    assert not rig.context.link.order(Calibrate()) and ABSENT in rig.said[-1]
    rig.press(rig.panel.bar.end)  # the core alone ends what moves the robot
    rig.sent(EndFollow())


def test_a_port_is_opened_and_one_sender_is_paired(rig: Rig) -> None:
    source = rig.panel.source
    rig.answers(source=SourceReport())
    assert not source.pair.isEnabled() and not source.shut.isEnabled()
    source.protocol.setCurrentIndex(2)
    assert source.port.value() == 1511 and source.group.isVisible()
    source.group.setText("239.255.42.99")
    rig.press(source.listen)
    rig.answers(source=STRANGER)
    assert source.pair.text() == "Pair 192.168.0.9:50321"
    rig.press(source.pair)
    rig.answers(source=HEARD)
    assert not source.pair.isEnabled()
    assert "hears 192.168.0.7:50123\n60/s, age 12 ms, jitter 3 ms" in source.state.text()
    place, refused = rig.panel.calibration.pos(), {"another address": 644, "bones are missing": 1}
    rig.answers(source=replace(HEARD, age_s=5.4, rate_hz=0.0, refused=refused))
    rig.qtbot.wait(50)
    assert rig.panel.calibration.pos() == place  # nothing jumps
    assert source.state.text() == "▲ 192.168.0.7:50123 is silent for 5.4 s"
    rig.press(source.unpair)
    rig.press(source.shut)
    rig.ordered(
        UseSource("natnet", 1511, "239.255.42.99"),
        PairSource("192.168.0.9", 50321),
        PairSource(""),
        UseSource(""),
    )


def test_a_camera_of_the_robot_s_computer_is_opened_and_paired_again(rig: Rig) -> None:
    source = rig.panel.source
    rig.answers(source=SourceReport())
    source.protocol.setCurrentIndex(3)
    assert source.camera.isVisible() and not source.port.isVisible()
    assert source.camera.currentText() == NO_CAMERA
    rig.press(source.listen)  # the process tells why not
    missing = SourceReport(trouble="footlight[camera] is not installed")
    rig.answers(source=missing)
    assert missing.trouble in source.state.text()
    cameras = {0: "HD Webcam", 2: "Second camera"}
    rig.answers(source=SourceReport(cameras=cameras))
    assert [source.camera.itemText(at) for at in (0, 1)] == ["0: HD Webcam", "2: Second camera"]
    source.camera.setCurrentIndex(1)
    rig.press(source.listen)
    seen = SourceReport("camera", paired=("camera 2", 0), age_s=0.02, rate_hz=30.0, cameras=cameras)
    rig.answers(source=seen)
    assert "hears camera 2\n30/s" in source.state.text() and not source.pair.isEnabled()
    rig.press(source.unpair)
    rig.answers(source=replace(seen, paired=("", 0), stranger=("camera 2", 0)))
    assert "camera 2 is not heard: pair it" in source.state.text()
    assert source.pair.text() == "Pair camera 2" and source.camera.currentData() == 2
    rig.press(source.pair)
    rig.ordered(
        UseSource("camera"),
        UseSource("camera", camera="2"),
        PairSource(""),
        PairSource("camera 2"),
    )


def test_the_pose_is_taken_after_a_countdown_that_can_be_cancelled(rig: Rig) -> None:
    part = rig.panel.calibration
    rig.answers(calibration=CalibrationReport())
    rig.press(part.button)
    assert part.button.text() == calibration_part.CANCEL and "3 …" in part.state.text()
    rig.press(part.button)
    rig.press(part.button)
    rig.answers(source=SourceReport("vmc", 39539, HEARD.paired))
    assert part.button.text() == calibration_part.CALIBRATE and not part.button.isEnabled()
    assert "no input" in part.state.text()
    rig.answers(source=HEARD)
    rig.press(part.button)
    rig.qtbot.waitUntil(lambda: "1 …" in part.state.text())
    assert not rig.process.orders
    rig.ordered(Calibrate())
    rig.answers(calibration=CalibrationReport("holding", 1.2))
    assert part.bar.isVisible() and part.bar.value() == 60 and not part.button.isEnabled()
    reason = Statement("arm_not_level", {"side": "left", "off_deg": 21.0})
    rig.answers(calibration=CalibrationReport("failed", 2.0, reason=reason))
    assert part.state.text().endswith(sentence(reason)) and not part.bar.isVisible()
    rig.answers(calibration=CalibrationReport("done", 2.0, 0.78))
    assert "0.78" in part.state.text()
    rig.core.set(follow=FollowStatus(1, Follow(), "followed"))
    rig.qtbot.waitUntil(lambda: not part.button.isEnabled())


def test_the_order_to_follow_is_what_was_chosen(rig: Rig) -> None:
    follow, bar = rig.panel.follow, rig.panel.bar
    rig.answers(repertoire="/shows/gala/repertoires/duel")
    rig.press(bar.follow)
    follow.modes["answer"].click()
    follow.legs[True].click()
    follow.mirror_sides.click()
    follow.limbs["head"].click()
    bar.toggles[0].trigger()
    for box in follow.limbs.values():
        box.setChecked(False)
    rig.press(bar.follow)
    assert NO_LIMB in bar.words
    bar.toggles[1].trigger()
    limbs = ("left_arm", "right_arm")
    rig.sent(Follow(repertoire="duel"), Follow("answer", limbs, True, False, "duel"), EndFollow())


def test_a_late_press_ends_following_but_does_not_begin_it(rig: Rig) -> None:
    rig.answers()
    rig.context.link.presses.note(2.5)
    rig.press(rig.panel.bar.follow)
    rig.context.link.presses.note(2.5)
    rig.press(rig.panel.bar.end)
    rig.sent(EndFollow())
    assert "was not sent" in rig.said[-1]


def test_the_state_is_told_by_mark_and_word(rig: Rig) -> None:
    bar = rig.panel.bar
    rig.answers(calibration=CalibrationReport())
    rig.qtbot.waitUntil(lambda: bar.words.startswith("○ AWAY") and "calibrate" in bar.words)
    assert bar.follow.isEnabled()  # the core says what bars it
    rig.core.set(follow=FollowStatus(1, Follow(), "followed", 0.021, 0.301, answer="bow"))
    rig.qtbot.waitUntil(lambda: bar.words.startswith("● FOLLOWED"))
    assert "mirror   age 21 ms   latency 301 ms\nanswers: bow" in bar.words
    assert not bar.follow.isEnabled()
    rig.core.set(follow=FollowStatus(1, Follow(), "held", 0.24, 0.301, 0.02))
    rig.qtbot.waitUntil(lambda: bar.words.startswith("▲ HELD"))
    assert "2.0 cm outside the support" in bar.words
    rig.core.set(follow=FollowStatus(2, Follow("answer"), "followed", 0.021))
    rig.qtbot.waitUntil(lambda: "answer   age 21 ms\n" in bar.words)  # no latency of the body


def repertoire(show: Path, name: str) -> str:
    folder = show / "repertoires" / name
    folder.mkdir(parents=True)
    (folder / "repertoire.json").write_text("{}")
    return str(folder)


def test_the_repertoires_are_those_of_the_show(rig: Rig, tmp_path: Path) -> None:
    part, show = rig.panel.mimesis, tmp_path / "gala"
    rig.answers(repertoire="")
    rig.press(part.new)
    line = part.findChild(NameLine)
    assert line is not None
    line.setText("Sword duel")
    line.editingFinished.emit()
    assert rig.said == [UNSAVED]
    duel, greeting = (repertoire(show, name) for name in ("duel", "greeting"))
    (show / "repertoires" / "no_repertoire").mkdir()
    rig.context.document.open(Show(name="Gala"), show, {}, {})
    assert [part.choice.itemText(i) for i in range(1, part.choice.count())] == ["duel", "greeting"]
    part.choice.activated.emit(2)
    assert part.choice.currentIndex() == 0  # until the process has loaded it
    rig.answers(repertoire=greeting)
    assert part.choice.currentText() == "greeting"
    rig.press(part.other)
    title, begin, suffix, then = rig.asked[-1]
    assert (begin, suffix) == (show, ".json") and title
    then(Path(duel) / "repertoire.json")
    rig.press(part.new)
    (line,) = [line for line in part.findChildren(NameLine) if line.isVisible()]
    line.setText("Sword duel")
    line.editingFinished.emit()
    part.choice.activated.emit(0)
    rig.ordered(
        UseRepertoire(greeting),
        UseRepertoire(duel),
        UseRepertoire(str(show / "repertoires" / "sword_duel")),
        UseRepertoire(""),
    )
    rig.answers(repertoire="", repertoire_trouble="duel/repertoire.json is damaged")
    assert part.state.text() == "■ duel/repertoire.json is damaged"


def test_motions_have_scores_and_places(rig: Rig) -> None:
    part = rig.panel.mimesis
    rig.answers(repertoire="/shows/gala/repertoires/duel")
    rows = [part.table.topLevelItem(i) for i in range(part.table.topLevelItemCount())]
    texts = [[row.text(c) for c in (NAME, TAKES, ANSWER)] for row in rows if row is not None]
    assert texts == [["▶ wave", "4", "wave"], ["raise arms", "5", "–"], ["bow", "4", "bow"]]
    scores = [row.data(SCORE, 256) for row in rows if row is not None]
    assert scores == [symbol.score for symbol in SYMBOLS]
    assert "heard: wave (400 ms ago)" in part.state.text()
    across = abs(part.map.spot("wave")[0] - part.map.spot("raise_arms")[0])
    assert across == pytest.approx(4.0)
    cross = part.map.cross()
    assert cross is not None and abs(cross[0] - part.map.spot("wave")[0]) == pytest.approx(1.0)
    assert "most like wave" in part.map.accessibleDescription()
    rig.answers(symbols=SYMBOLS[:1], here=None)
    assert part.table.topLevelItemCount() == 1 and part.map.cross() is None
    rig.answers(symbols=())
    assert part.table.topLevelItemCount() == 0


def test_a_motion_is_taught_take_by_take(rig: Rig) -> None:
    part = rig.panel.teach
    rig.answers(repertoire="")
    assert not part.name.isEnabled() and "load a repertoire" in part.state.text()
    rig.answers(repertoire="/shows/gala/repertoires/duel")
    titles = [part.answer.itemText(i) for i in range(FIRST, part.answer.count())]
    assert titles == [entry.title for entry in rig.library.entries()] != []
    part.name.setText("High five!")
    part.answer.setCurrentIndex(1)
    rig.press(part.teach)
    part.answer.setCurrentIndex(FIRST)
    rig.press(part.teach)
    answer = rig.library.entries()[0].name
    rig.answers(teach=TeachReport("high_five", answer, 0))
    assert not part.keep.isEnabled() and not part.drop.isEnabled() and not part.name.isEnabled()
    rig.press(part.record)
    rig.answers(teach=TeachReport("high_five", answer, 3, recording_s=1.25))
    assert "3 of 4 takes, recording 1.2 s" in part.state.text()
    rig.press(part.record)
    rig.panel.resize(640, 280)  # so low that the reason would be below its edge
    rig.answers(teach=TeachReport("high_five", answer, 4, trouble="the take was too short"))
    (why,) = (label for label in part.findChildren(QLabel) if "too short" in label.text())
    rig.qtbot.waitUntil(lambda: why.visibleRegion().boundingRect() == why.rect())
    rig.press(part.drop)
    rig.press(part.keep)
    rig.press(part.forget)
    rig.ordered(
        Teach("high_five", idle=True),
        Teach("high_five", answer),
        RecordTake(True),
        RecordTake(False),
        DropTake(),
        EndTeach(True),
        EndTeach(False),
    )


def test_every_control_is_reached_by_tab_and_has_a_name(rig: Rig) -> None:
    rig.answers(
        source=STRANGER,
        repertoire="/shows/gala/repertoires/duel",
        teach=TeachReport("high_five", "", 4),
    )
    kinds = (QAbstractButton, QComboBox, QLineEdit)
    controls: list[QWidget] = [
        widget
        for kind in kinds
        for widget in rig.panel.findChildren(kind)
        if widget.isVisibleTo(rig.panel)
        and widget.isEnabled()
        and not widget.objectName().startswith("qt_")
    ]
    assert len(controls) > 20
    stops = tab_order.stops(rig.panel, [rig.panel])
    assert [c for c in controls if c not in stops] == []
    assert [c for c in controls if not c.accessibleName()] == []


@pytest.mark.parametrize("width", [340, 412, 640, 900])
def test_nothing_is_cut_off_at_any_width(rig: Rig, width: int) -> None:
    rig.answers(source=STRANGER, teach=TeachReport("high_five", "", 4))
    rig.panel.resize(width, 700)
    rig.qtbot.waitUntil(lambda: rig.panel.width() >= min(width, rig.panel.minimumWidth()))
    rig.qtbot.wait(50)
    edge = rig.panel.width()
    outside = [
        button.text()
        for button in rig.panel.findChildren(QAbstractButton)
        if button.isVisibleTo(rig.panel)
        and button.mapTo(rig.panel, button.rect().bottomRight()).x() > edge
    ]
    assert outside == []


def test_a_report_of_an_empty_process_is_shown(rig: Rig) -> None:
    rig.process.report = PartnerReport(0.0)
    rig.answers()
    assert "no port is open" in rig.panel.source.state.text()
    assert "nothing is recognised" in rig.panel.mimesis.state.text()
