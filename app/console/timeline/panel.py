"""The timeline's panel: toolbar, ruler, tracks, overview and the fields of clips."""

from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollBar,
    QVBoxLayout,
    QWidget,
)

from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.gestures.library import Entry, GestureLibrary
from app.console.timeline import clip_edits, track_edits
from app.console.timeline.actions import TimelineActions
from app.console.timeline.canvas import Canvas
from app.console.timeline.conflicts import reasons
from app.console.timeline.drops import Drops
from app.console.timeline.editor import Editor
from app.console.timeline.fields import ClipFields
from app.console.timeline.headers import WIDTH_PX, Headers
from app.console.timeline.lanes import height_px
from app.console.timeline.overview import HEIGHT_PX as OVERVIEW_PX
from app.console.timeline.overview import Overview
from app.console.timeline.posture import Postures, Start, floor_path, walked
from app.console.timeline.ruler import Mark, Ruler
from app.console.timeline.scale import time_text
from app.console.timeline.toolbar import TimelineBar
from app.console.timeline.view import View
from app.console.timeline.waveforms import Waveforms
from app.console.toolkit import theme
from core.link.status import Status
from shows.document import Cue, WalkClip
from shows.marks import Place

STOPS = "Ctrl+Space ends it."
REFUSAL_MS = 6000  # a refusal stays in the line below
OVERVIEW_FROM_PX = 190  # a lower panel hides the overview
FIELDS_FROM_PX = 760  # a narrower panel hides the fields


class TimelinePanel(QWidget):
    """Edits the cue that is selected in the cue list.

    Attributes:
        editor: the cue, selection and playhead.
        view: zoom and scroll.
        canvas: the tracks.

    Signals:
        posed: the posture at the playhead (dict of joint angles [rad]), where the walk leads
            (x, y, heading), and the path on the floor; None, None, () ends that.
        rehearsal_asked: begin to rehearse the range, or end that.
        path_asked: let the operator draw a path on the floor.
        sound_asked: let the operator choose a sound file.
    """

    posed = Signal(object, object, object)
    rehearsal_asked = Signal()
    path_asked = Signal()
    sound_asked = Signal()

    def __init__(
        self,
        context: Context,
        library: GestureLibrary,
        caller: Caller,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("timeline")
        self._context = context
        self._postures = Postures()
        self.editor = Editor(context, library, caller, self)
        self.view = View(self)
        self._waveforms = Waveforms(self)
        self._drops = Drops(self.editor, context.document, self)
        self.canvas = Canvas(self.editor, self.view, self._waveforms, self._drops)
        self.ruler = Ruler(self.editor, self.view)
        self.headers = Headers(self.editor, self.view)
        self.fields = ClipFields(self.editor)
        self._overview = Overview(self.editor, self.view)
        self._bar = QScrollBar(Qt.Orientation.Vertical)
        self._time, self._line = QLabel(), QLabel()
        self._title = QLabel()
        self._said = QTimer(self, singleShot=True, interval=REFUSAL_MS)
        self._sized = QTimer(self, singleShot=True, interval=0)
        self._sized.timeout.connect(self._measure)
        self._fresh = True  # the cue was not fitted into the view yet
        self._scrubs = False
        self._entry_s = 0.0  # of the part of the cue that the core has
        work = QWidget()
        self.actions_ = TimelineActions(self.editor, self.view, self)
        self._toolbar = TimelineBar(self.actions_, self.editor)
        self._toolbar.refused.connect(self.refuse)
        self.actions_.rehearsal_asked.connect(self.rehearsal_asked)
        self.actions_.path_asked.connect(self.path_asked)
        self.actions_.sound_asked.connect(self.sound_asked)
        self._lay_out(work)
        self._connect()
        self.setFocusProxy(self.canvas)
        for part in (self.ruler, self.headers, self._overview):
            part.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            part.setFocusProxy(self.canvas)
        self._show_time()

    def show_cues(self, numbers: list[str]) -> None:
        """Edit the cue that is selected; none where several are."""
        number = numbers[0] if len(numbers) == 1 else ""
        if number != self.editor.number:
            self._fresh = True
            self._end_scrub()
            self.editor.show_cue(number)
            self._fit()

    def show_rehearsal(self, state: str, entry_s: float) -> None:
        """Show whether a range is rehearsed, and from where on [s]."""
        on = state != "off"
        self._entry_s = entry_s if on else 0.0
        action = self.actions_.actions["rehearse"]
        action.setChecked(on)
        if state == "sending":
            self._tell(f"{theme.BUSY.mark} The core gets the range …")
        elif on:
            where = time_text(entry_s)
            self._tell(f"{theme.BUSY.mark} The robot plays the range, from {where} on. {STOPS}")
        else:
            self._tell("")

    def take_path(self, points: tuple[tuple[float, float], ...]) -> None:
        """Make a walk of a path that was drawn on the floor: it takes the place of selected walks.

        Args:
            points: in the heading frame of the robot's place at the start (k, 2) [m].
        """
        self.actions_.walk_along(points)
        self._begin_scrub()

    def scrub(self, time_s: float) -> None:
        """Move the playhead, and let the ghost follow it."""
        self._scrubs = True
        self.editor.put_playhead(time_s)

    def add_sound(self, path: Path) -> None:
        """Add a sound file at the playhead."""
        self._drops.add_sound(path, self.editor.playhead_s)

    def add_gesture(self, entry: Entry) -> None:
        """Add a gesture at the playhead, and move the playhead to its end."""
        editor = self.editor
        if self._drops.add_gesture(entry.name, editor.playhead_s):
            editor.put_playhead(editor.playhead_s + entry.motion.duration_s)

    def add_walk(self, clips: tuple[WalkClip, ...]) -> None:
        """Add walks, whose times count from the playhead."""
        at_s = self.editor.playhead_s
        moved = [msgspec.structs.replace(c, start_s=round(c.start_s + at_s, 3)) for c in clips]

        def deed(cue: Cue) -> clip_edits.Edited:
            cue, track = track_edits.track_for(cue, moved[0])
            return clip_edits.added(cue, track, moved)

        self.editor.do("add a walk", deed)

    def refuse(self, reason: str) -> None:
        """Tell why something was refused."""
        self._said.stop()
        self._tell(f"{theme.WARN.mark} {reason}")
        self._said.start()
        self._context.notices.say(reason, "warning")

    def close_panel(self) -> None:
        """End all work in the background."""
        self._waveforms.close()
        self._drops.close()

    # Layout

    def _lay_out(self, work: QWidget) -> None:
        grid = QGridLayout(work)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        self._title.setFixedWidth(WIDTH_PX)
        self._title.setContentsMargins(theme.GAP, 0, 4, 0)
        self._title.setFont(theme.font(13, bold=True))
        self._title.setStyleSheet("font-size: 13px; font-weight: bold;")
        grid.addWidget(self._title, 0, 0)
        grid.addWidget(self.ruler, 0, 1)
        grid.addWidget(self.headers, 1, 0)
        grid.addWidget(self.canvas, 1, 1)
        grid.addWidget(self._bar, 1, 2)
        grid.addWidget(self._overview, 2, 1)
        self._time.setFont(theme.font(theme.SIZE_PX, bold=True, digits=True))
        self._time.setContentsMargins(theme.GAP, 0, 0, 0)
        grid.addWidget(self._time, 2, 0)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(1, 1)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(work, 1)
        middle.addWidget(self.fields)
        self._line.setContentsMargins(theme.GAP, 1, theme.GAP, 2)
        self._line.setStyleSheet(f"font-size: {theme.SMALL_PX}px; color: {theme.MUTED};")
        self._line.setFixedHeight(20)
        self._line.setAccessibleName("Message of the timeline")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._toolbar)
        column.addLayout(middle, 1)
        column.addWidget(self._line)

    def _connect(self) -> None:
        editor, view, canvas = self.editor, self.view, self.canvas
        context = self._context
        editor.changed.connect(self._show_cue)
        editor.playhead_moved.connect(self._show_time)
        editor.refused.connect(self.refuse)
        self._drops.refused.connect(self.refuse)
        self.fields.refused.connect(self.refuse)
        canvas.told.connect(self._tell)
        canvas.menu_asked.connect(self._show_menu)
        canvas.edit_asked.connect(self.fields.begin)
        self.ruler.menu_asked.connect(self._show_ruler_menu)
        self.ruler.scrubbed.connect(self._begin_scrub)
        self.headers.menu_asked.connect(self._show_track_menu)
        view.changed.connect(self._show_scroll)
        self._bar.valueChanged.connect(self._scrolled)
        self._said.timeout.connect(lambda: self._tell(""))
        context.link.status_changed.connect(self._take_status)
        editor.changed.connect(self._pose)
        editor.playhead_moved.connect(self._pose)

    # What is shown

    def _show_cue(self) -> None:
        cue = self.editor.cue
        if cue is None:
            self._title.setText("No cue")
        else:
            self._title.setText(f"Cue {cue.number}  {cue.name}")
            self.view.rows_px = sum(height_px(track) for track in cue.tracks) + 4.0
        self._show_scroll()
        if not self._said.isActive():
            self._tell("")
        self._show_time()

    def _show_time(self) -> None:
        editor = self.editor
        text = time_text(editor.playhead_s)
        if editor.span is not None:
            text += f"  [{editor.span[1] - editor.span[0]:.2f} s]"
        self._time.setText(text)
        self._time.setToolTip(f"Playhead; the cue lasts {time_text(editor.length_s)}")

    def _show_scroll(self) -> None:
        most = max(0, round(self.view.rows_px - self.canvas.height()))
        self._bar.blockSignals(True)
        self._bar.setRange(0, most)
        self._bar.setPageStep(max(1, self.canvas.height()))
        self._bar.setValue(round(self.view.top_px))
        self._bar.setVisible(most > 0)
        self._bar.blockSignals(False)

    def _scrolled(self, value: int) -> None:
        self.view.scroll_rows(value - self.view.top_px)

    def _fit(self) -> None:
        if self._fresh and self.isVisible() and self.canvas.width() > 50:
            self._fresh = False
            self.view.fit_cue(self.editor)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Follow the size of the canvas, and hide the fields where there is no room."""
        super().resizeEvent(event)
        self.fields.setVisible(self.width() >= FIELDS_FROM_PX)
        self._overview.setVisible(self.height() >= OVERVIEW_FROM_PX)
        self._sized.start()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the size without the overview, which is hidden where there is no room."""
        hint = super().minimumSizeHint()
        spared = 0 if self._overview.isHidden() else OVERVIEW_PX - self._time.sizeHint().height()
        return QSize(hint.width(), hint.height() - max(0, spared))

    def _measure(self) -> None:
        self.view.width_px = max(1.0, float(self.canvas.width()))
        self.view.height_px = max(1.0, float(self.canvas.height()))
        self._fit()
        self.view.scroll_rows(0.0)
        self.view.changed.emit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Fit the cue when it is seen for the first time."""
        super().showEvent(event)
        self._sized.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Give the ghost back."""
        super().hideEvent(event)
        self._end_scrub()

    # Messages

    def _tell(self, words: str) -> None:
        if self._said.isActive() and not words:
            return
        if not words:
            words = self._summary()
        self._line.setText(words)
        self._line.setToolTip(words)

    def _summary(self) -> str:
        """Return the line that is shown while nothing else is: the conflicts of the cue."""
        found = self.editor.conflicts
        faults = sum(c.gravity == "fault" for c in found)
        if not found:
            return ""
        first = next((c for c in found if c.gravity == "fault"), found[0])
        more = f"   and {len(found) - 1} more" if len(found) > 1 else ""
        where = time_text(first.start_s)
        mark = theme.BAD.mark if faults else theme.WARN.mark
        return f"{mark} at {where}: {reasons([first])[2:]}{more}"

    # Menus

    def _show_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        self.actions_.fill(menu)
        self._popup(menu, at)

    def _popup(self, menu: QMenu, at: QPoint) -> None:
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _show_ruler_menu(self, at: QPoint, mark: Mark | None) -> None:
        menu = QMenu(self)
        editor = self.editor
        if mark is not None and mark.kind == "marker":
            rename = menu.addAction("Rename the marker…")
            rename.triggered.connect(lambda _=False: self.ruler.rename(mark.index))
            remove = menu.addAction("Delete the marker")
            deed = partial(track_edits.marker_removed, index=mark.index)
            remove.triggered.connect(lambda _=False: editor.do("delete a marker", deed))
        elif mark is not None:
            remove = menu.addAction("Delete the safe point")
            gone = partial(track_edits.safe_point_toggled, time_s=mark.time_s)
            remove.triggered.connect(lambda _=False: editor.do("delete a safe point", gone))
        for name in ("marker", "safe_point", "range", "insert_time", "cut_time", "tap", "no_tempo"):
            menu.addAction(self.actions_.actions[name])
        self._popup(menu, at)

    def _show_track_menu(self, at: QPoint, index: int) -> None:
        menu, editor = QMenu(self), self.editor
        rename = menu.addAction("Rename…")
        rename.triggered.connect(lambda _=False: self.headers.rename(index))
        for text, down in (("Move up", -1), ("Move down", 1)):
            action = menu.addAction(text)
            deed = partial(_track_moved, index=index, down=down)
            action.triggered.connect(lambda _=False, deed=deed: editor.do("move a track", deed))
        menu.addSeparator()
        remove = menu.addAction("Delete the track and its clips")
        gone = partial(track_edits.track_removed, index=index)
        remove.triggered.connect(lambda _=False: editor.do("delete a track", gone))
        menu.addSeparator()
        self.actions_.fill_tracks(menu.addMenu("Add a track"))
        self._popup(menu, at)

    # Core and ghost

    def _take_status(self, status: Status) -> None:
        """Show where the core plays the cue."""
        number = self.editor.number
        plays = bool(number) and status.running_cue == number
        self.view.play(self._entry_s + status.cue_elapsed_s if plays else None)

    def _begin_scrub(self) -> None:
        self._scrubs = True
        self._pose()

    def _pose(self) -> None:
        """Let the ghost take the posture at the playhead."""
        if not self._scrubs or not self.isVisible():
            return
        cue, stock = self.editor.cue, self.editor.stock
        if cue is None or stock is None:
            return
        time_s = self.editor.playhead_s
        angles = self._postures.at(cue, time_s, stock, self.editor.material)
        start = self._start()
        self.posed.emit(angles, walked(cue, time_s, start), floor_path(cue, start))

    def _start(self) -> Start:
        """Return where the cue would begin now."""
        hello, status = self._context.link.hello, self._context.link.status
        if hello is None or status is None or not status.place_known:
            return Start()
        place = Place(*status.place).within(Place(*status.stage))
        return Start(place, self.editor.settings.marks, hello.walk)

    def _end_scrub(self) -> None:
        if self._scrubs:
            self._scrubs = False
            self.posed.emit(None, None, ())


def _track_moved(cue: Cue, index: int, down: int) -> Cue:
    return track_edits.track_moved(cue, index, down)[0]
