"""The legend of the marks in the 3-D view: a line below the picture."""

import html

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from app.console.toolkit import theme
from app.picture import overlay
from core.link.hello import Hello

STANDING = (
    ("◆", overlay.COM, "mass"),
    ("◎", overlay.CAPTURE, "capture point"),
    ("▰", overlay.SUPPORT_EDGE, "support"),
    ("↑", overlay.FORCE, "force"),
)
GHOST = ("▒", overlay.STEP, "ghost: as asked")
STANDING_TIP = (
    "◆ centre of mass, × below it on the floor\n"
    "◎ capture point: a step there would stop the robot\n"
    "▰ support polygon of the feet\n"
    "↑ planned force of the floor on a contact point\n"
    "▰ blue footprint: the next step\n"
)
GHOST_TIP = "▒ blue ghost: the commanded posture"


class Legend(QLabel):
    """Shows the marks in their colours, or a sentence about what the picture shows instead."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px")
        self.setContentsMargins(theme.GAP, 3, theme.GAP, 3)
        self.setWordWrap(True)
        self.setAccessibleName("Legend of the marks in the picture")
        self._words, self._stands = "", True
        self._show()

    def tell(self, words: str) -> None:
        """Show a sentence; an empty one shows the meaning of the marks."""
        self._words = words
        self._show()

    def meet(self, hello: Hello) -> None:
        """Leave out the marks of the feet for a robot that has none."""
        self._stands = bool(hello.feet)
        self._show()

    def _show(self) -> None:
        self.setToolTip(f"{STANDING_TIP}{GHOST_TIP}" if self._stands else GHOST_TIP)
        if self._words:
            words = html.escape(f"{theme.BUSY.mark} {self._words}")
            self.setText(f'<span style="color: {theme.BUSY.colour}">{words}</span>')
        else:
            marks = (*STANDING, GHOST) if self._stands else (GHOST,)
            self.setText(" &nbsp; ".join(_words(*mark) for mark in marks))


def _words(mark: str, colour: overlay.Colour, words: str) -> str:
    shade = QColor.fromRgbF(*colour[:3]).name()
    plain = words.replace(" ", "\u00a0")
    return f'<span style="color: {shade}">{mark}</span>\u00a0{plain}'
