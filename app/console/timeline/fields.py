"""The fields of the selected clips: exact values, typed."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.cues.cells import seconds_of
from app.console.cues.edits import EditError
from app.console.timeline import clip_edits, trimming
from app.console.timeline.editor import Editor
from app.console.timeline.gait_words import range_text, usual_text
from app.console.timeline.names import (
    CLIP_TITLES,
    FOOT_WORDS,
    GAIT_WORDS,
    KIND_TITLES,
    MODE_WORDS,
    SWAY_WORDS,
    clip_name,
    look_of,
)
from app.console.timeline.new_gaits import refusal, usual_period_s
from app.console.timeline.track_edits import kind_of
from app.console.toolkit import theme
from shows.document import Clip, GestureClip, LiveClip, SwayClip

WIDTH_PX = 236
LIMBS_PX = 84  # of the limbs on their button, which would else widen the form
SHORTEST_PERIOD_S = 0.5
SEVERAL = "(several)"
NOTHING = "Select a clip to see its fields."
Kind = Literal[
    "time",
    "optional",
    "usual",
    "whole",
    "angle",
    "number",
    "centimetre",
    "switch",
    "choice",
    "text",
    "limbs",
    "result",
]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of clips.

    Attributes:
        name: of the attribute; "end_s" is computed.
        label: in the form.
        kind: how it is shown and typed.
        tip: what it means.
    """

    name: str
    label: str
    kind: Kind
    tip: str


FIELDS = (
    Field("start_s", "Start", "time", "When it starts in the cue: 4.5 or 1:04.5"),
    Field("length_s", "Length", "time", "How long it lasts"),
    Field("end_s", "End", "time", "When it ends in the cue; its start stays"),
    Field("motion", "Gesture", "choice", "Which motion plays"),
    Field("offset_s", "From", "time", "Time of the motion or sound at which the clip begins"),
    Field("speed", "Speed", "number", "1 plays as recorded; 0.1 to 4"),
    Field("mode", "Mode", "choice", "Whether the robot does what a person does, or answers"),
    Field("repertoire", "Repertoire", "choice", "Whose answers it gives; taught in the show"),
    Field("groups", "Limbs", "limbs", "Which limbs play it, or are led by the person"),
    Field("lower", "Lower m", "number", "How far the centre of mass goes down"),
    Field("roll", "Roll °", "angle", "Leaning to its right is positive"),
    Field("yaw", "Yaw °", "angle", "To its left is positive"),
    Field("point", "Point", "choice", "Point in the room that the head holds, or a direction"),
    Field("pitch", "Pitch °", "angle", "Of the head: down; of the body: forward is positive"),
    Field("hand", "Hand", "choice", "Which hand, or every hand"),
    Field("pose", "Pose", "choice", "Which pose it takes"),
    Field("direction", "Direction", "choice", "Where the sine begins"),
    Field("amplitude_m", "Amplitude cm", "centimetre", "To each side of the place at rest"),
    Field("frequency_hz", "Frequency Hz", "number", "Cycles in a second"),
    Field("period_s", "Period", "time", "Duration of one cycle; sets the frequency"),
    Field("cycles", "Cycles", "result", "Number of whole cycles that fit into its length"),
    Field("gait", "Gait", "choice", "Whether it walks or runs"),
    Field("mark", "Mark", "choice", "Where the robot walks and stands"),
    Field("foot", "Last foot", "choice", "Which foot makes the last step"),
    Field("count", "Jumps", "whole", "Number of jumps; sets the length"),
    Field("flight_s", "Flight s", "usual", "Duration of a flight; empty: the robot's usual one"),
    Field("jump_period_s", "Period s", "usual", "From jump to jump; sets the length; empty: usual"),
    Field("dx", "Ahead cm", "centimetre", "Way of a jump; backward is negative"),
    Field("dy", "Left cm", "centimetre", "Way of a jump to its left; to its right is negative"),
    Field("turn", "Turn °", "angle", "Turn of a jump; to its left is positive"),
    Field("vx", "Ahead m/s", "number", "Forward velocity; backward is negative"),
    Field("vy", "Left m/s", "number", "Velocity to its left; to its right is negative"),
    Field("yaw_rate", "Turn °/s", "angle", "Turning left is positive"),
    Field("blend_in_s", "Blend in", "optional", "Transition into it; empty: the default"),
    Field("blend_out_s", "Blend out", "optional", "Transition out of it; empty: the default"),
    Field("freeze_at_s", "Freeze at", "optional", "Time after its start at which it stands still"),
    Field("freeze_s", "Freeze for", "time", "How long it stands still"),
    Field("phrase", "Sound", "choice", "Which sound plays"),
    Field("volume", "Volume", "number", "0 to 1"),
    Field("event", "Event", "text", "The text that is sent"),
    Field("loop", "Loop", "switch", "Starts over until its length is reached"),
    Field("mirror", "Mirror", "switch", "Left and right change places"),
    Field("legs", "Legs", "switch", "The robot steps where the person steps"),
    Field("mirror_sides", "Mirror sides", "switch", "Its left follows the person's right"),
    Field("music", "Music", "switch", "Its volume is lowered while a phrase sounds"),
)
_BY_NAME = {field.name: field for field in FIELDS}


class ClipFields(QScrollArea):
    """A form of the fields that all selected clips have.

    Signals:
        refused: a value was refused, with the reason in one sentence.
    """

    refused = Signal(str)

    def __init__(self, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("clip_fields")
        self.setAccessibleName("Fields of the selected clips")
        self.setFixedWidth(WIDTH_PX)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setStyleSheet(
            "QLineEdit, QComboBox, QToolButton { min-height: 18px; padding: 1px 5px; }"
            "QLineEdit:focus, QComboBox:focus, QToolButton:focus { padding: 0 4px; }"
        )
        self._editor = editor
        self._shown: tuple[str, ...] = ()
        self._widgets: dict[str, QWidget] = {}
        self._title = QLabel(NOTHING)
        self._title.setWordWrap(True)
        self._title.setStyleSheet(f"color: {theme.MUTED};")
        self._form = QFormLayout()
        self._form.setVerticalSpacing(3)
        self._form.setHorizontalSpacing(6)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.GAP, 4, theme.GAP, 4)
        column.setSpacing(4)
        column.addWidget(self._title)
        column.addLayout(self._form)
        column.addStretch(1)
        self.setWidget(inner)
        editor.changed.connect(self.refresh)
        editor.selected.connect(self.refresh)

    def begin(self) -> None:
        """Give the first field the keyboard."""
        for widget in self._widgets.values():
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if isinstance(widget, QLineEdit):
                widget.selectAll()
            return

    def refresh(self) -> None:
        """Show the selected clips; text that is being typed stays."""
        if self.isHidden():
            return
        clips = self._editor.clips()
        names = _fields_of(clips)
        if names != self._shown:
            self._build(names)
        if not clips:
            self._title.setText(NOTHING)
            return
        kinds = {kind_of(clip) for clip in clips}
        looks = {look_of(clip, kind_of(clip)) for clip in clips}
        title = CLIP_TITLES[looks.pop()] if len(looks) == 1 else "Clips"
        if title == "Clips" and len(kinds) == 1:
            title = KIND_TITLES[kinds.pop()]
        what = clip_name(clips[0], self._editor.library) if len(clips) == 1 else str(len(clips))
        named = what.lower().startswith(title.lower())
        self._title.setText(what if named else f"{title}: {what}")
        for name, widget in self._widgets.items():
            field = _BY_NAME[name]
            self._fill(field, widget, clips)
            limits = range_text(name, clips, self._editor.joints)
            widget.setToolTip(f"{field.tip}; {limits}" if limits else field.tip)

    # Inside

    def _build(self, names: tuple[str, ...]) -> None:
        while self._form.rowCount():
            self._form.removeRow(0)
        self._widgets, self._shown = {}, names
        for name in names:
            field = _BY_NAME[name]
            widget = self._make(field)
            widget.setToolTip(field.tip)
            widget.setAccessibleName(f"{field.label} of the selected clips")
            label = QLabel(field.label)
            label.setStyleSheet(f"color: {theme.MUTED};")
            label.setBuddy(widget)
            self._form.addRow(label, widget)
            self._widgets[name] = widget

    def _make(self, field: Field) -> QWidget:
        if field.kind == "switch":
            box = QCheckBox()
            box.clicked.connect(lambda on: self._commit(field, bool(on)))
            return box
        if field.kind == "choice":
            choice = QComboBox()
            choice.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            choice.setMinimumContentsLength(6)
            choice.activated.connect(lambda _: self._commit(field, choice.currentData()))
            return choice
        if field.kind == "limbs":
            button = QToolButton()
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            button.setSizePolicy(
                button.sizePolicy().Policy.Expanding, button.sizePolicy().Policy.Fixed
            )
            button.setMenu(QMenu(button))
            return button
        line = QLineEdit()
        if field.kind == "result":
            line.setReadOnly(True)
            line.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            line.setFrame(False)
            return line
        line.editingFinished.connect(lambda: self._commit_line(field, line))
        return line

    def _fill(self, field: Field, widget: QWidget, clips: Sequence[Clip]) -> None:
        values = {self._value(field, clip) for clip in clips}
        value = values.pop() if len(values) == 1 else None
        several = bool(values)
        if isinstance(widget, QLineEdit):
            if not (widget.hasFocus() and widget.isModified()):
                widget.setText("" if several or value is None else str(value))
                empty = usual_text(field.name, self._editor.joints) or "default"
                widget.setPlaceholderText(SEVERAL if several else empty)
        elif isinstance(widget, QCheckBox):
            widget.setChecked(bool(value))
            widget.setText(SEVERAL if several else "")
        elif isinstance(widget, QComboBox):
            self._fill_choice(field, widget, value, several)
        elif isinstance(widget, QToolButton):
            self._fill_limbs(widget, clips)

    def _fill_choice(self, field: Field, widget: QComboBox, value: object, several: bool) -> None:
        options = self._options(field.name)
        if value is not None and value not in [data for data, _ in options]:
            options.insert(0, (value, str(value)))
        present = [(widget.itemData(i), widget.itemText(i)) for i in range(widget.count())]
        if present != options:
            widget.clear()
            for data, text in options:
                widget.addItem(text, data)
        widget.setPlaceholderText(SEVERAL if several else "")
        widget.setCurrentIndex(-1 if several else widget.findData(value))

    def _options(self, name: str) -> list[tuple[object, str]]:
        editor = self._editor
        if name == "motion":
            return [(entry.name, entry.title) for entry in editor.library.entries()]
        if name == "phrase":
            return [(phrase, phrase) for phrase in sorted(editor.sounds)]
        if name == "gait":
            lacks = refusal("run", editor.joints)
            return [
                (gait, word) for gait, word in GAIT_WORDS.items() if gait == "walk" or not lacks
            ]
        if name == "point":
            points = sorted(editor.settings.points)
            return [(None, "direction"), *((point, point.replace("_", " ")) for point in points)]
        if name == "mark":
            return [(mark, mark.replace("_", " ")) for mark in sorted(editor.settings.marks)]
        if name == "mode":
            return list(MODE_WORDS.items())
        if name == "repertoire":
            return [(None, "none"), *((r, r.replace("_", " ")) for r in editor.repertoires)]
        if name == "foot":
            return list(FOOT_WORDS.items())
        if name == "direction":
            return list(SWAY_WORDS.items())
        if name == "hand":
            return [("left", "left"), ("right", "right"), ("both", "every hand")]
        poses = {} if editor.joints is None else {**editor.joints.hand_poses}
        poses |= editor.settings.hand_poses
        return [(pose, pose.replace("_", " ")) for pose in sorted(poses)]

    def _fill_limbs(self, button: QToolButton, clips: Sequence[Clip]) -> None:
        menu = button.menu()
        menu.clear()
        whole, chosen = self._limbs(clips)
        for limb in whole:
            action = menu.addAction(limb.replace("_", " "))
            action.setCheckable(True)
            action.setChecked(limb in chosen)
            action.triggered.connect(partial(self._turn_limb, limb, whole, chosen))
        words = ", ".join(limb.replace("_", " ") for limb in chosen)
        if set(chosen) == set(whole):
            words = "all"
        elide = Qt.TextElideMode.ElideRight
        button.setText(button.fontMetrics().elidedText(words, elide, LIMBS_PX))

    def _limbs(self, clips: Sequence[Clip]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the limbs that clips may use, and those of the first; none if they differ."""
        stock, clip = self._editor.stock, clips[0]
        if stock is None or len({type(other) for other in clips}) != 1:
            return (), ()
        if isinstance(clip, LiveClip):
            whole = stock.joints.following_limbs
            return whole, clip.groups or whole
        motions = {other.motion for other in clips if isinstance(other, GestureClip)}
        if (
            not isinstance(clip, GestureClip)
            or len(motions) != 1
            or not motions <= set(stock.motions)
        ):
            return (), ()
        return stock.limbs(trimming.replace(clip, groups=None)), stock.limbs(clip)

    def _turn_limb(
        self, limb: str, whole: tuple[str, ...], chosen: tuple[str, ...], _on: bool = False
    ) -> None:
        kept = set(chosen) ^ {limb}
        groups = tuple(name for name in whole if name in kept)
        if not groups:
            self.refused.emit("A clip uses one limb at least; delete the clip instead.")
            self.refresh()
            return
        self._commit(_BY_NAME["groups"], None if groups == whole else groups)

    def _value(self, field: Field, clip: Clip) -> object:
        if field.name == "end_s":
            return _number(self._editor.material.end_s(clip))
        if field.name == "length_s":
            return _number(self._editor.material.length_s(clip))
        if field.name == "period_s":
            return _number(1.0 / clip.frequency_hz) if isinstance(clip, SwayClip) else None
        value = getattr(clip, _attribute(field))
        if field.kind == "usual" and not value:
            return None
        if isinstance(value, dict):
            return "its own angles"
        if value is None or isinstance(value, (bool, str, tuple)):
            return value
        if field.kind == "angle":
            return _number(math.degrees(value))
        return _number(100.0 * value if field.kind == "centimetre" else value)

    def _commit_line(self, field: Field, line: QLineEdit) -> None:
        if not line.isModified():
            return
        line.setModified(False)
        text = line.text().strip()
        try:
            value: object = text
            if field.kind in ("time", "optional"):
                value = None if field.kind == "optional" and not text else seconds_of(text)
            elif field.kind == "usual":
                value = _typed(text) if text else 0.0
            elif field.kind == "whole":
                value = _whole(text)
            elif field.kind in ("number", "angle", "centimetre"):
                value = _typed(text)
                if field.kind == "angle":
                    value = math.radians(value)
                elif field.kind == "centimetre":
                    value = round(0.01 * value, 6)
        except EditError as error:
            self.refused.emit(str(error))
            self.refresh()
            return
        self._commit(field, value)

    def _commit(self, field: Field, value: Any) -> None:
        """Edit the selected clips."""
        editor = self._editor
        places, material = editor.selection, editor.material
        name = f"change the {_called(field)} of {{clips}}"
        deeds: dict[str, Callable[[Any], clip_edits.Edited]] = {
            "length_s": lambda cue: clip_edits.sized(cue, places, value, material),
            "end_s": lambda cue: clip_edits.ended(cue, places, value, material),
            "loop": lambda cue: clip_edits.looped(cue, places, material),
        }
        if field.name == "period_s":
            value = 1.0 / max(value, SHORTEST_PERIOD_S)
            deeds["period_s"] = lambda cue: clip_edits.changed(cue, places, "frequency_hz", value)
        attribute = _attribute(field)
        if field.name in ("count", "jump_period_s"):
            usual_s = usual_period_s(editor.joints)
            deeds[field.name] = lambda cue: clip_edits.jumps_changed(
                cue, places, attribute, value, usual_s
            )
        deed = deeds.get(field.name, lambda cue: clip_edits.changed(cue, places, attribute, value))
        if field.name == "motion":
            editor.use_motion(str(value))
        editor.do(name, deed)
        self.refresh()


def _fields_of(clips: Sequence[Clip]) -> tuple[str, ...]:
    """Return the names of the fields that all clips have, in the order of the form."""
    if not clips:
        return ()
    common = set.intersection(*(set(clip.__struct_fields__) for clip in clips))
    if "length_s" in common:
        common.add("end_s")
    if "period_s" in common:
        common ^= {"period_s", "jump_period_s"}
    if "frequency_hz" in common:
        common |= {"period_s", "cycles"}
    return tuple(field.name for field in FIELDS if field.name in common)


def _attribute(field: Field) -> str:
    """Return the attribute of a clip that a field shows."""
    return "period_s" if field.name == "jump_period_s" else field.name


def _called(field: Field) -> str:
    """Return a field's label without its unit, in the name of an edit."""
    return re.sub(r" (cm|Hz|m|s|°|m/s|°/s)$", "", field.label).lower()


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _whole(text: str) -> int:
    """Return a whole number that was typed.

    Raises:
        EditError: it is none.
    """
    value = _typed(text)
    if not value.is_integer():
        raise EditError(f"{text!r} is no whole number; type one such as 3.")
    return int(value)


def _typed(text: str) -> float:
    """Return a number that was typed.

    Raises:
        EditError: it is none.
    """
    try:
        value = float(text.replace(",", "."))
    except ValueError as error:
        raise EditError(f"{text!r} is no number; type one such as 0.25.") from error
    if not math.isfinite(value):
        raise EditError(f"{text!r} is no number; type one such as 0.25.")
    return value
