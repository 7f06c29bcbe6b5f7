"""The editor of the handset's assignments, which the robot keeps."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from app.console.toolkit import theme
from core.link.handset import BUTTONS, WORDS, HandsetMap, use_words

STICKS = {"left": "left stick", "right": "right stick", "none": "no stick"}


class HandsetEditor(QWidget):
    """Edits a layout; nothing changes on the robot before it is sent.

    Signals:
        sent: the layout shall be the robot's; None: the one of its profile shall.
    """

    sent = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._known: HandsetMap | None = None  # the robot's
        self._base: HandsetMap | str = ""  # the same, as it is shown
        self._bar = ""
        self._offered: Sequence[tuple[str, str]] = ()
        self._uses = [_combo(f"Button {place + 1}") for place in range(BUTTONS)]
        self._walk, self._head = _combo("Stick that walks"), _combo("Stick that moves the head")
        self._dead_zone = _percent(2, 50, "Dead zone of the handset's sticks")
        self._expo = _percent(0, 100, "Expo of the handset's sticks")
        self._speed = _percent(5, 100, "Speed at full stick of the handset")
        self._up = QCheckBox("Forward looks up")
        self._why = QLabel()
        self._send = QPushButton("Send to the robot")
        self._undo = QPushButton("As it is")
        self._usual = QPushButton("Robot's own")
        self._lay_out()
        for box in (self._walk, self._head):
            for name, words in STICKS.items():
                box.addItem(words, name)
        self._fill_uses()
        for combo in (*self._uses, self._walk, self._head):
            combo.currentIndexChanged.connect(self._judge)
        for spin in (self._dead_zone, self._expo, self._speed):
            spin.valueChanged.connect(self._judge)
        self._up.toggled.connect(self._judge)
        self._send.clicked.connect(lambda: self.sent.emit(self._read()))
        self._undo.clicked.connect(self._take_back)
        self._usual.clicked.connect(lambda: self.sent.emit(None))
        self._judge()

    @property
    def changed(self) -> bool:
        """The shown layout differs from the robot's."""
        return self._known is not None and self._read() != self._base

    def show_map(self, layout: HandsetMap, bar: str) -> None:
        """Take the robot's assignments; choices that were not sent stay.

        Args:
            layout: of the robot.
            bar: why it cannot be changed now; empty if it can.
        """
        if layout == self._known and bar == self._bar:
            return
        new, keep = layout != self._known, self.changed and self._read() != layout
        self._known, self._bar = layout, bar
        if new and keep:
            self._base = layout
        elif new:
            self._fill(layout)
        self._judge()

    def offer(self, uses: Sequence[tuple[str, str]]) -> None:
        """Offer what the buttons may improvise.

        Args:
            uses: text of each use, and its words.
        """
        if tuple(uses) == tuple(self._offered):
            return
        chosen = [box.currentData() for box in self._uses]
        self._offered = tuple(uses)
        self._fill_uses()
        for box, use in zip(self._uses, chosen, strict=True):
            _choose(box, use)

    def _read(self) -> HandsetMap | str:
        """Return the shown layout, or why it is not valid."""
        try:
            return HandsetMap(
                buttons=tuple(str(box.currentData()) for box in self._uses),
                walk_stick=self._walk.currentData(),
                head_stick=self._head.currentData(),
                dead_zone=self._dead_zone.value() / 100,
                expo=self._expo.value() / 100,
                forward_looks_up=self._up.isChecked(),
                speed_share=self._speed.value() / 100,
            )
        except ValueError as error:
            return str(error)

    def _fill(self, layout: HandsetMap) -> None:
        widgets = (*self._uses, self._walk, self._head, self._up)
        spins = (self._dead_zone, self._expo, self._speed)
        for widget in (*widgets, *spins):
            widget.blockSignals(True)
        for box, use in zip(self._uses, layout.buttons, strict=True):
            _choose(box, use)
        _choose(self._walk, layout.walk_stick)
        _choose(self._head, layout.head_stick)
        for spin, share in zip(
            spins, (layout.dead_zone, layout.expo, layout.speed_share), strict=True
        ):
            spin.setValue(round(100 * share))
        self._up.setChecked(layout.forward_looks_up)
        for widget in (*widgets, *spins):
            widget.blockSignals(False)
        self._base = self._read()  # a figure that the boxes cannot show is no change

    def _fill_uses(self) -> None:
        for box in self._uses:
            box.blockSignals(True)
            box.clear()
            for use, words in WORDS.items():
                box.addItem(words, use)
            for use, words in self._offered:
                box.addItem(words, use)
            box.blockSignals(False)

    def _take_back(self) -> None:
        if self._known is not None:
            self._fill(self._known)
        self._judge()

    def _judge(self, _: object = None) -> None:
        """Show the allowed actions on the shown layout."""
        shown = self._read()
        wrong = shown if isinstance(shown, str) else ""
        changed = self.changed
        if changed:
            text = wrong or self._bar or "Not sent yet: the robot does not know it."
        else:
            text = self._bar
        self._why.setText(f"{theme.WARN.mark} {text}" if text else "")
        self._send.setEnabled(changed and not wrong and not self._bar)
        self._undo.setEnabled(changed)
        self._usual.setEnabled(not self._bar and self._known is not None)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.GAP)
        grid.setVerticalSpacing(4)
        for place, box in enumerate(self._uses):
            column, row = divmod(place, 5)
            grid.addWidget(QLabel(str(place + 1)), row, 2 * column)
            grid.addWidget(box, row, 2 * column + 1)
        for place, (words, widget) in enumerate(
            (
                ("Walk", self._walk),
                ("Head", self._head),
                ("Dead zone", self._dead_zone),
                ("Expo", self._expo),
                ("Speed", self._speed),
            )
        ):
            row, column = divmod(place, 2)
            grid.addWidget(QLabel(words), 5 + row, 2 * column)
            grid.addWidget(widget, 5 + row, 2 * column + 1)
        grid.addWidget(self._up, 7, 3)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self._why.setWordWrap(True)
        self._why.setAccessibleName("State of the handset's layout")
        grid.addWidget(self._why, 8, 0, 1, 4)
        buttons = QHBoxLayout()
        for button, tip in (
            (self._send, "Let the handset do this from now on; the robot keeps it"),
            (self._undo, "Forget what was chosen here and not sent"),
            (self._usual, "Go back to the layout of the robot's profile"),
        ):
            button.setToolTip(tip)
            button.setAccessibleName(button.text())
            buttons.addWidget(button)
        grid.addLayout(buttons, 9, 0, 1, 4)
        self._up.setAccessibleName("Handset's stick forward looks up")
        self._up.setToolTip("The head's stick forward looks up instead of down")


def _choose(box: QComboBox, value: str) -> None:
    """Choose a value; one that is not offered is added, so that nothing is lost."""
    place = box.findData(value)
    if place < 0:
        box.addItem(use_words(value), value)
        place = box.count() - 1
    box.setCurrentIndex(place)


def _combo(name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(6)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return box


def _percent(least: int, most: int, name: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(least, most)
    box.setSuffix(" %")
    box.setAccessibleName(name)
    box.setToolTip(name)
    return box
