"""What can be dropped on the timeline: gestures of the library, and sound files."""

import re
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QPointF, Signal

from app.console.context.document import Document
from app.console.files.background import Background
from app.console.gestures.model import GESTURE_MIME
from app.console.timeline.drag import SNAP_PX
from app.console.timeline.editor import Editor
from app.console.timeline.lanes import Lanes
from app.console.timeline.scale import time_text
from app.console.timeline.snapping import snap, targets
from shows.audio import ENDINGS, AudioInfo, audio_info
from shows.document import GestureClip, VoiceClip
from shows.errors import ShowError

_ODD = re.compile(r"[^A-Za-z0-9_-]+")
NEW_S = 3.0  # shown of a sound whose length is not known yet
MUSIC_S = 20.0  # a longer sound is taken for music


@dataclass(frozen=True, slots=True)
class Shown:
    """Where a drop would lie.

    Attributes:
        time_s: its start [s].
        length_s: how long it lasts [s].
        track: index of the track; None: one that will be made.
        words: said beside the pointer.
    """

    time_s: float
    length_s: float
    track: int | None
    words: str


class Drops(QObject):
    """Carries out drops; a sound file is read beside the GUI thread, then it is part of the show.

    Attributes:
        shown: where the thing in the hand would lie; None without one.

    Signals:
        changed: `shown`.
        refused: a drop was refused, with the reason in one sentence.
    """

    changed = Signal()
    refused = Signal(str)

    def __init__(self, editor: Editor, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown: Shown | None = None
        self._editor, self._document = editor, document
        self._background = Background(self)

    def close(self) -> None:
        """End the work."""
        self._background.close()

    def takes(self, data: QMimeData) -> bool:
        """Return whether something can be dropped."""
        return data.hasFormat(GESTURE_MIME) or bool(sound_files(data))

    def show(self, data: QMimeData, lanes: Lanes, at: QPointF) -> None:
        """Show where it would lie."""
        gesture = data.hasFormat(GESTURE_MIME)
        length_s, name = NEW_S, ""
        if gesture:
            entry = self._editor.library.entry(bytes(data.data(GESTURE_MIME).data()).decode())
            if entry is not None:
                length_s, name = entry.motion.duration_s, entry.title
        else:
            name = ", ".join(path.stem for path in sound_files(data)[:3])
        time_s = self._time(lanes, at.x())
        track = self._track(lanes, at.y(), "gesture" if gesture else "voice")
        self.shown = Shown(time_s, length_s, track, f"{name} at {time_text(time_s)}")
        self.changed.emit()

    def leave(self) -> None:
        """Show nothing any more."""
        self.shown = None
        self.changed.emit()

    def drop(self, data: QMimeData, lanes: Lanes, at: QPointF) -> None:
        """Put it on a track."""
        time_s = self._time(lanes, at.x())
        self.leave()
        if data.hasFormat(GESTURE_MIME):
            name = bytes(data.data(GESTURE_MIME).data()).decode()
            self.add_gesture(name, time_s, self._track(lanes, at.y(), "gesture"))
        else:
            track = self._track(lanes, at.y(), "voice")
            for path in sound_files(data):
                self.add_sound(path, time_s, track)

    def add_gesture(self, name: str, time_s: float, track: int | None = None) -> bool:
        """Add a gesture of the library or the show at a time; return whether it was added."""
        entry = self._editor.library.entry(name)
        if entry is None:
            self.refused.emit(f"The gesture {name} is gone; choose another one.")
            return False
        clip = GestureClip(start_s=round(time_s, 3), motion=name)
        return self._editor.insert_clip(f"add {entry.title}", clip, track, entry.motion)

    def add_sound(self, path: Path, time_s: float, track: int | None = None) -> None:
        """Read a sound file beside the GUI thread, then add it at a time of the present cue."""
        number = self._editor.number

        def done(sound: AudioInfo) -> None:
            if self._editor.number != number:
                self.refused.emit(f"{path.name} was not added: another cue is edited now.")
                return
            phrase = self._phrase(path)
            self._document.add_sound(phrase, sound)
            music = sound.duration_s > MUSIC_S
            clip = VoiceClip(start_s=round(time_s, 3), phrase=phrase, music=music)
            self._editor.insert_clip(f"add the sound {phrase}", clip, track, None)

        def failed(error: Exception) -> None:
            said = str(error) if isinstance(error, ShowError) else f"{path.name}: {error!r}"
            self.refused.emit(f"{said}.")

        self._background.run(lambda: audio_info(path, path.name), done, failed)

    def _phrase(self, path: Path) -> str:
        """Return the name of a phrase for a file: that of the same file, or a free one."""
        sounds = self._document.audio
        stem = _ODD.sub("_", path.stem).strip("_-")[:60] or "sound"
        number = 1
        name = stem
        while name in sounds and sounds[name].path.resolve() != path.resolve():
            number += 1
            name = f"{stem}_{number}"
        return name

    def _time(self, lanes: Lanes, x: float) -> float:
        time_s = max(0.0, lanes.scale.s(x))
        if not self._editor.snaps:
            return time_s
        found = targets(lanes.cue, (), lanes.material, self._editor.playhead_s)
        tolerance_s = SNAP_PX / lanes.scale.px_per_s
        return max(0.0, snap([0.0], time_s, found, tolerance_s, lanes.cue.tempo).by_s)

    @staticmethod
    def _track(lanes: Lanes, y: float, kind: str) -> int | None:
        """Return the track under the pointer, if it is of a kind; else the first of that kind."""
        tracks = lanes.cue.tracks
        here = lanes.track_at(y)
        if here is not None and tracks[here].kind == kind:
            return here
        return next((i for i, t in enumerate(tracks) if t.kind == kind and not t.locked), None)


def sound_files(data: QMimeData) -> list[Path]:
    """Return the sound files that are dragged."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for path in paths if path.suffix.lower() in ENDINGS and path.is_file()]
