"""TOML files whose keys are all known: read, converted and refused in one sentence."""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from devices.errors import DeviceError

MOST_BYTES = 1_000_000
_CELL = re.compile(r"\[(\d+)\]\[(\d+)\]")  # of a table with columns
_PATH = re.compile(r"^[$`.]+|`$")
Kind = TypeVar("Kind")

Name: TypeAlias = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A TOML table whose keys are all known."""


def read_table(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        DeviceError: it cannot be read or is not valid.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise DeviceError(path.name, "is larger than any such file; put the right one there")
        return tomllib.loads(raw.decode("utf-8"))
    except FileNotFoundError as error:
        raise DeviceError(path.name, "there is no such file; put it there") from error
    except OSError as error:
        raise DeviceError(path.name, f"cannot be read ({error.strerror}); mend that") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DeviceError(path.name, f"is not valid TOML ({error}); mend it") from error


def convert(
    raw: object, kind: type[Kind], columns: tuple[str, ...], file: str, place: str = ""
) -> Kind:
    """Return a table of a file as what it is to be.

    Args:
        raw: the table, as it was read.
        kind: what it is to be.
        columns: of the rows in it, to name a wrong cell by.
        file: name of the file, for the refusal.
        place: path of the table in the file; empty for the whole file.

    Raises:
        DeviceError: the table is not of that kind.
    """
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        reason, _, where = " ".join(str(error).split()).partition(" - at ")
        where = _PATH.sub("", where)
        where = ".".join(part for part in (place, where.strip(".")) if part)
        where = _CELL.sub(lambda cell: f" {cell[1]} ({columns[int(cell[2])]})", where)
        raise DeviceError(file, f"{where + ': ' if where else ''}{reason}; correct it") from error


def load_table(path: Path, kind: type[Kind], columns: tuple[str, ...]) -> Kind:
    """Read and check a TOML file; arguments as in `convert`.

    Raises:
        DeviceError: it cannot be read, or is not of that kind.
    """
    return convert(read_table(path), kind, columns, path.name)
