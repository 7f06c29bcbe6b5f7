"""What would have been right at a place in a JSON file, read off the type that it must have."""

import difflib
import re
from collections.abc import Iterator

from msgspec import inspect

_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")


def known_key(type_: object, path: str, key: str) -> str:
    """Return advice on an unknown key: the one that was meant, or those that there are.

    Args:
        type_: the type of the whole file.
        path: the JSON path of the object that holds the key.
        key: the unknown key.
    """
    keys = {f.encode_name for info in _at(type_, path) for f in _fields(info)}
    meant = difflib.get_close_matches(key, sorted(keys), n=1)
    if meant:
        return f"did you mean {meant[0]!r}?"
    return f"known here: {', '.join(sorted(keys))}" if keys else "remove it"


def known_values(type_: object, path: str) -> str:
    """Return advice on a value that must be one of a few.

    Args:
        type_: the type of the whole file.
        path: the JSON path of the value.
    """
    values = [
        value
        for info in _at(type_, path)
        if isinstance(info, inspect.LiteralType)
        for value in info.values
    ]
    parent, _, field = path.rpartition(".")
    for info in _at(type_, parent):
        if isinstance(info, inspect.StructType) and info.tag_field == field:
            values.append(str(info.tag))
    words = ", ".join(sorted({str(value) for value in values}))
    return f"use one of {words}" if words else "correct the value"


def _at(type_: object, path: str) -> list[inspect.Type]:
    """Return every type that the value at a path may have."""
    infos = list(_alternatives(inspect.type_info(type_)))
    for step in _STEP.finditer(path):
        inner = [each for info in infos for each in _inner(info, step[1])]
        infos = [each for info in inner for each in _alternatives(info)]
    return infos


def _alternatives(info: inspect.Type) -> Iterator[inspect.Type]:
    if isinstance(info, inspect.Metadata):
        yield from _alternatives(info.type)
    elif isinstance(info, inspect.UnionType):
        for each in info.types:
            yield from _alternatives(each)
    else:
        yield info


def _inner(info: inspect.Type, field: str | None) -> Iterator[inspect.Type]:
    """Yield the types inside a type: of the named field, or of the items."""
    if field is not None:
        yield from (f.type for f in _fields(info) if f.encode_name == field)
    elif isinstance(info, (inspect.ListType, inspect.VarTupleType)):
        yield info.item_type
    elif isinstance(info, inspect.TupleType):
        yield from info.item_types
    elif isinstance(info, inspect.DictType):
        yield info.value_type


def _fields(info: inspect.Type) -> tuple[inspect.Field, ...]:
    return info.fields if isinstance(info, inspect.StructType) else ()
