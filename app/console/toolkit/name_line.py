"""A line to type a name into, where the name is shown."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

MAX_NAME = 200


class NameLine(QLineEdit):
    """Takes a name with Enter or when the focus leaves it; Esc leaves the name as it was.

    Args:
        parent: the widget that shows the name.
        place: where it shows it.
        name: the present name.
        title: what is named, for assistive technology.
        take: gets the name.
    """

    def __init__(
        self, parent: QWidget, place: QRect, name: str, title: str, take: Callable[[str], None]
    ) -> None:
        super().__init__(name, parent)
        self._take, self._over = take, False
        self.setMaxLength(MAX_NAME)
        self.setAccessibleName(title)
        self.setGeometry(place)
        self.editingFinished.connect(lambda: self._end(True))
        self.show()
        self.setFocus()
        self.selectAll()

    def event(self, event: QEvent) -> bool:
        """Take Esc before the stop ladder does."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """End with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self._end(False)
            return
        super().keyPressEvent(event)

    def _end(self, taken: bool) -> None:
        if self._over:
            return
        self._over = True
        name = self.text().strip()
        parent = self.parentWidget()
        self.deleteLater()
        if parent is not None:
            parent.setFocus()
        if taken:
            self._take(name)
