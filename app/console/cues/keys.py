"""The keys of a show: they mean the same wherever the focus is, unless text is being typed."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.cues.hotkeys import hotkeys_of, key_of
from app.console.toolkit.ears import ears
from app.console.toolkit.sheet import OWNS_KEYS
from shows.document import Cue, Show, Trigger
from shows.uses import title_of

_TYPING = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)
_CLICK = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ShowKeys(QObject):
    """Hears every key of the program before any widget does.

    Space is GO on its press, [ and ] pause and resume, Pause either; a hotkey fires its cue or
    trigger, a character only in SHOW, because a stray one is typed easily while a show is edited.
    As Space is GO even on a button, Enter presses the button instead. Esc is the stop panel's.

    Signals:
        typing_changed: a text field took the focus, or lost it: Space writes, then.
    """

    typing_changed = Signal(bool)

    def __init__(self, caller: Caller, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._caller, self._document, self._lock = caller, context.document, context.lock
        self._show: Show | None = None
        self._hotkeys: dict[str, Cue | Trigger] = {}
        self._typing = False
        self._keys: dict[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_BracketLeft: caller.pause,
            Qt.Key.Key_BracketRight: caller.resume,
            Qt.Key.Key_Pause: caller.pause_or_resume,
        }
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        ears().listen(self.hear, self)
        application.focusChanged.connect(self._focus_changed)
        application.focusWindowChanged.connect(self._window_changed)

    def hear(self, watched: QObject, event: QEvent) -> bool:
        """Take the show's keys; pass on all others."""
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._press(event)
        if kind == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
                self._caller.release(event.timestamp())
        return False

    def _press(self, event: QKeyEvent) -> bool:
        if QApplication.activePopupWidget() or QApplication.activeModalWidget():
            return False
        focus = QApplication.focusWidget()
        key = Qt.Key(event.key())
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if types_text(focus) or owns_keys(focus):
            return False
        if key == Qt.Key.Key_Space and plain:
            if not event.isAutoRepeat() or not self._caller.guard.key_up:
                self._caller.go(by_key=True, stamp_ms=event.timestamp())
            return True
        if plain and key in _CLICK and isinstance(focus, QAbstractButton):
            if not event.isAutoRepeat():
                focus.click()
            return True
        return self._fire(event, key)

    def _fire(self, event: QKeyEvent, key: Qt.Key) -> bool:
        """Do what else a key means; tell whether it means anything."""
        action = self._keys.get(key)
        written = key_of(event)
        if action is not None and written:
            if not event.isAutoRepeat():
                action()
            return True
        fired = self._fired_by(written)
        if fired is None:
            return False
        if event.isAutoRepeat():
            return True
        if event.text().isprintable() and event.text() and not self._lock.locked:
            what = f"cue {fired.number}" if isinstance(fired, Cue) else title_of(fired)
            self._caller.told.emit(f"{written} fires {what} in SHOW only")
        elif isinstance(fired, Cue):
            self._caller.go(fired.number, stamp_ms=event.timestamp())
        else:
            self._caller.improvise(fired)
        return True

    def _fired_by(self, written: str) -> Cue | Trigger | None:
        if self._show is not self._document.show:
            self._show = self._document.show
            self._hotkeys = hotkeys_of(self._show)
        return self._hotkeys.get(written)

    def _focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        typing = types_text(now)
        if typing != self._typing:
            self._typing = typing
            self.typing_changed.emit(typing)
        if now is None:
            self._caller.release()

    def _window_changed(self, window: QWindow | None) -> None:
        """Count the GO key as let go: its release may go to another program."""
        self._caller.release()


def types_text(widget: QWidget | None) -> bool:
    """Tell whether keys write text into a widget."""
    if isinstance(widget, QComboBox):  # a cell's choice is found by typing its first letters
        return widget.isEditable() or bool(widget.property(OWNS_KEYS))
    if isinstance(widget, _TYPING):
        return widget.isEnabled() and not widget.isReadOnly()
    return False


def owns_keys(widget: QWidget | None) -> bool:
    """Return whether a widget, or one of its parents, takes the keys itself."""
    while widget is not None:
        if widget.property(OWNS_KEYS):
            return True
        widget = widget.parentWidget()
    return False
