"""A row of controls that leaves some out where there is no room for all."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QWidget

from app.console.toolkit import theme


class FoldingBar(QWidget):
    """Hides the controls that matter least first; a menu beside them must offer them all.

    Attributes:
        row: put the controls into it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(theme.GAP, 0, theme.GAP, 0)
        self.row.setSpacing(4)
        self.row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._folding: tuple[QWidget, ...] = ()

    def fold(self, widgets: Sequence[QWidget]) -> None:
        """Name the controls that may be left out, the first ones first."""
        self._folding = tuple(widgets)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the size without the controls that may be left out."""
        hint = super().minimumSizeHint()
        folded = sum(
            widget.minimumSizeHint().width() + self.row.spacing()
            for widget in self._folding
            if not widget.isHidden()
        )
        return QSize(max(0, hint.width() - folded), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Show as many controls as there is room for."""
        super().resizeEvent(event)
        shown = [item.widget() for i in range(self.row.count()) if (item := self.row.itemAt(i))]
        margins = self.row.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        needed = {w: w.sizeHint().width() + self.row.spacing() for w in shown if w is not None}
        total = sum(needed.values()) - self.row.spacing()
        for widget in self._folding:
            hidden = total > room
            if hidden:
                total -= needed[widget]
            if widget.isHidden() != hidden:
                widget.setHidden(hidden)
