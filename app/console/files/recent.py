"""Shows that were open lately; whether they are still there is looked up beside the GUI thread."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from app.console.files.background import Background
from app.console.files.snapshot import SHOW_FILE
from app.console.preferences.store import PreferencesStore

MAX_RECENT = 12


@dataclass(frozen=True, slots=True)
class RecentShow:
    """One of them.

    Attributes:
        path: its folder or zip.
        there: it can be opened.
    """

    path: Path
    there: bool

    @property
    def text(self) -> str:
        """Its line in a menu."""
        words = f"{self.path.name}  ·  {self.path.parent}"
        return words if self.there else f"✕ {words}  (missing)"


class RecentShows(QObject):
    """Owns the list.

    Attributes:
        shows: the newest first.

    Signals:
        changed: the list, or the set of missing files, has changed.
    """

    changed = Signal()

    def __init__(self, preferences: PreferencesStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shows: tuple[RecentShow, ...] = ()
        self._preferences = preferences
        self._background = Background(self)
        preferences.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Look again which of them are there."""
        paths = [Path(text) for text in self._preferences.value.recent]
        self._background.run(lambda: _look(paths), self._take, lambda error: None)

    def add(self, path: Path) -> None:
        """Put a show first."""
        value = self._preferences.value
        others = [text for text in value.recent if text != str(path)]
        recent = (str(path), *others)[:MAX_RECENT]
        self._preferences.change(msgspec.structs.replace(value, recent=recent))

    def forget(self) -> None:
        """Empty the list."""
        self._preferences.change(msgspec.structs.replace(self._preferences.value, recent=()))

    def close(self) -> None:
        """Stop looking."""
        self._background.close()

    def _take(self, shows: tuple[RecentShow, ...]) -> None:
        if shows != self.shows:
            self.shows = shows
            self.changed.emit()


def _look(paths: list[Path]) -> tuple[RecentShow, ...]:
    return tuple(RecentShow(path, _is_show(path)) for path in paths)


def _is_show(path: Path) -> bool:
    try:
        return path.is_file() or (path / SHOW_FILE).is_file()
    except OSError:
        return False
