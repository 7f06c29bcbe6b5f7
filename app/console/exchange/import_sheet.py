"""The sheet of an import: what was concluded about a file, and how well the robot follows it."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.console.exchange.child import Child
from app.console.exchange.options import Span, choice, labelled, progress_bar
from app.console.toolkit import theme
from app.console.toolkit.sheet import Sheet
from app.exchange.report import Report, read_report
from shows.errors import ShowError
from shows.joints import JointTable
from shows.motion import Motion, load_raw_motion, motion_name

UNITS = (
    ("guess it", ""),
    ("metres", "metre"),
    ("centimetres", "centimetre"),
    ("millimetres", "millimetre"),
    ("inches", "inch"),
    ("units of CMU's database", "cmu"),
)
UPS = (("guess it", ""), ("y", "y"), ("z", "z"))
HEADS = ("Limb", "Direction: mean, 90 %", "Direction: mean, 90 %", "Hand: mean, 90 %")
PREVIEW = "✓ Preview"
WAIT_MS = 400  # after the last change of an option, before the file is read again
NARROW_PX, HIGH_PX = 660, 620


class ImportSheet(Sheet):
    """Reads a file with the command `import`, shows the result, and offers it.

    Attributes:
        unit: unit of a person's file.
        up: its upward axis.
        mirror: exchange left and right.
        span: the part that is used.
        facts: what was concluded.
        limbs: errors of the limbs.
        open: accepts the motion.
        words: what happens, or why it does not.

    Signals:
        shown: the motion for the ghost; None for none.
    """

    shown = Signal(object)

    def __init__(
        self, path: Path, joints: JointTable, accepted: Callable[[Motion, str], None]
    ) -> None:
        """Begin to read a file.

        Args:
            path: the file.
            joints: the robot's joints.
            accepted: gets the motion, and the name of the file that it is from.
        """
        super().__init__(f"Import {path.name}", NARROW_PX, HIGH_PX, aside=True)
        self._path, self._joints, self._accepted = path, joints, accepted
        self._folder = tempfile.TemporaryDirectory(prefix="footlight-import-")
        self._child = Child(self)
        self._motion: Motion | None = None
        self._again = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._again.timeout.connect(self.read)
        self.unit = choice("Unit", "Unit of the lengths in the file", UNITS)
        self.up = choice("Upward axis", "The file's axis that points upward", UPS)
        self.mirror, self.span = QCheckBox("Mirror"), Span()
        self._lay_out_options(path.suffix.lower() == ".bvh")
        self.facts, self.limbs = _list("What was concluded", ("", "")), _list("Errors", HEADS)
        self.facts.setHeaderHidden(True)
        self.body.addWidget(self.facts, 9)
        self._limbs_title = self.add_text(
            "How far the robot's limbs are from the person's: the mean, and the value that 90 % "
            "of the time keep below."
        )
        self._limbs_title.setStyleSheet(f"color: {theme.MUTED};")
        self.body.addWidget(self.limbs, 4)
        self.words = self.add_text("")
        self.words.setAccessibleName("What happens")
        self._bar = progress_bar("Being read")
        self._bar.setRange(0, 0)
        self.body.addWidget(self._bar)
        self.add_button("Cancel", tip="Import nothing")
        self.preview = self._preview_button()
        self.open = self.add_button(
            "Open in Motion", self._accept, "Keep it beside the takes, and edit it", chief=True
        )
        for box in (self.unit, self.up):
            box.currentIndexChanged.connect(lambda _: self._change())
        self.mirror.toggled.connect(lambda _: self._change())
        self.span.changed.connect(self._change)
        self._child.told.connect(lambda line: self._say(line))
        self._child.ended.connect(self._end)
        self.closed.connect(self._leave)
        self.read()

    def first_focus(self) -> QWidget:
        """Return the list of what was concluded."""
        return self.facts

    def read(self) -> None:
        """Read the file with the chosen options."""
        self._take(None, None)
        self._bar.show()
        self._say(f"reading {self._path.name}")
        self._child.run(self.arguments())

    def arguments(self) -> list[str]:
        """Return the command."""
        found = ["import", str(self._path), "--robot", self._joints.robot, "--raw", "--force"]
        found += ["--out", str(self._out), "--report", str(self._report_file)]
        for option, box in (("--unit", self.unit), ("--up", self.up)):
            if box.currentData():
                found += [option, box.currentData()]
        found += ["--mirror"] if self.mirror.isChecked() else []
        return found + self.span.arguments()

    @property
    def _out(self) -> Path:
        return Path(self._folder.name) / f"{motion_name(self._path.stem)}.json"

    @property
    def _report_file(self) -> Path:
        return Path(self._folder.name) / "report.txt"

    def _lay_out_options(self, lengths: bool) -> None:
        """Lay out the options; lengths and axes are BVH's alone."""
        self.mirror.setAccessibleName("Mirror the motion")
        self.mirror.setToolTip("Exchange left and right, as in a mirror")
        if lengths:
            row = QHBoxLayout()
            row.setSpacing(2 * theme.GAP)
            row.addLayout(labelled("Unit", self.unit))
            row.addLayout(labelled("Upward axis", self.up))
            row.addStretch(1)
            self.body.addLayout(row)
        row = QHBoxLayout()
        row.setSpacing(2 * theme.GAP)
        row.addWidget(self.span)
        row.addWidget(self.mirror)
        row.addStretch(1)
        self.body.addLayout(row)

    def _preview_button(self) -> QPushButton:
        button = self.add_button(PREVIEW, lambda: None, "Let the ghost on the stage play it")
        button.setCheckable(True)
        button.setChecked(True)
        button.setAccessibleName("Preview on the ghost")
        button.toggled.connect(lambda on: button.setText(PREVIEW if on else PREVIEW[2:]))
        button.toggled.connect(lambda _: self._preview())
        return button

    def _change(self) -> None:
        """Read the file again, once the options rest."""
        self._child.cancel()
        self._take(None, None)
        self._bar.show()
        self._say("the options have changed")
        self._again.start()

    def _end(self, done: bool, reason: str) -> None:
        self._bar.hide()
        if not done:
            self._say(f"{theme.BAD.mark} Not imported: {reason}", theme.BAD.colour)
            return
        try:
            report = read_report(self._report_file)
            motion = load_raw_motion(Path(report.motion), self._joints)
        except ShowError as error:
            self._say(f"{theme.BAD.mark} Not imported: {error}", theme.BAD.colour)
            return
        self._take(report, motion)
        faults = [report.fault] if report.fault else []
        faults += [f"parts touch: {report.touch}"] if report.touch else []
        if faults:
            text = f"{theme.WARN.mark} To be edited before it is played: {'; '.join(faults)}"
            self._say(text, theme.WARN.colour)
        else:
            self._say(f"{theme.GOOD.mark} The robot can play it as it is.", theme.GOOD.colour)

    def _take(self, report: Report | None, motion: Motion | None) -> None:
        """Show a result; None none."""
        self._motion = motion
        self.open.setEnabled(report is not None)
        self.preview.setEnabled(report is not None)
        _fill(self.facts, () if report is None else report.rows())
        limbs = () if report is None else report.limbs
        _fill(self.limbs, tuple(limb.cells() for limb in limbs))
        person = report is None or bool(limbs)
        self.limbs.setVisible(person)
        self._limbs_title.setVisible(person)
        self._preview()

    def _preview(self) -> None:
        self.shown.emit(self._motion if self.preview.isChecked() else None)

    def _accept(self) -> None:
        motion = self._motion
        if motion is not None:
            self.dismiss()
            self._accepted(motion, self._path.name)

    def _leave(self) -> None:
        self._again.stop()
        self._child.close()
        self.shown.emit(None)
        self._folder.cleanup()

    def _say(self, text: str, colour: str = theme.MUTED) -> None:
        self.words.setStyleSheet(f"color: {colour};")
        self.words.setText(text[:1].upper() + text[1:])


def _list(title: str, heads: tuple[str, ...]) -> QTreeWidget:
    found = QTreeWidget()
    found.setHeaderLabels(list(heads))
    found.setRootIsDecorated(False)
    found.setUniformRowHeights(True)
    found.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    found.setAccessibleName(title)
    found.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    return found


def _fill(tree: QTreeWidget, rows: tuple[tuple[str, ...], ...]) -> None:
    tree.clear()
    for cells in rows:
        item = QTreeWidgetItem([cells[0][:1].upper() + cells[0][1:], *cells[1:]])
        for column, cell in enumerate(cells):
            item.setToolTip(column, cell)
        tree.addTopLevelItem(item)
