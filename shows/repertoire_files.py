"""The repertoires in a show's folder: their files, and the motions with which they answer."""

import re
from pathlib import Path

import msgspec

from shows.errors import ShowError
from shows.files import read_capped

FOLDER = "repertoires"
FILE = "repertoire.json"
MAX_FILE_BYTES = 64 * 2**20
MAX_REPERTOIRES = 100
MEMBER = rf"{FOLDER}/[a-z][a-z0-9_]{{0,63}}/(?:{re.escape(FILE)}|takes/[A-Za-z0-9_-]{{1,80}}\.bvh)"
"""Pattern of the name of a repertoire's file in a show's folder."""
_MEMBER = re.compile(MEMBER)


class _Motion(msgspec.Struct, frozen=True):
    """A motion of a person, as far as a show needs it."""

    answer: str = ""


class _Outline(msgspec.Struct, frozen=True):
    """A repertoire, as far as a show needs it."""

    motions: tuple[_Motion, ...] = ()


def repertoire_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the repertoires of a show's folder, sorted."""
    paths = sorted((folder / FOLDER).glob(f"*/{FILE}"))
    found = (path.parent.name for path in paths if _MEMBER.fullmatch(_name(path, folder)))
    return tuple(found)[:MAX_REPERTOIRES]


def repertoire_files(folder: Path) -> dict[str, Path]:
    """Return every file of the repertoires of a show's folder, by its name in the folder."""
    paths = sorted((folder / FOLDER).rglob("*"))
    names = ((_name(path, folder), path) for path in paths if path.is_file())
    return {name: path for name, path in names if _MEMBER.fullmatch(name)}


def repertoire_answers(folder: Path, name: str, label: str) -> tuple[str, ...]:
    """Return the names of the motions with which a repertoire answers, each once.

    Args:
        folder: the show's folder.
        name: of the repertoire.
        label: what errors call the show.

    Raises:
        ShowError: its file cannot be read, or is no repertoire.
    """
    label = f"{label}/{FOLDER}/{name}/{FILE}"
    data = read_capped(folder / FOLDER / name / FILE, MAX_FILE_BYTES, label)
    try:
        outline = msgspec.json.decode(data, type=_Outline)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ShowError(
            label, "", f"is no repertoire ({error})", "teach the repertoire anew"
        ) from error
    return tuple(dict.fromkeys(motion.answer for motion in outline.motions if motion.answer))


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()
