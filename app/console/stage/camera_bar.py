"""The buttons above the 3-D view: its camera presets."""

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from app.console.stage.steering import Steering
from app.picture.camera import Preset

TITLES = {
    Preset.AUDIENCE: ("Audience", "A", "from the middle of the house"),
    Preset.OPERATOR: ("Operator", "O", "from the wing"),
    Preset.FOLLOW: ("Follow", "F", "goes and turns with the robot"),
    Preset.PAIR: ("Pair", "P", "and the person before it, from the side"),
    Preset.TOP: ("Top", "T", "from above"),
    Preset.FREE: ("Free", "V", "drag to go round, right-drag to shift, wheel to come nearer"),
}


class CameraBar(QWidget):
    """Chooses a preset, and shows which one it is."""

    def __init__(self, steering: Steering, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steering = steering
        self._buttons: dict[Preset, QToolButton] = {}
        bar = QHBoxLayout(self)
        bar.setContentsMargins(4, 4, 4, 4)
        bar.setSpacing(4)
        group = QButtonGroup(self)
        for preset, (title, key, what) in TITLES.items():
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setStyleSheet("padding-left: 6px; padding-right: 6px")
            button.setChecked(preset is steering.preset)
            button.setToolTip(f"See the robot {what} ({key}, when the picture has the focus)")
            button.setAccessibleName(f"camera: {title}")
            button.clicked.connect(lambda _=False, chosen=preset: steering.choose(chosen))
            group.addButton(button)
            bar.addWidget(button)
            self._buttons[preset] = button
        bar.addStretch(1)
        steering.changed.connect(self._show)

    def _show(self) -> None:
        self._buttons[self._steering.preset].setChecked(True)
