"""The operator's handset: its state and the layout of its controls."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.console.by_hand.handset_editor import HandsetEditor
from app.console.by_hand.handset_picture import HandsetPicture
from app.console.context.core_link import CoreLink
from app.console.toolkit import theme
from core.link.commands import SetHandsetMap
from core.link.handset import HandsetMap, HandsetStatus
from core.link.status import Status
from core.link.wording import text

CHANGEABLE = frozenset({"OFF", "DAMPED"})


class HandsetSection(QWidget):
    """Hidden while the robot has no handset.

    Attributes:
        details: picture and editor, shown on request.
        editor: of the layout.

    Signals:
        resized: its height has changed.
    """

    resized = Signal()

    def __init__(self, link: CoreLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("handset_section")
        self._link = link
        self._state = QLabel()
        self._state.setWordWrap(True)
        self._state.setAccessibleName("Handset")
        self._layout = QPushButton("Layout")
        self._layout.setCheckable(True)
        self._layout.setAccessibleName("Layout of the handset")
        self._layout.setToolTip("What each button of the handset does, and what is held now")
        self._picture, self.editor = HandsetPicture(), HandsetEditor()
        self.details = QWidget()
        inside = QVBoxLayout(self.details)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self._picture)
        inside.addWidget(self.editor)
        self.details.hide()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        grid.addWidget(self._state, 0, 0)
        grid.addWidget(self._layout, 0, 1)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.details, 1, 0, 1, 2)
        self.hide()
        self._layout.toggled.connect(self._open)
        self.editor.sent.connect(self._send)
        link.shown.connect(self._show)
        link.connected_changed.connect(self._show)
        link.hello_changed.connect(self._show)

    def _open(self, opened: bool) -> None:
        self.details.setVisible(opened)
        self._show()
        self.resized.emit()

    def _send(self, layout: HandsetMap | None) -> None:
        self._link.send(SetHandsetMap(layout))

    def _show(self, _: object = None) -> None:
        """Show the newest status."""
        status, connected = self._link.status, self._link.connected
        hello = self._link.hello
        fitted = hello is None or hello.has_handset
        handset = status.handset if status is not None and fitted else None
        if self.isHidden() == (handset is not None):
            self.setVisible(handset is not None)
            self.resized.emit()
        if handset is None or status is None:
            return
        tone, text = _state(handset) if connected else (theme.UNKNOWN, "Handset: no core")
        self._state.setText(f"{tone.mark} {text}")
        self._state.setStyleSheet(f"color: {theme.MUTED if tone is theme.IDLE else theme.TEXT}")
        if not self.details.isHidden():
            self._picture.show_status(handset if connected else None)
            self.editor.show_map(handset.map, _bar(status, connected))


def _state(handset: HandsetStatus) -> tuple[theme.Tone, str]:
    """Return the tone and the words for the handset's state."""
    if not handset.heard:
        words = handset.troubles[0] if handset.troubles else "not heard; switch it on"
        tone = theme.BAD if handset.needed else theme.IDLE
        return tone, f"Handset: {words}"
    parts = [f"link {handset.quality:.0%}"]
    if handset.battery_v is not None:
        parts.append(f"{handset.battery_v:.1f} V")
    if handset.dead_man:
        parts.append("dead-man held")
    if not handset.authenticated:
        parts.append("not authenticated: STAND UP and RESET here only")
    words = f"Handset: {', '.join(parts)}"
    trouble = handset.troubles[0] if handset.troubles else ""
    if handset.note is not None:
        trouble = text(handset.note)
    return (theme.WARN, f"{words}. {trouble}") if trouble else (theme.GOOD, words)


def _bar(status: Status, connected: bool) -> str:
    """Return why the layout cannot be changed now; empty if it can."""
    if not connected:
        return "The core is not there."
    if status.mode not in CHANGEABLE:
        return f"The robot is in {status.mode}: SETTLE it before the layout is changed."
    return ""
