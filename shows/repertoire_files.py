"""The repertoires in a show's folder: their files, and the clips with which they answer.

A show needs no takes of a repertoire: they are read where the repertoire is learned.
"""

import re
from pathlib import Path

from shows.repertoire import FILE, FOLDER, TAKES, load_document

MEMBER = (
    rf"{FOLDER}/[a-z][a-z0-9_]{{0,63}}/(?:{re.escape(FILE)}|{TAKES}/[a-z][a-z0-9_]{{0,63}}\.bvh)"
)
"""Pattern of the name of a repertoire's file in a show's folder."""
_MEMBER = re.compile(MEMBER)


def repertoire_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the repertoires of a show's folder, sorted."""
    paths = sorted((folder / FOLDER).glob(f"*/{FILE}"))
    return tuple(path.parent.name for path in paths if _MEMBER.fullmatch(_name(path, folder)))


def repertoire_files(folder: Path) -> dict[str, Path]:
    """Return every file of the repertoires of a show's folder, by its name in the folder."""
    paths = sorted((folder / FOLDER).rglob("*"))
    names = ((_name(path, folder), path) for path in paths if path.is_file())
    return {name: path for name, path in names if _MEMBER.fullmatch(name)}


def repertoire_answers(folder: Path, name: str, label: str) -> tuple[str, ...]:
    """Return the names of the clips with which a repertoire answers, sorted.

    Args:
        folder: the show's folder.
        name: of the repertoire.
        label: what errors call the show.

    Raises:
        ShowError: its file cannot be read, or is no repertoire.
    """
    return load_document(folder / FOLDER / name, f"{label}/{FOLDER}/{name}/{FILE}").answers()


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()
