"""What part of the timeline is in sight: zoom, scroll and the live position."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QWheelEvent

from app.console.timeline.clip_edits import span
from app.console.timeline.editor import Editor
from app.console.timeline.lanes import Lanes
from app.console.timeline.scale import Scale

ZOOM = 1.25  # of a step of the wheel or a key
MARGIN_S = 4.0  # shown behind the end of the cue


class View(QObject):
    """Owns zoom and scroll; ruler, canvas, headers and overview follow it.

    Attributes:
        scale: time to pixels.
        top_px: how far the tracks are scrolled up [px].
        width_px: width of the canvas [px].
        height_px: height of the canvas [px].
        rows_px: height of all tracks [px].
        live_s: where the core plays the cue now [s]; None: it does not.

    Signals:
        changed: something of it.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.scale = Scale()
        self.top_px = 0.0
        self.width_px = self.height_px = 1.0
        self.rows_px = 0.0
        self.live_s: float | None = None

    def lanes(self, editor: Editor) -> Lanes | None:
        """Return the layout of the shown cue; None without one."""
        cue = editor.cue
        return None if cue is None else Lanes(cue, editor.material, self.scale, self.top_px)

    def put(self, scale: Scale) -> None:
        """Show another part."""
        if scale != self.scale:
            self.scale = scale
            self.changed.emit()

    def scroll(self, by_s: float) -> None:
        """Scroll in time."""
        self.put(self.scale.scrolled(by_s))

    def scroll_rows(self, by_px: float) -> None:
        """Scroll the tracks."""
        most = max(0.0, self.rows_px - self.height_px)
        top = min(max(0.0, self.top_px + by_px), most)
        if top != self.top_px:
            self.top_px = top
            self.changed.emit()

    def zoom(self, factor: float, x_px: float | None = None) -> None:
        """Zoom about a pixel; by default about the middle."""
        self.put(self.scale.zoomed(factor, self.width_px / 2.0 if x_px is None else x_px))

    def fit(self, from_s: float, to_s: float) -> None:
        """Show a span of time."""
        self.put(self.scale.fitting(from_s, to_s, self.width_px))

    def fit_cue(self, editor: Editor) -> None:
        """Show the range, or the whole cue."""
        self.fit(*(editor.span or (0.0, max(editor.length_s, MARGIN_S))))

    def bring(self, editor: Editor) -> None:
        """Bring the selected clips into sight."""
        cue = editor.cue
        if cue is None or not editor.selection:
            return
        low, high = span(cue, editor.selection, editor.material)
        if low < self.scale.start_s or high > self.scale.end_s(self.width_px):
            room_s = self.width_px / self.scale.px_per_s
            start_s = max(0.0, low - 0.1 * room_s)
            self.put(Scale(start_s, self.scale.px_per_s))

    def play(self, live_s: float | None) -> None:
        """Show where the core plays."""
        if live_s != self.live_s:
            self.live_s = live_s
            self.changed.emit()

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, scroll in time with Shift or sideways, else scroll the tracks."""
        steps = event.angleDelta() / 120.0
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.zoom(ZOOM ** steps.y(), event.position().x())
        elif modifiers & Qt.KeyboardModifier.ShiftModifier or steps.x():
            self.scroll(-(steps.x() or steps.y()) * 60.0 / self.scale.px_per_s)
        else:
            self.scroll_rows(-steps.y() * 40.0)
        event.accept()
