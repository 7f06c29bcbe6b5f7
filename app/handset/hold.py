"""A control as hands hold it: taken by the first of them, let go by the last."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

REPEAT_MS = 30  # the screen's repeating key looks let go and pressed again within this time


class Hold(QObject):
    """Knows who holds a control.

    Attributes:
        held: it is held.

    Signals:
        changed: whether it is held now.
    """

    changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._holders: dict[str, int] = {}  # which of all takes it was
        self._takes = 0

    @property
    def held(self) -> bool:
        """Somebody holds it."""
        return bool(self._holders)

    def take(self, holder: str) -> None:
        """Hold it."""
        self._takes += 1
        first = not self._holders
        self._holders[holder] = self._takes
        if first:
            self.changed.emit(True)

    def let_go(self, holder: str) -> None:
        """Let it go, at once."""
        if self._holders.pop(holder, None) is not None and not self._holders:
            self.changed.emit(False)

    def let_go_soon(self, holder: str) -> None:
        """Let it go, unless the same hand takes it again at once, as a key that repeats does."""
        take = self._holders.get(holder)
        if take is not None:
            QTimer.singleShot(REPEAT_MS, self, partial(self._let_go_of, holder, take))

    def drop(self, *kept: str) -> None:
        """Let it go, whoever holds it but these."""
        for holder in [one for one in self._holders if one not in kept]:
            self.let_go(holder)

    def _let_go_of(self, holder: str, take: int) -> None:
        if self._holders.get(holder) == take:
            self.let_go(holder)
