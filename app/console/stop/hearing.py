"""Hears STOP where Qt's own ways would lose it: a key held, a menu open, a drag in progress."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.console.toolkit.ears import ears

MOST_POPUPS = 16  # one above the other
REPEAT_MS = 8  # a repeating key may look let go and pressed again, both at one time of the screen


class StopHearing(QObject):
    """Hears every press of the program before any widget does.

    A shortcut is one key with exactly its modifiers, and is mute during a drag; the first press
    beside an open menu only closes the menu. None of that may cost a press of STOP.

    Attributes:
        escape_repeats: the last press of Esc is the screen's repeating key.
    """

    def __init__(
        self,
        key: Qt.Key,
        act: Callable[[], None],
        buttons: Mapping[QAbstractButton, Callable[[], None]],
        parent: QObject,
    ) -> None:
        """Begin to hear.

        Args:
            key: of STOP, whatever else is held.
            act: is done on its press.
            buttons: actions of a press of each button while a menu is open.
            parent: whose life this shares.
        """
        super().__init__(parent)
        self._key, self._act, self._buttons = key, act, buttons
        self.escape_repeats = False
        self._escape_up_ms = -REPEAT_MS
        self._ears = ears()
        self._ears.listen(self.hear, self)

    def hear(self, watched: QObject, event: QEvent) -> bool:
        """Take the presses of STOP; pass on all other events."""
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() != self._key:
                return False
            if not event.isAutoRepeat():
                self._act()
            return True
        if kind == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self._escape_up_ms = event.timestamp()
        elif kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                now_ms = event.timestamp()  # 0 where the screen gives none
                self.escape_repeats = 0 < now_ms < self._escape_up_ms + REPEAT_MS
        elif kind == QEvent.Type.DragEnter:
            # A drag swallows every key by a filter of its own; the last that is installed is first.
            self._ears.come_first()
        elif kind == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            if watched.isWindowType() and QApplication.activePopupWidget() is not None:
                return self._press_beside_popup(event)
        return False

    def _press_beside_popup(self, event: QMouseEvent) -> bool:
        """Perform the action of a button that is pressed while a menu is open; close the menu."""
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        below = QApplication.widgetAt(event.globalPosition().toPoint())
        for button, act in self._buttons.items():
            if below is not None and (button is below or button.isAncestorOf(below)):
                act()
                for _ in range(MOST_POPUPS):
                    popup = QApplication.activePopupWidget()
                    if popup is None:
                        break
                    popup.close()
                return True
        return False
