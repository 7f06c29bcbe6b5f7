"""Poses in order, with travel and hold times, for a motion."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.console.toolkit import theme
from shows.pose import Pose
from shows.pose_motion import PoseMotion, Stop

TRAVEL_S, HOLD_S = 1.0, 0.5  # of a pose that is added
MOST_S = 60.0
LINE_PX = 26  # height of a row
COMPACT = "padding: 1px 8px"  # of a button
POSE, TRAVEL, HOLD = range(3)


class Sequence(QWidget):
    """The table of stops.

    Attributes:
        table: one row a stop.
        buttons: by word.

    Signals:
        add_asked: the chosen poses shall be added.
        make_asked: the stops shall become a motion.
    """

    add_asked = Signal()
    make_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._poses: list[Pose] = []
        self.buttons: dict[str, QPushButton] = {}
        self.table = QTableWidget(0, 3)
        self._words = QLabel()
        self._lay_out()
        self._show()

    def _lay_out(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(["Pose", "Travel to it", "Hold it"])
        table.setAccessibleName("Poses of the motion, in order")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = table.horizontalHeader()
        header.setSectionResizeMode(POSE, QHeaderView.ResizeMode.Stretch)
        for column in (TRAVEL, HOLD):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            table.setColumnWidth(column, 92)
        table.setTabKeyNavigation(False)
        table.setMinimumHeight(2 * LINE_PX)
        header.setMinimumSectionSize(20)
        header.setFixedHeight(LINE_PX)
        table.verticalHeader().setDefaultSectionSize(LINE_PX)
        grid = QGridLayout()
        grid.setSpacing(4)
        for line, column, word, tip, act in (
            (0, 0, "Add", "Add the poses that are chosen in the list", self.add_asked.emit),
            (0, 1, "Remove", "Remove the chosen row", self._remove),
            (1, 0, "Up", "Move the pose of the chosen row up", lambda: self._move(-1)),
            (1, 1, "Down", "Move the pose of the chosen row down", lambda: self._move(1)),
            (2, 0, "Clear", "Remove every row", self._clear),
            (2, 1, "→ Motion", "Make a motion of the poses, in the panel Motion", self._make),
        ):
            button = QPushButton(word)
            button.setToolTip(tip)
            button.setStyleSheet(COMPACT)
            button.setAccessibleName(f"{word} (poses of the motion)")
            button.clicked.connect(act)
            grid.addWidget(button, line, column)
            self.buttons[word] = button
        grid.setRowStretch(3, 1)
        self._words.setWordWrap(True)
        self._words.setAccessibleName("What happened to the motion of poses")
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(table, 1)
        row.addLayout(grid)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addLayout(row, 1)
        whole.addWidget(self._words)

    @property
    def stops(self) -> tuple[Stop, ...]:
        """The stops in order."""
        return tuple(
            Stop(pose, self._box(row, TRAVEL).value(), self._box(row, HOLD).value())
            for row, pose in enumerate(self._poses)
        )

    def add(self, poses: list[Pose]) -> None:
        """Add poses at the end."""
        for pose in poses:
            self._put(Stop(pose, TRAVEL_S, HOLD_S))
        self.say("", theme.IDLE)
        self._show()

    def forget(self) -> None:
        """Remove every row: another show is open."""
        self._fill((), -1)

    def show_made(self, made: PoseMotion) -> None:
        """Show the times that the limits allow, and say which became longer."""
        words = []
        for row in made.stretched:
            box = self._box(row, TRAVEL)
            words.append(f"to {self._poses[row].label} {made.travel_s[row]:.2f} s")
            box.setValue(made.travel_s[row])
        length = f"the motion lasts {made.motion.duration_s:.1f} s"
        if words:
            ways = ", ".join(words)
            self.say(f"{length}; the joints' limits made ways longer: {ways}", theme.WARN)
        else:
            self.say(length, theme.GOOD)

    def say(self, words: str, tone: theme.Tone) -> None:
        """Say what happened."""
        self._words.setText(f"{tone.mark} {words[:1].upper()}{words[1:]}." if words else "")
        self._words.setStyleSheet(f"color: {tone.colour}")
        self._words.setVisible(bool(words))

    def set_usable(self, usable: bool) -> None:
        """Let the operator change it, or not."""
        self.setEnabled(usable)

    def _put(self, stop: Stop) -> None:
        row = len(self._poses)
        self._poses.append(stop.pose)
        self.table.insertRow(row)
        self.table.setItem(row, POSE, QTableWidgetItem(stop.pose.label))
        for column, value, word in (
            (TRAVEL, stop.travel_s, "Travel time to"),
            (HOLD, stop.hold_s, "Hold time in"),
        ):
            box = QDoubleSpinBox()
            box.setRange(0.0, MOST_S)
            box.setDecimals(2)
            box.setSingleStep(0.1)
            box.setSuffix(" s")
            box.setValue(value)
            box.setStyleSheet("padding: 0 2px")
            box.setAccessibleName(f"{word} {stop.pose.label}")
            self.table.setCellWidget(row, column, box)
        first = self._box(0, TRAVEL)
        first.setEnabled(False)
        first.setToolTip("The motion begins in its first pose")

    def _box(self, row: int, column: int) -> QDoubleSpinBox:
        box = self.table.cellWidget(row, column)
        assert isinstance(box, QDoubleSpinBox)
        return box

    def _fill(self, stops: tuple[Stop, ...], chosen: int) -> None:
        self.table.setRowCount(0)
        self._poses = []
        for stop in stops:
            self._put(stop)
        self.table.setCurrentCell(chosen, POSE)
        self.say("", theme.IDLE)
        self._show()

    def _move(self, by: int) -> None:
        row = self.table.currentRow()
        stops = list(self.stops)
        if 0 <= row < len(stops) and 0 <= row + by < len(stops):
            stops[row], stops[row + by] = stops[row + by], stops[row]
            self._fill(tuple(stops), row + by)

    def _remove(self) -> None:
        row = self.table.currentRow()
        stops = list(self.stops)
        if 0 <= row < len(stops):
            del stops[row]
            self._fill(tuple(stops), min(row, len(stops) - 1))

    def _clear(self) -> None:
        self._fill((), -1)

    def _make(self) -> None:
        self.make_asked.emit()

    def _show(self) -> None:
        for word in ("Up", "Down", "Remove", "Clear"):
            self.buttons[word].setEnabled(bool(self._poses))
        self.buttons["→ Motion"].setEnabled(len(self._poses) >= 2)
