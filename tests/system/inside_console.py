"""What a console answers to a test, in its own process (see inside.py)."""

import json
import socket
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from PySide6.QtCore import QObject, QPoint, QSocketNotifier
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QTabBar,
    QTableView,
    QWidget,
)
from shiboken6 import getCppPointer

from app.console.gestures.grid import GestureView
from app.console.gestures.model import GestureModel
from app.console.window.window import Window
from app.picture import posture
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
            "place": self._place,
            "named": self._named,
            "button": self._button,
            "entry": self._entry,
            "tab": self._tab,
            "link": self._link,
            "tile": self._tile,
            "moment": self._moment,
            "clips": self._clips,
            "published": lambda: self._window.publisher.current,
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

    def _place(self, name: str) -> list[int] | None:
        """Return where a widget is on the screen: left, top, width, height; None if hidden."""
        widget = self._window.findChild(QWidget, name)
        if widget is None or not widget.isVisible():
            return None
        place = widget.mapToGlobal(QPoint(0, 0))
        return [place.x(), place.y(), widget.width(), widget.height()]

    def _named(self, name: str, within: str = "") -> list[int] | None:
        """Return the middle of the widget in reach with an accessible name; None: there is none.

        Args:
            name: accessible name.
            within: name of a widget that it lies in; empty for the window.
        """
        for widget in self._inside(within).findChildren(QWidget):
            if widget.accessibleName() == name and _in_reach(widget):
                return _middle(widget)
        return None

    def _button(self, name: str, within: str = "") -> list[int] | None:
        """Return the same of a button that can be pressed.

        Args:
            name: how its accessible name begins, or its words if it has none.
            within: name of a widget that it lies in; empty for the window.
        """
        for button in self._inside(within).findChildren(QAbstractButton):
            called = button.accessibleName() or button.text()
            if called.startswith(name) and button.isEnabled() and _in_reach(button):
                return _middle(button)
        return None

    def _inside(self, name: str) -> QWidget:
        """Return a widget by its name; the window without one."""
        found = self._window.findChild(QWidget, name) if name else self._window
        assert found is not None
        return found

    def _entry(self, text: str) -> list[int] | None:
        """Return the middle of an entry of the open menu."""
        menu = QApplication.activePopupWidget()
        if not isinstance(menu, QMenu):
            return None
        for action in menu.actions():
            if action.text() == text and action.isEnabled():
                place = menu.mapToGlobal(menu.actionGeometry(action).center())
                return [place.x(), place.y()]
        return None

    def _tab(self, panel: str, words: str) -> list[int] | None:
        """Return the middle of the tab of a panel that begins with these words."""
        whole = self._window.findChild(QWidget, panel)
        assert whole is not None
        for bar in whole.findChildren(QTabBar):
            for index in range(bar.count()):
                if bar.tabText(index).startswith(words) and bar.isVisible():
                    place = bar.mapToGlobal(bar.tabRect(index).center())
                    return [place.x(), place.y()]
        return None

    def _link(self, name: str) -> list[int] | None:
        """Return where the middle of a link of the robot is on the screen."""
        stage, link = self._window.stage, self._window._context.link
        tree, scene, hello = stage._pull.tree, link.scene, link.hello
        if tree is None or scene is None or hello is None or not stage.picture.isVisible():
            return None
        poses = tree.forward_kinematics(
            posture.angles(hello.joint_names, scene.q), posture.base(scene, tree)
        )
        index = next(i for i, body in enumerate(tree.bodies) if body.link == name)
        corners = np.concatenate([patch.mesh.positions for patch in tree.bodies[index].patches])
        middle = poses[index] @ np.append((corners.min(axis=0) + corners.max(axis=0)) / 2.0, 1.0)
        size = stage.picture.size()
        pixel = stage.steering.camera.pixel(middle[:3], size.width(), size.height())
        if pixel is None:
            return None
        place = stage.picture.mapToGlobal(QPoint(round(pixel[0]), round(pixel[1])))
        return [place.x(), place.y()]

    def _tile(self, name: str) -> list[int] | None:
        """Return the middle of a gesture's picture on the screen, brought into sight."""
        grid = self._window.findChild(QWidget, "gesture_grid")
        assert isinstance(grid, GestureView)
        model = grid.model()
        assert isinstance(model, GestureModel)
        index = model.index(model.row_of(name))
        if not index.isValid() or not grid.isVisible():
            return None
        grid.scrollTo(index)
        place = grid.viewport().mapToGlobal(grid.visualRect(index).center())
        return [place.x(), place.y()]

    def _moment(self, time_s: float, track: int = -1) -> list[int]:
        """Return where a time is on a track of the timeline; without a track, below all."""
        canvas = self._window.timeline.canvas
        lanes = canvas.lanes
        assert lanes is not None
        y = lanes.bottom_px + 20.0 if track < 0 else lanes.top_px(track) + 30.0
        place = canvas.mapToGlobal(QPoint(round(lanes.scale.x(time_s)), round(y)))
        return [place.x(), place.y()]

    def _clips(self) -> list[dict[str, Any]]:
        """Return the clips of the timeline's cue."""
        cue = self._window.timeline.editor.cue
        found = () if cue is None else cue.clips()
        return [{"type": type(clip).__name__, **msgspec.to_builtins(clip)} for clip in found]

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


def _middle(widget: QWidget) -> list[int]:
    """Return the middle of a widget on the screen."""
    place = widget.mapToGlobal(widget.rect().center())
    return [place.x(), place.y()]


def _in_reach(widget: QWidget) -> bool:
    """Tell whether the middle of a widget is not scrolled out of sight."""
    return widget.isVisible() and widget.visibleRegion().contains(widget.rect().center())


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
