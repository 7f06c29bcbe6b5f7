"""What the marks in the 3-D view mean: a line below the picture, where it covers no foot."""

import html

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from app.console.stage import overlay
from app.console.toolkit import theme

MARKS = (
    ("◆", overlay.COM, "mass"),
    ("◎", overlay.CAPTURE, "capture point"),
    ("▰", overlay.SUPPORT_EDGE, "support"),
    ("↑", overlay.FORCE, "force"),
    ("▒", overlay.STEP, "ghost: as asked"),
)
TIP = (
    "◆ centre of mass, × below it on the floor\n"
    "◎ capture point: a step there would stop the robot\n"
    "▰ what the feet support\n"
    "↑ planned force of the floor on a heel or a toe\n"
    "▒ blue ghost: where the robot should be; blue footprint: where it will step"
)


class Legend(QLabel):
    """Shows the marks in their colours; while the ghost plays a preview, of what."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px")
        self.setContentsMargins(theme.GAP, 3, theme.GAP, 3)
        self.setWordWrap(True)
        self.setToolTip(TIP)
        self.setAccessibleName("What the marks in the picture mean")
        self.tell("")

    def tell(self, preview: str) -> None:
        """Say what the ghost previews; empty: what the marks mean."""
        if preview:
            words = html.escape(f"{theme.BUSY.mark} preview of {preview}")
            self.setText(f'<span style="color: {theme.BUSY.colour}">{words}</span>')
        else:
            self.setText(" &nbsp; ".join(_words(*mark) for mark in MARKS))


def _words(mark: str, colour: overlay.Colour, words: str) -> str:
    shade = QColor.fromRgbF(*colour[:3]).name()
    plain = words.replace(" ", "\u00a0")
    return f'<span style="color: {shade}">{mark}</span>\u00a0{plain}'
