"""The folders where an operator looks for shows, and the paths that may be shows."""

from pathlib import Path

from PySide6.QtCore import QMimeData

from app.console.files.recent import RecentShows
from app.console.files.snapshot import SHOW_FILE


class Places:
    """Knows the folders where a chooser starts.

    Attributes:
        recent: shows that were opened lately.

    Args:
        library: a folder with sample shows, which are read-only; None without one.
    """

    def __init__(self, recent: RecentShows, library: Path | None) -> None:
        self.recent, self._library = recent, library

    def folder(self, path: Path | None) -> Path:
        """Return the folder to start in: that of the open show, else of the last one, else home."""
        if path is None:
            path = next((show.path for show in self.recent.shows if show.there), None)
        if path is not None and path.parent.is_dir() and not self.is_sample(path):
            return path.parent
        return Path.home()

    def is_sample(self, path: Path) -> bool:
        """Tell whether a show is a sample of the program; its edits are saved elsewhere."""
        return self._library is not None and path.is_relative_to(self._library)

    def shortcuts(self) -> dict[str, Path]:
        """Return the folders that are one click away, by name."""
        found = {"Home": Path.home()}
        if self._library is not None:
            found["Samples"] = self._library
        return found


def dropped(mime: QMimeData) -> Path | None:
    """Return the show among dropped files; None if there is no single one."""
    paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    shows = [path for path in paths if _may_be_show(path)]
    return shows[0] if len(shows) == 1 else None


def _may_be_show(path: Path) -> bool:
    return path.is_dir() or path.suffix == ".zip" or path.name == SHOW_FILE
