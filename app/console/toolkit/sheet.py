"""Sheets: dialogs inside the central area, beside STOP, instead of windows."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from app.console.toolkit import theme

MARGIN = 24  # around a sheet [px]
SHIFTED = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
OWNS_KEYS = "ownsKeys"
"""A widget that has this property, and all within it, get keys such as Space for themselves."""
LAID_OUT = (QEvent.Type.Resize, QEvent.Type.LayoutRequest)
STYLE = f"""
Sheet {{ background: {theme.SURFACE}; border: 1px solid {theme.MUTED}; border-radius: 8px; }}
Sheet QLabel, Sheet QCheckBox, Sheet QRadioButton {{ background: transparent; }}
Sheet QScrollArea, Sheet QScrollArea > QWidget > QWidget {{ background: transparent; }}
Sheet QTreeView::item, Sheet QListView::item {{ min-height: 24px; }}
QPushButton[chief="true"] {{ background: {theme.SELECTED}; border-color: {theme.ACCENT}; }}
QPushButton[chief="true"]:disabled {{ background: {theme.SURFACE}; border-color: {theme.LINE}; }}
"""


class Sheet(QFrame):
    """A title, a body and buttons; Esc closes it, and no window ever covers STOP.

    Attributes:
        body: put the contents into its layout.
        size_wanted: preferred width and height [px]; 0 means the body's own size.
        aside: it stands at the left and dims nothing, because a panel shows what it is about.

    Signals:
        closed: it was closed, by whatever button or key.
    """

    closed = Signal()

    def __init__(
        self,
        title: str,
        width: int = 0,
        height: int = 0,
        takes_keys: bool = True,
        aside: bool = False,
    ) -> None:
        """Build an empty sheet.

        Args:
            title: its purpose.
            width: if there is room [px].
            height: if there is room [px]; 0: as high as the body needs.
            takes_keys: plain keys such as Space and Enter are the sheet's while it has the
                focus; False leaves them to the show, so that GO works beside it.
            aside: it stands at the left, and the panels beside it are not dimmed.
        """
        super().__init__()
        self.setObjectName("sheet")
        self.setAccessibleName(title)
        self.setStyleSheet(STYLE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.size_wanted = (width, height)
        self.aside = aside
        self._takes_keys = takes_keys
        self.setProperty(OWNS_KEYS, takes_keys)
        self._chief: QPushButton | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, 16, MARGIN, 16)
        layout.setSpacing(12)
        heading = QLabel(title)
        heading.setFont(theme.font(theme.LARGE_PX, bold=True))
        heading.setStyleSheet(f"font-size: {theme.LARGE_PX}px; font-weight: bold;")
        heading.setWordWrap(True)
        layout.addWidget(heading)
        self.body = QVBoxLayout()
        self.body.setSpacing(theme.GAP)
        layout.addLayout(self.body, 1)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(theme.GAP)
        self._buttons.addStretch(1)
        layout.addLayout(self._buttons)

    def add_button(
        self,
        text: str,
        act: Callable[[], None] | None = None,
        tip: str = "",
        chief: bool = False,
        left: bool = False,
    ) -> QPushButton:
        """Add a button below the body.

        Args:
            text: the button's text.
            act: the button's action; None closes the sheet.
            tip: the action in a sentence.
            chief: Enter presses it from anywhere in the sheet.
            left: at the left end, apart from the others.
        """
        button = QPushButton(text)
        button.setMinimumHeight(theme.TOUCH)
        button.setAutoDefault(False)
        button.setToolTip(tip + (" (Enter)" if chief else "" if act else " (Esc)"))
        button.setAccessibleName(text.replace("&", ""))
        button.setProperty("chief", chief)
        button.clicked.connect(lambda: self.dismiss() if act is None else act())
        self._buttons.insertWidget(0 if left else self._buttons.count(), button)
        if chief:
            self._chief = button
        return button

    def add_text(self, text: str) -> QLabel:
        """Add a sentence to the body."""
        label = QLabel(text)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        self.body.addWidget(label)
        return label

    def first_focus(self) -> QWidget:
        """Return the widget that has the focus when the sheet appears."""
        return self._chief or self

    def dismiss(self) -> None:
        """Close it; the focus goes back to where it was."""
        self.closed.emit()

    def event(self, event: QEvent) -> bool:
        """Claim the keys that are the sheet's before a shortcut of the window takes them."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & SHIFTED
            esc = event.key() == Qt.Key.Key_Escape
            function = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
            if plain and (esc or (self._takes_keys and not function)):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Esc closes; Enter presses the chief button."""
        if not self.isVisible():
            return  # the key has closed it already, and comes by once more from a child
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = QApplication.focusWidget()
            if isinstance(focused, QPushButton) and focused is not self._chief:
                focused.click()
            elif self._chief is not None and self._chief.isEnabled():
                self._chief.click()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Keep Tab within the sheet."""
        stops: list[QWidget] = []
        step = self.nextInFocusChain()
        while step is not None and step is not self:
            tabbed = step.focusPolicy() & Qt.FocusPolicy.TabFocus
            if tabbed and self.isAncestorOf(step) and step.isVisible() and step.isEnabled():
                stops.append(step)
            step = step.nextInFocusChain()
        if not stops:
            return False
        here = QApplication.focusWidget()
        if here in stops:
            place = stops.index(here) + (1 if forward else -1)
        else:
            place = 0 if forward else -1
        stops[place % len(stops)].setFocus(
            Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        )
        return True


class _OnKey(QObject):
    """Waits for a key of one widget."""

    def __init__(self, widget: QWidget, keys: tuple[Qt.Key, ...], act: Callable[[], None]) -> None:
        super().__init__(widget)
        self._keys, self._act = keys, act
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Act, and swallow the key."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in self._keys and not event.modifiers() & SHIFTED:
                self._act()
                return True
        return False


def on_key(widget: QWidget, keys: tuple[Qt.Key, ...], act: Callable[[], None]) -> None:
    """Do something when a plain key is pressed in a widget of a sheet, and nothing else.

    Args:
        widget: has the focus then.
        keys: any of these.
        act: is done.
    """
    _OnKey(widget, keys, act)


class SheetHost(QWidget):
    """Owns the sheets of one area: it lies over that area, and over nothing else.

    Attributes:
        sheets: those that are open, the one on top last.
    """

    def __init__(self, area: QWidget) -> None:
        super().__init__(area)
        self.setObjectName("sheet_host")
        self.sheets: list[Sheet] = []
        self._focus: list[list[QWidget]] = []
        self._area = area
        self.hide()
        area.installEventFilter(self)

    @property
    def top(self) -> Sheet | None:
        """The visible sheet; None without one."""
        return self.sheets[-1] if self.sheets else None

    def show_sheet(self, sheet: Sheet) -> None:
        """Bring up a sheet; one that is open stays below it until this one is closed.

        The same sheet twice, as when its key is pressed again, is one.
        """
        if self.top is not None and self.top.accessibleName() == sheet.accessibleName():
            sheet.dismiss()
            sheet.deleteLater()
            return
        if self.top is not None:
            self.top.hide()
        self._focus.append(_lineage(self.window().focusWidget()))  # also of one in the background
        self.sheets.append(sheet)
        sheet.setParent(self)
        sheet.closed.connect(lambda: self._closed(sheet))
        self.setGeometry(self._area.rect())
        self.show()
        self.raise_()
        sheet.show()
        self._arrange()
        sheet.first_focus().setFocus(Qt.FocusReason.PopupFocusReason)

    def ask(
        self, title: str, text: str, answers: dict[str, Callable[[], None]], cancel: bool = True
    ) -> Sheet:
        """Ask a question; the first answer is the chief one.

        Args:
            title: the question.
            text: its text.
            answers: the answers and their actions.
            cancel: whether it can be left unanswered.
        """
        sheet = Sheet(title, width=520)
        sheet.add_text(text)
        if cancel:
            sheet.add_button("Cancel", tip="Change nothing", left=False)
        for place, (words, act) in reversed(list(enumerate(answers.items()))):
            sheet.add_button(words, _closing(sheet, act), words, chief=place == 0)
        self.show_sheet(sheet)
        return sheet

    def tell(self, title: str, text: str) -> Sheet:
        """Say something that must be seen; Space is GO beside it.

        Args:
            title: subject.
            text: the whole text; replaces an earlier text under this title.
        """
        if self.top is not None and self.top.accessibleName() == title:
            self.top.dismiss()
        sheet = Sheet(title, width=520, takes_keys=False)
        sheet.add_text(text)
        sheet.add_button("Close", chief=True)
        self.show_sheet(sheet)
        return sheet

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Follow the area's size, and stay above what it lays out anew, such as tabs of docks."""
        if watched is self._area and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._area.rect())
            self._arrange()
        if watched is self._area and event.type() in LAID_OUT and self.isVisible():
            QTimer.singleShot(0, self, self.raise_)
        return False

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Dim the panels below."""
        if self.top is not None and self.top.aside:
            return
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(0, 0, 0, 150))
        painter.end()

    def _arrange(self) -> None:
        sheet = self.top
        if sheet is None:
            return
        self.update()  # one that stands aside dims nothing
        room = self.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        hint = sheet.sizeHint()
        width = min(sheet.size_wanted[0] or hint.width(), room.width())
        height = sheet.size_wanted[1]
        if not height:
            height = max(sheet.heightForWidth(width), hint.height())
        height = min(height, room.height())
        left = room.x() + (0 if sheet.aside else (room.width() - width) // 2)
        top = room.y() + (room.height() - height) // 3
        sheet.setGeometry(left, top, width, height)

    def _closed(self, sheet: Sheet) -> None:
        if sheet not in self.sheets:
            return
        place = self.sheets.index(sheet)
        self.sheets.remove(sheet)
        back = self._focus.pop(place)
        sheet.hide()
        sheet.deleteLater()
        if self.top is not None:
            self.top.show()
            self._arrange()
            self.top.first_focus().setFocus(Qt.FocusReason.PopupFocusReason)
            return
        self.hide()
        for widget in back:  # an editor in a list is gone; the list is not
            if isValid(widget) and widget.isVisible() and _takes_focus(widget):
                widget.setFocus(Qt.FocusReason.PopupFocusReason)
                return


def _lineage(widget: QWidget | None) -> list[QWidget]:
    """Return a widget and its parents, up to its window."""
    found: list[QWidget] = []
    while widget is not None and not widget.isWindow():
        found.append(widget)
        widget = widget.parentWidget()
    return found


def _takes_focus(widget: QWidget) -> bool:
    return widget.isEnabled() and widget.focusPolicy() is not Qt.FocusPolicy.NoFocus


def _closing(sheet: Sheet, act: Callable[[], None]) -> Callable[[], None]:
    """Return an answer that closes its sheet first, so that it may bring up another."""

    def answer() -> None:
        sheet.dismiss()
        act()

    return answer
