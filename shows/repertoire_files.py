"""The repertoires in a show's folder: their files, and the clips with which they answer.

A show needs no takes of a repertoire: they are read where the repertoire is learned.
"""

import re
from pathlib import Path

import msgspec

from shows.errors import ShowError
from shows.files import read_capped
from shows.repertoire import FILE, FOLDER, MAX_BYTES, TAKES

MEMBER = (
    rf"{FOLDER}/[a-z][a-z0-9_]{{0,63}}/(?:{re.escape(FILE)}|{TAKES}/[a-z][a-z0-9_]{{0,63}}\.bvh)"
)
"""Pattern of the name of a repertoire's file in a show's folder."""
_MEMBER = re.compile(MEMBER)


class _Answering(msgspec.Struct, frozen=True):
    """A motion or a beat of a repertoire, as far as a show needs it."""

    answer: str | None = None


class _Interaction(msgspec.Struct, frozen=True):
    """An interaction, as far as a show needs it."""

    beats: tuple[_Answering, ...] = ()


class _Outline(msgspec.Struct, frozen=True):
    """A repertoire, as far as a show needs it."""

    motions: tuple[_Answering, ...] = ()
    interactions: tuple[_Interaction, ...] = ()


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
    label = f"{label}/{FOLDER}/{name}/{FILE}"
    data = read_capped(folder / FOLDER / name / FILE, MAX_BYTES, label)
    try:
        outline = msgspec.json.decode(data, type=_Outline)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ShowError(
            label, "", f"is no repertoire ({error})", "teach the repertoire anew"
        ) from error
    answering = [*outline.motions, *(beat for one in outline.interactions for beat in one.beats)]
    return tuple(sorted({one.answer for one in answering if one.answer}))


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()
