"""Hears the input of the whole program before any widget does: one filter for all listeners."""

from collections.abc import Callable
from typing import TypeAlias

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDropEvent, QInputEvent
from PySide6.QtWidgets import QApplication

Listener: TypeAlias = Callable[[QObject, QEvent], bool]


class Ears(QObject):
    """Passes every press, key, move and drag to the listeners, the newest first.

    Qt calls a filter of the application for every event, of which few are input: each filter in
    Python costs some percent of the GUI thread's time.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._application = application
        self._listeners: list[Listener] = []
        application.installEventFilter(self)

    def listen(self, listener: Listener, owner: QObject) -> None:
        """Add a listener, until its owner is deleted; it returns True to take an event away."""
        self._listeners.insert(0, listener)
        owner.destroyed.connect(lambda: self._listeners.remove(listener))

    def come_first(self) -> None:
        """Hear events before every filter that was installed since, such as a drag's."""
        self._application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Ask the listeners, until one takes the event away."""
        if not isinstance(event, (QInputEvent, QDropEvent)):
            return False
        return any(listener(watched, event) for listener in tuple(self._listeners))


def ears() -> Ears:
    """Return the ears of this program."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    found = application.findChild(Ears)
    return Ears(application) if found is None else found
