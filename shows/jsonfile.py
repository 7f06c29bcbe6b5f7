"""JSON files that are read strictly; a fault is reported with line, place and advice."""

import json
import re
from typing import Any, TypeVar

import msgspec

from shows.errors import ShowError
from shows.json_faults import faults
from shows.json_places import walk

T = TypeVar("T")

_BYTE = re.compile(r"^JSON is malformed: (?P<reason>.*) \(byte (?P<byte>\d+)\)$")
_NOT_FINITE = re.compile(rb"-?(?:NaN|Infinity|nan|inf)")


def decode(data: bytes, type_: type[T], label: str) -> T:
    """Return the JSON text as the given type; nothing unknown, doubled or non-finite passes.

    A type whose files may leave something out has a function `complete` that writes it.

    Raises:
        ShowError: with the line and, where the text is JSON, the path of the fault.
    """
    try:
        value = msgspec.json.decode(_completed(data, type_), type=type_)
        json.loads(data, object_pairs_hook=_refuse_doubles)
    except _DoubledKey as error:
        raise ShowError(
            label, _doubled_place(data), f"the key {error.key!r} is given twice", "keep one"
        ) from error
    except msgspec.ValidationError as error:
        first, *others = faults(data, str(error), type_, label)
        raise first.with_others(others) from error
    except msgspec.DecodeError as error:
        raise _malformed(data, str(error), label) from error
    except UnicodeDecodeError as error:
        raise ShowError(label, "", "holds text that is not UTF-8", "save it as UTF-8") from error
    except RecursionError as error:
        raise ShowError(label, "", "is nested too deep", "this is no show or motion") from error
    except ValueError as error:
        raise ShowError(label, "", f"is not valid JSON ({error})", "restore a copy") from error
    return value


def _completed(data: bytes, type_: type) -> bytes:
    """Return the text with what a file of the type may leave out."""
    complete = getattr(type_, "complete", None)
    if complete is None:
        return data
    try:
        document = msgspec.json.decode(data)
        return msgspec.json.encode(document) if complete(document) else data
    except (ValueError, RecursionError, OverflowError):
        return data  # the typed decoder says what is wrong


class _DoubledKey(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _refuse_doubles(pairs: list[tuple[str, Any]]) -> None:
    """Object hook that builds nothing and raises on a repeated key."""
    seen = set()
    for key, _ in pairs:
        if key in seen:
            raise _DoubledKey(key)
        seen.add(key)


def _doubled_place(data: bytes) -> str:
    seen: set[tuple[str | int, ...]] = set()
    text = data.decode("utf-8", errors="replace")
    for path, offset in walk(text, []):
        place = tuple(path)
        if isinstance(place[-1], str):
            if place in seen:
                return f"line {text.count(chr(10), 0, offset) + 1}"
            seen.add(place)
    return ""


def _malformed(data: bytes, message: str, label: str) -> ShowError:
    match = _BYTE.match(message)
    if match is None:
        place = f"line {data.count(bytes([10])) + 1}"
        return ShowError(label, place, "the file ends too early", "restore a complete copy")
    offset = int(match["byte"])
    line = data.count(b"\n", 0, offset) + 1
    column = offset - (data.rfind(b"\n", 0, offset) + 1) + 1
    place = f"line {line}, column {column}"
    number = _NOT_FINITE.match(data, max(0, offset - 1)) or _NOT_FINITE.match(data, offset)
    if number:
        value = number[0].decode()
        return ShowError(label, place, f"{value} is not a number", "give a finite number")
    return ShowError(label, place, f"is not valid JSON ({match['reason']})", "correct it there")
