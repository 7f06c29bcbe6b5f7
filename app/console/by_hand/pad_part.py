"""What the parts that are led by hand share: a pad, and values and controls below it."""

from PySide6.QtWidgets import QBoxLayout, QWidget

from app.console.by_hand.readout import Readout

_BESIDE, _BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class PadPart(QWidget):
    """Owns the row of the controls, and fits values and controls to the width of the panel."""

    def __init__(self, figures: tuple[Readout, ...], parent: QWidget | None = None) -> None:
        """Make a part.

        Args:
            figures: requested, commanded and measured values.
            parent: its widget.
        """
        super().__init__(parent)
        self._figures = figures
        self._row = QBoxLayout(_BELOW)

    @property
    def least_px(self) -> int:
        """Width of the values and controls below the pad [px]."""
        widths = (figures.minimumSizeHint().width() for figures in self._figures)
        return max(self._row.minimumSize().width(), *widths)

    def spread(self, wide: bool) -> None:
        """Use the room of a wide panel."""
        self._row.setDirection(_BESIDE if wide else _BELOW)
        for figures in self._figures:
            figures.spell_out(wide)
