"""Paints clips: body, blends, curves or waveform, label, selection and conflicts."""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPixmap, QPolygonF

from app.console.timeline.curves import (
    Floats,
    MotionCurves,
    gesture_points,
    jump_points,
    sway_points,
    walk_path,
    walk_profile,
)
from app.console.timeline.editor import Editor
from app.console.timeline.lanes import HANDLE_PX, Lanes
from app.console.timeline.material import Place, is_event
from app.console.timeline.names import clip_name, look_of
from app.console.timeline.waveforms import PEAKS_HZ, Peaks, Waveforms
from app.console.toolkit import theme
from shows.document import Clip, GestureClip, JumpClip, SwayClip, VoiceClip, WalkClip
from shows.gaits import JumpRange
from shows.motion import Motion

FILLS = {
    "gesture": "#234a73",
    "head": "#1d5a5c",
    "hands": "#4b3d75",
    "body": "#6b3350",
    "sway": "#5f3a1f",
    "walk": "#2b5a35",
    "run": "#1f5f52",
    "jump": "#4c5c1f",
    "mark": "#24566b",
    "live": "#63286b",
    "voice": "#6b4a1e",
    "light": "#6a5f1f",
    "network": "#454c55",
}
INKS = {
    "gesture": "#8fc1f5",
    "head": "#7fd6d2",
    "hands": "#c3b0f2",
    "body": "#eea3c4",
    "sway": "#f0a57a",
    "walk": "#93d69b",
    "run": "#7fe0c4",
    "jump": "#cfe07f",
    "mark": "#86cdea",
    "live": "#e59cf0",
    "voice": "#f2c178",
    "light": "#ece08a",
    "network": "#c3cad3",
}
LABEL_PX = 15  # height of the label's line
DETAIL_PX = 26  # a narrower clip is a plain block
LABELLED_PX = 18
PART_PX = 2000.0  # a screen's width
KEPT = 1500  # drawn contents


class ClipPainter:
    """Paints clips, and keeps the drawn contents of those that are seen.

    Args:
        editor: the cue and its material.
        waveforms: of the sounds.
    """

    def __init__(self, editor: Editor, waveforms: Waveforms) -> None:
        self._editor, self._waveforms = editor, waveforms
        self._curves: dict[Motion, MotionCurves] = {}
        self._contents: dict[object, QPixmap] = {}
        self._labels: dict[tuple[str, int], str] = {}
        self._font = theme.font(theme.SMALL_PX)
        self._metrics = QFontMetrics(self._font)

    def forget(self) -> None:
        """Draw all contents anew, because a sound or a motion is another one."""
        self._contents.clear()
        self._curves.clear()

    def paint(
        self,
        painter: QPainter,
        lanes: Lanes,
        place: Place,
        clip: Clip,
        rect: QRectF,
        selected: bool,
        silent: bool,
        gravity: str,
    ) -> None:
        """Paint one clip.

        Args:
            painter: of the canvas.
            lanes: the layout.
            place: of the clip.
            clip: the clip.
            rect: where it is.
            selected: it is selected.
            silent: its track does not play.
            gravity: "fault", "warning" or empty.
        """
        kind = look_of(clip, lanes.cue.tracks[place[0]].kind)
        fill = QColor(FILLS[kind])
        if silent:
            fill = QColor(theme.RAISED)
        elif selected:
            fill = fill.lighter(135)
        if is_event(clip):
            self._paint_event(painter, rect, fill, kind, clip, selected)
            return
        painter.fillRect(rect, fill)
        if rect.width() >= DETAIL_PX:
            self._paint_contents(painter, lanes, clip, rect, kind)
            self._paint_blends(painter, lanes, clip, rect, selected)
        self._paint_frame(painter, rect, kind, selected, gravity)
        if rect.width() >= LABELLED_PX:
            self._paint_label(painter, clip, rect, gravity)

    def _paint_event(
        self, painter: QPainter, rect: QRectF, fill: QColor, kind: str, clip: Clip, selected: bool
    ) -> None:
        """Paint a flag whose staff is the time of the event."""
        flag = rect.adjusted(0, 0, 0, -6)
        painter.fillRect(flag, fill)
        painter.setPen(QPen(QColor(theme.TEXT if selected else INKS[kind]), 2 if selected else 1))
        painter.drawLine(rect.topLeft(), rect.bottomLeft())
        if selected:
            painter.drawRect(flag)
        label = self._elided(clip_name(clip, self._editor.library), int(rect.width() - 10))
        painter.setFont(self._font)
        painter.setPen(QColor(theme.TEXT))
        painter.drawText(QPointF(rect.left() + 6, rect.top() + 13), label)

    def _paint_frame(
        self, painter: QPainter, rect: QRectF, kind: str, selected: bool, gravity: str
    ) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if gravity:
            tone = theme.BAD if gravity == "fault" else theme.WARN
            painter.setPen(QPen(QColor(tone.colour), 2, Qt.PenStyle.DashLine))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        if selected:
            painter.setPen(QPen(QColor(theme.TEXT), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        elif not gravity:
            painter.setPen(QPen(QColor(INKS[kind]).darker(170), 1))
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_label(self, painter: QPainter, clip: Clip, rect: QRectF, gravity: str) -> None:
        left = max(rect.left(), 0.0)
        text = clip_name(clip, self._editor.library)
        marks = []
        if isinstance(clip, GestureClip):
            marks += ["⟳"] * clip.loop
            marks += [f"{clip.speed:g}×"] * (clip.speed != 1.0)
        text = " ".join((text, *marks))
        painter.setFont(self._font)
        if gravity:
            tone = theme.BAD if gravity == "fault" else theme.WARN
            painter.setPen(QColor(tone.colour))
            painter.drawText(QPointF(left + 5, rect.top() + 13), tone.mark)
            left += 14.0
        label = self._elided(text, int(rect.right() - left - 8))
        painter.setPen(QColor(theme.TEXT))
        painter.drawText(QPointF(left + 5, rect.top() + 13), label)

    def _elided(self, text: str, width: int) -> str:
        key = text, width
        if key not in self._labels:
            if len(self._labels) > KEPT:
                self._labels.clear()
            elide = Qt.TextElideMode.ElideRight
            self._labels[key] = self._metrics.elidedText(text, elide, max(width, 0))
        return self._labels[key]

    def _paint_blends(
        self, painter: QPainter, lanes: Lanes, clip: Clip, rect: QRectF, selected: bool
    ) -> None:
        into, out = lanes.blend_px(clip)
        ink = QColor(theme.BACKGROUND)
        ink.setAlpha(120)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        top, low = rect.top(), rect.bottom()
        if into > 1.0:
            corner = QPointF(rect.left() + into, top)
            painter.drawPolygon(QPolygonF([rect.topLeft(), corner, QPointF(rect.left(), low)]))
        if out > 1.0:
            corner = QPointF(rect.right() - out, top)
            painter.drawPolygon(QPolygonF([rect.topRight(), corner, QPointF(rect.right(), low)]))
        if selected and hasattr(clip, "blend_in_s") and rect.width() > 4 * HANDLE_PX:
            painter.setBrush(QColor(theme.TEXT))
            half = HANDLE_PX / 2.0
            for x in (rect.left() + into, rect.right() - out):
                x = min(max(x, rect.left() + half), rect.right() - half)
                painter.drawRect(QRectF(x - half, top, HANDLE_PX, HANDLE_PX / 2.0 + 1))

    # Contents

    def _paint_contents(
        self, painter: QPainter, lanes: Lanes, clip: Clip, rect: QRectF, kind: str
    ) -> None:
        """Paint what a clip plays, from the drawn contents if they were drawn before."""
        room = rect.adjusted(1, LABEL_PX, -1, -2)
        if room.height() < 8.0:
            return
        zoom = lanes.scale.px_per_s
        # A long clip is drawn in part, and the part changes after some screens of scrolling.
        left = room.left() + max(0.0, math.floor(-room.left() / PART_PX) * PART_PX - PART_PX)
        right = min(room.right(), left + 5.0 * PART_PX)
        key = (
            type(clip), _fields(clip), round(zoom, 3), round(left - room.left()),
            int(room.height()), self._jump if isinstance(clip, JumpClip) else None,
        )  # fmt: skip
        drawn = self._contents.get(key)
        if drawn is None:
            if len(self._contents) > KEPT:
                self._contents.clear()
            width, height = max(1, math.ceil(right - left)), max(1, int(room.height()))
            drawn = QPixmap(width, height)
            drawn.fill(Qt.GlobalColor.transparent)
            inner = QPainter(drawn)
            inner.setRenderHint(QPainter.RenderHint.Antialiasing)
            from_s = (left - rect.left()) / zoom
            self._draw(inner, clip, from_s, width, height, zoom, QColor(INKS[kind]))
            inner.end()
            if not (isinstance(clip, VoiceClip) and self._peaks(clip) is None):
                self._contents[key] = drawn
        painter.drawPixmap(QPointF(left, room.top()), drawn)

    def _draw(
        self,
        painter: QPainter,
        clip: Clip,
        from_s: float,
        width: int,
        height: int,
        zoom: float,
        ink: QColor,
    ) -> None:
        if isinstance(clip, GestureClip):
            motion = self._editor.motions.get(clip.motion)
            if motion is not None:
                if motion not in self._curves:
                    self._curves[motion] = MotionCurves(motion)
                length_s = self._editor.material.length_s(clip)
                times_s, values = gesture_points(clip, length_s, self._curves[motion])
                for value in values:
                    _line(painter, (times_s - from_s) * zoom, value, height, ink, 1.2)
        elif isinstance(clip, VoiceClip):
            self._draw_wave(painter, clip, from_s, width, height, zoom, ink)
        elif isinstance(clip, SwayClip):
            times_s, shares = sway_points(clip)
            _line(painter, (times_s - from_s) * zoom, shares, height, ink, 1.5)
        elif isinstance(clip, JumpClip):
            times_s, heights = jump_points(clip, self._jump)
            _line(painter, (times_s - from_s) * zoom, heights, height, ink, 1.5)
        elif isinstance(clip, WalkClip):
            times_s, shares = walk_profile(clip)
            _line(painter, (times_s - from_s) * zoom, shares, height, ink, 1.5)
            self._draw_path(painter, clip, width, height, ink)

    @property
    def _jump(self) -> JumpRange | None:
        joints = self._editor.joints
        return None if joints is None else joints.gaits.jump

    def _peaks(self, clip: VoiceClip) -> Peaks | None:
        sound = self._editor.sounds.get(clip.phrase)
        return None if sound is None else self._waveforms.of(sound)

    def _draw_wave(
        self,
        painter: QPainter,
        clip: VoiceClip,
        from_s: float,
        width: int,
        height: int,
        zoom: float,
        ink: QColor,
    ) -> None:
        peaks = self._peaks(clip)
        if peaks is None or not len(peaks):
            return
        edges = (clip.offset_s + from_s + np.arange(width + 1) / zoom) * PEAKS_HZ
        starts = np.clip(edges.astype(np.int64), 0, len(peaks) - 1)
        loud = np.maximum.reduceat(peaks, starts)[:-1]
        half = 0.5 * height
        ink.setAlpha(210)
        painter.setPen(QPen(ink, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for x, level in enumerate(loud.tolist()):
            painter.drawLine(x, round(half - half * level), x, round(half + half * level))

    @staticmethod
    def _draw_path(painter: QPainter, clip: WalkClip, width: int, height: int, ink: QColor) -> None:
        """Draw the path of a walk from above, ahead to the right, where there is room."""
        if width < 4 * height:
            return
        path = walk_path([clip], 0.1)[:, :2]
        low, high = path.min(axis=0), path.max(axis=0)
        size = max(float((high - low).max()), 1e-3)
        room = height - 6.0
        scaled = (path - low) / size * room
        x = width - height + 2.0 + scaled[:, 0]
        y = height - 3.0 - scaled[:, 1] - 0.5 * (room - float(scaled[:, 1].max()))
        painter.setPen(QPen(QColor(theme.TEXT), 1.5))
        painter.drawPolyline(QPolygonF([QPointF(*p) for p in zip(x, y, strict=True)]))
        painter.setBrush(QColor(theme.TEXT))
        painter.drawEllipse(QPointF(x[-1], y[-1]), 2.0, 2.0)


def _line(
    painter: QPainter, x: Floats, values: Floats, height: int, ink: QColor, width: float
) -> None:
    y = (1.0 - values) * (height - 4.0) + 2.0
    painter.setPen(QPen(ink, width))
    painter.drawPolyline(
        QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
    )


def _fields(clip: Clip) -> tuple[object, ...]:
    """Return what the contents of a clip depend on: all fields but its start."""
    names = clip.__struct_fields__
    values = (getattr(clip, name) for name in names if name != "start_s")
    return tuple(tuple(v.items()) if isinstance(v, dict) else v for v in values)
