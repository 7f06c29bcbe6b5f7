"""The order of the Tab key: part by part in reading order, without invisible parts."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget


def step(window: QWidget, parts: Sequence[QWidget], forward: bool) -> bool:
    """Give the focus to the next control, or the one before; tell whether there is one.

    Args:
        window: all of it.
        parts: of the window, in the order of reading; the rest of it comes after them.
        forward: to the next.
    """
    here = QApplication.focusWidget()
    found = stops(window, parts, here)
    if here is None or here not in found:
        return False
    there = found[(found.index(here) + (1 if forward else -1)) % len(found)]
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    there.setFocus(reason)
    around = there.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(there)
        around = around.parentWidget()
    return True


def stops(window: QWidget, parts: Sequence[QWidget], here: QWidget | None = None) -> list[QWidget]:
    """Return the controls at which Tab stops, part by part, and others that may have the focus.

    A panel behind another is left out. The toolkit takes it for visible and would stop there: it
    has only put it outside the window.
    """
    places: dict[QWidget, list[QWidget]] = {part: [] for part in (*parts, window)}
    hidden = [part for part in parts if not _lies_in(window, part)]
    for widget in _chain(window):
        tabbed = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        if (tabbed or widget is here) and widget.isVisibleTo(window) and widget.isEnabled():
            part = next((p for p in places if p is widget or p.isAncestorOf(widget)), window)
            if part not in hidden:
                places[part].append(widget)
    return [widget for part in places.values() for widget in part]


def _lies_in(window: QWidget, part: QWidget) -> bool:
    return window.rect().intersects(QRect(part.mapTo(window, QPoint()), part.size()))


def _chain(window: QWidget) -> Iterator[QWidget]:
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window:
        yield widget
        widget = widget.nextInFocusChain()
