"""The lines of a JSON file at which its values stand."""

import json
import re
from collections.abc import Iterator
from typing import Any

TOKEN = re.compile(r'\[[-+.\deE,\s]++\]|"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++')
STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


def line_of(data: bytes, path: str) -> int:
    """Return the line (from 1) of the value or key at a JSON path such as `$.cues[3].number`.

    A path that the text does not reach gives the line of the last part that it does reach.
    """
    steps = steps_of(path)
    text = data.decode("utf-8", errors="replace")
    found, depth = 0, 0
    for place, offset in walk(text, steps):
        if len(place) > depth and place == steps[: len(place)]:
            found, depth = offset, len(place)
            if depth == len(steps):
                break
    return text.count("\n", 0, found) + 1


def steps_of(path: str) -> list[str | int]:
    """Return the keys and indices of a JSON path, up to the first that is not known."""
    found = STEP.finditer(path.split("[...]")[0])
    return [step[1] if step[1] is not None else int(step[2]) for step in found]


def place_of(data: bytes, path: str) -> str:
    """Return "line N, cue 3, name" for an author; the text is JSON."""
    return f"line {line_of(data, path)}, {named(json.loads(data), path, path)}"


def named(root: Any, path: str, place: str) -> str:
    """Return a place in an author's words, with the number of its cue: "cue 3, pre_wait_s".

    Args:
        root: the values of the file; parts may have been left out.
        path: JSON path of the place in these values.
        place: JSON path of the place in the file.
    """
    words: list[str] = []
    value, read = root, steps_of(path)
    for depth, step in enumerate(steps_of(place)):
        key = read[depth] if depth < len(read) else step
        try:
            inside = value[key]
        except (KeyError, IndexError, TypeError):
            inside = None
        if isinstance(step, str):
            words.append(step)
        elif words and not words[-1][-1].isdigit():
            number = inside.get("number") if isinstance(inside, dict) else None
            name = number if isinstance(number, str) and number else str(step + 1)
            key = words[-1] if words[-1].endswith("_s") else words[-1].removesuffix("s")
            words[-1] = f"{key} {name}"
        else:
            words.append(f"item {step + 1}")
        value = inside
    return ", ".join(words) or "the whole"


def walk(text: str, steps: list[str | int]) -> Iterator[tuple[list[str | int], int]]:
    """Yield the path and the offset of every key and array item; the list is reused.

    An array of numbers is one token, so that a long motion is walked fast; its items are
    found only where `steps`, the path looked for, ends within it.
    """
    path: list[str | int] = []
    expects_key = False
    for match in TOKEN.finditer(text):
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
