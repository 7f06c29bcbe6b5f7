"""A picture strip: moments of a motion side by side, with their times and a title."""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter

from app.film.studio import Image, Paper

MOST_COLUMNS = 6
GAP = 0.05  # between pictures, as a share of their width
FAMILIES = ["Inter", "Noto Sans", "DejaVu Sans", "sans-serif"]


@dataclass(frozen=True, slots=True)
class Ink:
    """The colours of a strip's text and paper."""

    paper: str
    text: str
    muted: str


INKS: dict[Paper, Ink] = {
    "light": Ink("#ffffff", "#16181b", "#5c636d"),
    "dark": Ink("#101214", "#eef0f2", "#9aa2ac"),
}


@contextmanager
def writing() -> Iterator[None]:
    """Have an application of the toolkit, which writing text needs, without a display."""
    if QGuiApplication.instance() is not None:
        yield
        return
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication(["footlight"])
    try:
        yield
    finally:
        application.shutdown()


def draw_strip(
    pictures: list[Image], captions: list[str], title: str, note: str, paper: Paper
) -> QImage:
    """Return the pictures in rows, a caption below each, title and note above.

    Args:
        pictures: of one size (h, w, 3).
        captions: one for each.
        title: heading.
        note: a smaller line below it.
        paper: light or dark.
    """
    high, wide, _ = pictures[0].shape
    ink = INKS[paper]
    columns = min(len(pictures), MOST_COLUMNS)
    rows = math.ceil(len(pictures) / columns)
    gap, line = max(4.0, GAP * wide), max(14.0, 0.075 * wide)
    head = 3.4 * line
    cell = high + 1.7 * line
    width = round(columns * wide + (columns + 1) * gap)
    height = round(head + gap + rows * (cell + gap))
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(ink.paper))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    room = width - 2.0 * gap
    _write(painter, QPointF(gap, gap + 1.1 * line), title, 1.35 * line, ink.text, room, True)
    _write(painter, QPointF(gap, gap + 2.5 * line), note, 0.82 * line, ink.muted, room)
    for index, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        row, column = divmod(index, columns)
        left, top = gap + column * (wide + gap), head + gap + row * (cell + gap)
        own = QImage(picture.tobytes(), wide, high, 3 * wide, QImage.Format.Format_RGB888)
        painter.drawImage(QRectF(left, top, wide, high), own)
        place = QPointF(left, top + high + 1.15 * line)
        _write(painter, place, caption, 0.9 * line, ink.text, wide)
    painter.end()
    return image


def png_of(image: QImage) -> bytes:
    """Return an image as a PNG file."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(data.data())


def _write(
    painter: QPainter,
    place: QPointF,
    text: str,
    size_px: float,
    colour: str,
    room: float,
    bold: bool = False,
) -> None:
    """Write a line, cut where there is no room."""
    font = QFont()
    font.setFamilies(FAMILIES)
    font.setPixelSize(round(size_px))
    font.setBold(bold)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
    painter.drawText(place, shown)
