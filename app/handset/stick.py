"""A stick of a twin's handset: it springs back."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.console.by_hand.pad import Pad, PadPicture

SIDE = 180  # of the pad [px]
EVERY_MS = 30  # shortest time between two reports


class Stick(Pad):
    """Reports its two axes as they change, and rests in the middle.

    Signals:
        moved_to: its way to the right and forward, -1 to 1.
    """

    moved_to = Signal(float, float)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """Make one.

        Args:
            name: which stick, as a sentence begins.
            parent: its widget.
        """
        super().__init__(shift=False, parent=parent)
        self._ends = ("", "", "", name)
        self._holders: dict[str, tuple[float, float]] = {}
        self._told = self._there = (0.0, 0.0)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._tell)
        self.set_side(SIDE)
        self.setAccessibleName(name)
        self.setToolTip(f"{name}: drag it, or press arrow keys while it has the keyboard")
        self.taken.connect(lambda holder: self._put(holder, 0.0, 0.0))
        self.moved.connect(self._put)
        self.let_go.connect(self._let_go)
        self._draw()

    def show_way(self, x: float, y: float) -> None:
        """Show where the twin's stick is."""
        if (x, y) != self._there:
            self._there = (x, y)
            self._draw()

    def _put(self, holder: str, x: float, y: float) -> None:
        self._holders.pop(holder, None)
        self._holders[holder] = (round(x, 3), round(y, 3))
        self._move()

    def _let_go(self, holder: str) -> None:
        self._holders.pop(holder, None)
        self._move()

    def _move(self) -> None:
        self._draw()
        if not self._timer.isActive():
            self._tell()

    def _way(self) -> tuple[float, float]:
        """Return where the hand that came last has it."""
        return next(reversed(self._holders.values()), (0.0, 0.0))

    def _tell(self) -> None:
        way = self._way()
        if way != self._told:
            self._told = way
            self._timer.start(EVERY_MS)
            self.moved_to.emit(*way)

    def _draw(self) -> None:
        asked = self._way() if self._holders else None
        picture = PadPicture(asked, None, self._there, self._ends, bool(self._holders))
        self.show_picture(picture)
        x, y = self._there
        self.setAccessibleDescription(f"{x:+.2f} to the right, {y:+.2f} forward")
