"""How the controller's sticks feel: dead zone, expo, and which way looks up."""

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QSpinBox, QWidget

from app.console.preferences.store import PreferencesStore
from app.console.toolkit import theme


class StickSettings(QWidget):
    """Edits the sticks' part of the preferences."""

    def __init__(self, preferences: PreferencesStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._dead_zone = self._percent(
            50, "Dead zone", "Share of a stick's way around its middle that does nothing"
        )
        self._expo = self._percent(
            100, "Expo", "How much finer a stick is near its middle: 0 % is straight"
        )
        self._invert = QCheckBox("Forward looks up")
        self._invert.setAccessibleName("Right stick forward looks up")
        self._invert.setToolTip("The right stick forward looks up instead of down")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(theme.GAP)
        grid.addWidget(QLabel("Dead zone"), 0, 0)
        grid.addWidget(self._dead_zone, 0, 1)
        grid.addWidget(QLabel("Expo"), 0, 2)
        grid.addWidget(self._expo, 0, 3)
        grid.addWidget(self._invert, 1, 0, 1, 4)
        grid.setColumnStretch(4, 1)
        self._show()
        preferences.changed.connect(self._show)
        self._dead_zone.valueChanged.connect(self._choose)
        self._expo.valueChanged.connect(self._choose)
        self._invert.toggled.connect(self._choose)

    def _choose(self, _: object) -> None:
        self._preferences.change(
            msgspec.structs.replace(
                self._preferences.value,
                head_dead_zone=self._dead_zone.value() / 100,
                head_expo=self._expo.value() / 100,
                head_invert_pitch=self._invert.isChecked(),
            )
        )

    def _show(self) -> None:
        chosen = self._preferences.value
        widgets = (self._dead_zone, self._expo, self._invert)
        for widget in widgets:
            widget.blockSignals(True)
        self._dead_zone.setValue(round(100 * chosen.head_dead_zone))
        self._expo.setValue(round(100 * chosen.head_expo))
        self._invert.setChecked(chosen.head_invert_pitch)
        for widget in widgets:
            widget.blockSignals(False)

    @staticmethod
    def _percent(most: int, name: str, tip: str) -> QSpinBox:
        box = QSpinBox()
        box.setRange(0, most)
        box.setSuffix(" %")
        box.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        box.setAccessibleName(name)
        box.setToolTip(tip)
        return box
