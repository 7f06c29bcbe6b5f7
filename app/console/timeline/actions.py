"""The actions of the timeline with their keys, for its menus, its toolbar and the canvas."""

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.console.cues.edits import EditError
from app.console.timeline import clip_edits, copies, time_edits, track_edits, trimming
from app.console.timeline.clip_edits import Edited
from app.console.timeline.editor import Editor
from app.console.timeline.material import all_places, clips_at
from app.console.timeline.names import CLIP_TITLES, KIND_TITLES
from app.console.timeline.new_gaits import GAITS, enable, new_clip, refusal
from app.console.timeline.snapping import Taps
from app.console.timeline.view import ZOOM, View
from app.console.timeline.walk_along import slowed, walk_along
from app.console.toolkit import clipboard
from shows.document import (
    BodyClip,
    Clip,
    Cue,
    HandClip,
    HeadClip,
    LightClip,
    LiveClip,
    LiveTrack,
    MarkClip,
    NetworkClip,
    SwayClip,
    SwayTrack,
    WalkClip,
)
from shows.fields import SwayDirection
from shows.joints import SwayRange

NUDGE_S, FINE_S, COARSE_S = 0.1, 0.01, 1.0
NEW_S = 2.0  # length of a new clip
NEW_WAY_S = 15.0  # of a new walk to a mark
NEW_LIVE_S = 20.0  # of a new live clip
NEW_LEAN_RAD = 0.1  # of a new body clip
NEW_SWAY_M, NEW_SWAY_HZ = 0.03, 0.1  # of a new sway
ADDABLE = ("head", "hands", "body", "sway", "walk", *GAITS, "mark", "live", "light", "network")
GROUPS = (  # of the menu; a line between two of them
    ("cut", "copy", "paste", "duplicate", "delete", "all"),
    ("split", "trim_start", "trim_end", "loop"),
    ("draw_walk",),
    ("earlier", "later", "longer", "shorter"),
    ("marker", "safe_point", "tap", "no_tempo"),
    ("range", "rehearse", "insert_time", "cut_time"),
    ("snap", "ripple"),
    ("zoom_in", "zoom_out", "fit"),
)


class TimelineActions(QObject):
    """Everything that can be done to the cue on the timeline.

    Attributes:
        actions: by name.

    Signals:
        rehearsal_asked: begin to rehearse the range, or end that.
        path_asked: let the operator draw a path on the floor.
        sound_asked: let the operator choose a sound file.
    """

    rehearsal_asked = Signal()
    path_asked = Signal()
    sound_asked = Signal()

    def __init__(self, editor: Editor, view: View, widget: QWidget) -> None:
        super().__init__(widget)
        self._editor, self._view, self._widget = editor, view, widget
        self._taps = Taps()
        self.actions: dict[str, QAction] = {}
        self._make_clip_actions()
        self._make_time_actions()
        self._make_view_actions()

    def fill(self, menu: QMenu) -> None:
        """Put all actions into a menu."""
        add = menu.addMenu("Add a clip")
        add.setToolTipsVisible(True)
        for kind in ADDABLE:
            action = add.addAction(CLIP_TITLES[kind])
            action.triggered.connect(lambda _=False, kind=kind: self.add_clip(kind))
            if kind == SwayTrack.kind:
                add.aboutToShow.connect(lambda action=action: action.setVisible(self._sways))
            elif kind in GAITS:
                add.aboutToShow.connect(
                    lambda action=action, kind=kind: enable(action, kind, self._editor.joints)
                )
        add.addAction(self.actions["sound"])
        tracks = menu.addMenu("Add a track")
        self.fill_tracks(tracks)
        for group in GROUPS:
            menu.addSeparator()
            for name in group:
                menu.addAction(self.actions[name])

    def fill_tracks(self, menu: QMenu) -> None:
        """Put an action for each kind of track into a menu."""
        for kind, title in KIND_TITLES.items():
            action = menu.addAction(title)
            action.triggered.connect(lambda _=False, kind=kind: self.add_track(kind))
            if kind == SwayTrack.kind:
                menu.aboutToShow.connect(lambda action=action: action.setVisible(self._sways))

    def add_track(self, kind: str) -> None:
        """Add an empty track."""
        self._editor.do(
            f"add a {KIND_TITLES[kind].lower()} track",
            lambda cue: track_edits.track_added(cue, kind)[0],
        )

    def add_clip(self, kind: str) -> None:
        """Add a clip of a kind at the playhead."""
        start_s = self._editor.playhead_s
        clip: Clip
        if kind == "head":
            clip = HeadClip(start_s=start_s, length_s=NEW_S)
        elif kind == "hands":
            joints = self._editor.joints
            poses = () if joints is None else tuple(joints.hand_poses)
            if not poses:
                self._editor.refused.emit("This robot has no hand poses; define one in the show.")
                return
            clip = HandClip(start_s=start_s, length_s=NEW_S, pose=poses[0])
        elif kind == "body":
            joints = self._editor.joints
            if joints is not None and joints.body is None:
                self._editor.refused.emit("This robot does not stand on feet: no body track.")
                return
            clip = BodyClip(start_s=start_s, length_s=2.0 * NEW_S, pitch=NEW_LEAN_RAD)
        elif kind == "sway":
            sway = None if self._editor.joints is None else self._editor.joints.sway
            if self._editor.joints is not None and sway is None:
                self._editor.refused.emit("This robot does not sway: no sway track.")
                return
            clip = new_sway(start_s, sway)
        elif kind == "walk":
            clip = WalkClip(start_s=start_s, length_s=2.0 * NEW_S, vx=0.1)
        elif kind == "mark":
            marks = self._editor.settings.marks
            if not marks:
                self._editor.refused.emit(
                    "The show has no marks; right-click the floor of the 3-D view to put one."
                )
                return
            clip = MarkClip(start_s=start_s, length_s=NEW_WAY_S, mark=min(marks))
        elif kind in GAITS:
            joints = self._editor.joints
            reason = refusal(kind, joints)
            if reason:
                self._editor.refused.emit(f"No {kind} clip: {reason}.")
                return
            clip = new_clip(kind, start_s, None if joints is None else joints.gaits)
        elif kind == LiveTrack.kind:
            joints = self._editor.joints
            if joints is not None and not joints.following_limbs:
                self._editor.refused.emit("No limb of this robot follows a person: no live track.")
                return
            clip = LiveClip(start_s=start_s, length_s=NEW_LIVE_S)
        elif kind == "light":
            clip = LightClip(start_s=start_s, event="light")
        else:
            clip = NetworkClip(start_s=start_s, event="/event")
        self._editor.insert_clip(f"add a {CLIP_TITLES[kind].lower()} clip", clip, None, None)

    # Inside

    @property
    def _sways(self) -> bool:
        """The robot sways, or is not known yet."""
        joints = self._editor.joints
        return joints is None or joints.sway is not None

    def _make(
        self, name: str, text: str, key: str, act: Callable[[], None], tip: str = ""
    ) -> QAction:
        action = QAction(text, self._widget)
        keys = [part for part in key.split("|") if part]
        action.setShortcuts([QKeySequence(part) for part in keys])
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setToolTip(f"{tip or text}  [{keys[0]}]" if keys else tip or text)
        action.triggered.connect(lambda _: act())
        self._widget.addAction(action)
        self.actions[name] = action
        return action

    def _make_clip_actions(self) -> None:
        make, editor = self._make, self._editor
        make("cut", "Cut", "Ctrl+X", self._cut)
        make("copy", "Copy", "Ctrl+C", self._copy)
        make("paste", "Paste at the playhead", "Ctrl+V", self._paste)
        make("duplicate", "Duplicate", "Ctrl+D", self._duplicate, "Repeat the clips after them")
        make("delete", "Delete", "Del|Backspace", self._delete)
        make("all", "Select all", "Ctrl+A", self._select_all)
        make("split", "Split at the playhead", "S", self._split)
        make("trim_start", "Trim the start to the playhead", "Q", lambda: self._trim("start"))
        make("trim_end", "Trim the end to the playhead", "W", lambda: self._trim("end"))
        make("loop", "Loop", "L", self._loop, "Let gestures start over, or end that")
        make("longer", "Stretch by 10 %", "Ctrl+Shift+Right", lambda: self._stretch(1.1))
        make("shorter", "Shrink by 10 %", "Ctrl+Shift+Left", lambda: self._stretch(1.0 / 1.1))
        for name, sign, arrow in (("earlier", -1.0, "Left"), ("later", 1.0, "Right")):
            word = name.capitalize()
            make(name, f"{word} by {NUDGE_S:g} s", arrow, self._nudger(sign * NUDGE_S))
            make(f"fine_{name}", word, f"Shift+{arrow}", self._nudger(sign * FINE_S))
            make(f"coarse_{name}", word, f"Alt+{arrow}", self._nudger(sign * COARSE_S))
        editor.selected.connect(self._enable)
        editor.changed.connect(self._enable)

    def _make_time_actions(self) -> None:
        make = self._make
        make("marker", "Put a marker", "M", self._put_marker, "A marker at the playhead")
        make("safe_point", "Safe point", "P", self._put_safe_point,
             "A safe point at the playhead, or remove it: there the cue may end early")  # fmt: skip
        make("tap", "Tap the tempo", "T", self._tap, "Tap the beats of the music")
        make("no_tempo", "Remove the tempo", "", self._end_tempo)
        make("range", "Range of the clips", "R", self._range, "The range of the selected clips")
        make("insert_time", "Insert the range's time", "Ctrl+Shift+I", self._insert_time)
        make("cut_time", "Cut the range's time", "Ctrl+Shift+X", self._cut_time)
        tip = "Choose a sound file; it is copied into the show when the show is saved"
        make("sound", "Sound file…", "A", self.sound_asked.emit, tip)
        tip = "Draw the path of a walk on the floor of the stage, seen from above"
        make("draw_walk", "Draw a walk…", "D", self._ask_path, tip)
        tip = (
            "Play the range on the simulated robot, again and again, from the safe point before it"
        )
        make("rehearse", "Rehearse the range", "Ctrl+Space", self._ask_rehearsal, tip)
        self.actions["rehearse"].setCheckable(True)
        tip = "Dragged edges snap to clips, marks, playhead and beats; Alt: not now"
        snap = make("snap", "Snap", "N", lambda: None, tip)
        tip = "What follows on the track moves with the end of an edited clip"
        ripple = make("ripple", "Ripple", "G", lambda: None, tip)
        for action, on in ((snap, self._editor.snaps), (ripple, self._editor.ripples)):
            action.setCheckable(True)
            action.setChecked(on)
        snap.toggled.connect(lambda on: setattr(self._editor, "snaps", on))
        ripple.toggled.connect(lambda on: setattr(self._editor, "ripples", on))

    def _make_view_actions(self) -> None:
        make, view, editor = self._make, self._view, self._editor
        make("zoom_in", "Zoom in", "+|=", lambda: view.zoom(ZOOM))
        make("zoom_out", "Zoom out", "-", lambda: view.zoom(1.0 / ZOOM))
        make("fit", "Fit the cue or the range", "F", lambda: view.fit_cue(editor), "Fit")
        make("home", "To the start", "Home", lambda: editor.put_playhead(0.0))
        make("end", "To the end", "End", lambda: editor.put_playhead(editor.length_s))

    def _enable(self) -> None:
        some = bool(self._editor.selection)
        for name in (
            "cut", "copy", "duplicate", "delete", "split", "trim_start", "trim_end", "loop",
            "longer", "shorter", "range",
        ):  # fmt: skip
            self.actions[name].setEnabled(some)

    def _nudger(self, by_s: float) -> Callable[[], None]:
        return lambda: self._nudge(by_s)

    def _nudge(self, by_s: float) -> None:
        """Move the selected clips, or the playhead where none is selected."""
        editor = self._editor
        places, material = editor.selection, editor.material
        if not places:
            editor.put_playhead(editor.playhead_s + by_s)
            return
        editor.do(
            "nudge {clips}",
            lambda cue: clip_edits.moved(cue, places, by_s, material),
            key=f"nudge {sorted(places)}",
        )

    def _copy(self) -> None:
        editor = self._editor
        if editor.cue is None or not editor.selection:
            return
        clipboard.put(clipboard.CLIPS, copies.copied(editor.cue, editor.selection))

    def _cut(self) -> None:
        self._copy()
        self._remove("cut {clips}")

    def _delete(self) -> None:
        self._remove("delete {clips}")

    def _remove(self, name: str) -> None:
        editor = self._editor
        places, material = editor.selection, editor.material
        if places and editor.ripples:
            editor.do(name, lambda cue: time_edits.closed(cue, places, material))
        elif places:
            editor.do(name, lambda cue: clip_edits.removed(cue, places))

    def _paste(self) -> None:
        editor = self._editor
        data = clipboard.taken(clipboard.CLIPS)
        at_s = editor.playhead_s
        if editor.do("paste clips", lambda cue: copies.pasted(cue, data, at_s)):
            editor.put_playhead(clip_edits.span(self._cue, editor.selection, editor.material)[1])

    @property
    def _cue(self) -> Cue:
        cue = self._editor.cue
        assert cue is not None
        return cue

    def _duplicate(self) -> None:
        editor = self._editor
        places, material = editor.selection, editor.material
        if places:
            name = "duplicate {clips}"
            editor.do(name, lambda cue: clip_edits.duplicated(cue, places, material))
            self._view.bring(editor)

    def _select_all(self) -> None:
        if self._editor.cue is not None:
            self._editor.select(all_places(self._editor.cue))

    def _split(self) -> None:
        editor = self._editor
        places, material, at_s = editor.selection, editor.material, editor.playhead_s
        editor.do("split {clips}", lambda cue: clip_edits.split(cue, places, at_s, material))

    def _trim(self, side: trimming.Side) -> None:
        """Trim the selected clips so that they start or end at the playhead."""
        editor = self._editor
        places, material, at_s = editor.selection, editor.material, editor.playhead_s

        def trimmed(clip: Clip) -> Clip:
            edge_s = clip.start_s if side == "start" else material.end_s(clip)
            if not clip.start_s < at_s < material.end_s(clip):
                raise EditError("The playhead is outside a selected clip; move it into the clip.")
            return trimming.trim(clip, side, at_s - edge_s, material)

        editor.do("trim {clips}", lambda cue: clip_edits.apply(cue, places, trimmed))

    def _loop(self) -> None:
        editor = self._editor
        places, material = editor.selection, editor.material
        editor.do("loop {clips}", lambda cue: clip_edits.looped(cue, places, material))

    def _stretch(self, factor: float) -> None:
        editor = self._editor
        places, material = editor.selection, editor.material
        name = "stretch {clips}" if factor > 1.0 else "shrink {clips}"
        editor.do(name, lambda cue: clip_edits.stretched(cue, places, factor, material))

    def _put_marker(self) -> None:
        cue, at_s = self._editor.cue, self._editor.playhead_s
        if cue is not None:
            name = f"{len(cue.markers) + 1}"
            self._editor.do("put a marker", lambda cue: track_edits.marker_put(cue, at_s, name))

    def _put_safe_point(self) -> None:
        at_s = self._editor.playhead_s
        self._editor.do("turn a safe point", lambda cue: track_edits.safe_point_toggled(cue, at_s))

    def _tap(self) -> None:
        bpm = self._taps.tap(time.monotonic())
        if bpm is not None and 20.0 <= bpm <= 400.0:
            self.set_tempo(round(bpm, 1), key="tap")

    def set_tempo(self, bpm: float | None, key: str = "") -> None:
        """Set the tempo; the first beat stays where it was, or is at the playhead."""
        cue = self._editor.cue
        if cue is None:
            return
        first_s = self._editor.playhead_s if cue.tempo is None else cue.tempo.first_s
        beats = 4 if cue.tempo is None else cue.tempo.beats
        name = "set the tempo" if bpm is not None else "remove the tempo"
        deed = lambda cue: track_edits.tempo_set(cue, bpm, beats, first_s)  # noqa: E731
        self._editor.do(name, deed, key=key)

    def _end_tempo(self) -> None:
        self.set_tempo(None)

    def _ask_path(self) -> None:
        if self._editor.saved is not None:
            self.path_asked.emit()

    def walk_along(self, points: Sequence[tuple[float, float]]) -> None:
        """Walk along a path from the playhead on, or in the place and time of selected walks.

        Args:
            points: in the heading frame of the robot's place at the start (k, 2) [m].
        """
        editor = self._editor
        places, material, at_s = editor.selection, editor.material, editor.playhead_s
        bounds = editor.settings.walk

        def deed(cue: Cue) -> Edited:
            chosen = [(p, c) for p, c in clips_at(cue, places) if isinstance(c, WalkClip)]
            replaced = frozenset(place for place, _ in chosen)
            low, high = clip_edits.span(cue, replaced, material)
            clips = walk_along(points, low if chosen else at_s, bounds)
            if chosen:
                clips = slowed(clips, high - low)
                cue = clip_edits.removed(cue, replaced).cue
            if not clips:
                raise EditError("The path is too short to walk; draw a longer one.")
            cue, track = track_edits.track_for(cue, clips[0])
            return clip_edits.added(cue, track, clips)

        editor.do("draw a walk", deed)

    def _ask_rehearsal(self) -> None:
        self.actions["rehearse"].setChecked(False)  # until it has begun
        self.rehearsal_asked.emit()

    def _range(self) -> None:
        editor = self._editor
        if editor.cue is not None and editor.selection:
            editor.put_span(*clip_edits.span(editor.cue, editor.selection, editor.material))

    def _insert_time(self) -> None:
        editor, span = self._editor, self._editor.span
        if span is None:
            editor.refused.emit("Select a range on the ruler first: Shift and drag.")
            return
        low, high = span
        editor.do(
            "insert time", lambda cue: time_edits.inserted(cue, low, high - low, editor.material)
        )

    def _cut_time(self) -> None:
        editor, span = self._editor, self._editor.span
        if span is None:
            editor.refused.emit("Select a range on the ruler first: Shift and drag.")
            return
        low, high = span
        if editor.do("cut time", lambda cue: time_edits.cut(cue, low, high, editor.material)):
            editor.put_span(0.0, 0.0)
            editor.put_playhead(low)


def new_sway(start_s: float, limits: SwayRange | None) -> SwayClip:
    """Return a sway of one cycle that is well within the range of a robot."""
    directions: tuple[SwayDirection, ...] = ("left", "forward", "up")
    room_m = {d: NEW_SWAY_M if limits is None else getattr(limits, d) for d in directions}
    direction: SwayDirection = next((d for d in directions if room_m[d] > 0.0), "left")
    most_hz = NEW_SWAY_HZ if limits is None else limits.frequency_hz
    frequency_hz = min(NEW_SWAY_HZ, most_hz)
    return SwayClip(
        start_s=start_s,
        length_s=round(1.0 / frequency_hz, 3),
        direction=direction,
        amplitude_m=round(min(NEW_SWAY_M, room_m[direction] or NEW_SWAY_M), 3),
        frequency_hz=frequency_hz,
    )
