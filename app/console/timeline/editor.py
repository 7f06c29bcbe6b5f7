"""The timeline's editor: the cue that is edited, its selection, playhead and range."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.cues.edits import EditError
from app.console.gestures.library import GestureLibrary
from app.console.timeline import track_edits
from app.console.timeline.clip_edits import Edited, added
from app.console.timeline.conflicts import Conflict, conflicts, verdict_conflict
from app.console.timeline.material import (
    NONE,
    Material,
    Places,
    clip_at,
    existing,
)
from app.console.timeline.names import clip_name
from shows.audio import AudioInfo
from shows.check_clips import Stock
from shows.document import Clip, Cue, Settings
from shows.joints import JointTable
from shows.motion import Motion
from shows.repertoire_files import repertoire_names

JUDGE_MS = 120  # after an edit, before the conflicts are found
LOCKED = "The show is locked: switch to EDIT to change a cue."
NO_CUE = "Select a single cue in the cue list first."

Deed: TypeAlias = Callable[[Cue], Edited | Cue]


class Editor(QObject):
    """Owns what is edited; all parts of the timeline show it and edit through it.

    Attributes:
        number: number of the cue; empty without one.
        selection: places of the selected clips.
        playhead_s: time of the playhead in the cue [s].
        span: the selected range [s]; None: no range.
        snaps: dragged edges snap.
        ripples: what follows an edited clip on its track moves with its end.
        conflicts: of the cue, by time.
        library: the gestures, and the robot's joints.

    Signals:
        changed: the cue, its preview, or the conflicts.
        selected: the selection.
        playhead_moved: the playhead or the range.
        refused: an edit was refused, with the reason in one sentence.
    """

    changed = Signal()
    selected = Signal()
    playhead_moved = Signal()
    refused = Signal(str)

    def __init__(
        self,
        context: Context,
        library: GestureLibrary,
        caller: Caller,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self.library = context, library
        self._verdicts = caller.verdicts
        caller.verdicts_changed.connect(self._find_conflicts)
        self.number = ""
        self.selection: Places = NONE
        self.playhead_s = 0.0
        self.span: tuple[float, float] | None = None
        self.snaps, self.ripples = True, False
        self.conflicts: tuple[Conflict, ...] = ()
        self._preview: Cue | None = None
        self._material: Material | None = None
        self._stock: tuple[object, Stock] | None = None
        self._repertoires: tuple[str, ...] = ()
        self._judge = QTimer(self, singleShot=True, interval=JUDGE_MS)
        self._judge.timeout.connect(self._find_conflicts)
        context.document.changed.connect(self._take_document)
        library.changed.connect(self._judge.start)

    # What is edited

    @property
    def saved(self) -> Cue | None:
        """The cue of the document; None without one."""
        for cue in self._context.document.show.cues:
            if cue.number == self.number:
                return cue
        return None

    @property
    def cue(self) -> Cue | None:
        """The cue as it is shown: with the edit that is being dragged."""
        return self.saved if self._preview is None else self._preview

    @property
    def previewing(self) -> bool:
        """Whether an edit is being dragged."""
        return self._preview is not None

    @property
    def material(self) -> Material:
        """Durations of the document's motions and sounds."""
        if self._material is None:
            document = self._context.document
            self._material = Material.of(document.motions, document.audio)
        return self._material

    @property
    def motions(self) -> Mapping[str, Motion]:
        """The document's motions, by name."""
        return self._context.document.motions

    @property
    def sounds(self) -> Mapping[str, AudioInfo]:
        """The document's sounds, by phrase."""
        return self._context.document.audio

    @property
    def joints(self) -> JointTable | None:
        """The robot's joints; None before the first core."""
        return self.library.joints

    @property
    def settings(self) -> Settings:
        """The show's settings."""
        return self._context.document.show.settings

    @property
    def repertoires(self) -> tuple[str, ...]:
        """Names of the repertoires in the show's folder, which may be taught meanwhile."""
        folder = self._context.document.folder
        found = () if folder is None else repertoire_names(folder)
        return self._repertoires if found == self._repertoires else found

    @property
    def stock(self) -> Stock | None:
        """What clips refer to; None before the robot is known."""
        document, joints = self._context.document, self.joints
        if joints is None:
            return None
        key = (
            document.show.settings,
            document.motions,
            document.audio,
            joints,
            self._repertoires,
        )
        if self._stock is None or not _same(self._stock[0], key):
            self._stock = key, Stock(*key)
        return self._stock[1]

    @property
    def length_s(self) -> float:
        """When the last clip of the cue ends [s]."""
        cue = self.cue
        return 0.0 if cue is None else self.material.cue_s(cue)

    def clips(self) -> list[Clip]:
        """Return the selected clips."""
        cue = self.cue
        return [] if cue is None else [clip_at(cue, place) for place in sorted(self.selection)]

    def show_cue(self, number: str) -> None:
        """Edit another cue; an empty number: none."""
        if number == self.number:
            return
        self.number, self._preview = number, None
        self.selection, self.playhead_s, self.span = NONE, 0.0, None
        self._find_conflicts()
        self.selected.emit()
        self.playhead_moved.emit()

    # Selection and playhead

    def select(self, places: Places) -> None:
        """Select clips."""
        if places != self.selection:
            self.selection = places
            self.selected.emit()

    def put_playhead(self, time_s: float) -> None:
        """Move the playhead."""
        self.playhead_s = round(max(0.0, time_s), 3)
        self.playhead_moved.emit()

    def put_span(self, from_s: float, to_s: float) -> None:
        """Select a range; an empty one selects none."""
        low, high = sorted((max(0.0, from_s), max(0.0, to_s)))
        self.span = (round(low, 3), round(high, 3)) if high - low >= 0.05 else None
        self.playhead_moved.emit()

    # Edits

    def do(self, name: str, deed: Deed, key: str = "") -> bool:
        """Carry out an edit; return whether it was done.

        Args:
            name: of the edit, for the Edit menu; "{clips}" is replaced by what is edited.
            deed: computes the cue after it.
            key: edits of one key in a row are undone at once.
        """
        self._preview = None
        done = self._computed(deed)
        if done is None:
            self.changed.emit()
            return False
        self._put(done, self._named(name), key)
        return True

    def preview(self, deed: Deed) -> None:
        """Show the cue as an edit would leave it; the document stays as it is."""
        done = self._computed(deed, quiet=True)
        if done is not None:
            self._preview = done.cue
            self.changed.emit()

    def end_preview(self) -> None:
        """Show the document's cue again."""
        if self._preview is not None:
            self._preview = None
            self.changed.emit()

    def insert_clip(self, name: str, clip: Clip, track: int | None, motion: Motion | None) -> bool:
        """Put a new clip on a track, or on one of its kind that is made if there is none.

        Args:
            name: of the edit.
            clip: the clip.
            track: index of the track; None: the first of its kind.
            motion: a motion of the library that it plays.
        """

        def deed(cue: Cue) -> Edited:
            where, place = (cue, track) if track is not None else track_edits.track_for(cue, clip)
            return clip_added(where, place, clip)

        if motion is not None:
            self.use_motion(motion.name)
        return self.do(name, deed)

    def use_motion(self, name: str) -> None:
        """Have a motion of the library at hand for the clips of the document."""
        document = self._context.document
        entry = self.library.entry(name)
        if entry is not None and name not in document.motions:
            document.borrow(entry.motion)

    def _computed(self, deed: Deed, quiet: bool = False) -> Edited | None:
        saved = self.saved
        if saved is None or self._context.lock.locked:
            if not quiet:
                self.refused.emit(NO_CUE if saved is None else LOCKED)
            return None
        try:
            done = deed(saved)
        except EditError as error:
            if not quiet:
                self.refused.emit(str(error))
            return None
        return done if isinstance(done, Edited) else Edited(done, existing(done, self.selection))

    def _put(self, done: Edited, name: str, key: str) -> None:
        document = self._context.document
        cues = tuple(done.cue if c.number == self.number else c for c in document.show.cues)
        after = msgspec.structs.replace(document.show, cues=cues)
        selection = done.places
        document.edit(name, after, key)
        self.select(selection)
        self.changed.emit()

    def _named(self, name: str) -> str:
        """Return the name of an edit with the edited clips in it."""
        if "{clips}" not in name:
            return f"{name} in cue {self.number}"
        clips = self.clips()
        who = clip_name(clips[0], self.library) if len(clips) == 1 else f"{len(clips)} clips"
        return name.replace("{clips}", who)

    # The document

    def _take_document(self) -> None:
        self._material, self._preview = None, None
        cue = self.saved
        kept = NONE if cue is None else existing(cue, self.selection)
        if kept != self.selection:
            self.select(kept)
        self._judge.start()
        self.changed.emit()

    def _find_conflicts(self) -> None:
        self._repertoires = self.repertoires
        cue, stock = self.saved, self.stock
        found: tuple[Conflict, ...] = ()
        if cue is not None and stock is not None:
            found = conflicts(cue, stock, self.material)
            verdict = self._verdicts.of(cue)
            if verdict.kind == "refused":
                found = (*found, verdict_conflict(verdict.reason, verdict.time_s))
        self.conflicts = found
        self.changed.emit()


def clip_added(cue: Cue, track: int, clip: Clip) -> Edited:
    """Return the cue with a clip more, which must be of the track's kind.

    Raises:
        EditError: the track is of another kind, locked or full.
    """
    kind = track_edits.kind_of(clip)
    if cue.tracks[track].kind != kind:
        return clip_added(*track_edits.track_for(cue, clip), clip)
    return added(cue, track, [clip])


def _same(one: object, other: object) -> bool:
    assert isinstance(one, tuple) and isinstance(other, tuple)
    return all(a is b for a, b in zip(one, other, strict=True))
