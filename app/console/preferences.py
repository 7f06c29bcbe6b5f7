"""The operator's settings: one checked file in the user's configuration folder."""

import os
from pathlib import Path
from typing import Annotated

import msgspec
from PySide6.QtCore import QObject, Signal


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an operator can choose.

    Attributes:
        go_minimum_s: a second GO within this time is disregarded [s].
        go_key_up: GO is armed again only when its key was let go.
        head_expo: how much finer the head's stick is near its middle, 0 to 1.
        head_dead_zone: share of the stick's way that does nothing.
        head_invert_pitch: stick forward looks up instead of down.
        head_spring_back: the head goes back to the show when the stick is let go.
        walk_speed_share: of the largest speed that the stick gives, 0 to 1.
        favourites: gestures that come first.
        recent: shows opened lately, the newest first.
        simple_view: the 3-D view draws less; None lets the console choose.
    """

    go_minimum_s: Annotated[float, msgspec.Meta(ge=0.0, le=10.0)] = 0.3
    go_key_up: bool = True
    head_expo: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 0.4
    head_dead_zone: Annotated[float, msgspec.Meta(ge=0.0, le=0.5)] = 0.12
    head_invert_pitch: bool = False
    head_spring_back: bool = True
    walk_speed_share: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 0.5
    favourites: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    simple_view: bool | None = None


def config_folder() -> Path:
    """Return where this user's settings lie."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "footlight"


class PreferencesStore(QObject):
    """Owns the settings.

    Attributes:
        value: the settings as they are; frozen, replaced as a whole.

    Signals:
        changed: they were changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.value = Preferences()

    def change(self, value: Preferences) -> None:
        """Take other settings."""
        if value != self.value:
            self.value = value
            self.changed.emit()
