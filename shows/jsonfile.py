"""JSON files that are read strictly; a fault is reported with line, place and advice."""

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from shows.errors import ShowError
from shows.fields import PATTERN_WORDS
from shows.json_hints import known_key, known_values

T = TypeVar("T")

_AT = re.compile(r"^(?P<reason>.*?)(?: - at `(?:key in )?(?P<path>\$.*)`)?$", re.DOTALL)
_BYTE = re.compile(r"^JSON is malformed: (?P<reason>.*) \(byte (?P<byte>\d+)\)$")
_UNKNOWN = re.compile(r"unknown field `(?P<field>.*)`$")
_NOT_FINITE = re.compile(rb"-?(?:NaN|Infinity|nan|inf)")
_TOKEN = re.compile(r'\[[-+.\deE,\s]++\]|"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++')
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


def decode(data: bytes, type_: type[T], label: str) -> T:
    """Return the JSON text as the given type; nothing unknown, doubled or non-finite passes.

    Raises:
        ShowError: with the line and, where the text is JSON, the path of the fault.
    """
    try:
        value = msgspec.json.decode(data, type=type_)
        json.loads(data, object_pairs_hook=_refuse_doubles)
    except _DoubledKey as error:
        raise ShowError(
            label, _doubled_place(data), f"the key {error.key!r} is given twice", "keep one"
        ) from error
    except msgspec.ValidationError as error:
        raise _invalid(data, str(error), label, type_) from error
    except msgspec.DecodeError as error:
        raise _malformed(data, str(error), label) from error
    except UnicodeDecodeError as error:
        raise ShowError(label, "", "holds text that is not UTF-8", "save it as UTF-8") from error
    except RecursionError as error:
        raise ShowError(label, "", "is nested too deep", "this is no show or motion") from error
    except ValueError as error:
        raise ShowError(label, "", f"is not valid JSON ({error})", "restore a copy") from error
    return value


def line_of(data: bytes, path: str) -> int:
    """Return the line (from 1) of the value or key at a JSON path such as `$.cues[3].number`.

    A path that the text does not reach gives the line of the last part that it does reach.
    """
    steps: list[str | int] = []
    for match in _STEP.finditer(path.split("[...]")[0]):
        steps.append(match[1] if match[1] is not None else int(match[2]))
    text = data.decode("utf-8", errors="replace")
    found, depth = 0, 0
    for place, offset in _walk(text, steps):
        if len(place) > depth and place == steps[: len(place)]:
            found, depth = offset, len(place)
            if depth == len(steps):
                break
    return text.count("\n", 0, found) + 1


def place_of(data: bytes, path: str) -> str:
    """Return "line N, path" for an operator."""
    return f"line {line_of(data, path)}, {path}"


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


def _walk(text: str, steps: list[str | int]) -> Iterator[tuple[list[str | int], int]]:
    """Yield the path and the offset of every key and array item; the list is reused.

    An array of numbers is one token, so that a long motion is walked fast; its items are
    found only where `steps`, the path looked for, ends within it.
    """
    path: list[str | int] = []
    expects_key = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "}]":
            expects_key = False
            if path:
                path.pop()
            if not path:
                return
        elif token == ",":
            if not path:
                return
            expects_key = isinstance(path[-1], str)
            if isinstance(path[-1], int):
                path[-1] += 1
        elif token != ":":
            if expects_key:
                path[-1] = _unquoted(token)
                expects_key = False
                yield path, match.start()
                continue
            if path and isinstance(path[-1], int):
                yield path, match.start()
            if token[-1] == "]":
                if steps and path == steps[:-1] and isinstance(steps[-1], int):
                    for i, item in enumerate(re.finditer(r"[^\[\],\s]+", token)):
                        yield [*path, i], match.start() + item.start()
            elif token in ("{", "["):
                expects_key = token == "{"
                path.append("" if expects_key else 0)


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token.strip('"')


def _doubled_place(data: bytes) -> str:
    seen: set[tuple[str | int, ...]] = set()
    text = data.decode("utf-8", errors="replace")
    for path, offset in _walk(text, []):
        place = tuple(path)
        if isinstance(place[-1], str):
            if place in seen:
                return f"line {text.count(chr(10), 0, offset) + 1}"
            seen.add(place)
    return ""


def _invalid(data: bytes, message: str, label: str, type_: object) -> ShowError:
    match = _AT.match(message)
    reason = match["reason"] if match else message
    path = (match["path"] if match else None) or "$"
    advice = "correct the value"
    unknown = _UNKNOWN.search(reason)
    if unknown:
        advice = known_key(type_, path, unknown["field"])
        path = f"{path}.{unknown['field']}"
        reason = f"the key {unknown['field']!r} is unknown"
    elif "missing required" in reason:
        advice = "add it"
    elif "matching regex" in reason:
        words = (text for pattern, text in PATTERN_WORDS.items() if repr(pattern) in reason)
        reason = next(words, reason)
    elif "Invalid" in reason:
        advice = known_values(type_, path)
    reason = reason[:1].lower() + reason[1:]
    return ShowError(label, place_of(data, path), reason.replace("`", "'"), advice)


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
