"""The editor of a show's triggers: what pads, keys and controller improvise."""

from collections.abc import Callable
from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.console.by_hand.controller_part import BUTTON_WORDS
from app.console.context.context import Context
from app.console.cues.edits import EditError
from app.console.cues.faces import kind_of
from app.console.cues.offers import IDLE_WORDS, offers_of
from app.console.cues.trigger_edits import (
    add_trigger,
    move_trigger,
    remove_trigger,
    replace_trigger,
)
from app.console.gestures.library import GestureLibrary
from app.console.toolkit import theme
from app.console.toolkit.sheet import Sheet
from shows.document import Colour, Hand, Show, Trigger
from shows.uses import Use, title_of, use_of

COLUMNS = ("Name", "Does", "Key", "Controller")
KINDS = {
    "say": "a phrase",
    "move": "a gesture",
    "move + say": "a gesture and a phrase",
    "hand": "a pose of hands",
    "idle": "idle life",
}
NOTHING = "this show has nothing for a trigger yet: add a sound to it, or connect the robot"


class TriggerSheet(Sheet):
    """Edits the triggers of the open show; each change is an edit that can be undone.

    Args:
        context: the shared objects.
        library: the gestures.

    Attributes:
        table: the triggers.
        boxes: the fields of the chosen trigger, by name.
        key: its key.
    """

    def __init__(self, context: Context, library: GestureLibrary) -> None:
        super().__init__("Triggers", width=1040, height=560)
        self._document = context.document
        status = context.link.status
        idles = True if status is None else status.idles
        self._offers = offers_of(context.document, library, idles)
        self.table = QTableWidget(0, len(COLUMNS))
        self.name, self.key = QLineEdit(), QLineEdit()
        self.boxes = {
            field: QComboBox()
            for field in ("kind", "gesture", "phrase", "hand", "pose", "idle", "button", "colour")
        }
        self._form = QFormLayout()
        self._why = QLabel()
        self._buttons_of_list: list[QPushButton] = []
        self._fill_boxes()
        self._lay_out()
        self._connect()
        self._show(self._document.show, 0)

    def first_focus(self) -> QWidget:
        """Return the table, or the button that adds the first trigger."""
        return self.table if self._document.show.triggers else self._buttons_of_list[0]

    @property
    def place(self) -> int:
        """Row of the chosen trigger; -1 without one."""
        return self.table.currentRow()

    def _fill_boxes(self) -> None:
        offers, boxes = self._offers, self.boxes
        able = {
            "say": bool(offers.phrases),
            "move": bool(offers.gestures),
            "move + say": bool(offers.gestures and offers.phrases),
            "hand": bool(offers.poses and offers.hands),
            "idle": offers.idles,
        }
        for kind, words in KINDS.items():
            if able[kind]:
                boxes["kind"].addItem(words, kind)
        for name, title in offers.gestures:
            boxes["gesture"].addItem(title, name)
        for field, values in (
            ("phrase", offers.phrases),
            ("hand", offers.hands),
            ("pose", offers.poses),
            ("colour", get_args(Colour)),
        ):
            for value in values:
                boxes[field].addItem(value.replace("_", " ") if field == "pose" else value, value)
        for change, words in IDLE_WORDS.items():
            boxes["idle"].addItem(words, change)
        for button, words in BUTTON_WORDS.items():
            boxes["button"].addItem(words, button)

    def _lay_out(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(COLUMNS)
        table.setAccessibleName("Triggers")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        for column in range(len(COLUMNS)):
            wide = QHeaderView.ResizeMode.Stretch if column < 2 else _FIT
            header.setSectionResizeMode(column, wide)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Name", self.name),
            ("Does", self.boxes["kind"]),
            ("Gesture", self.boxes["gesture"]),
            ("Phrase", self.boxes["phrase"]),
            ("Hand", self.boxes["hand"]),
            ("Pose", self.boxes["pose"]),
            ("Idle life", self.boxes["idle"]),
            ("Key", self.key),
            ("Controller", self.boxes["button"]),
            ("Colour", self.boxes["colour"]),
        )
        for words, widget in rows:
            widget.setAccessibleName(f"Trigger: {words}")
            self._form.addRow(words, widget)
        self.key.setPlaceholderText("a letter, Shift+letter, F3 …")
        self.name.setMaxLength(200)
        fields = QWidget()
        fields.setObjectName("fields")
        fields.setStyleSheet("#fields { background: transparent; }")
        fields.setLayout(self._form)
        fields.setFixedWidth(340)
        both = QHBoxLayout()
        left = QVBoxLayout()
        left.addWidget(table, 1)
        line = QHBoxLayout()
        for text, act in (
            ("Add", self._add),
            ("Remove", self._remove),
            ("Up", lambda: self._move(-1)),
            ("Down", lambda: self._move(1)),
        ):
            button = QPushButton(text)
            button.setAccessibleName(f"{text} trigger")
            button.clicked.connect(lambda _, act=act: act())
            line.addWidget(button)
            self._buttons_of_list.append(button)
        left.addLayout(line)
        both.addLayout(left, 1)
        both.addWidget(fields, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(both, 1)
        self._why.setWordWrap(True)
        self._why.setMinimumHeight(theme.TWO_LINES)
        self._why.setAccessibleName("State of the triggers")
        self.body.addWidget(self._why)
        self.add_button("Close")

    def _connect(self) -> None:
        self.table.currentCellChanged.connect(lambda row, *_: self._choose(row))
        for box in self.boxes.values():
            box.activated.connect(lambda _: self._change())
        for line in (self.name, self.key):
            line.editingFinished.connect(self._change)

    def _add(self) -> None:
        offers = self._offers
        use = Use(phrase=offers.phrases[0]) if offers.phrases else Use()
        if not use.text and offers.gestures:
            use = Use(gesture=offers.gestures[0][0])
        if not use.text and offers.idles:
            use = Use(idle="toggle")
        if not use.text:
            self._tell(NOTHING)
            return
        show = self._document.show
        self._edit("add a trigger", lambda: add_trigger(show, Trigger(use=use.text)), 10**6)

    def _remove(self) -> None:
        show, place = self._document.show, self.place
        if place >= 0:
            self._edit("remove a trigger", lambda: remove_trigger(show, place), place)

    def _move(self, step: int) -> None:
        show, place = self._document.show, self.place
        if place >= 0:
            self._edit("move a trigger", lambda: move_trigger(show, place, step), place + step)

    def _change(self) -> None:
        """Take the fields for the chosen trigger."""
        show, place = self._document.show, self.place
        if place < 0:
            return
        trigger = Trigger(
            use=self._use().text,
            name=self.name.text().strip(),
            colour=self.boxes["colour"].currentData(),
            hotkey=self.key.text().strip(),
            button=self.boxes["button"].currentData(),
        )
        self._edit("change a trigger", lambda: replace_trigger(show, place, trigger), place)

    def _use(self) -> Use:
        boxes = self.boxes
        kind = boxes["kind"].currentData()
        if kind == "hand":
            hand: Hand = boxes["hand"].currentData()
            return Use(hand=hand, pose=boxes["pose"].currentData())
        if kind == "idle":
            return Use(idle=boxes["idle"].currentData())
        return Use(
            gesture=boxes["gesture"].currentData() if kind != "say" else "",
            phrase=boxes["phrase"].currentData() if kind != "move" else "",
        )

    def _edit(self, text: str, edit: Callable[[], Show], place: int) -> None:
        """Carry out an edit and choose the trigger at a place; report a refusal."""
        try:
            after = edit()
        except EditError as error:
            self._show(self._document.show, self.place)
            self._tell(str(error))
            return
        self._document.edit(text, after)
        self._show(after, place)

    def _show(self, show: Show, place: int) -> None:
        """Fill the table, and choose a trigger of it."""
        table = self.table
        table.blockSignals(True)
        table.setRowCount(len(show.triggers))
        for row, trigger in enumerate(show.triggers):
            use = use_of(trigger.use) or Use()
            button = BUTTON_WORDS[trigger.button] if trigger.button else ""
            for column, words in enumerate((title_of(trigger), use.label, trigger.hotkey, button)):
                table.setItem(row, column, QTableWidgetItem(words))
        table.setCurrentCell(min(max(place, 0), len(show.triggers) - 1), 0)
        table.blockSignals(False)
        self._choose(table.currentRow())

    def _choose(self, place: int) -> None:
        """Show the fields of a trigger."""
        triggers = self._document.show.triggers
        chosen = triggers[place] if 0 <= place < len(triggers) else None
        for widget in (self.name, self.key, *self.boxes.values()):
            widget.setEnabled(chosen is not None)
        for place_of_button, button in enumerate(self._buttons_of_list):
            button.setEnabled(place_of_button == 0 or chosen is not None)
        if chosen is None:
            self._tell("" if triggers else "No triggers yet: Add makes one.")
            return
        use = use_of(chosen.use) or Use()
        self.name.setText(chosen.name)
        self.name.setPlaceholderText(use.label)
        self.key.setText(chosen.hotkey)
        for field, value in (
            ("kind", kind_of(use)),
            ("gesture", use.gesture),
            ("phrase", use.phrase),
            ("hand", use.hand),
            ("pose", use.pose),
            ("idle", use.idle),
            ("button", chosen.button),
            ("colour", chosen.colour),
        ):
            _select(self.boxes[field], value)
        shown = {"gesture": bool(use.gesture), "phrase": bool(use.phrase), "idle": bool(use.idle)}
        shown |= {"hand": bool(use.pose), "pose": bool(use.pose)}
        for field, visible in shown.items():
            self._form.setRowVisible(self.boxes[field], visible)
        fault = self._offers.fault(chosen)
        self._tell(f"{title_of(chosen)!r} {fault}." if fault else "")

    def _tell(self, text: str) -> None:
        self._why.setText(f"{theme.WARN.mark} {text}" if text else "")


_FIT = QHeaderView.ResizeMode.ResizeToContents


def _select(box: QComboBox, value: str) -> None:
    """Choose a value; one that is not offered is added, so that nothing is lost."""
    if not value:
        return
    place = box.findData(value)
    if place < 0:
        box.addItem(KINDS.get(value, value.replace("_", " ")), value)
        place = box.count() - 1
    box.setCurrentIndex(place)
