"""A program from whose window a file can be dragged, like a desktop's."""

import sys
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

TITLE = "a file on the desktop"


class Source(QLabel):
    """Begins a drag on a press."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.name)
        self._path = path
        self.setWindowTitle(TITLE)
        self.setWindowFlags(
            Qt.WindowType.WindowStaysOnTopHint | Qt.WindowType.BypassWindowManagerHint
        )
        self.setGeometry(4, 4, 120, 24)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Take hold of it."""
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Drag the file."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(self._path))])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)


if __name__ == "__main__":
    application = QApplication(sys.argv)
    source = Source(Path(sys.argv[1]))
    source.show()
    sys.exit(application.exec())
