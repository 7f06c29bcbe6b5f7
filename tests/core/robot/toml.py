"""Writes profiles as TOML: the standard library only reads it."""

from typing import Any


def to_toml(table: dict[str, Any]) -> str:
    """Return a table as a TOML file, one line a key."""
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = {_value(v)}' for key, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(c if c.isalnum() or c in "._:" else " " for c in value) + '"'
    return "{}" if value is None else repr(value)
