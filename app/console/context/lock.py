"""EDIT and SHOW: in a show nothing can be edited by accident, and every cue still runs."""

from PySide6.QtCore import QObject, Signal


class EditLock(QObject):
    """Owns whether the document may be edited.

    Attributes:
        locked: SHOW; False is EDIT.

    Signals:
        changed: it was locked or unlocked.
    """

    changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.locked = False

    def set_locked(self, locked: bool) -> None:
        """Lock or unlock."""
        if locked != self.locked:
            self.locked = locked
            self.changed.emit(locked)
