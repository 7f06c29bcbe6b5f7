"""The buttons of the handset's window of a twin, with their state in words."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QPushButton, QWidget

from app.console.toolkit import theme
from app.handset.hold import Hold

WIDTH, HEIGHT = 140, 38  # of a button's text [px]
_PLAIN = f"min-height: {HEIGHT}px; font-size: {theme.SMALL_PX}px; padding: 2px 4px;"
_HELD = f"background: {theme.SELECTED}; border: 2px solid {theme.ACCENT};"
_STOP = f"border-left: 6px solid {theme.STOP};"


class HeldButton(QPushButton):
    """Is held while it is down; lit while the twin says so.

    Attributes:
        hold: who holds it.
    """

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        """Make one.

        Args:
            name: of the control.
            tip: its meaning, and its key.
            parent: its widget.
        """
        super().__init__(parent)
        self.hold = Hold(self)
        self._name, self._use, self._held = name, "", False
        self.setToolTip(tip)
        self.setAccessibleName(name)
        self.pressed.connect(lambda: self.hold.take("pressed"))
        self.released.connect(lambda: self.hold.let_go_soon("pressed"))
        self._show()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return a size that does not change with the words."""
        return QSize(WIDTH, HEIGHT + 8)

    def show_use(self, use: str) -> None:
        """Describe its function."""
        if use != self._use:
            self._use = use
            self._show()

    def show_held(self, held: bool) -> None:
        """Say whether the twin's is held."""
        if held != self._held:
            self._held = held
            self._show()

    def _show(self) -> None:
        mark = f"{theme.GOOD.mark} " if self._held else ""
        metrics = QFontMetrics(theme.font(theme.SMALL_PX))
        use = metrics.elidedText(self._use, Qt.TextElideMode.ElideRight, WIDTH - 16)
        self.setText(f"{mark}{self._name}\n{use}" if use else f"{mark}{self._name}")
        self.setAccessibleDescription(f"{self._use}; {'held' if self._held else 'not held'}")
        edge = _STOP if self._use == "STOP" else ""
        self.setStyleSheet(f"QPushButton {{ {_PLAIN} {_HELD if self._held else ''} {edge} }}")


class Switch(QPushButton):
    """Shows one of two states, as the twin reports; a click requests the other.

    Attributes:
        well: it is as it should be.
    """

    def __init__(
        self, name: str, tip: str, words: tuple[str, str], parent: QWidget | None = None
    ) -> None:
        """Make one.

        Args:
            name: of the switched part.
            tip: the effect.
            words: how it is called while it is well, and while it is not.
            parent: its widget.
        """
        super().__init__(parent)
        self.well = True
        self._name, self._words = name, words
        self.setToolTip(tip)
        self.setMinimumHeight(theme.TOUCH)
        self.forget()

    def show_well(self, well: bool) -> None:
        """Say how it is."""
        self.well = well
        tone, word = (theme.GOOD, self._words[0]) if well else (theme.BAD, self._words[1])
        self._show(tone, word)

    def forget(self) -> None:
        """Show that the state is unknown."""
        self._show(theme.UNKNOWN, "unknown")

    def _show(self, tone: theme.Tone, word: str) -> None:
        text = f"{self._name}: {tone.mark} {word}"
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(f"{self._name}: {word}")
            edge = f"QPushButton {{ border-color: {tone.colour}; }}" if tone is theme.BAD else ""
            self.setStyleSheet(edge)
