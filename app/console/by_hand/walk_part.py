"""The walk by hand: its pad, values and controls."""

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.console.by_hand.pad_part import PadPart
from app.console.by_hand.readout import Readout, degrees, metres
from app.console.by_hand.walk_hand import WalkHand
from app.console.by_hand.walk_pad import WalkPad
from app.console.by_hand.words import HOLDERS
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.preferences.store import PreferencesStore
from app.console.toolkit import theme


class WalkPart(PadPart):
    """Leads the walk, at a share of the largest speeds.

    Attributes:
        pad: leads the walk.
        figures: requested, commanded and measured velocity.
    """

    def __init__(
        self,
        hand: WalkHand,
        link: CoreLink,
        document: Document,
        preferences: PreferencesStore,
        parent: QWidget | None = None,
    ) -> None:
        figures = Readout(("ahead", "left", "turn"), "m/s °/s", "Walk: asked, commanded, measured")
        super().__init__((figures,), parent)
        self.figures = figures
        self._hand, self._link, self._preferences = hand, link, preferences
        self.pad = WalkPad(hand, link, document, preferences)
        self._side = QPushButton("Step sideways")
        self._speed = QSlider(Qt.Orientation.Horizontal)
        self._speed_text = QLabel()
        self._lay_out()
        self._name_things()
        self._side.toggled.connect(self.pad.set_side_step)
        self._speed.valueChanged.connect(self._choose_speed)

    def refresh(self, bar: str) -> None:
        """Show what is asked, commanded and measured.

        Args:
            bar: why the robot cannot be led; empty if it can.
        """
        self.pad.setEnabled(not bar)
        hand, link = self._hand, self._link
        status, scene = link.status, link.scene
        wish = hand.velocity if hand.holder else None
        columns = (
            None if wish is None else (wish.vx, wish.vy, wish.yaw_rate),
            status.velocity_command if link.connected and status is not None else None,
            scene.velocity if link.connected and scene is not None else None,
        )
        for row, show in enumerate((metres, metres, degrees)):
            texts = (show(None if column is None else column[row]) for column in columns)
            self.figures.show_row(row, *texts)

    def words(self, bar: str) -> tuple[theme.Tone, str]:
        """Return how the robot is led, or why it cannot be."""
        hand, link = self._hand, self._link
        if bar:
            return theme.WARN, bar
        if link.connected and link.status is not None and link.status.jumps:
            return theme.GOOD, "the robot jumps"
        if hand.holder:
            return theme.GOOD, HOLDERS[hand.holder] + (", runs" if hand.runs else "")
        return theme.IDLE, "hold the pad, Shift or R1"

    def show_preferences(self) -> None:
        """Show the share of the speeds that is kept."""
        percent = round(100 * self._preferences.value.walk_speed_share)
        if self._speed.value() != percent:
            self._speed.blockSignals(True)  # a share that the slider cannot show is kept
            self._speed.setValue(percent)
            self._speed.blockSignals(False)
        self._speed_text.setText(f"Speed {percent} %")

    def _lay_out(self) -> None:
        speed = QHBoxLayout()
        digits = self._speed_text.fontMetrics().horizontalAdvance("Speed 100 %")
        self._speed_text.setFixedWidth(digits + 2)  # nothing moves with the value
        speed.addWidget(self._speed_text)
        speed.addWidget(self._speed, 1)
        self._row.addLayout(speed, 1)
        self._row.addWidget(self._side, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP // 2)
        column.addWidget(self.pad, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.figures)
        column.addLayout(self._row)

    def _name_things(self) -> None:
        self._side.setCheckable(True)
        self._speed.setMinimumWidth(48)
        self._speed.setRange(5, 100)
        self._speed.setPageStep(10)
        for widget, name, tip in (
            (
                self._side,
                "Step sideways",
                "Left and right on the pad step sideways instead of turning (controller: hold L1)",
            ),
            (self._speed, "Speed share", "Share of the speed limits at full deflection"),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)

    def _choose_speed(self, percent: int) -> None:
        preferences = self._preferences
        share = percent / 100
        preferences.change(msgspec.structs.replace(preferences.value, walk_speed_share=share))
