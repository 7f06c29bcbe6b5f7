"""The repertoires of the open show: the folders below `repertoires`."""

from pathlib import Path

from app.console.partner.words import name_of
from shows.repertoire import FOLDER
from shows.repertoire_files import repertoire_names

UNSAVED = "a new repertoire needs a show that is saved as a folder; save the show first"


def repertoires_of(show: Path | None) -> tuple[Path, ...]:
    """Return the folders with a repertoire of a show, by name; none for a show in one file."""
    if show is None:
        return ()
    folder = show.absolute()
    return tuple(folder / FOLDER / name for name in repertoire_names(folder))


def new_path(show: Path | None, text: str) -> Path | None:
    """Return the folder of a new repertoire of a show; None if the show or the name has none.

    Args:
        show: the show's folder; None if it was never saved.
        text: the name as it was typed.
    """
    name = name_of(text)
    if show is None or not name or not show.is_dir():
        return None
    return show.absolute() / FOLDER / name
