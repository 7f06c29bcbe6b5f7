"""The bar of following, always in sight: its buttons, and whether the person is followed."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.console.cues.elided import Elided
from app.console.partner.words import (
    MEANINGS,
    Said,
    follow_figures,
    follow_state,
)
from app.console.toolkit import theme
from core.link.partner import FollowStatus

FOLLOW_KEY, END_KEY = "Ctrl+F5", "Ctrl+F6"


class FollowBar(QWidget):
    """Asks for following and for its end, and shows which of them is.

    Attributes:
        follow: begins.
        end: ends.
        toggles: the keys of both buttons, for the window.

    Signals:
        follow_asked: following shall begin.
        end_asked: following shall end.
    """

    follow_asked = Signal()
    end_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.follow, self.end = QPushButton("▶ Follow"), QPushButton("■ End")
        self._word, self._words = QLabel(), Elided(theme.SMALL_PX)
        self._words.set_lines(2)
        self.toggles = (
            self._action("Follow the person", FOLLOW_KEY, self.follow.click),
            self._action("End following the person", END_KEY, self.end.click),
        )
        for button, name, tip in (
            (self.follow, "Follow the person", f"Let the person move the robot ({FOLLOW_KEY})"),
            (self.end, "End following", f"The limbs go to rest and the body stands ({END_KEY})"),
        ):
            button.setMinimumHeight(theme.TOUCH)
            button.setAccessibleName(name)
            button.setToolTip(tip)
        self._word.setAccessibleName("Whether the person is followed")
        self._words.setAccessibleName("Figures of following")
        told = QVBoxLayout()
        told.setSpacing(0)
        told.addWidget(self._word)
        told.addWidget(self._words)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.GAP, 4, theme.GAP, 4)
        row.setSpacing(theme.GAP)
        for button in (self.follow, self.end):
            row.addWidget(button)
        row.addLayout(told, 1)
        self.follow.clicked.connect(self.follow_asked)
        self.end.clicked.connect(self.end_asked)

    @property
    def words(self) -> str:
        """All that it tells."""
        return f"{self._word.text()}: {self._words.text()}"

    def show_follow(self, status: FollowStatus, ready: bool, hint: str) -> None:
        """Show whether the person is followed.

        Args:
            status: the core's word.
            ready: the core is there and hears commands.
            hint: what is missing before it can follow; empty if nothing is known to be.
        """
        said = follow_state(status)
        if self._word.text() != str(said):
            self._word.setText(str(said))
            size = f"font-size: {theme.LARGE_PX}px; font-weight: bold"
            self._word.setStyleSheet(f"color: {said.tone.colour}; {size}")
        if status.order is not None:
            self._words.say(follow_figures(status), theme.TEXT)
        elif hint:
            self._words.say(f"{Said(theme.WARN, hint)}", theme.WARN.colour)
        else:
            self._words.say(MEANINGS[status.presence], theme.MUTED)
        self.follow.setEnabled(ready and status.order is None)
        self.end.setEnabled(ready)

    def refuse(self, why: str) -> None:
        """Say why no order was given; until the next report."""
        self._words.say(str(Said(theme.WARN, why)), theme.WARN.colour)

    def _action(self, word: str, key: str, act: Callable[[], None]) -> QAction:
        """Return an action that presses a button; one that is disabled it does not press."""
        action = QAction(word, self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setAutoRepeat(False)
        action.triggered.connect(lambda _=False: act())
        return action
