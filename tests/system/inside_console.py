"""What a console answers to a test, in its own process (see inside.py)."""

import json
import socket
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QPoint, QSocketNotifier
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTableView,
    QWidget,
)
from shiboken6 import getCppPointer

from app.console.window.window import Window
from tests.app.console.by_hand.virtual_device import Device


class Ear(QObject):
    """Answers one question after the other, in the thread of the windows."""

    def __init__(self, address: str, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._device: Device | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(b"\0" + address.encode())
        self._notifier = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._hear)
        self._answers: dict[str, Callable[..., Any]] = {
            "focus": self._focus,
            "texts": self._texts,
            "log": self._log,
            "view": self._view,
            "controller": self._controller,
        }

    def _hear(self) -> None:
        question, sender = self._socket.recvfrom(1 << 16)
        what, *words = json.loads(question)
        self._socket.sendto(json.dumps(self._answers[what](*words)).encode(), sender)

    def _focus(self) -> dict[str, Any]:
        """Return what has the focus, in what it lies, and what Space could have changed."""
        widget = QApplication.focusWidget()
        if widget is None:
            return {}
        state: list[object] = [QApplication.activePopupWidget() is not None]
        if isinstance(widget, QAbstractButton):
            state += [widget.isChecked(), widget.isDown()]
        elif isinstance(widget, QAbstractSlider):
            state.append(widget.value())
        elif isinstance(widget, QComboBox):
            state.append(widget.currentIndex())
        return {
            "id": getCppPointer(widget)[0],
            "kind": type(widget).__name__,
            "name": widget.accessibleName() or widget.objectName(),
            "within": [part.objectName() for part in _lineage(widget) if part.objectName()],
            "seen": _seen(widget),
            "state": state,
            "text": widget.text() if isinstance(widget, QLineEdit) else None,
        }

    def _texts(self, name: str) -> list[str]:
        """Return what the labels in a widget say that can be seen."""
        found = self._window.findChild(QWidget, name)
        assert found is not None
        return [label.text() for label in found.findChildren(QLabel) if label.isVisible()]

    def _log(self) -> list[str]:
        """Return the lines of the event log."""
        panel = self._window.findChild(QWidget, "event_log")
        assert panel is not None
        (table,) = panel.findChildren(QTableView)
        model = table.model()
        rows, columns = range(model.rowCount()), range(model.columnCount())
        return [
            " ".join(str(model.index(row, column).data()) for column in columns) for row in rows
        ]

    def _view(self) -> list[int] | None:
        """Return where the picture of the robot is on the screen: left, top, width, height."""
        stage = self._window.stage
        if not stage.drawing or not stage.picture.isVisible():
            return None
        place = stage.picture.mapToGlobal(QPoint(0, 0))
        return [place.x(), place.y(), stage.picture.width(), stage.picture.height()]

    def _controller(self, deed: str, *particulars: Any) -> str:
        """Plug, move, press or pull the controller; return what the console calls it."""
        if deed == "plug":
            import sdl2  # the console's own; it has started it

            self._device = Device(sdl2)
        elif deed != "name":
            assert self._device is not None
            getattr(self._device, deed)(*particulars)
            self._window.by_hand.gamepad.poll()  # two deeds within one look would be one
        return self._window.by_hand.gamepad.name


def _seen(widget: QWidget) -> bool:
    """Tell whether any of a widget lies in everything that it lies in."""
    left = widget.rect()
    for part in _lineage(widget)[1:]:
        left = left.translated(widget.pos()).intersected(part.rect())
        widget = part
    return widget.isVisible() and not left.isEmpty()


def _lineage(widget: QWidget) -> list[QWidget]:
    found: list[QWidget] = []
    step: QWidget | None = widget
    while step is not None:
        found.append(step)
        step = step.parentWidget()
    return found
