"""The operator's settings: one checked file in the user's configuration folder."""

import os
import time
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from PySide6.QtCore import QObject, Signal

from app.console.files.background import Background
from shows.errors import ShowError
from shows.files import read_capped, write_atomically
from shows.folders import user_folder
from shows.jsonfile import decode

MAX_BYTES = 2**20
CameraName = Literal["audience", "operator", "follow", "pair", "top", "free"]
Part = Annotated[float, msgspec.Meta(ge=-100.0, le=100.0)]  # of a camera [m] or [rad]


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The choices of an operator.

    Attributes:
        go_minimum_s: a second GO within this time is ignored [s].
        go_key_up: GO is armed again only when its key was released.
        head_expo: how much finer the head's stick is near its middle, 0 to 1.
        head_dead_zone: share of the stick's way that does nothing.
        head_invert_pitch: stick forward looks up instead of down.
        head_spring_back: the head returns to the show when the stick is released.
        body_spring_back: the body returns to the show when the stick is released.
        walk_speed_share: of the largest speed that the stick gives, 0 to 1.
        sound_device: name of the sound device, or a part of it; empty is the core's own choice.
        microphone: name of the microphone that is recorded with takes; empty is the core's own
            choice; None records no sound.
        volume: of everything that sounds, 0 to 1, as it was set last.
        favourites: gestures that come first.
        recent: shows opened lately, the newest first.
        simple_view: the 3-D view draws less; None lets the console choose.
        cue_columns: columns of the cue list; empty shows as many as fit.
        camera: how the 3-D view was last seen.
        show_person: the 3-D view shows the person whose motion is captured.
        free_camera: where the free camera was: its target's x, y and z, its distance [m], its
            yaw and pitch [rad]; None before there was one.
    """

    go_minimum_s: Annotated[float, msgspec.Meta(ge=0.0, le=10.0)] = 0.3
    go_key_up: bool = True
    head_expo: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 0.4
    head_dead_zone: Annotated[float, msgspec.Meta(ge=0.0, le=0.5)] = 0.12
    head_invert_pitch: bool = False
    head_spring_back: bool = True
    body_spring_back: bool = True
    walk_speed_share: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 0.5
    sound_device: Annotated[str, msgspec.Meta(max_length=200)] = ""
    microphone: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    volume: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 1.0
    favourites: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    simple_view: bool | None = None
    cue_columns: tuple[str, ...] = ()
    camera: CameraName = "audience"
    show_person: bool = True
    free_camera: tuple[Part, Part, Part, Part, Part, Part] | None = None


def config_folder() -> Path:
    """Return where this user's settings lie."""
    return user_folder("XDG_CONFIG_HOME", ".config")


class PreferencesStore(QObject):
    """Owns the settings.

    Attributes:
        value: the settings as they are; frozen, replaced as a whole.
        path: their file; None keeps them in memory only.

    Signals:
        changed: they were changed.
        refused: they could not be saved; with the reason.
    """

    changed = Signal()
    refused = Signal(str)

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.value = Preferences()
        self.path = path
        self._background = Background(self)
        self._waits = False  # a save that has not begun

    def load(self) -> str:
        """Read the file; return a sentence if it could not be used, else an empty text.

        A bad file is put aside, and the settings are the usual ones.
        """
        if self.path is None or not self.path.exists():
            return ""
        try:
            data = read_capped(self.path, MAX_BYTES, str(self.path))
            value = decode(data, Preferences, str(self.path))
        except ShowError as error:
            aside = self.path.with_name(f"{self.path.stem}.bad-{time.time_ns()}{self.path.suffix}")
            try:
                os.replace(self.path, aside)
            except OSError:
                return f"{error}; the usual preferences are used"
            return f"{error}; the usual preferences are used, and the file is kept as {aside.name}"
        if value != self.value:
            self.value = value
            self.changed.emit()
        return ""

    def change(self, value: Preferences) -> None:
        """Take other settings, and save them beside the GUI thread; a slider changes many."""
        if value == self.value:
            return
        self.value = value
        self.changed.emit()
        if self.path is not None and not self._waits:
            self._waits = True
            self._background.run(self._save, lambda _: None, self._tell)

    def close(self) -> None:
        """Finish saving."""
        self._background.finish()

    def _save(self) -> None:
        """Write down the newest settings; in the worker thread."""
        self._waits = False  # first: later changes are saved once more
        assert self.path is not None
        data = msgspec.json.format(msgspec.json.encode(self.value), indent=1) + b"\n"
        write_atomically(self.path, data)

    def _tell(self, error: Exception) -> None:
        self.refused.emit(f"the preferences hold for this run only: {error}")
