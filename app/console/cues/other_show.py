"""Says that the core has another show than the one that is open, and gives it this one again."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.console.cues.caller import Caller
from app.console.stop.buttons import EnterButton
from app.console.toolkit import theme


class OtherShow(QFrame):
    """A strip above the GO bar, hidden while the core has the open show.

    Attributes:
        words: its text.
        load: the button that gives the core the open show.

    Signals:
        load_asked: it was pressed.
    """

    load_asked = Signal()

    def __init__(self, caller: Caller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("other_show")
        self._caller = caller
        self._why, self._offers = "", False
        self.words, self.load = QLabel(), EnterButton("Load this show")
        self.words.setWordWrap(True)
        self.words.setAccessibleName("The core has another show")
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        tip = "Give the core the show that is open here, in the place of the other  [Ctrl+Return]"
        self.load.setToolTip(tip)
        self.load.setAccessibleName("Load this show")
        self.load.setMinimumHeight(theme.TOUCH)
        self.load.clicked.connect(self.load_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.GAP, 4, theme.GAP, 4)
        row.addWidget(self.words, 1)
        row.addWidget(self.load)
        self.setStyleSheet(
            f"#other_show {{ border: 2px solid {theme.WARN.colour}; }}"
            f" QLabel {{ color: {theme.WARN.colour}; font-weight: bold; }}"
        )
        caller.loaded_changed.connect(self._refresh)
        self._refresh()

    def set_version(self, why: str, offers: bool) -> None:
        """Take the state of the open show.

        Args:
            why: the core has it not, in words; empty where it has.
            offers: it will get it only when it is asked to.
        """
        self._why, self._offers = why, offers
        self._refresh()

    def _refresh(self) -> None:
        bar = self._caller.bar
        self.load.setVisible(self._offers)
        self.setVisible(bool(bar))
        if bar:
            why = "" if self._offers or not self._why else f" {_sentence(self._why)}"
            self.words.setText(f"{theme.WARN.mark} GO is off: {bar}.{why}")


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
