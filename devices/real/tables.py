"""Reads TOML files and refuses unknown keys, each with one sentence."""

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
    """A TOML table that refuses unknown keys."""


def read_table(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        DeviceError: it cannot be read or is not valid.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise DeviceError(path.name, "is too large for such a file; put the right one there")
        return tomllib.loads(raw.decode("utf-8"))
    except FileNotFoundError as error:
        raise DeviceError(path.name, "there is no such file; put it there") from error
    except OSError as error:
        raise DeviceError(path.name, f"cannot be read ({error.strerror}); check it") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DeviceError(path.name, f"is not valid TOML ({error}); correct it") from error


def convert(
    raw: object, kind: type[Kind], columns: tuple[str, ...], file: str, place: str = ""
) -> Kind:
    """Convert a table of a file to a struct.

    Args:
        raw: the table, as it was read.
        kind: type of the struct.
        columns: names of the columns of its rows, for error messages.
        file: name of the file, for error messages.
        place: path of the table in the file; empty for the whole file.

    Raises:
        DeviceError: the table is not valid for that type.
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
        DeviceError: it cannot be read, or is not valid for that type.
    """
    return convert(read_table(path), kind, columns, path.name)
