"""The toolbar of the timeline: the actions that are used most, the tempo, and zoom."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QToolButton, QWidget

from app.console.timeline.actions import TimelineActions
from app.console.timeline.editor import Editor
from app.console.toolkit import theme
from app.console.toolkit.folding_bar import FoldingBar

BUTTONS = (
    "split", "duplicate", "delete", "marker", "safe_point", "loop", "snap", "ripple", "rehearse",
)  # fmt: skip
FOLDED = ("loop", "delete", "duplicate", "marker", "safe_point", "ripple", "split", "snap")
SHORT = {"split": "Split", "marker": "Marker", "rehearse": "Rehearse"}
ZOOMS = {"zoom_out": "−", "zoom_in": "+", "fit": "Fit"}


class TimelineBar(FoldingBar):
    """Buttons of the timeline's actions; the menu More has them all.

    Signals:
        refused: a tempo was refused, with the reason in one sentence.
    """

    refused = Signal(str)

    def __init__(
        self, actions: TimelineActions, editor: Editor, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._actions, self._editor = actions, editor
        self.tempo = QLineEdit()
        add, more = (
            self._menu("Add track", "Add a track of a kind"),
            self._menu("More", "Everything that can be done here, with its keys"),
        )
        actions.fill_tracks(add.menu())
        actions.fill(more.menu())
        self.row.addWidget(add)
        buttons = {name: self._button(name, SHORT.get(name, "")) for name in BUTTONS}
        self.row.addWidget(more)
        self.row.addStretch(1)
        self._add_tempo()
        for name, text in ZOOMS.items():
            self._button(name, text)
        self.fold([buttons[name] for name in FOLDED])
        editor.changed.connect(self._show_tempo)

    def _menu(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(QMenu(button))
        return button

    def _button(self, name: str, text: str) -> QToolButton:
        button, action = QToolButton(), self._actions.actions[name]
        action.setIconText(text or action.text())
        button.setDefaultAction(action)
        self.row.addWidget(button)
        return button

    def _add_tempo(self) -> None:
        label = QLabel("Tempo")
        label.setStyleSheet(f"color: {theme.MUTED};")
        self.tempo.setFixedWidth(64)
        self.tempo.setPlaceholderText("none")
        self.tempo.setAccessibleName("Tempo in beats per minute")
        self.tempo.setToolTip("Beats per minute; clips snap to beats. T taps it; empty: none")
        self.tempo.editingFinished.connect(self._take_tempo)
        self.row.addWidget(label)
        self.row.addWidget(self.tempo)

    def _show_tempo(self) -> None:
        cue = self._editor.cue
        if cue is not None and not self.tempo.hasFocus():
            self.tempo.setText("" if cue.tempo is None else f"{cue.tempo.bpm:g}")

    def _take_tempo(self) -> None:
        if not self.tempo.isModified():
            return
        self.tempo.setModified(False)
        text = self.tempo.text().strip().replace(",", ".")
        try:
            self._actions.set_tempo(float(text) if text else None)
        except ValueError:
            self.refused.emit(f"{text!r} is no tempo; type beats per minute, such as 120.")
