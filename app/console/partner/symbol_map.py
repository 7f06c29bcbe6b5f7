"""The map of the motions: where each symbol lies, and where the present motion is."""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.console.partner.label_places import sides_of
from app.console.partner.projection import Projection, projection_of
from app.console.partner.words import best, title
from app.console.toolkit import theme
from core.link.message import Vector3
from core.link.partner import Symbol

SPOT_PX, BEST_PX, CROSS_PX = 9, 15, 18
LEAST_PX = 120  # height of the map
MARGIN = 0.25  # of the extent of the symbols
LEAST = 0.5  # extent that is shown of symbols that lie in one place
TIP = (
    "Each ring is a motion of the repertoire; motions that are alike lie near each other.\n"
    "The cross is the present motion, the square the motion that explains most of it."
)


class SymbolMap(QWidget):
    """Shows the proto-symbol space from the side that spreads the symbols most."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Map of the motions")
        self.setToolTip(TIP)
        self._symbols: dict[str, Vector3] = {}
        self._projection: Projection = projection_of(())
        self._labels: dict[str, Any] = {}
        self._best = ""
        self._here: Vector3 | None = None
        self._plot: Any = pg.PlotWidget(background=theme.SURFACE)
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.hideAxis("left")
        self._plot.hideAxis("bottom")
        self._plot.hideButtons()
        self._plot.setMenuEnabled(False)
        self._plot.setMouseEnabled(False, False)
        self._plot.setAspectLocked(True)
        self._spots: Any = pg.ScatterPlotItem(pxMode=True)
        self._cross: Any = pg.ScatterPlotItem(
            size=CROSS_PX, symbol="+", pen=pg.mkPen(theme.ACCENT, width=2), brush=None
        )
        for item in (self._spots, self._cross):
            self._plot.addItem(item)
        self.setMinimumHeight(LEAST_PX)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._plot)

    def show_symbols(self, symbols: tuple[Symbol, ...], here: Vector3 | None) -> None:
        """Show the motions of a repertoire, and the place of the present motion."""
        places = {symbol.name: symbol.place for symbol in symbols}
        likely = best(symbols)
        moved = places != self._symbols
        if moved:
            self._symbols = places
            self._projection = projection_of(list(places.values()))
            self._here = None
            self._cross.clear()
            self._fit()
        if moved or likely != self._best:
            self._best = likely
            self._draw()
        cross = here if symbols else None
        if cross != self._here:
            self._here = cross
            self._cross.setData(pos=self._projection.flat(() if cross is None else (cross,)))
        described = ", ".join(title(name) for name in places) or "no motions"
        near = f"; most like {title(likely)}" if likely else ""
        self.setAccessibleDescription(f"{described}{near}")

    def spot(self, name: str) -> tuple[float, float]:
        """Return where a motion lies in the plane.

        Raises:
            KeyError: there is no such motion.
        """
        x, y = self._projection.flat((self._symbols[name],))[0].tolist()
        return x, y

    def cross(self) -> tuple[float, float] | None:
        """Return where the present motion lies in the plane; None while it is unknown."""
        found = self._cross.getData()
        return (float(found[0][0]), float(found[1][0])) if len(found[0]) else None

    def _draw(self) -> None:
        """Draw spots and names anew; the likely one is a filled square with a bold name."""
        for label in self._labels.values():
            self._plot.removeItem(label)
        self._labels = {}
        spots: list[dict[str, Any]] = []
        for name in self._symbols:
            likely, place = name == self._best, self.spot(name)
            colour = theme.ACCENT if likely else theme.MUTED
            spots.append(
                {
                    "pos": place,
                    "size": BEST_PX if likely else SPOT_PX,
                    "symbol": "s" if likely else "o",
                    "pen": pg.mkPen(colour, width=2),
                    "brush": pg.mkBrush(theme.SELECTED if likely else theme.SURFACE),
                }
            )
            label = pg.TextItem(title(name), theme.TEXT if likely else theme.MUTED)
            label.setFont(theme.font(theme.SMALL_PX, bold=likely))
            label.setPos(*place)
            self._plot.addItem(label, ignoreBounds=True)
            self._labels[name] = label
        self._spots.setData(spots)
        self._place_labels()

    def _place_labels(self) -> None:
        """Put each name where it hides least, that of the likely motion first."""
        names = sorted(self._labels, key=lambda name: name != self._best)
        unit_x, unit_y = self._plot.getViewBox().viewPixelSize()
        (left, _), (_, top) = self._plot.getViewBox().viewRange()
        places = [self.spot(name) for name in names]
        spots = [((x - left) / unit_x, (top - y) / unit_y) for x, y in places]
        boxes = [self._labels[name].boundingRect() for name in names]
        sizes = [(box.width(), box.height()) for box in boxes]
        radius = 0.5 * SPOT_PX
        picture = float(self._plot.width()), float(self._plot.height())
        sides = sides_of(spots, sizes, radius, picture)
        for name, (x, y), (width, height) in zip(names, sides, sizes, strict=True):
            anchor = 0.5 - x * (0.5 + radius / width), 0.5 - y * (0.5 + radius / height)
            self._labels[name].setAnchor(anchor)

    def _fit(self) -> None:
        """Show all symbols with some room around them."""
        flat = self._projection.flat(list(self._symbols.values()))
        if not len(flat):
            return
        low, high = flat.min(axis=0), flat.max(axis=0)
        room = MARGIN * max(float((high - low).max()), LEAST)
        (left, bottom), (right, top) = low - room, high + room
        self._plot.setRange(QRectF(left, bottom, right - left, top - bottom), padding=0.0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Show all symbols in the new size."""
        super().resizeEvent(event)
        self._fit()
        self._place_labels()
