"""The grid of gestures: plays one on Enter or a double click, and has the current one."""

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from app.console.gestures.library import Entry
from app.console.gestures.model import ENTRY, GestureModel, Index
from app.console.gestures.thumbnails import Thumbnails
from app.console.gestures.tile import TILE_HEIGHT, TILE_WIDTH, TileDelegate

DRAG_PX = 64  # height of the dragged picture


class GestureView(QListView):
    """The grid.

    Signals:
        performed: play this one now.
        looked_at: the pointer or the keyboard is on this entry; None when it is on none.
    """

    performed = Signal(object)
    looked_at = Signal(object)

    def __init__(self, model: GestureModel, thumbnails: Thumbnails, parent: QWidget) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(TileDelegate(model, thumbnails, self))
        self.setObjectName("gesture_grid")
        self.setAccessibleName("Gestures")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Always, for Qt leaves room for a bar that may come, and a column would be lost by it.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMinimumHeight(TILE_HEIGHT + 8)
        self.doubleClicked.connect(lambda index: self.performed.emit(index.data(ENTRY)))
        self.entered.connect(lambda index: self.looked_at.emit(index.data(ENTRY)))
        self.viewportEntered.connect(lambda: self.looked_at.emit(None))

    def current(self) -> Entry | None:
        """Return the entry that is chosen, or None."""
        index = self.currentIndex()
        return index.data(ENTRY) if self.selectionModel().isSelected(index) else None

    def choose(self, name: str) -> None:
        """Choose a gesture, if it is listed."""
        model = self.model()
        assert isinstance(model, GestureModel)
        row = model.row_of(name)
        if row >= 0:
            self.setCurrentIndex(model.index(row))

    def startDrag(self, actions: Qt.DropAction) -> None:  # noqa: N802
        """Drag the picture of a gesture to a timeline; small, so that the place is seen."""
        index = self.currentIndex()
        data = self.model().mimeData([index])
        if not index.isValid() or data is None:
            return
        picture = self.viewport().grab(self.visualRect(index))
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.setPixmap(picture.scaledToHeight(DRAG_PX, Qt.TransformationMode.SmoothTransformation))
        drag.setHotSpot(QPoint(-14, -14))
        drag.exec(Qt.DropAction.CopyAction)

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802
        """Return the gesture with the keyboard focus."""
        super().currentChanged(current, previous)
        if self.hasFocus():
            self.looked_at.emit(current.data(ENTRY) if current.isValid() else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Play on Enter; every other key is the list's."""
        entry = self.current()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and entry is not None:
            if not event.isAutoRepeat():
                self.performed.emit(entry)
            return
        if event.key() == Qt.Key.Key_Space:
            event.ignore()  # GO's, never a selection's
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Look at nothing any more."""
        self.looked_at.emit(None)
        super().focusOutEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Look at nothing any more."""
        self.looked_at.emit(None)
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Let the tiles share the width."""
        width = self.viewport().width() - 2  # Qt wraps a row that fills it to the last pixel
        columns = max(width // TILE_WIDTH, 1)
        self.setGridSize(QSize(width // columns, TILE_HEIGHT))
        super().resizeEvent(event)
