"""The preferences in a sheet: a line for each, made from the type that the file has, too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QScrollArea,
    QWidget,
)

from app.console.preferences.store import Preferences, PreferencesStore
from app.console.toolkit import theme
from app.console.toolkit.sheet import Sheet, on_key


@dataclass(frozen=True, slots=True)
class Words:
    """How a preference is told to people.

    Attributes:
        group: the heading above it.
        label: its name.
        tip: its effect.
        unit: behind a number.
        choices: words for "as the console chooses", no and yes.
    """

    group: str
    label: str
    tip: str
    unit: str = ""
    choices: tuple[str, str, str] = ("automatic", "no", "yes")


WORDS = {
    "go_minimum_s": Words(
        "GO", "Minimum time between GOs", "A second GO within this time is ignored", " s"
    ),
    "go_key_up": Words(
        "GO",
        "GO only after its key was released",
        "A key that is held, or repeats, gives one GO",
    ),
    "head_expo": Words(
        "Head by hand", "Fineness near the middle", "0: even all the way; 1: very fine near rest"
    ),
    "head_dead_zone": Words(
        "Head by hand", "Dead zone", "Share of the stick's way that does nothing"
    ),
    "head_invert_pitch": Words(
        "Head by hand", "Stick forward looks up", "As an aeroplane's stick does not"
    ),
    "head_spring_back": Words(
        "Head by hand",
        "Head returns when the stick is released",
        "Otherwise it stays where it looks until it is given back",
    ),
    "body_spring_back": Words(
        "Body by hand",
        "Body returns when the stick is released",
        "Otherwise it stays as it is led until it is given back",
    ),
    "walk_speed_share": Words(
        "Walk by hand", "Speed at full stick", "Share of the largest speed that the robot may walk"
    ),
    "sound_device": Words(
        "Sound",
        "Sound device",
        "Where the robot's sound comes out; a name, or a part of it, of a device of its computer",
    ),
    "simple_view": Words(
        "3-D view",
        "Simpler picture",
        "Fewer details where there is no graphics card",
        choices=("let the console choose", "never", "always"),
    ),
    "favourites": Words("Lists", "Favourite gestures", "Delete takes the marked line off the list"),
    "recent": Words("Lists", "Recent shows", "Delete takes the marked line off the list"),
}
ELSEWHERE = ("volume", "microphone", "cue_columns", "camera", "free_camera", "show_person")
"""Chosen where they are seen: below the cue list, in Record, in the list, above the picture."""
OWN_CHOICE = "as the core was started"
STEP = 0.05  # of a number, by the arrow keys
HIGH = 26  # a line [px]
LIST = QSize(220, 64)  # of three lines [px]


class _Line:
    """One preference: its widget, how to read it and how to fill it."""

    def __init__(
        self, widget: QWidget, read: Callable[[], Any], fill: Callable[[Any], None]
    ) -> None:
        self.widget, self.read, self.fill = widget, read, fill


class PreferencesSheet(Sheet):
    """Edits all preferences; nothing changes before Save.

    Args:
        store: where they are.
        devices: names of the sound devices that the voice has found.

    Attributes:
        lines: the widgets by the preference's name.
    """

    def __init__(self, store: PreferencesStore, devices: Sequence[str] = ()) -> None:
        super().__init__("Preferences", width=700, height=760)
        self._store = store
        self.lines: dict[str, _Line] = {}
        contents = QWidget()
        form = QFormLayout(contents)
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(theme.GAP // 2)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        hints = get_type_hints(Preferences, include_extras=True)
        hints = {name: hint for name, hint in hints.items() if name not in ELSEWHERE}
        group = ""
        for name in sorted(hints, key=_place):
            words = WORDS.get(name) or Words("More", name.replace("_", " ").capitalize(), name)
            if words.group != group:
                group = words.group
                heading = QLabel(group)
                heading.setStyleSheet(f"color: {theme.MUTED}; font-weight: bold;")
                form.addRow(heading)
            line = _line(hints[name], words, devices)
            line.widget.setToolTip(words.tip)
            line.widget.setAccessibleName(words.label)
            label = QLabel(words.label)
            label.setToolTip(words.tip)
            label.setMinimumHeight(HIGH)
            form.addRow(label, line.widget)
            self.lines[name] = line
        self.fill(store.value)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(contents)
        self.body.addWidget(area, 1)
        tip = "Fill in the values of a new console"
        self.add_button("Restore defaults", self._reset, tip, left=True)
        self.add_button("Cancel", tip="Change nothing")
        self.add_button("Save", self._save, "Use and keep these", chief=True)

    def first_focus(self) -> QWidget:
        """Return the first preference."""
        return next(iter(self.lines.values())).widget

    def fill(self, value: Preferences) -> None:
        """Show settings."""
        for name, line in self.lines.items():
            line.fill(getattr(value, name))

    def value(self) -> Preferences:
        """Return the values in the form."""
        shown = {name: line.read() for name, line in self.lines.items()}
        return msgspec.structs.replace(self._store.value, **shown)

    def _reset(self) -> None:
        kept = self._store.value
        usual = msgspec.structs.replace(
            Preferences(), favourites=kept.favourites, recent=kept.recent
        )
        self.fill(usual)

    def _save(self) -> None:
        value = self.value()
        self.dismiss()
        self._store.change(value)


def _place(name: str) -> int:
    """Return where a preference stands; those without words come last."""
    names = list(WORDS)
    return names.index(name) if name in names else len(names)


def _line(hint: Any, words: Words, names: Sequence[str]) -> _Line:
    meta = [part for part in get_args(hint)[1:] if isinstance(part, msgspec.Meta)]
    kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if kind is bool:
        box = QCheckBox("off")
        box.setMinimumHeight(HIGH)
        box.toggled.connect(lambda on: box.setText("on" if on else "off"))
        return _Line(box, box.isChecked, box.setChecked)
    if kind is float:
        spin = QDoubleSpinBox()
        spin.setRange(float(meta[0].ge or 0), float(meta[0].le or 1e6) if meta else 1e6)
        spin.setSingleStep(STEP)
        spin.setDecimals(2)
        spin.setSuffix(words.unit)
        spin.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        spin.setMinimumSize(110, HIGH)
        return _Line(spin, lambda: round(spin.value(), 6), spin.setValue)
    if kind == bool | None:
        combo = QComboBox()
        values = (None, False, True)
        combo.addItems(list(words.choices))
        return _Line(
            combo,
            lambda: values[combo.currentIndex()],
            lambda value: combo.setCurrentIndex(values.index(value)),
        )
    if kind is str:
        return _name_line(names)
    if kind == tuple[str, ...]:
        return _list_line(words)
    raise TypeError(f"there is no widget for a preference of type {hint}")


def _name_line(names: Sequence[str]) -> _Line:
    """Return a field for a name, known or not; none is the first choice."""
    combo = QComboBox()
    combo.setEditable(True)
    combo.setFixedWidth(LIST.width())
    combo.addItems([OWN_CHOICE, *names])
    line = combo.lineEdit()
    assert line is not None
    line.setMaxLength(200)

    def read() -> str:
        text = combo.currentText().strip()
        return "" if text == OWN_CHOICE else text

    return _Line(combo, read, lambda value: combo.setEditText(value or OWN_CHOICE))


def _list_line(words: Words) -> _Line:
    """Return a list from which lines can be taken off."""
    whole = QWidget()
    whole.setStyleSheet(".QWidget { background: transparent; }")
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    lines = QListWidget()
    lines.setFixedSize(LIST)
    lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # or nothing elides
    lines.setTextElideMode(Qt.TextElideMode.ElideLeft)
    lines.setAccessibleName(words.label)
    whole.setFocusProxy(lines)
    remove = QPushButton("Remove")
    remove.setToolTip(words.tip)
    remove.setAccessibleName(f"Remove from {words.label}")

    def take() -> None:
        lines.takeItem(lines.currentRow())

    remove.clicked.connect(take)
    on_key(lines, (Qt.Key.Key_Delete, Qt.Key.Key_Backspace), take)
    row.addWidget(lines, 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(remove, 0, Qt.AlignmentFlag.AlignTop)

    def read() -> tuple[str, ...]:
        return tuple(lines.item(place).text() for place in range(lines.count()))

    def fill(value: tuple[str, ...]) -> None:
        lines.clear()
        lines.addItems([str(Path(text)) for text in value])

    return _Line(whole, read, fill)
