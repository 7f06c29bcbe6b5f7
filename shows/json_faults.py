"""Every fault of a JSON file that is not of its type, with its place in an author's words."""

import json
import re
from typing import Any

import msgspec

from shows.errors import ShowError
from shows.fields import PATTERN_WORDS
from shows.json_hints import known_key, known_values
from shows.json_places import STEP, line_of, named, steps_of

MOST = 20  # faults that are looked for
_AT = re.compile(r"^(?P<reason>.*?)(?: - at `(?:key in )?(?P<path>\$.*)`)?$", re.DOTALL)
_UNKNOWN = re.compile(r"unknown field `(?P<field>.*)`$")
_BOUND = re.compile(r"^Expected `(?P<type>[^`]+)` (?P<sign>[<>]=?) (?P<bound>\S+)$")
_LENGTH = re.compile(r"^Expected `(?P<type>[^`]+)` of length (?P<sign>[<>=]=) (?P<bound>\d+)$")
_TYPE = re.compile(r"^Expected `(?P<type>[^`]+)`, got `(?P<found>[^`]+)`$")
_ENUM = re.compile(r"^Invalid enum value (?P<value>.*)$")
_MISSING = re.compile(r"missing required field `(?P<field>.*)`$")
NOUNS = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a group of keys",
    "null": "null",
}
SIGNS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "==": "exactly"}


def faults(data: bytes, error: str, type_: type, label: str) -> list[ShowError]:
    """Return the faults of a file, in the order in which they are found; at least one.

    A part with a fault is left out, and the rest is looked at again.

    Args:
        data: the file.
        error: the first fault in msgspec's words.
        type_: the type that the file must have.
        label: its name in errors.
    """
    found: list[ShowError] = []
    try:
        root = json.loads(data)
        complete = getattr(type_, "complete", None)
        if complete is not None:
            complete(root)
        rest = _Rest(root)
    except (ValueError, RecursionError):  # behind the fault the file is not JSON
        reason, path = _parts(error)
        return [_fault(None, data, reason, path, path, label, type_)]
    while True:
        reason, path = _parts(error)
        whole = rest.original(path)
        if not rest.has_left_out(path, reason):
            found.append(_fault(rest.root, data, reason, path, whole, label, type_))
        if len(found) >= MOST or not rest.leave_out(path, reason):
            return found
        try:
            msgspec.convert(rest.root, type_)
        except msgspec.ValidationError as next_:
            error = str(next_)
        else:
            return found


class _Rest:
    """The values of a file without those that have a fault."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self._indices: dict[int, list[int]] = {}  # of the items that a list still has
        self._left_out: set[str] = set()  # places in the file

    def original(self, path: str) -> str:
        """Return where a path of the rest leads in the file."""
        written, value = "$", self.root
        for step in STEP.finditer(path.split("[...]")[0]):
            if step[1] is not None:
                written += f".{step[1]}"
                value = value.get(step[1]) if isinstance(value, dict) else None
                continue
            index = int(step[2])
            indices = self._indices.get(id(value))
            written += f"[{index if indices is None else indices[index]}]"
            value = value[index] if isinstance(value, list) and index < len(value) else None
        return written

    def has_left_out(self, path: str, reason: str) -> bool:
        """Return whether a key is missing only because it was left out."""
        missing = _MISSING.search(reason)
        return missing is not None and f"{self.original(path)}.{missing['field']}" in self._left_out

    def leave_out(self, path: str, reason: str) -> bool:
        """Leave out the part at a path; return whether there is something else to look at."""
        unknown = _UNKNOWN.search(reason)
        steps = steps_of(path)
        if unknown:
            steps.append(unknown["field"])
        if not steps or "[...]" in path:
            return False
        self._left_out.add(self.original(path))
        value = self.root
        for step in steps[:-1]:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return False
        last = steps[-1]
        if isinstance(value, dict) and last in value:
            del value[last]
            return True
        if isinstance(value, list) and isinstance(last, int) and last < len(value):
            del self._indices.setdefault(id(value), list(range(len(value))))[last]
            del value[last]
            return True
        return False


def _parts(error: str) -> tuple[str, str]:
    match = _AT.match(error)
    return (match["reason"], match["path"] or "$") if match else (error, "$")


def _fault(
    root: Any, data: bytes, reason: str, path: str, whole: str, label: str, type_: type
) -> ShowError:
    advice = "correct the value"
    unknown, missing = _UNKNOWN.search(reason), _MISSING.search(reason)
    place = whole
    if unknown:
        advice = known_key(type_, whole, unknown["field"])
        place = f"{whole}.{unknown['field']}"
        words = f"the key {unknown['field']!r} is unknown"
    elif missing:
        advice, words = "add it", f"{missing['field']!r} is missing"
    else:
        if "Invalid" in reason:
            advice = known_values(type_, whole)
        words = plain(reason)
    where = f"line {line_of(data, place)}, {named(root, path, place)}"
    return ShowError(label, where, words, advice)


def plain(reason: str) -> str:
    """Return what msgspec expects in the words of an author."""
    pattern = next((words for text, words in PATTERN_WORDS.items() if repr(text) in reason), "")
    if pattern:
        return pattern
    bound, length, kind = (each.match(reason) for each in (_BOUND, _LENGTH, _TYPE))
    if bound:
        return f"must be {_noun(bound['type'])} of {SIGNS[bound['sign']]} {bound['bound']}"
    if length:
        what = "characters" if length["type"] == "str" else "items"
        return f"must have {SIGNS[length['sign']]} {length['bound']} {what}"
    if kind:
        return f"must be {_noun(kind['type'])}, not {_noun(kind['found'])}"
    value = _ENUM.match(reason)
    if value:
        return f"{value['value']} is not allowed"
    return (reason[:1].lower() + reason[1:]).replace("`", "'")


def _noun(types: str) -> str:
    return " or ".join(NOUNS.get(each.strip(), each.strip()) for each in types.split("|"))
